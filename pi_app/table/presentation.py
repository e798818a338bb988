"""A game's presentation: its words and its picture, everything beyond its rules."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar, cast

from engines.game import AnyPosition, Event, Facts, Game, Player, Refusal, Result, Step
from engines.games import Parts
from engines.notation import Fault
from engines.record import begin_game
from pi_app.table.cells import Cells
from pi_app.table.default_names import default_name
from pi_app.table.setup_draft import SetupDraft
from pi_app.texts.common import (
    common_event,
    common_reason,
    common_refusal,
    join_names,
    stone_letters,
)
from pi_app.texts.language import Text, Texts
from pi_app.texts.refused import say_fault
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

    def row(self, value: str) -> str:
        """Return the sentence for this value, or ""."""
        rule_values = (rule_value for rule_value, _ in self.values)
        # not strict: there may be no rows
        return dict(zip(rule_values, self.rows, strict=False)).get(value, "")


@dataclass(frozen=True, slots=True)
class Part:
    """One number of a slot, such as the stones of one player on a field."""

    label: str
    """What the number belongs to, such as a player's name."""
    value: int
    """The number that the game has there now."""
    most: int
    """The largest number that can be entered; the smallest is 0."""
    words: tuple[str, ...] = ()
    """A word for each number from 0 on, if they are not counts (nobody, blue, green)."""

    def text(self, value: int) -> str:
        """Return the text for a value of this part."""
        return self.words[value] if self.words else str(value)


@dataclass(frozen=True, slots=True)
class Slot:
    """One place that the board check asks for: a field, a hand, a square."""

    label: str
    """The place's name; if it is a number, STAR and its digits go to this slot."""
    parts: tuple[Part, ...]
    cell: str = ""
    """The picture's cell where it is, if that is not called like the place."""

    @property
    def cell_name(self) -> str:
        """The picture's cell where it is; no cell has this name if the place is none."""
        return self.cell or self.label


class Slots(ABC, Generic[P]):
    """The places of a game's table: for a check, a first position and a score. Stateless."""

    @abstractmethod
    def slots(self, tx: Texts, position: P) -> tuple[Slot, ...]:
        """Return all places of the table in the order in which people check them."""

    @abstractmethod
    def placement(self, position: P, values: Sequence[tuple[int, ...]]) -> str:
        """Return the text of the tag `Position`; `values` has the parts' numbers of each slot."""

    def derive_counts(
        self, position: P, values: Sequence[tuple[int, ...]]
    ) -> Mapping[tuple[int, int], int]:
        """Return the numbers that follow from the others, by the indices of slot and part.

        `position` is the one before the check: it tells which stones had left the game.
        """
        return {}

    def objection(self, position: P, values: Sequence[tuple[int, ...]]) -> Fault | None:
        """Return how these values contradict each other; None if they do not."""
        return None


class Presentation(ABC, Generic[P]):
    """The words and the picture of one game. Stateless: everything comes in as an argument."""

    game: Game
    cells = Cells()
    """Keys and texts of the cells of this game's boards."""
    stand_in: Mapping[str, str] = MappingProxyType({})
    """Tags that the game requires at its start, for a position that is still being entered."""

    refusals: ClassVar[Mapping[str, Text]] = MappingProxyType({})
    """Why a move is illegal, by the refusal's code; placeholders are named as the facts."""
    events: ClassVar[Mapping[str, Text]] = MappingProxyType({})
    """What people do at the table, by the event's code; `name` is the player who moved."""
    faults: ClassVar[Mapping[str, Text]] = MappingProxyType({})
    """Why a set-up or a position is impossible, by the fault's code."""
    results: ClassVar[Mapping[str, Text]] = MappingProxyType({})
    """A word or two for each reason of a result."""
    places: ClassVar[Slots[Any] | None] = None
    """The places of the table; without them no position can be checked or entered."""

    calls: ClassVar[frozenset[str]] = frozenset()
    """Codes of the events that are spoken even where only the most important is."""
    move_events: ClassVar[frozenset[str]] = frozenset()
    """Codes of the events of which `spoken_move` has said enough."""

    wished_rules: frozenset[str] = frozenset()
    """Codes of refusals behind which people may expect a house rule that the game does not have."""

    stones_sign = "x"
    """The sign between field and stones in the tag `Position`: `23x3`."""
    stones_examples = ("23:3 7:1", "7:2")
    """Stones of two players as the command line takes them, for example sentences."""

    @abstractmethod
    def name(self, tx: Texts) -> str:
        """Return the game's name as on its box (at most 16 characters)."""

    @abstractmethod
    def picture(self, tx: Texts, position: P) -> Picture:
        """Return the picture of the board at this position."""

    def seen_by(self, tx: Texts, position: P, seat: int) -> Picture:
        """Return the board as the player of a seat sees it."""
        return self.picture(tx, position)

    def empty_board(self, tx: Texts, tags: Mapping[str, str] = MappingProxyType({})) -> Picture:
        """Return the picture before the first move of a game; `tags` may name a board."""
        # any number of players does: the board is the same
        seats = self.seats(tx, min(self.game.player_counts), None)
        draft = SetupDraft(seats, tags={**self.stand_in, **tags})
        _, position = begin_game(draft.record_tags(self.game))
        return self.picture(tx, cast("P", position))

    def refusal(self, tx: Texts, refusal: Refusal) -> str:
        """Say in one short sentence why a move is illegal."""
        words = tx.say(self.refusals, refusal.code, **refusal.facts)
        return words or common_refusal(tx, refusal)

    def reason_words(self, tx: Texts, step: Step, code: str, facts: Facts) -> str:
        """Say in a sentence why a move is good, for a reason that the game's AI gives, or ""."""
        return ""

    def move_words(self, tx: Texts, step: Step) -> str:
        """Describe a move in one line, without its player."""
        return tx("line", "correction") if step.token.startswith("<") else step.token

    def tip_words(self, tx: Texts, step: Step) -> str:
        """Describe a tip so that nobody can mistake it for another move."""
        return self.move_words(tx, step)

    def to_do(self, tx: Texts, step: Step) -> tuple[str, ...]:
        """Say in sentences what people must do at the table after a move."""
        return tuple(line for _, line in self.said(tx, step))

    def said(self, tx: Texts, step: Step) -> Iterator[tuple[str, str]]:
        """Yield the sentences of `to_do`, each after the code of its event."""
        for event in step.events:
            for line in self.event_lines(tx, step, event):
                yield event.code, line

    def event_lines(self, tx: Texts, step: Step, event: Event) -> tuple[str, ...]:
        """Say in sentences what an event of a move requires at the table."""
        line = self.event_line(tx, step, event)
        return (line,) if line else ()

    def event_line(self, tx: Texts, step: Step, event: Event) -> str:
        """Say what an event of a move requires at the table; "" if it has no sentence."""
        facts = {"name": step.player.name, **event.facts}
        return tx.say(self.events, event.code, **facts) or common_event(tx, event.code)

    def doubts(self, tx: Texts, step: Step) -> tuple[str, ...]:
        """Return those of the sentences after a move that ask whether it was keyed right."""
        asking = (event for event in step.events if event.code == "card-doubtful")
        return tuple(line for event in asking for line in self.event_lines(tx, step, event))

    def remark(self, tx: Texts, event: Event) -> str:
        """Return the sentence for an event of `Game.remarks`."""
        return event.code

    def closing(self, tx: Texts, step: Step) -> tuple[str, ...]:
        """Say what people must still do at the table after the last move of a game."""
        return ()

    def move_speech(self, tx: Texts, step: Step) -> tuple[Utterance, ...]:
        """Speak a move and what to do after it, for people who do not look at a display.

        Like `turn_speech` and `result_speech` it may be called in any thread. Digits and signs
        become words later.
        """
        move = self.spoken_move(tx, step)
        said = (each for each in self.said(tx, step) if each[0] not in self.move_events)
        return (
            *((Utterance(move),) if move else ()),
            *(
                Utterance(line, Heed.CALL if code in self.calls else Heed.DETAIL)
                for code, line in said
            ),
        )

    def spoken_move(self, tx: Texts, step: Step) -> str:
        """Speak a move; "" if the sentences after it say it."""
        words = self.move_words(tx, step)
        return tx("speech", "{name}: {move}.", name=step.player.name, move=words)

    def turn_speech(self, tx: Texts, position: P) -> tuple[Utterance, ...]:
        """Speak whose turn it is, and the facts that matter for it."""
        player = position.to_move
        if player is None:
            return ()
        return (Utterance(tx("speech", "{name} is to move.", name=player.name), Heed.CALL),)

    def result_speech(self, tx: Texts, position: P) -> tuple[Utterance, ...]:
        """Speak the reasons for the result that `move_speech` of the last move left out."""
        return tuple(map(Utterance, self.result_lines(tx, position)))

    @abstractmethod
    def result_lines(self, tx: Texts, position: P) -> tuple[str, ...]:
        """Say how the result came about: the score field by field, what to clear away."""

    def rules(self, tx: Texts) -> tuple[RuleText, ...]:
        """Return the house rules in words, in the engine's order."""
        return ()

    def house_rules(self, tx: Texts, names: Sequence[str] = ()) -> str:
        """Return a sentence that lists the house rules: `names`, or by default their labels."""
        names = names or [rule.label for rule in self.rules(tx)]
        if not names:
            return tx("line", "There are no house rules here.")
        return tx("line", "House rules here: {names}; no others.", names=join_names(tx, names))

    def help(self, tx: Texts) -> tuple[str, ...]:
        """Say which keys do what on the turn screen."""
        return (
            tx(
                "line", "C deletes; held it clears what is keyed, else it takes back the last move."
            ),
            tx("line", "D: menu."),
        )

    def how_to_play(self, tx: Texts) -> tuple[str, ...]:
        """Say in our own words how to play the game: its goal, a turn, its end."""
        return ()

    def edition(self, tx: Texts) -> tuple[str, ...]:
        """Name the refereed edition first, then editions that are different games."""
        return ()

    def fault(self, tx: Texts, fault: Fault, players: Sequence[Player] = ()) -> str:
        """Say why a set-up, a position or a hand is impossible; colours are players' names."""
        return say_fault(tx, fault, {**self.refusals, **self.faults}, players)

    def score_lines(self, tx: Texts, position: P, result: Result) -> tuple[str, ...]:
        """Say how the score comes about if the game ends now (games with points)."""
        return self.result_lines(tx, position)

    def reason(self, tx: Texts, reason: str) -> str:
        """Return a word or two for `Result.reason`, by which a game was won."""
        return tx.say(self.results, reason) or common_reason(tx, reason)

    def details(self, tx: Texts, position: P) -> tuple[str, ...]:
        """Return lines for displays with room, such as the stones left to everybody."""
        return ()

    def seats(self, tx: Texts, count: int, draft: SetupDraft | None) -> list[tuple[str, str]]:
        """Return (name, colour) for `count` players, keeping those of the draft."""
        seats = list(draft.players[:count]) if draft else []
        for colour in self.game.colours:
            if len(seats) < count and colour not in {taken for _, taken in seats}:
                seats.append((default_name(tx, colour, {name for name, _ in seats}), colour))
        return seats

    def fixed_colours(self) -> bool:
        """Whether colours belong to the seats, so that nobody chooses one."""
        return False

    def current_seats(self, tx: Texts, position: P) -> tuple[Seat, ...]:
        """Return all players with their standings; whose turn it is and who won is marked."""
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

    def standings(self, tx: Texts, position: P) -> Sequence[tuple[str, str]]:
        """Return for every seat a (number, words) pair.

        The number decides the game and is shown large; the words say what the player has left and
        are small below the name.
        """
        return [("", "")] * len(position.players)

    def opening_notice(self, tx: Texts, start: P, tags: Mapping[str, str]) -> tuple[str, ...]:
        """Say what to know or do before the first move (cards to deal, ...)."""
        return ()


AnyPresentation = Presentation[Any]

PRESENTATIONS: Mapping[str, AnyPresentation] = Parts("presentation")
"""The games' presentations by the game's name, in the order of the menu."""
