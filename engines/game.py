"""The vocabulary every game shares: players, moves, events, refusals, results, positions.

A position is an immutable value: playing a move returns a new one, so undo, redo, "what if"
and replay are lists of positions. Chance and hidden things (die, hands) come in as arguments.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Self, TypeVar

Facts = Mapping[str, Any]
"""What a sentence about an event, a refusal or a result needs: JSON values by name."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table; in Sequence the colour is the team."""

    name: str
    colour: str


class Event(NamedTuple):
    """Something that happened at the table, with its facts in the order of the record format."""

    code: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is illegal: the violation's code, the move's token, the facts to say it with."""

    code: str
    move: str
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. `winners` are names; empty for a draw, every member of a winning team."""

    winners: tuple[str, ...]
    reason: str
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Move:
    """A move in the notation of the game record; each game adds what the token means."""

    token: str


class IllegalMoveError(ValueError):
    """`Position.play` was given a move that `Position.refusal` refuses."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.move}: {refusal.code}")
        self.refusal = refusal


class SetupError(ValueError):
    """Tags that contradict the game: unknown board or rule, too many players, ...

    `tag` names the tag at fault ("Players", "Board", "Rules", ...), `reason` is one English
    sentence without the tag's name.
    """

    def __init__(self, tag: str, reason: str) -> None:
        super().__init__(f"{tag}: {reason}")
        self.tag = tag
        self.reason = reason


class GivenError(ValueError):
    """The hand or the roll that `legal` needs is missing or impossible; the text says why."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game begins, as its record's tags say.

    `players` in clockwise order; `start` is the seat (index into players) that moves first;
    `rules` the house rules as written; `tags` every tag, for those that one game alone knows
    (einmaleins: Open, Hand).
    """

    players: tuple[Player, ...]
    start: int = 0
    board: str | None = None
    board_data: str | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    position: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)


M = TypeVar("M", bound=Move)
G = TypeVar("G")


class Position(ABC, Generic[M, G]):
    """A game at one moment. M is the game's move, G what `legal` must be given (hand, roll)."""

    __slots__ = ()

    players: tuple[Player, ...]
    seat: int
    """Index into `players` of who is to move; the last mover's once the game is over."""
    result: Result | None
    """None while the game goes on."""

    @property
    def to_move(self) -> Player | None:
        """Who is to move; None when the game is over."""
        return None if self.result is not None else self.players[self.seat]

    @abstractmethod
    def parse(self, token: str) -> M | Refusal:
        """Read a token of the record; a Refusal `bad-move` where it is none of this game.

        A correction (`<...>`) is a move too; an impossible one is a `bad-move`.
        """

    @abstractmethod
    def legal(self, given: G) -> Sequence[M]:
        """Every legal move with this hand or roll, in the record format's order."""

    @abstractmethod
    def refusal(self, move: M) -> Refusal | None:
        """Why this move is illegal here, or None: the first violation in the documented order."""

    @abstractmethod
    def play(self, move: M) -> tuple[Self, tuple[Event, ...]]:
        """Return the position after the move and what happened; IllegalMoveError if refused."""

    @abstractmethod
    def describe(self) -> str:
        """Return this position in the words of the `Position` tag; reading it gives it back."""


AnyPosition = Position[Any, Any]


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One optional rule: its key, the default, and the values that are allowed.

    `choices` lists them; `least` and `most` bound a whole number instead (most None: no bound).
    """

    key: str
    default: str
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def allows(self, value: str) -> bool:
        if self.choices:
            return value in self.choices
        if not (value.isascii() and value.isdigit() and len(value) < 6):
            return False
        number = int(value)
        return (self.least is None or number >= self.least) and (
            self.most is None or number <= self.most
        )


@dataclass(frozen=True)
class Game:
    """A game as the registry knows it: what may be set up, and how to begin.

    `begin` makes the first position or raises SetupError. `score` settles a position as if the
    game ended now; None for a game without points. `given` reads what the command line says of
    a hand or a roll (either may be None) or raises GivenError; `legal_facts` are the game's own
    keys beside `moves`. `board_data` turns a board's TOML table into the text of the
    `BoardData` tag or raises BoardError; None for a game without a board. A game's functions
    take its own positions, hence `Any`.
    """

    name: str
    colours: tuple[str, ...]
    player_counts: frozenset[int]
    begin: Callable[[Setup], AnyPosition]
    given: Callable[[Any, str | None, str | None], Any]
    legal_facts: Callable[[Any, Any], Facts]
    score: Callable[[Any], Result] | None = None
    house_rules: tuple[HouseRule, ...] = ()
    default_board: str | None = None
    board_data: Callable[[Mapping[str, Any]], str] | None = None
