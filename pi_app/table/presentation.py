"""A game's presentation: its words and its picture, everything beyond its rules."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast

from engines.game import AnyPosition, Game, Result
from engines.games import Parts
from engines.notation import Fault
from engines.record import begin_game
from pi_app.table.default_names import default_name
from pi_app.table.places import Cells, Slots
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.words import GameWords, Guide, MoveWords
from pi_app.texts.common import join_names, stone_letters
from pi_app.texts.language import Texts
from pi_app.view.frame import Heed, Picture, Seat, Utterance

P = TypeVar("P", bound=AnyPosition)


@dataclass(frozen=True, slots=True)
class RuleText:
    """A house rule for people: a short label, one sentence, and its values in words."""

    key: str
    """The rule's key in the record."""
    label: str
    sentence: str
    values: tuple[tuple[str, str], ...]
    """The values to choose from: (value in the record, word for people) pairs.

    A rule that takes a number offers common numbers.
    """
    rows: tuple[str, ...] = ()
    """A sentence for each of `values`, for displays with room; empty: label and word are shown."""
    asked_first: bool = False
    """Whether it chooses the edition: it is asked before everything else, and lists of house rules
    omit it."""

    def row(self, value: str) -> str:
        """Return the sentence for this value, or ""."""
        rule_values = (rule_value for rule_value, _ in self.values)
        # not strict: there may be no rows
        return dict(zip(rule_values, self.rows, strict=False)).get(value, "")


class Presentation(ABC, Generic[P]):
    """The words and the picture of one game. Stateless: everything comes in as an argument."""

    game: Game
    words = GameWords()
    """Its texts by the codes of its engine."""
    moves: MoveWords
    """The words for its moves; a game may have its own `MoveWords`."""
    guide = Guide()
    """How it is played, and what its keys do."""
    places: Slots[Any] | None = None
    """The places of the table; without them no position can be checked or entered."""
    cells = Cells()
    """Keys and texts of the cells of this game's boards."""
    stand_in: Mapping[str, str] = MappingProxyType({})
    """Tags that the game requires at its start, for a position that is still being entered."""
    fixed_colours = False
    """Whether colours belong to the seats and are not chosen."""

    def __init_subclass__(cls) -> None:
        if not hasattr(cls, "moves"):
            cls.moves = MoveWords(cls.words)

    @abstractmethod
    def name(self, tx: Texts) -> str:
        """Return the game's name as on its box (at most 16 characters)."""

    @abstractmethod
    def picture(self, tx: Texts, position: P) -> Picture:
        """Return the picture of the board at this position."""

    def seen_by(self, tx: Texts, position: P, seat: int) -> Picture:
        """Return the board as the player of a seat sees it."""
        return self.picture(tx, position)

    @abstractmethod
    def result_lines(self, tx: Texts, position: P, result: Result) -> tuple[str, ...]:
        """Explain a result: the score field by field, the stones to clear away."""

    def details(self, tx: Texts, position: P) -> tuple[str, ...]:
        """Return lines for displays with room, such as the stones left to everybody."""
        return ()

    def standings(self, tx: Texts, position: P) -> Sequence[tuple[str, str]]:
        """Return for every seat a (number, words) pair.

        The number decides the game and is shown large; the words say what the player has left and
        are small below the name.
        """
        return [("", "")] * len(position.players)

    def rules(self, tx: Texts) -> tuple[RuleText, ...]:
        """Return the house rules in words, in the engine's order."""
        return ()

    def first_rule(self, tx: Texts) -> RuleText | None:
        """Return the rule that is asked before everything else, if any."""
        return next((rule for rule in self.rules(tx) if rule.asked_first), None)

    def opening_notice(self, tx: Texts, start: P, tags: Mapping[str, str]) -> tuple[str, ...]:
        """Say everything needed before the first move (cards to deal, ...)."""
        return ()

    def turn_speech(self, tx: Texts, position: P) -> tuple[Utterance, ...]:
        """Say who is to move, and the facts that matter for the turn.

        Like `result_speech` it may be called in any thread.
        """
        player = position.to_move
        if player is None:
            return ()
        return (Utterance(tx("speech", "{name} is to move.", name=player.name), Heed.CALL),)

    def result_speech(self, tx: Texts, position: P, result: Result) -> tuple[Utterance, ...]:
        """Speak the reasons for the result, if the last move's speech left them out."""
        return tuple(map(Utterance, self.result_lines(tx, position, result)))

    def seats(self, tx: Texts, count: int, draft: SetupDraft | None) -> list[tuple[str, str]]:
        """Return (name, colour) for `count` players, keeping those of the draft."""
        seats = list(draft.players[:count]) if draft else []
        for colour in self.game.colours:
            if len(seats) < count and colour not in {taken for _, taken in seats}:
                seats.append((default_name(tx, colour, {name for name, _ in seats}), colour))
        return seats

    def current_seats(self, tx: Texts, position: P) -> tuple[Seat, ...]:
        """Return all players with their standings; who is to move and who won is marked."""
        winners = position.result.winners if position.result else ()
        mover = position.to_move
        players = position.players
        letters = stone_letters(tx, players, self.game.colours)
        standings = self.standings(tx, position)
        return tuple(
            Seat(
                player.name,
                player.colour,
                letter,
                score,
                note,
                to_move=mover is not None and mover.name == player.name,
                winner=player.name in winners,
            )
            for player, letter, (score, note) in zip(players, letters, standings, strict=True)
        )

    def empty_board(
        self,
        tx: Texts,
        tags: Mapping[str, str] = MappingProxyType({}),
        rules: Mapping[str, str] = MappingProxyType({}),
    ) -> Picture:
        """Return the picture before the first move of a game with these house rules.

        `tags` may name a board.
        """
        # the first number of players that this board allows: the picture is the same for all
        for count in sorted(self.game.player_counts):
            seats = self.seats(tx, count, None)
            draft = SetupDraft(seats, rules=dict(rules), tags={**self.stand_in, **tags})
            try:
                _, position = begin_game(draft.record_tags(self.game))
                break
            except Fault:
                if count == max(self.game.player_counts):
                    raise
        return self.picture(tx, cast("P", position))


AnyPresentation = Presentation[Any]

PRESENTATIONS: Mapping[str, AnyPresentation] = Parts("presentation")
"""The games' presentations by the game's name, in the order of the menu."""


def house_rules_line(tx: Texts, presentation: AnyPresentation, names: Sequence[str] = ()) -> str:
    """Return a sentence that lists the house rules: `names`, or by default their labels."""
    names = names or [rule.label for rule in presentation.rules(tx) if not rule.asked_first]
    if not names:
        return tx("line", "There are no house rules here.")
    return tx("line", "House rules here: {names}; no others.", names=join_names(tx, names))
