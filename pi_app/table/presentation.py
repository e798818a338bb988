"""What the companion needs to know of a game beyond its rules: its words and its picture."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast

from engines.game import AnyPosition, Facts, Game, Player, Refusal, Result, SetupError
from engines.games import Parts
from engines.record import begin_game
from engines.replay import Step
from pi_app.table.cells import Cells
from pi_app.table.default_names import default_name
from pi_app.table.setup_draft import SetupDraft
from pi_app.texts.common import common_fault, common_reason, named_facts, stone_letters
from pi_app.texts.language import Texts
from pi_app.texts.refused import setup_words
from pi_app.view.frame import Heed, Picture, Seat, Utterance

P = TypeVar("P", bound=AnyPosition)


@dataclass(frozen=True, slots=True)
class RuleText:
    """A house rule for people: a short label, one sentence, and its values in words.

    `values` are (value of the rule, word) pairs; a rule that takes a number offers those
    numbers that people play with. `rows` say each of them in a sentence of its own, for displays
    with room; empty: the label and the word do.
    """

    key: str
    label: str
    sentence: str
    values: tuple[tuple[str, str], ...]
    rows: tuple[str, ...] = ()

    def row(self, value: str) -> str:
        """Return the rule with this value in a sentence, "" where there is none."""
        values = (known for known, _ in self.values)
        return dict(zip(values, self.rows, strict=False)).get(value, "")


@dataclass(frozen=True, slots=True)
class Part:
    """One number of a slot: its label (a player), its value from 0 to `most`.

    `words` stand for the values where they are no counts (nobody, blue, green).
    """

    label: str
    value: int
    most: int
    words: tuple[str, ...] = ()

    def text(self, value: int) -> str:
        """Return a value of this part as people read it."""
        return self.words[value] if self.words else str(value)


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of the table, as the board check goes through them: a field, a hand, a square.

    `label` names it; digits keyed after STAR lead to the slot with this label.
    """

    label: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Feats:
    """What a move did that statistics count. Cells are named as in the game's picture.

    `reached` are those the mover's stones or chips came onto, `barred` (seat, cell) pairs where
    a seat may not play any more, `row` the length of the mover's longest row through them.
    """

    reached: tuple[str, ...] = ()
    barred: tuple[tuple[int, str], ...] = ()
    row: int = 0


class Presentation(ABC, Generic[P]):
    """One game as the table meets it. Stateless: everything comes in as an argument."""

    game: Game
    cells = Cells()
    """How the cells of this game's boards are keyed and read."""
    stand_in: Mapping[str, str] = MappingProxyType({})
    """Tags that a game needs at its start, for a table whose position is still being entered."""

    stones_sign = "x"
    """What stands between two numbers in the words of `Position`: `23x3` stones on a field."""
    stones_examples = ("23:3 7:1", "7:2")
    """Stones of two players as the command line has them, for sentences that show how."""

    @abstractmethod
    def name(self, tx: Texts) -> str:
        """Return the game's name as on its box (at most 16 characters)."""

    @abstractmethod
    def picture(self, tx: Texts, position: P) -> Picture:
        """Return the board as it lies before the table."""

    def seen_by(self, tx: Texts, position: P, seat: int) -> Picture:
        """Return the board as the player of a seat sees it."""
        return self.picture(tx, position)

    def empty_board(self, tx: Texts, tags: Mapping[str, str] = MappingProxyType({})) -> Picture:
        """Return the table as a game finds it before its first move; `tags` may name a board."""
        seats = self.seats(tx, min(self.game.player_counts), None)
        draft = SetupDraft(seats, tags={**self.stand_in, **tags})
        _, position = begin_game(draft.record_tags(self.game))
        return self.picture(tx, cast("P", position))

    @abstractmethod
    def refusal(self, tx: Texts, refusal: Refusal) -> str:
        """Say in one short sentence why a move is illegal."""

    def reason_words(self, tx: Texts, step: Step, code: str, facts: Facts) -> str:
        """Say in a sentence why a move is good: a reason of the game's AI; "" without them."""
        return ""

    @abstractmethod
    def move_words(self, tx: Texts, step: Step) -> str:
        """Say in one line what a move was, without its player."""

    def tip_words(self, tx: Texts, step: Step) -> str:
        """Say which move is meant, so that nobody takes it for another one."""
        return self.move_words(tx, step)

    @abstractmethod
    def to_do(self, tx: Texts, step: Step) -> tuple[str, ...]:
        """Say what is to be done at the table after a move, a sentence each."""

    def doubts(self, tx: Texts, step: Step) -> tuple[str, ...]:
        """Return those of the sentences after a move that ask whether it was keyed right."""
        asking = tuple(event for event in step.events if event.code == "card-doubtful")
        return self.to_do(tx, replace(step, events=asking)) if asking else ()

    def closing(self, tx: Texts, step: Step) -> tuple[str, ...]:
        """Say what the last move of a finished game still asks for at the table."""
        return ()

    def move_speech(self, tx: Texts, step: Step) -> tuple[Utterance, ...]:
        """Say a move and what is to be done after it, to people who look at no display.

        As `turn_speech` and `result_speech` it may be called in any thread. Digits and signs are
        put into words later.
        """
        words = self.move_words(tx, step)
        move = tx("speech", "{name}: {move}.", name=step.player.name, move=words)
        return (Utterance(move), *map(Utterance, self.to_do(tx, step)))

    def turn_speech(self, tx: Texts, position: P) -> tuple[Utterance, ...]:
        """Say whose turn it is, and what of the table matters for it."""
        player = position.to_move
        if player is None:
            return ()
        return (Utterance(tx("speech", "{name} is to move.", name=player.name), Heed.CALL),)

    def result_speech(self, tx: Texts, position: P) -> tuple[Utterance, ...]:
        """Say why the game ended so, where `move_speech` of the last move did not."""
        return tuple(map(Utterance, self.result_lines(tx, position)))

    @abstractmethod
    def result_lines(self, tx: Texts, position: P) -> tuple[str, ...]:
        """Say why the game ended so: the score field by field, what to clear away."""

    @abstractmethod
    def rules(self, tx: Texts) -> tuple[RuleText, ...]:
        """Return the house rules in words, in the order of the engine's."""

    @abstractmethod
    def help(self, tx: Texts) -> tuple[str, ...]:
        """Say which keys do what on the turn screen."""

    def how_to_play(self, tx: Texts) -> tuple[str, ...]:
        """Say in our own words how the game is played: its goal, a turn, its end."""
        return ()

    def slots(self, tx: Texts, position: P) -> tuple[Slot, ...]:
        """Return the table place by place, in the order in which people look at it."""
        return ()

    def lists_places(self) -> bool:
        """Whether the game has `slots`: without them no table can be checked or entered."""
        return type(self).slots is not Presentation.slots

    def placement(self, position: P, values: Sequence[tuple[int, ...]]) -> str:
        """Return the words of `Position` for the slots with these values."""
        return ""

    def derive_counts(
        self, position: P, values: Sequence[tuple[int, ...]]
    ) -> Mapping[tuple[int, int], int]:
        """Return the numbers that follow from the others: by slot and part, which nobody counts.

        `position` is the table before it was looked at: what left the game by then is known.
        """
        return {}

    def objection(self, tx: Texts, position: P, values: Sequence[tuple[int, ...]]) -> str:
        """Say in one sentence where these values disagree with each other; "" where they agree."""
        return ""

    def fault(self, tx: Texts, code: str, facts: Facts) -> str:
        """Say why a position cannot be; "" for a code that this game has no words for."""
        return common_fault(tx, code, facts)

    def position_fault(
        self, tx: Texts, code: str, facts: Facts, reason: str, players: Sequence[Player] = ()
    ) -> str:
        """Say why a position cannot be; `reason`, the engine's own sentence, is the last resort."""
        return self.fault(tx, code, named_facts(tx, facts, players)) or reason

    def score_lines(self, tx: Texts, position: P, result: Result) -> tuple[str, ...]:
        """Say how a position is settled as if the game ended now (games with points)."""
        return self.result_lines(tx, position)

    def reason(self, tx: Texts, reason: str) -> str:
        """Say by what a game was won, in a word or two: what `Result.reason` names."""
        return common_reason(tx, reason)

    def feats(self, before: P, step: Step) -> Feats:  # for games with rows
        """Return what statistics count of a move that was made in the position `before`."""
        return Feats(step.reached)

    def row_words(self, tx: Texts, length: int) -> str:
        """Say how long the longest row was, in a few words."""
        return tx("line", "longest row: {n}", n=length)

    def details(self, tx: Texts, position: P) -> tuple[str, ...]:
        """Return lines for roomy displays: what is left to everybody."""
        return ()

    def seats(self, tx: Texts, count: int, draft: SetupDraft | None) -> list[tuple[str, str]]:
        """Return (name, colour) for `count` players, keeping those of the draft."""
        seats = list(draft.players[:count]) if draft else []
        for colour in self.game.colours:
            if len(seats) < count and colour not in {taken for _, taken in seats}:
                seats.append((default_name(tx, colour, {name for name, _ in seats}), colour))
        return seats

    def fixed_colours(self) -> bool:
        """Whether colours follow from the seats, so that nobody chooses one."""
        return False

    def current_seats(self, tx: Texts, position: P) -> tuple[Seat, ...]:
        """Return who plays, whose turn it is and who won, in the order of the seats."""
        winners = position.result.winners if position.result else ()
        moving = position.to_move
        players = position.players
        letters = stone_letters(tx, players, self.game.colours)
        return tuple(
            Seat(
                player.name,
                player.colour,
                letter,
                *standing,
                to_move=moving is not None and moving.name == player.name,
                winner=player.name in winners,
            )
            for player, letter, standing in zip(
                players, letters, self.standings(tx, position), strict=True
            )
        )

    def standings(self, tx: Texts, position: P) -> Sequence[tuple[str, str]]:
        """Return for every seat the number that decides the game, and what is left in a few words.

        The first is read from afar, the second stands small below the player's name.
        """
        return [("", "")] * len(position.players)

    def setup_error(self, tx: Texts, error: SetupError) -> str:
        """Say what is to be changed in a set-up that contradicts the game."""
        if error.tag == "Position":
            return self.position_fault(tx, error.code, error.facts, error.reason)
        return setup_words(tx, error) or error.reason

    def opening_notice(self, tx: Texts, start: P, tags: Mapping[str, str]) -> tuple[str, ...]:
        """Say what is to be known or done before the first move (cards to deal, ...)."""
        return ()


AnyPresentation = Presentation[Any]

PRESENTATIONS: Mapping[str, AnyPresentation] = Parts("presentation")
"""The games' faces by the game's name, in the order of the menu."""
