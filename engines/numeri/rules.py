"""The rules of numeri: the die says which stone moves, not how far; three in a row roll again.

A stone moves to the next free field ahead of it, from the hand to the first free one. Fields
are numbered from 1; field 0 means "not in play". The die comes in as an argument.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engines.game import Event, Game, HouseRule, Player, Position, Refusal, Result, Setup
from engines.notation import QUOTED, Fault, number
from engines.numeri.board import BOARD, PLAYERS, Track
from engines.numeri.notation import (
    EDITIONS,
    FIRST,
    SIDES,
    STAR,
    Edition,
    Fields,
    NumeriMove,
    describe_layout,
    moves_of,
    read_layout,
    read_move,
)
from engines.seating import board_of, check_table

COLOURS = ("yellow", "red", "green", "blue")
COUNTS_OF_PLAYERS = frozenset(map(int, PLAYERS))
HOUSE_RULES = (HouseRule("edition", FIRST.name, choices=tuple(EDITIONS)),)


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
    """The track at one moment: `fields` holds each stone's field, seat by seat, stone 1 first.

    `taken` is the bit set of occupied fields.
    """

    players: tuple[Player, ...]
    track: Track
    fields: tuple[int, ...]
    taken: int
    seat: int
    edition: Edition
    result: Result | None = None

    def stones(self, seat: int) -> tuple[int, ...]:
        """Return the fields of a player's stones, stone 1 first; 0 is not in play."""
        count = self.edition.stones
        return self.fields[seat * count : (seat + 1) * count]

    def points(self, seat: int) -> int:
        """Return the points of a player's stones if the game ended now."""
        values = (self.edition.in_hand, *self.track.values)
        return sum(stone * values[field] for stone, field in enumerate(self.stones(seat), 1))

    def may_split(self, seat: int) -> bool:
        """Whether a player may split a roll; a star never."""
        if self.edition.barrier is not None:
            return self.taken >> self.edition.barrier + 1 > 0  # bit n is field n
        # Printed rule: only with all six in play may the roll be split.
        return 0 not in self.stones(seat)

    def next_free(self, field: int) -> int | None:
        """Return the first free field beyond this one, or None; 0 asks for the hand."""
        # -(2 << field) has all bits above `field`, free & -free is the lowest bit of `free`
        free = self.track.full & ~self.taken & -(2 << field)
        return (free & -free).bit_length() - 1 if free else None

    def _read(self, token: str) -> NumeriMove | None:
        return read_move(token, self.edition)

    def legal(self, given: int) -> Sequence[NumeriMove]:
        """Every legal move with this roll: of one stone, the splits, or the lost turn.

        Fault for a roll that no die shows; SIDES is also that of a star.
        """
        if not 1 <= given <= SIDES:
            raise Fault("no-die", word=given)
        if self.result is not None:
            return ()
        single, splits, lost = moves_of(given, self.edition)
        moves = single + splits if self.may_split(self.seat) else single
        return [move for move in moves if self._find_stuck(move.stones) is None] or lost

    def candidates(self, given: int) -> Sequence[NumeriMove]:
        """Return the moves of one stone, the splits and the lost turn, legal or not."""
        single, splits, lost = moves_of(given, self.edition)
        return (*single, *splits, *lost)

    def _find_stuck(self, stones: tuple[int, ...]) -> int | None:
        """Return the first stone with no free field ahead when its turn comes, or None."""
        fields, taken, full = self.fields, self.taken, self.track.full
        base = self.seat * self.edition.stones - 1  # stones count from 1
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
        roll = STAR if move.token.startswith(STAR) else move.roll
        if not 1 <= move.roll <= SIDES or (roll == STAR) != (move.roll == self.edition.star):
            return Refusal("bad-die", move.token, {"roll": roll})
        stones = move.stones
        if not stones:
            # Printed rule, "Zugzwang": no turn is lost while a free field lies ahead.
            possible = self.legal(move.roll)
            only_lost = not possible[0].stones  # `legal` lists the lost turn alone
            if only_lost:
                return None
            tokens = [other.token for other in possible]
            return Refusal("must-move", move.token, {"roll": roll, "moves": tokens})
        own = self.stones(self.seat)
        single, splits, _lost = moves_of(move.roll, self.edition)
        if move not in single + splits:
            return Refusal("bad-split", move.token, {"roll": roll, "stones": list(stones)})
        if move in splits and not self.may_split(self.seat):
            waiting = [stone for stone, field in enumerate(own, 1) if not field]
            facts = {"barrier": self.edition.barrier} if self.edition.star else {"waiting": waiting}
            return Refusal("split-too-early", move.token, facts)
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
        count = self.edition.stones
        base = self.seat * count
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
        chains = _chains(fields[base : base + count], steps)
        return self._end_move(tuple(fields), taken, again=bool(chains)), steps, chains

    def _end_move(self, fields: tuple[int, ...], taken: int, *, again: bool) -> "NumeriPosition":
        """Return the position after a move; with `again` the same player rolls again."""
        seat = self.seat if again else (self.seat + 1) % len(self.players)
        return self._put(fields, taken, seat, self.seat)

    def _put(self, fields: Fields, taken: int, seat: int, last: int) -> "NumeriPosition":
        """Return the position with stones on these fields; if it is over, `last` is its seat."""
        after = NumeriPosition(self.players, self.track, fields, taken, seat, self.edition)
        some_large_free = self.track.large & ~taken
        return after if some_large_free else replace(after, seat=last, result=settle(after))

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
        return read_layout(text, self.players, len(self.track.values), self.edition.stones)

    def _set(self, layout: Fields, seat: int) -> "NumeriPosition":
        taken = 0
        for field in layout:
            taken |= 1 << field
        taken &= ~1  # field 0 is the hand, which is never occupied
        return self._put(layout, taken, seat, seat)

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


def settle(position: NumeriPosition) -> Result:
    """Return the result by points; equal sums, also 0, share the win (ruling)."""
    values = (position.edition.in_hand, *position.track.values)
    # by name, for each stone its number, field and points
    stones = {
        player.name: [
            [stone, field, stone * values[field]]
            for stone, field in enumerate(position.stones(seat), 1)
        ]
        for seat, player in enumerate(position.players)
    }
    totals = {name: sum(gain for _stone, _field, gain in rows) for name, rows in stones.items()}
    winners = tuple(name for name, total in totals.items() if total == max(totals.values()))
    return Result(winners, "points", {"points": totals, "stones": stones})


def begin(setup: Setup) -> NumeriPosition:
    """Return the first position; Fault if the tags contradict the game."""
    check_table(setup, COLOURS, COUNTS_OF_PLAYERS, HOUSE_RULES)
    edition = EDITIONS[setup.rules.get("edition", FIRST.name)]
    count = len(setup.players)
    track = board_of(setup, BOARD)
    barrier = dict(track.barriers).get(count)
    if track.edition is not edition or (edition.star and barrier is None):
        place = "Board" if setup.board_data is None else "BoardData"
        raise Fault("wrong-track", place, edition=edition.name, n=count)
    edition = replace(edition, barrier=barrier)
    fields = (0,) * (edition.stones * count)
    first = NumeriPosition(setup.players, track, fields, 0, setup.start, edition)
    return first.apply_setup(setup)


def score(position: NumeriPosition) -> Result:
    """Return the result, or before the end the one as if the game ended now."""
    return position.result or settle(position)


def given(position: NumeriPosition, _hand: str | None, roll: str | None) -> int:
    """Read the roll, `*` or SIDES for a star; Fault if it is missing or no die shows it."""
    if roll is None:
        raise Fault("roll-needed")
    rolled = position.edition.star if roll == STAR else number(roll, SIDES)
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
    house_rules=HOUSE_RULES,
    board=BOARD,
)
