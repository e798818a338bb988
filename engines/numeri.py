"""numeri: the die says which stone moves, not how far; three in a row roll again.

A stone moves to the next free field ahead of it, from the hand to the first free one. Fields
are numbered from 1; field 0 means "not in play". The die comes in as an argument.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, permutations
from typing import Any, NamedTuple

from engines.board import BoardError, shipped
from engines.game import (
    Event,
    Facts,
    Game,
    GivenError,
    IllegalMoveError,
    Move,
    Player,
    Position,
    Refusal,
    Result,
    Setup,
    SetupError,
)
from engines.notation import correction, number, position_parts
from engines.seating import check_table

COLOURS = ("yellow", "red", "green", "blue")
COUNTS = frozenset({2, 3, 4})
SAMPLE = "sample-38"
STONES = 6
"""Stones of each player, numbered 1 to 6 like the sides of the die."""
LARGE = 3
"""The last fields of a track, the large ones: the game ends when they are occupied."""
MOST_FIELDS = 999
MOST_VALUE = 99_999
_NO_DIE = 1_000_000

_NUMBER = "(?:0|[1-9][0-9]*)"
_TOKEN = re.compile(rf"(?P<roll>{_NUMBER})(?::(?P<rest>-|{_NUMBER}(?:,{_NUMBER})*))?")


@dataclass(frozen=True, slots=True)
class Track:
    """A printed track: what each field counts, field 1 first; white fields count 0.

    `full` and `large` are bit sets: bit n stands for field n.
    """

    name: str
    values: tuple[int, ...]
    full: int
    large: int

    @property
    def is_sample(self) -> bool:
        """Whether these are the sample's values, which are not the printed ones."""
        return self.values == tuple(shipped("numeri")[SAMPLE]["values"])


def make_track(name: str, values: Sequence[int]) -> Track:
    """Return the track with these values, one a field, from LARGE to MOST_FIELDS of them.

    BoardError where there are fewer or more, or a value is not from 0 to MOST_VALUE.
    """
    if not LARGE <= len(values) <= MOST_FIELDS:
        raise BoardError(
            "values", f"must be {LARGE} to {MOST_FIELDS} numbers, one a field, not {len(values)}"
        )
    for field, value in enumerate(values, 1):
        if type(value) is not int or not 0 <= value <= MOST_VALUE:
            raise BoardError("values", f"field {field} must be a number from 0 to {MOST_VALUE}")
    fields = len(values)
    full = (2 << fields) - 2
    return Track(name, tuple(values), full, full & -(1 << (fields - LARGE + 1)))


def board_data(table: Mapping[str, Any]) -> str:
    """Return the `BoardData` text of a board's TOML table; BoardError where it has a mistake."""
    values = table.get("values")
    if not isinstance(values, list):
        raise BoardError("values", "must be a list of numbers, one a field")
    return " ".join(str(value) for value in make_track(str(table.get("name")), values).values)


@dataclass(frozen=True, slots=True)
class Placement:
    """What a correction sets: the field of every stone, seat by seat, and who is to move."""

    fields: tuple[int, ...]
    seat: int | None


@dataclass(frozen=True, slots=True)
class NumeriMove(Move):
    """A roll and the stones that move for it, in order; none where nothing can move.

    A correction made at the table has a `placement` instead.
    """

    roll: int = 0
    stones: tuple[int, ...] = ()
    placement: Placement | None = None


class Step(NamedTuple):
    """One stone's way; `start` 0 is the hand."""

    stone: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a legal move would do: the steps, the chains it makes, whether it ends the game.

    `orders` are all legal moves of the same roll with the same end, `move` the first of them.
    """

    move: NumeriMove
    steps: tuple[Step, ...]
    chains: tuple[tuple[int, ...], ...]
    finish: bool
    after: "NumeriPosition"
    orders: tuple[NumeriMove, ...]


@cache
def _splits(roll: int) -> tuple[NumeriMove, ...]:
    """Every way to split a roll, by its stones ascending, each in every order of them."""
    chosen = sorted(
        stones
        for count in (2, 3)
        for stones in combinations(range(1, STONES + 1), count)
        if sum(stones) == roll
    )
    return tuple(
        NumeriMove(f"{roll}:{','.join(map(str, order))}", roll, order)
        for stones in chosen
        for order in permutations(stones)
    )


_SINGLE = tuple(NumeriMove(str(roll), roll, (roll,)) for roll in range(STONES + 1))
_LOST = tuple(NumeriMove(f"{roll}:-", roll) for roll in range(STONES + 1))


@dataclass(frozen=True, slots=True)
class NumeriPosition(Position[NumeriMove, int]):
    """The track at one moment: `fields` holds each stone's field, six a seat, stone 1 first.

    `taken` is the bit set of occupied fields.
    """

    players: tuple[Player, ...]
    track: Track
    fields: tuple[int, ...]
    taken: int
    seat: int
    result: Result | None = None

    def stones(self, seat: int) -> tuple[int, ...]:
        """Return the fields of a player's stones 1 to 6; 0 is not in play."""
        return self.fields[seat * STONES : (seat + 1) * STONES]

    def next_free(self, field: int) -> int | None:
        """Return the first free field beyond this one, or None; 0 asks for the hand."""
        free = self.track.full & ~self.taken & -(2 << field)
        return (free & -free).bit_length() - 1 if free else None

    def parse(self, token: str) -> NumeriMove | Refusal:
        if self.result is not None:
            return Refusal("game-over", token)
        if token.startswith("<"):
            return self._parse_correction(token)
        found = _TOKEN.fullmatch(token)
        if found is None:
            return Refusal("bad-move", token)
        # Digits without end are no die, whichever number they would be.
        digits, rest = found["roll"], found["rest"]
        roll = int(digits) if len(digits) < len(str(_NO_DIE)) else _NO_DIE
        if rest == "-":
            return NumeriMove(token, roll)
        if rest is None:
            return NumeriMove(token, roll, (roll,))
        stones = [number(word, STONES) for word in rest.split(",")]
        # 0 is no stone: it stands for whatever is not 1 to 6, and no split can hold it.
        return NumeriMove(token, roll, tuple(stone or 0 for stone in stones))

    def _parse_correction(self, token: str) -> NumeriMove | Refusal:
        found = correction(token, self.players)
        if found is None:
            return Refusal("bad-move", token)
        try:
            fields = read_position(found.position, self.players, self.track)
        except ValueError as error:
            return Refusal("bad-move", token, {"reason": str(error)})
        return NumeriMove(token, placement=Placement(fields, found.seat))

    def legal(self, given: int) -> Sequence[NumeriMove]:
        """Every legal move with this roll: the single stone, the splits, or the lost turn.

        GivenError for a roll that no die shows.
        """
        if not 1 <= given <= STONES:
            raise GivenError(f"a die does not show {given}, only 1 to {STONES}")
        if self.result is not None:
            return ()
        own = self.stones(self.seat)
        moves = [_SINGLE[given]] if self.next_free(own[given - 1]) is not None else []
        # Printed rule: only with all six in play may the roll be split.
        if 0 not in own:
            moves += [move for move in _splits(given) if self._stuck(move.stones) is None]
        return moves or (_LOST[given],)

    def _stuck(self, stones: tuple[int, ...]) -> int | None:
        """Return the first stone with no free field ahead when its turn comes, or None."""
        fields, taken, full = self.fields, self.taken, self.track.full
        base = self.seat * STONES - 1
        for stone in stones:
            field = fields[base + stone]
            free = full & ~taken & -(2 << field)
            if not free:
                return stone
            taken = taken & ~(1 << field) | free & -free
        return None

    def refusal(self, move: NumeriMove) -> Refusal | None:
        if self.result is not None:
            return Refusal("game-over", move.token)
        if move.placement is not None:
            return None
        if not 1 <= move.roll <= STONES:
            return Refusal("bad-die", move.token, {"roll": move.roll})
        if not move.stones:
            return self._refuse_lost_turn(move)
        return self._refuse_stones(move)

    def _refuse_lost_turn(self, move: NumeriMove) -> Refusal | None:
        """Refuse `-` while a free field lies ahead (printed rule: "Zugzwang")."""
        possible = self.legal(move.roll)
        if not possible[0].stones:
            return None
        tokens = [other.token for other in possible]
        return Refusal("must-move", move.token, {"roll": move.roll, "moves": tokens})

    def _refuse_stones(self, move: NumeriMove) -> Refusal | None:
        stones = move.stones
        own = self.stones(self.seat)
        if ":" in move.token:
            distinct = len(set(stones)) == len(stones) and 0 not in stones
            if len(stones) < 2 or not distinct or sum(stones) != move.roll:
                return Refusal("bad-split", move.token, {"roll": move.roll, "stones": list(stones)})
            if 0 in own:
                waiting = [stone for stone, field in enumerate(own, 1) if not field]
                return Refusal("split-too-early", move.token, {"waiting": waiting})
        stuck = self._stuck(stones)
        if stuck is None:
            return None
        return Refusal("stone-stuck", move.token, {"stone": stuck, "field": own[stuck - 1]})

    def play(self, move: NumeriMove) -> tuple["NumeriPosition", tuple[Event, ...]]:
        refused = self.refusal(move)
        if refused is not None:
            raise IllegalMoveError(refused)
        if move.placement is not None:
            seat = self.seat if move.placement.seat is None else move.placement.seat
            after = _position(self.players, self.track, move.placement.fields, seat)
            return after, (Event("corrected", {}),)
        if not move.stones:
            return self._moved(self.fields, self.taken, again=False), (Event("turn-lost", {}),)
        after, steps, chains = self._carry_out(move.stones)
        events = [
            Event("moved", {"stone": stone, "from": start, "to": end})
            for stone, start, end in steps
        ]
        events += [Event("chain", {"fields": list(chain)}) for chain in chains]
        if after.result is not None:
            events.append(Event("finish", {}))
        return after, tuple(events)

    def _carry_out(
        self, stones: tuple[int, ...]
    ) -> tuple["NumeriPosition", list[Step], list[tuple[int, ...]]]:
        """Move stones that are known to be free to; return the position, steps and chains."""
        fields, taken, full = list(self.fields), self.taken, self.track.full
        base = self.seat * STONES
        steps = []
        for stone in stones:
            start = fields[base + stone - 1]
            free = full & ~taken & -(2 << start)
            bit = free & -free
            end = bit.bit_length() - 1
            fields[base + stone - 1] = end
            taken = taken & ~(1 << start) | bit
            steps.append(Step(stone, start, end))
        chains = _chains(fields[base : base + STONES], steps)
        return self._moved(tuple(fields), taken, again=bool(chains)), steps, chains

    def _moved(self, fields: tuple[int, ...], taken: int, *, again: bool) -> "NumeriPosition":
        """Return the position after a move; who made a chain rolls again."""
        seat = self.seat if again else (self.seat + 1) % len(self.players)
        if self.track.large & ~taken:
            return NumeriPosition(self.players, self.track, fields, taken, seat)
        result = settle(self.players, self.track, fields)
        return NumeriPosition(self.players, self.track, fields, taken, self.seat, result)

    def previews(self, roll: int) -> tuple[Preview, ...]:
        """Return what this roll allows, orders that lead to the same end taken together.

        Empty where the turn is lost or the game is over. In the order of `legal`.
        """
        ends: dict[tuple[int, ...], Preview] = {}
        for move in self.legal(roll):
            if not move.stones:
                break
            after, steps, chains = self._carry_out(move.stones)
            known = ends.get(after.fields) or Preview(
                move, tuple(steps), tuple(chains), after.result is not None, after, ()
            )
            ends[after.fields] = replace(known, orders=(*known.orders, move))
        return tuple(ends.values())

    def describe(self) -> str:
        parts = []
        for seat, player in enumerate(self.players):
            placed = [f" {stone}@{f}" for stone, f in enumerate(self.stones(seat), 1) if f]
            parts.append(player.colour + "".join(placed))
        return "; ".join(parts)


def _chains(own: Sequence[int], steps: Sequence[Step]) -> list[tuple[int, ...]]:
    """Return the runs of three or more adjacent fields that hold a stone just moved.

    Ruling: only what lies there at the end of the move counts.
    """
    mask = 0
    for field in own:
        mask |= 1 << field
    mask &= ~1
    if not mask & mask >> 1 & mask >> 2:
        return []
    chains = set()
    for step in steps:
        first = last = step.end
        while mask >> (first - 1) & 1:
            first -= 1
        while mask >> (last + 1) & 1:
            last += 1
        if last - first >= 2:
            chains.add(tuple(range(first, last + 1)))
    return sorted(chains)


def settle(players: tuple[Player, ...], track: Track, fields: tuple[int, ...]) -> Result:
    """Add up field value times stone; equal sums, also 0, share the win (ruling)."""
    values = (0, *track.values)
    stones = {
        player.name: [
            [stone, field, stone * values[field]]
            for stone, field in enumerate(fields[seat * STONES : (seat + 1) * STONES], 1)
        ]
        for seat, player in enumerate(players)
    }
    points = {name: sum(row[2] for row in rows) for name, rows in stones.items()}
    most = max(points.values())
    winners = tuple(name for name, sum_ in points.items() if sum_ == most)
    return Result(winners, "points", {"points": points, "stones": stones})


def _position(
    players: tuple[Player, ...], track: Track, fields: tuple[int, ...], seat: int
) -> NumeriPosition:
    """Return the position with stones on these fields, over where the large ones are taken."""
    taken = 0
    for field in fields:
        taken |= 1 << field
    taken &= ~1
    result = None if track.large & ~taken else settle(players, track, fields)
    return NumeriPosition(players, track, fields, taken, seat, result)


def read_position(text: str, players: tuple[Player, ...], track: Track) -> tuple[int, ...]:
    """Read "yellow 1@36 2@0; red ..." as the fields of all stones, six a seat.

    ValueError, with one sentence, where it is impossible.
    """
    seats = {player.colour: seat for seat, player in enumerate(players)}
    fields = [0] * (STONES * len(players))
    for colour, items in position_parts(text, seats):
        named = set()
        for item in items:
            stone_word, at, field_word = item.partition("@")
            stone = number(stone_word, STONES)
            field = number(field_word, len(track.values))
            if not stone or not at or field is None:
                raise ValueError(f"{item[:40]!r} is not STONE@FIELD of this track")
            if stone in named:
                raise ValueError(f"stone {stone} of {colour} is named twice")
            if field and field in fields:
                raise ValueError(f"two stones are on field {field}")
            named.add(stone)
            fields[seats[colour] * STONES + stone - 1] = field
    return tuple(fields)


def _track_of(setup: Setup) -> Track:
    name = SAMPLE if setup.board is None else setup.board
    try:
        if setup.board_data is not None:
            # A track of one's own is not the sample, even where nobody named it.
            name = setup.board or ""
            values = [number(word, MOST_VALUE) for word in setup.board_data.split()]
            # What is no number goes in as -1, so that the refusal can name the field.
            return make_track(name, [-1 if value is None else value for value in values])
        table = shipped("numeri").get(name)
        if table is None:
            raise SetupError("Board", f"{name[:40]!r} is no known track")
        return make_track(name, table.get("values", ()))
    except BoardError as error:
        raise SetupError("BoardData", str(error)) from error


def begin(setup: Setup) -> NumeriPosition:
    """Return the first position; SetupError where the tags contradict the game."""
    check_table(setup, COLOURS, COUNTS)
    track = _track_of(setup)
    fields: tuple[int, ...] = (0,) * (STONES * len(setup.players))
    if setup.position is not None:
        try:
            fields = read_position(setup.position, setup.players, track)
        except ValueError as error:
            raise SetupError("Position", str(error)) from error
    return _position(setup.players, track, fields, setup.start)


def score(position: NumeriPosition) -> Result:
    """Settle the position as if the game ended now; a game that is over keeps its result."""
    return position.result or settle(position.players, position.track, position.fields)


def given(_position: NumeriPosition, _hand: str | None, roll: str | None) -> int:
    """Read the roll; GivenError where it is missing or not 1 to 6."""
    if roll is None:
        raise GivenError("numeri needs the roll: --roll 1 to 6")
    rolled = number(roll, STONES)
    if not rolled:
        raise GivenError(f"a die does not show {roll[:40]!r}, only 1 to 6")
    return rolled


def legal_facts(_position: NumeriPosition, _given: int) -> Facts:
    return {}


GAME = Game(
    name="numeri",
    colours=COLOURS,
    player_counts=COUNTS,
    begin=begin,
    given=given,
    legal_facts=legal_facts,
    score=score,
    default_board=SAMPLE,
    board_data=board_data,
)
