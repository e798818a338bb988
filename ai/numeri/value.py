"""The worth of positions and moves of numeri, by small learnt nets (`tools.learn`).

A net reads whole numbers about every stone and about the table, and its weights are whole numbers,
so every machine gets the same chances. Each unit is a weighted sum. The sums of all units are
worked out at once: a *packed* number holds a number for each unit, LANE bits apart, so that one
addition adds up all units.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from struct import Struct
from typing import NamedTuple

from ai.api import final_shares
from ai.weights_file import Weights, read_weights
from engines.numeri.board import LARGE, Track
from engines.numeri.notation import SIDES, Edition, NumeriMove
from engines.numeri.rules import NumeriPosition

ONE = 1_024
"""The largest input, and the largest value of a unit."""
PRECISE = 512
"""The whole number that means a weight of 1."""
LONGEST = 16
"""The net does not tell larger numbers of free fields before a stone apart."""
LIMIT = ONE * PRECISE
ROLLS = tuple(range(1, SIDES + 1))
OF_STONE = 9
"""How many numbers a net reads of a stone."""
LANE = 32
SIGN = 1 << LANE - 1
# by own stones on the five fields around a stone (bit 2 is its own): is it part of a chain?
RUNS = [any(fields & two == two for two in (0b00011, 0b01010, 0b11000)) for fields in range(32)]


class StoneSums(NamedTuple):
    """Packed sums of a stone: by its field, by the next two free fields, by how many are ahead.

    `chain` is added if its next move makes a chain.
    """

    here: list[int]
    first: list[int]
    second: list[int]
    ahead: list[int]
    chain: int


class Side(NamedTuple):
    """A net's input about a player's stones.

    `own` and `other` are packed sums: for this player, and for everybody else. `chains` counts the
    stones that would make a chain with their next move.
    """

    own: int
    other: int
    points: int
    chains: int


class TrackReader:
    """A net on a track.

    Of a stone it reads whether it is in the hand, its field, how many free fields are ahead,
    whether none is, whether its field is large, its points there and on the next two free fields,
    and whether its next move makes a chain. Of the own side, and of all others together, it reads
    the points, how many stones would make a chain, and who may split a roll; of the table whether
    one or two large fields are occupied; of the lead over the best other player its size, and once
    more on a finer scale near a tie. The net for more than two players also reads in how many turns
    a player is to move, and whether there are four.
    """

    def __init__(self, track: Track, edition: Edition, net: Weights) -> None:
        self._values = (edition.in_hand, *track.values)
        self._stones_each = own_stones = edition.stones
        self._full, self._large = track.full, track.large
        self._most = max(1, own_stones * max(map(abs, self._values)))
        self._outer, self._base = net["outer"], net["base"]
        units = len(self._outer)
        self._unpack, self._size = Struct(f"<{units}i").unpack, units * LANE // 8
        self._signs = pack([SIGN] * units)
        self._bias = pack(net["bias"])
        columns = [pack(column) for column in zip(*net["inner"], strict=True)]
        own, other = (
            [self._of_stone(stone, columns[at + stone * OF_STONE :]) for stone in range(own_stones)]
            for at in (0, own_stones * OF_STONE)
        )
        self._stones = list(zip(own, other, strict=True))
        self._table = columns[2 * own_stones * OF_STONE :]

    def _of_stone(self, stone: int, weights: Sequence[int]) -> StoneSums:
        length = len(self._values) - 1
        points = [(stone + 1) * value * ONE // self._most for value in self._values]
        here = [
            (0 if field else ONE) * weights[0]
            + ONE * field // length * weights[1]
            + (ONE if field > length - LARGE else 0) * weights[4]
            + points[field] * weights[5]
            for field in range(length + 1)
        ]
        ahead = [min(left, LONGEST) * ONE // LONGEST * weights[2] for left in range(length + 1)]
        ahead[0] += ONE * weights[3]
        # index 0: there is no such field
        first, second = ([0, *(each * weights[at] for each in points[1:])] for at in (6, 7))
        return StoneSums(here, first, second, ahead, ONE * weights[8])

    def heats(self, position: NumeriPosition) -> list[tuple[int, ...]]:
        """Return by seat the sums of the units; with two players, only the mover's."""
        fields, count, mover = position.fields, len(position.players), position.seat
        free, own_stones = self._full & ~position.taken, self._stones_each
        sides = [
            self._side(fields[first : first + own_stones], free)
            for first in range(0, len(fields), own_stones)
        ]
        others = sum(side.other for side in sides)
        chains, points = sum(side.chains for side in sides), sum(side.points for side in sides)
        may_split = [position.may_split(seat) for seat in range(count)]
        large = LARGE - (free & self._large).bit_count()
        heats: list[tuple[int, ...]] = []
        for seat in (mover,) if count == 2 else range(count):
            side = sides[seat]
            best = max(each.points for other, each in enumerate(sides) if other != seat)
            lead = (side.points - best) * ONE
            lead = lead // self._most if lead > 0 else -(-lead // self._most)
            turns = (seat - mover) % count
            numbers = (
                side.points * ONE // (3 * self._most),
                (points - side.points) * ONE // (3 * self._most),
                side.chains * ONE // own_stones,
                (chains - side.chains) * ONE // own_stones,
                may_split[seat] * ONE,
                (sum(may_split) - may_split[seat]) * ONE,
                ONE * (large == 1),
                ONE * (large == 2),
                ramp(lead),
                ramp(-lead),
                ramp(8 * lead),
                ramp(-8 * lead),
                ONE * (turns == 1),
                ONE * (turns == 2),
                ONE * (turns == 3),
                ONE * (count == 4),
            )
            total = self._bias + side.own + others - side.other
            for number, weights in zip(numbers, self._table, strict=False):
                if number:
                    total += number * weights
            # each lane is made positive, so that none borrows from the next one; then signs return
            lanes = (total + self._signs) ^ self._signs
            heats.append(self._unpack(lanes.to_bytes(self._size, "little")))
        return heats

    def chances(self, position: NumeriPosition) -> list[float]:
        """Return each seat's chance to win."""
        if position.result is not None:
            return final_shares(position)
        odds: list[float] = []
        for heats in self.heats(position):
            total = self._base
            for heat, weight in zip(heats, self._outer, strict=True):
                if heat >= PRECISE:
                    total += (heat // PRECISE if heat < LIMIT else ONE) * weight
            odds.append(total / LIMIT)
        if len(position.players) == 2:
            chance = 1 / (1 + exp(-odds[0]))
            return [1 - chance, chance] if position.seat else [chance, 1 - chance]
        parts = [exp(each) for each in odds]
        total = sum(parts)
        return [part / total for part in parts]

    def _side(self, own: Sequence[int], free: int) -> Side:
        values = self._values
        owned = 0
        for field in own:
            owned |= 1 << field
        owned &= ~1  # field 0 is the hand
        for_own = for_other = points = chains = 0
        for number, (field, (mine, theirs)) in enumerate(zip(own, self._stones, strict=True), 1):
            points += number * values[field]
            beyond = free & -(2 << field)
            bit = beyond & -beyond
            first = bit.bit_length() - 1 if bit else 0
            rest = beyond ^ bit
            second = (rest & -rest).bit_length() - 1 if rest else 0
            left = beyond.bit_count()
            for_own += mine.here[field] + mine.first[first] + mine.second[second] + mine.ahead[left]
            for_other += (
                theirs.here[field]
                + theirs.first[first]
                + theirs.second[second]
                + theirs.ahead[left]
            )
            # the stone has left its field when it arrives
            if first and RUNS[(owned & ~(1 << field)) << 2 >> first & 31]:
                chains += 1
                for_own += mine.chain
                for_other += theirs.chain
        return Side(for_own, for_other, points, chains)


def pack(numbers: Sequence[int]) -> int:
    """Return whole numbers, which may be negative, as one packed number."""
    return sum(number << LANE * lane for lane, number in enumerate(numbers))


def ramp(value: int) -> int:
    """Return the value, cut off at 0 and ONE."""
    return min(max(value, 0), ONE)


@lru_cache(maxsize=4)
def reader_of(track: Track, edition: Edition, *, two: bool) -> TrackReader:
    """Return the net of an edition for two players, or for more, on a track."""
    kind = "two" if two else "more"
    return TrackReader(track, edition, read_weights("numeri", "model")[f"{kind}-{edition.name}"])


def chances(position: NumeriPosition, hand: int | None = None) -> list[float]:
    """Return each seat's chance to win, after the best move if `hand` is the roll."""
    if position.result is None and hand is not None:
        found = [chances(after) for _, after in ends_of(position, hand)]
        return max(found, key=lambda each: each[position.seat])
    reader = reader_of(position.track, position.edition, two=len(position.players) == 2)
    return reader.chances(position)


def ends_of(
    position: NumeriPosition, roll: int
) -> list[tuple[Sequence[NumeriMove], NumeriPosition]]:
    """Return the moves of a roll by the positions after them."""
    ends: list[tuple[Sequence[NumeriMove], NumeriPosition]] = [
        (end.orders, end.after) for end in position.previews(roll)
    ]
    return ends or [((move,), position.play(move)[0]) for move in position.legal(roll)]


def rate(position: NumeriPosition, given: int) -> list[tuple[NumeriMove, float]]:
    """Return every legal move with the chance after it, best first."""
    seat = position.seat
    rated = [(moves, chances(after)[seat]) for moves, after in ends_of(position, given)]
    rated.sort(key=lambda each: -each[1])
    return [(move, chance) for moves, chance in rated for move in moves]
