"""The rules of numeri: the die says which stone moves, not how far; three in a row roll again.

A stone moves to the next free field ahead of it, from the hand to the first free one. Fields
are numbered from 1; field 0 means "not in play". The die comes in as an argument.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engines.game import Event, Game, Player, Position, Refusal, Result, Setup
from engines.notation import QUOTED, Fault, number
from engines.numeri.board import BOARD, Track
from engines.numeri.notation import (
    LOST,
    SINGLE,
    STONES,
    Fields,
    NumeriMove,
    describe_layout,
    read_layout,
    read_move,
    splits,
)
from engines.seating import board_of, check_table

COLOURS = ("yellow", "red", "green", "blue")
COUNTS_OF_PLAYERS = frozenset({2, 3, 4})


class Way(NamedTuple):
    """One stone moves from field `start` (0: the hand) to field `end`."""

    stone: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Preview:
    """The outcome of a legal move.

    `steps` are the ways of its stones, `chains` the fields of every run of three or more that it
    makes; with `finish` the game is over; `after` is the position then. `orders` are all legal
    moves of the roll with the same outcome, `move` is the first of them.
    """

    move: NumeriMove
    steps: tuple[Way, ...]
    chains: tuple[tuple[int, ...], ...]
    finish: bool
    after: "NumeriPosition"
    orders: tuple[NumeriMove, ...]


@dataclass(frozen=True, slots=True, repr=False)
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

    def points(self, seat: int) -> int:
        """Return the points of a player's stones if the game ended now."""
        return points(self.track, self.stones(seat))

    def next_free(self, field: int) -> int | None:
        """Return the first free field beyond this one, or None; 0 asks for the hand."""
        # -(2 << field) has all bits above `field`, free & -free is the lowest bit of `free`
        free = self.track.full & ~self.taken & -(2 << field)
        return (free & -free).bit_length() - 1 if free else None

    def _read(self, token: str) -> NumeriMove | None:
        return read_move(token)

    def legal(self, given: int) -> Sequence[NumeriMove]:
        """Every legal move with this roll: the single stone, the splits, or the lost turn.

        Fault for a roll that no die shows.
        """
        if not 1 <= given <= STONES:
            raise Fault("no-die", word=given)
        if self.result is not None:
            return ()
        own = self.stones(self.seat)
        moves = [SINGLE[given]] if self.next_free(own[given - 1]) is not None else []
        # Printed rule: only with all six in play may the roll be split.
        if 0 not in own:
            moves += [move for move in splits(given) if self._find_stuck(move.stones) is None]
        return moves or (LOST[given],)

    def candidates(self, given: int) -> Sequence[NumeriMove]:
        """Return the single stone, the splits and the lost turn, legal or not."""
        return (SINGLE[given], *splits(given), LOST[given])

    def _find_stuck(self, stones: tuple[int, ...]) -> int | None:
        """Return the first stone with no free field ahead when its turn comes, or None."""
        fields, taken, full = self.fields, self.taken, self.track.full
        base = self.seat * STONES - 1  # stones count from 1
        for stone in stones:
            field = fields[base + stone]
            # as in `next_free`; a call for every stone of every split would be slow
            free = full & ~taken & -(2 << field)
            if not free:
                return stone
            # the stone leaves its field for the lowest free one
            taken = taken & ~(1 << field) | free & -free
        return None

    def _refuse(self, move: NumeriMove) -> Refusal | None:
        if not 1 <= move.roll <= STONES:
            return Refusal("bad-die", move.token, {"roll": move.roll})
        stones = move.stones
        if not stones:
            # Printed rule, "Zugzwang": no turn is lost while a free field lies ahead.
            possible = self.legal(move.roll)
            only_lost = not possible[0].stones  # `legal` lists the lost turn alone
            if only_lost:
                return None
            tokens = [other.token for other in possible]
            return Refusal("must-move", move.token, {"roll": move.roll, "moves": tokens})
        own = self.stones(self.seat)
        if move.split:
            # a stone moves once, and 0 stands for a word that is no stone
            distinct = len(set(stones)) == len(stones) and 0 not in stones
            if len(stones) < 2 or not distinct or sum(stones) != move.roll:
                return Refusal("bad-split", move.token, {"roll": move.roll, "stones": list(stones)})
            if 0 in own:
                waiting = [stone for stone, field in enumerate(own, 1) if not field]
                return Refusal("split-too-early", move.token, {"waiting": waiting})
        stuck = self._find_stuck(stones)
        if stuck is None:
            return None
        return Refusal("stone-stuck", move.token, {"stone": stuck, "field": own[stuck - 1]})

    def _play(self, move: NumeriMove) -> tuple["NumeriPosition", tuple[Event, ...]]:
        if not move.stones:
            return self._end_move(self.fields, self.taken, again=False), (Event("turn-lost", {}),)
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
    ) -> tuple["NumeriPosition", list[Way], list[tuple[int, ...]]]:
        """Move stones that are free to move; return the position, the steps and the chains."""
        fields, taken, full = list(self.fields), self.taken, self.track.full
        base = self.seat * STONES
        steps: list[Way] = []
        for stone in stones:
            start = fields[base + stone - 1]
            # as in `next_free`
            free = full & ~taken & -(2 << start)
            bit = free & -free
            end = bit.bit_length() - 1
            fields[base + stone - 1] = end
            taken = taken & ~(1 << start) | bit
            steps.append(Way(stone, start, end))
        chains = _chains(fields[base : base + STONES], steps)
        return self._end_move(tuple(fields), taken, again=bool(chains)), steps, chains

    def _end_move(self, fields: tuple[int, ...], taken: int, *, again: bool) -> "NumeriPosition":
        """Return the position after a move; with `again` the same player rolls again."""
        seat = self.seat if again else (self.seat + 1) % len(self.players)
        some_large_free = self.track.large & ~taken
        if some_large_free:
            return NumeriPosition(self.players, self.track, fields, taken, seat)
        result = settle(self.players, self.track, fields)
        return NumeriPosition(self.players, self.track, fields, taken, self.seat, result)

    def previews(self, roll: int) -> tuple[Preview, ...]:
        """Return the possible outcomes of this roll, in the order of `legal`.

        Empty if the turn is lost or the game is over.
        """
        previews: dict[tuple[int, ...], Preview] = {}
        for move in self.legal(roll):
            if not move.stones:
                break
            after, steps, chains = self._carry_out(move.stones)
            same = previews.get(after.fields)
            if same is not None:
                previews[after.fields] = replace(same, orders=(*same.orders, move))
                continue
            finish = after.result is not None
            previews[after.fields] = Preview(
                move, tuple(steps), tuple(chains), finish, after, (move,)
            )
        return tuple(previews.values())

    def _read_layout(self, text: str) -> Fields:
        return read_layout(text, self.players, len(self.track.values))

    def _set(self, layout: Fields, seat: int) -> "NumeriPosition":
        taken = 0
        for field in layout:
            taken |= 1 << field
        taken &= ~1  # field 0 is the hand, which is never occupied
        over = not self.track.large & ~taken
        result = settle(self.players, self.track, layout) if over else None
        return NumeriPosition(self.players, self.track, layout, taken, seat, result)

    def describe(self) -> str:
        return describe_layout(self.fields, self.players)


def _chains(own: Sequence[int], steps: Sequence[Way]) -> list[tuple[int, ...]]:
    """Return the runs of three or more adjacent fields that hold a stone just moved.

    Ruling: only stones that lie there at the end of the move count.
    """
    mask = 0
    for field in own:
        mask |= 1 << field
    mask &= ~1  # field 0 is the hand
    if not mask & mask >> 1 & mask >> 2:  # no three adjacent bits
        return []
    chains: set[tuple[int, ...]] = set()
    for step in steps:
        first = last = step.end
        while mask >> (first - 1) & 1:
            first -= 1
        while mask >> (last + 1) & 1:
            last += 1
        if last - first >= 2:  # three fields or more
            chains.add(tuple(range(first, last + 1)))
    return sorted(chains)


def points(track: Track, own: Fields) -> int:
    """Return the points of one player's stones 1 to 6: each number times its field's value."""
    values = track.values
    return sum(stone * values[field - 1] for stone, field in enumerate(own, 1) if field)


def settle(players: tuple[Player, ...], track: Track, fields: Fields) -> Result:
    """Return the result by points; equal sums, also 0, share the win (ruling)."""
    values = (0, *track.values)
    # by name, for each stone its number, field and points
    stones = {
        player.name: [
            [stone, field, stone * values[field]]
            for stone, field in enumerate(fields[seat * STONES : (seat + 1) * STONES], 1)
        ]
        for seat, player in enumerate(players)
    }
    totals = {
        name: sum(stone_points for _stone, _field, stone_points in rows)
        for name, rows in stones.items()
    }
    most = max(totals.values())
    winners = tuple(name for name, total in totals.items() if total == most)
    return Result(winners, "points", {"points": totals, "stones": stones})


def begin(setup: Setup) -> NumeriPosition:
    """Return the first position; Fault if the tags contradict the game."""
    check_table(setup, COLOURS, COUNTS_OF_PLAYERS)
    fields = (0,) * (STONES * len(setup.players))
    track = board_of(setup, BOARD)
    first = NumeriPosition(setup.players, track, fields, taken=0, seat=setup.start)
    return first.apply_setup(setup)


def score(position: NumeriPosition) -> Result:
    """Return the result, or if there is none yet, the one as if the game ended now."""
    return position.result or settle(position.players, position.track, position.fields)


def given(_position: NumeriPosition, _hand: str | None, roll: str | None) -> int:
    """Read the roll; Fault if it is missing or not 1 to 6."""
    if roll is None:
        raise Fault("roll-needed")
    rolled = number(roll, STONES)
    if not rolled:
        raise Fault("no-die", word=roll[:QUOTED])
    return rolled


GAME = Game(
    name="numeri",
    colours=COLOURS,
    player_counts=COUNTS_OF_PLAYERS,
    begin=begin,
    given=given,
    score=score,
    board=BOARD,
)
