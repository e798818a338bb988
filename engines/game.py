"""The vocabulary every game shares: players, moves, events, refusals, results, positions.

A position is an immutable value: playing a move returns a new one, so undo, redo, "what if"
and replay are lists of positions. Chance and hidden things (die, hands) come in as arguments.
`replay` plays tokens one after the other, for the table, `check` and the history.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Self, TypeVar

from engines.board import BoardKind
from engines.notation import TOKEN_LIMIT_LETTERS, Fault, correction

Facts = Mapping[str, Any]
"""The facts for a sentence about an event, a refusal or a result: JSON values by name."""


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
    facts: Facts = field(default_factory=dict[str, Any])

    def as_fault(self) -> Fault:
        """Return the Fault to raise if the move had to be legal; its place is the token."""
        return Fault(self.code, self.move, **self.facts)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. `winners` names nobody after a draw, all members of a winning team."""

    winners: tuple[str, ...]
    reason: str
    facts: Facts = field(default_factory=dict[str, Any])

    def as_json(self) -> dict[str, Any]:
        """Return it with the keys of the record format's last `check` line."""
        return {"winners": list(self.winners), "reason": self.reason, **self.facts}


@dataclass(frozen=True, slots=True)
class Move:
    """A move in the notation of the game record; each game's subclass adds the token's meaning."""

    token: str


@dataclass(frozen=True, slots=True)
class Correction(Move):
    """The position of the real table: `layout` in the game's own form, and the seat to move.

    Made by `Position.parse`, which has checked that the layout is possible in its game.
    """

    layout: Any
    seat: int


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game begins, as its record's tags say.

    `players` in clockwise order; `start` is the seat (index into players) that moves first;
    `rules` the house rules as written; `tags` all tags, for those of a single game
    (einmaleins: Open, Hand).
    """

    players: tuple[Player, ...]
    start: int = 0
    board: str | None = None
    board_data: str | None = None
    rules: Mapping[str, str] = field(default_factory=dict[str, str])
    position: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict[str, str])


M = TypeVar("M", bound=Move)
G = TypeVar("G")


class Position(ABC, Generic[M, G]):
    """A game at one moment. M is the game's move, G the argument of `legal` (hand, roll).

    A game writes `candidates`, `describe` and these five, which pydoc leaves out:

    - `_read(token)` returns the move that a token means, None if it is not in the game's notation
    - `_refuse(move)` returns why a move is illegal while the game goes on, or None
    - `_play(move)` returns the position after a legal move, and the events
    - `_read_layout(text)` reads what `describe` returns into a layout of any form, or raises
      Fault
    - `_set(layout, seat)` returns this game with that layout and this seat to move
    """

    __slots__ = ()  # else every position of a game would carry a dict

    players: tuple[Player, ...]
    seat: int
    """The player to move as an index into `players`; the last one to move if the game is over."""
    result: Result | None
    """None while the game goes on."""

    @property
    def to_move(self) -> Player | None:
        """The player to move; None when the game is over."""
        return None if self.result is not None else self.players[self.seat]

    def parse(self, token: str) -> M | Correction | Refusal:
        """Read a token of the record; a Refusal `bad-move` if it is not a token of this game.

        An impossible correction (`<...>`) is a `bad-move` with the facts of its Fault, and
        `fault`, its code. Tokens are read alike whether or not the game is over.
        """
        if len(token) > TOKEN_LIMIT_LETTERS:
            return Refusal("bad-move", token, {"most": TOKEN_LIMIT_LETTERS, "fault": "too-long"})
        if token[:1] != "<":
            return self._read(token) or Refusal("bad-move", token)
        try:
            parts = correction(token, [player.name for player in self.players])
            if parts is None:
                return Refusal("bad-move", token)
            text, seat = parts
            if seat is None:  # a correction without a player to move leaves the turn as it is
                seat = self.seat
            return Correction(token, self._read_layout(text), seat)
        except Fault as fault:
            return Refusal("bad-move", token, {**fault.facts, "fault": fault.code})

    @abstractmethod
    def candidates(self, given: G) -> Sequence[M]:
        """Every move that this hand or roll forms, legal or not, in the record format's order."""

    def legal(self, given: G) -> Sequence[M]:
        """Every legal move with this hand or roll, in the record format's order.

        A game may find them faster, and leave out moves that lead to the same position.
        """
        if self.result is not None:
            return ()
        return [move for move in self.candidates(given) if self._refuse(move) is None]

    def refusal(self, move: M | Correction) -> Refusal | None:
        """Why this move is illegal here, or None: the first violation in the documented order."""
        if self.result is not None:
            return Refusal("game-over", move.token)
        return None if isinstance(move, Correction) else self._refuse(move)

    def verdict(self, token: str) -> Refusal | None:
        """Why this token cannot be played here, or None."""
        if self.result is not None:
            return Refusal("game-over", token)
        move = self.parse(token)
        return move if isinstance(move, Refusal) else self.refusal(move)

    def play(self, move: M | Correction) -> tuple[Self, tuple[Event, ...]]:
        """Return the position after the move and what happened; Fault if it is refused."""
        refusal = self.refusal(move)
        if refusal is not None:
            raise refusal.as_fault()
        return self._apply_correction(move) if isinstance(move, Correction) else self._play(move)

    def attempt(self, token: str) -> tuple[Self, tuple[Event, ...]] | Refusal:
        """Play a token if it is legal, else return the Refusal; no token raises an exception."""
        if self.result is not None:
            return Refusal("game-over", token)
        move = self.parse(token)
        if isinstance(move, Refusal):
            return move
        refusal = self.refusal(move)
        if refusal is not None:
            return refusal
        return self._apply_correction(move) if isinstance(move, Correction) else self._play(move)

    def apply_setup(self, setup: Setup) -> Self:
        """Return this first position with the layout of the tag `Position`, if there is one."""
        if setup.position is None:
            return self
        try:
            layout = self._read_layout(setup.position)
        except Fault as fault:
            raise Fault(fault.code, "Position", **fault.facts) from fault
        return self._set(layout, setup.start)

    def _apply_correction(self, move: Correction) -> tuple[Self, tuple[Event, ...]]:
        return self._set(move.layout, move.seat), (CORRECTED,)

    @abstractmethod
    def _read(self, token: str) -> M | None:
        """Read a token that is not a correction; None if it is not in the game's notation."""

    @abstractmethod
    def _refuse(self, move: M) -> Refusal | None:
        """Why a move is illegal while the game goes on, or None."""

    @abstractmethod
    def _play(self, move: M) -> tuple[Self, tuple[Event, ...]]:
        """Return the position after a legal move, and what happened."""

    @abstractmethod
    def _read_layout(self, text: str) -> Any:
        """Read the words of a correction's position; Fault if it is impossible."""

    @abstractmethod
    def _set(self, layout: Any, seat: int) -> Self:
        """Return this game with the layout of the real table and this seat to move."""

    @abstractmethod
    def describe(self) -> str:
        """Return this position in the words of the `Position` tag; reading it gives it back."""

    def __repr__(self) -> str:
        player = self.to_move
        turn = f"to move: {player.name}" if player else "over"
        return f"<{type(self).__name__} {self.describe()!r}, {turn}>"


CORRECTED = Event("corrected", {})


AnyPosition = Position[Any, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A token that is a legal move: its player, what happened, and the position after it."""

    player: Player
    token: str
    events: tuple[Event, ...]
    after: AnyPosition

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the fields or squares that this move changed."""
        return _places(self.events)

    @property
    def reached(self) -> tuple[str, ...]:
        """The names of the fields or squares that a stone or a chip reached by this move."""
        return _places(event for event in self.events if event.code in ("placed", "moved"))


def _places(events: Iterable[Event]) -> tuple[str, ...]:
    """Return the fields or squares in the facts of these events; a stone moves `to` its field."""
    return tuple(
        str(event.facts[fact])
        for event in events
        for fact in ("field", "square", "to")  # an event has at most one of these
        if fact in event.facts
    )


@dataclass(frozen=True, slots=True)
class Violation:
    """A token that is not a legal move. `player` is None if the game was over."""

    player: Player | None
    token: str
    refusal: Refusal


def make_step(position: AnyPosition, move: Move) -> Step:
    """Play a legal move; Fault if it is refused."""
    after, events = position.play(move)
    return Step(position.players[position.seat], move.token, events, after)


def attempt(position: AnyPosition, token: str) -> Step | Violation:
    """Try one token in a position; no token raises an exception."""
    outcome = position.attempt(token)
    if isinstance(outcome, Refusal):
        return Violation(position.to_move, token, outcome)
    after, events = outcome
    return Step(position.players[position.seat], token, events, after)


def replay(position: AnyPosition, tokens: Iterable[str]) -> Iterator[Step | Violation]:
    """Try the tokens one after the other; a violation leaves the position as it was."""
    for token in tokens:
        step = attempt(position, token)
        if isinstance(step, Step):
            position = step.after
        yield step


def steps(position: AnyPosition, tokens: Iterable[str]) -> list[Step]:
    """Play tokens that must all be legal; Fault at the first that is not."""
    played: list[Step] = []
    for step in replay(position, tokens):
        if isinstance(step, Violation):
            raise step.refusal.as_fault()
        played.append(step)
    return played


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
        # five digits are more than any rule needs, and safe to convert
        if not (value.isascii() and value.isdigit() and len(value) <= 5):
            return False
        number = int(value)
        if self.least is not None and number < self.least:
            return False
        return self.most is None or number <= self.most


def _nothing_hidden(_position: AnyPosition, _hand: str | None, _roll: str | None) -> None:
    """Return None: `legal` needs neither a hand nor a roll."""


@dataclass(frozen=True)
class Game:
    """A game in the registry: what may be set up, and how to begin.

    `begin` makes the first position or raises a Fault. `given` reads a hand or a roll from the
    command line (either may be None) or raises a Fault; a game without hands and rolls omits it,
    and `legal` is called with None. `legal_facts` returns the keys that the game adds to what
    `beisitzer legal --json` prints. `score` settles a position as if the game ended now; None for a
    game without points. `board` handles the game's boards; None for a game without one.
    `remarks(before, after)` returns events for surprises in a position that were not in the one
    before (None at the start). A game's functions take its own positions, hence `Any`. `own_tags`
    are tags of the record that no other game reads.
    """

    name: str
    colours: tuple[str, ...]
    player_counts: frozenset[int]
    begin: Callable[[Setup], AnyPosition]
    given: Callable[[Any, str | None, str | None], Any] = _nothing_hidden
    legal_facts: Callable[[Any, Any], Facts] = lambda _position, _given: {}
    score: Callable[[Any], Result] | None = None
    house_rules: tuple[HouseRule, ...] = ()
    board: BoardKind[Any] | None = None
    remarks: Callable[[Any, Any], Sequence[Event]] = lambda _before, _after: ()
    own_tags: frozenset[str] = frozenset()

    @property
    def hides_nothing(self) -> bool:
        """Whether there are neither hands nor rolls."""
        return self.given is _nothing_hidden

    @property
    def default_rules(self) -> dict[str, str]:
        """The default value of each house rule, by its key."""
        return {rule.key: rule.default for rule in self.house_rules}
