"""Nine Men's Morris at one moment.

The rules are in the public domain. The players place all stones in turn, then move them along
the lines to a neighbouring free point; a player with three stones may fly to any free point. A
player who closes a mill, three own stones on a line, takes a stone of the other player, one in a
mill only if there is no other. A player with fewer than three stones, or who cannot move, loses.

Rulings, where players differ: two mills closed at once take one stone; the third time a position
occurs with the same player to move is a draw.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from beisitzer.plugin.rules import Event, Player, Position, Refusal, Result
from muehle.rules.board import MILL, Grid
from muehle.rules.layout import Layout, describe_layout, read_layout
from muehle.rules.moves import AGREED, MuehleMove, move_of, read_move
from muehle.rules.settling import settle

REPETITIONS = 3


@dataclass(frozen=True, slots=True, repr=False)
class MuehlePosition(Position[MuehleMove, None]):
    """The game at one moment: `stones` has the seat on every occupied point.

    `in_hand` are the stones still to be placed, by seat. `repeatable` are the positions since a
    stone was last placed or taken: only these can occur again.
    """

    players: tuple[Player, ...]
    grid: Grid
    flying: bool
    stones: Mapping[str, int] = field(hash=False)
    in_hand: tuple[int, ...]
    seat: int
    repeatable: tuple[tuple[int, frozenset[tuple[str, int]]], ...] = ()
    result: Result | None = None

    @property
    def other(self) -> int:
        """The seat of the player who is not to move."""
        return 1 - self.seat

    def points_of(self, seat: int) -> tuple[str, ...]:
        """Return the points with a player's stones, row by row."""
        return tuple(point for point in self.grid.points if self.stones.get(point) == seat)

    def total(self, seat: int) -> int:
        """Return a player's stones, on the board and in hand."""
        return self.in_hand[seat] + sum(owner == seat for owner in self.stones.values())

    def may_fly(self, seat: int) -> bool:
        """Whether a player has three stones left, which may go to any free point."""
        return self.flying and self.total(seat) == MILL

    def targets(self, start: str) -> tuple[str, ...]:
        """Return the free points that the stone on `start` may go to."""
        near = self.grid.next_to[start]
        fly = self.may_fly(self.seat)
        return tuple(
            point
            for point in self.grid.points
            if point not in self.stones and (fly or point in near)
        )

    def mills(self, move: MuehleMove) -> tuple[tuple[str, ...], ...]:
        """Return the mills that this move closes."""
        own = {point for point, seat in self.stones.items() if seat == self.seat}
        own = own - {move.start} | {move.end}
        return tuple(mill for mill in self.grid.mills_at[move.end] if own.issuperset(mill))

    def takeable_points(self) -> tuple[str, ...]:
        """Return the other player's stones that a mill may take now."""
        theirs = self.points_of(self.other)
        free = tuple(point for point in theirs if not self._in_mill(point))
        return free or theirs

    def _in_mill(self, point: str) -> bool:
        owner = self.stones.get(point)
        return any(
            all(self.stones.get(other) == owner for other in mill)
            for mill in self.grid.mills_at[point]
        )

    def _read(self, token: str) -> MuehleMove | None:
        move = read_move(token)
        if move is None or not self.grid.next_to.keys() >= move.named:
            return None
        return move

    def candidates(self, given: None) -> Sequence[MuehleMove]:  # noqa: ARG002  # nothing is hidden
        """Return every move, row by row, except agreeing on a draw, which is always legal."""
        return tuple(
            move_of(way.start, way.end, taken)
            for way in self.ways()
            for taken in (self.takeable_points() if self.mills(way) else ()) or ("",)
        )

    def ways(self) -> Iterator[MuehleMove]:
        """Yield every placement or move, without the stone that it takes."""
        if self.in_hand[self.seat]:
            yield from (
                move_of("", point) for point in self.grid.points if point not in self.stones
            )
            return
        for start in self.points_of(self.seat):
            yield from (move_of(start, end) for end in self.targets(start))

    def _refuse(self, move: MuehleMove) -> Refusal | None:
        if move.token == AGREED:
            return None
        return self._refuse_way(move) or self._refuse_taking(move)

    def _refuse_way(self, move: MuehleMove) -> Refusal | None:
        waiting = self.in_hand[self.seat]
        if move.start and waiting:
            return Refusal("must-place", move.token, {"stones": waiting})
        if not move.start and not waiting:
            return Refusal("no-stone-left", move.token)
        if move.start and self.stones.get(move.start) != self.seat:
            return Refusal("not-own", move.token, {"field": move.start})
        if move.end in self.stones:
            return Refusal("point-taken", move.token, {"field": move.end})
        if move.start and move.end not in self.targets(move.start):
            return Refusal("too-far", move.token, {"from": move.start, "to": move.end})
        return None

    def _refuse_taking(self, move: MuehleMove) -> Refusal | None:
        takeable = self.takeable_points() if self.mills(move) else ()
        if move.taken and not self.mills(move):
            return Refusal("no-mill", move.token)
        if not move.taken and takeable:
            return Refusal("must-take", move.token, {"fields": list(takeable)})
        if move.taken and self.stones.get(move.taken) != self.other:
            return Refusal("nothing-to-take", move.token, {"field": move.taken})
        if move.taken and move.taken not in takeable:
            return Refusal("in-mill", move.token, {"field": move.taken})
        return None

    def _play(self, move: MuehleMove) -> tuple["MuehlePosition", tuple[Event, ...]]:
        if move.token == AGREED:
            return replace(self, result=Result((), "agreed")), (Event("agreed", {}),)
        events = [
            Event("moved", {"from": move.start, "to": move.end})
            if move.start
            else Event("placed", {"field": move.end})
        ]
        mills = self.mills(move)
        if mills:
            events.append(Event("mill", {"mills": [list(mill) for mill in mills]}))
        if move.taken:
            victim = self.players[self.other].name
            events.append(Event("taken", {"field": move.taken, "player": victim}))
        return self._after(move), tuple(events)

    def _after(self, move: MuehleMove) -> "MuehlePosition":
        emptied = {move.start, move.taken}
        stones = {point: seat for point, seat in self.stones.items() if point not in emptied}
        stones[move.end] = self.seat
        in_hand = list(self.in_hand)
        in_hand[self.seat] -= not move.start
        # after a stone is placed or taken no earlier position can occur again
        before = self.repeatable if move.start and not move.taken else ()
        repeatable = (*before, (self.other, frozenset(stones.items())))
        after = replace(
            self, stones=stones, in_hand=tuple(in_hand), seat=self.other, repeatable=repeatable
        )
        return with_result(after)

    def _read_layout(self, text: str) -> Layout:
        return read_layout(text, self.players, self.grid)

    def _set(self, layout: Layout, seat: int) -> "MuehlePosition":
        stones, in_hand = layout.stones, layout.in_hand
        repeatable = ((seat, frozenset(stones.items())),)
        return with_result(
            replace(
                self, stones=stones, in_hand=in_hand, seat=seat, repeatable=repeatable, result=None
            )
        )

    def describe(self) -> str:
        return describe_layout(Layout(self.stones, self.in_hand), self.players, self.grid)


def with_result(position: MuehlePosition) -> MuehlePosition:
    """Return the position, with its result if the game is over: then `seat` is the last mover's."""
    totals = [position.total(seat) for seat in range(len(position.players))]
    stuck = None if next(position.ways(), None) else position.seat
    repeated = position.repeatable.count(position.repeatable[-1]) >= REPETITIONS
    result = settle(position.players, totals, stuck=stuck, repeated=repeated)
    if result is None:
        return position
    return replace(position, seat=position.other, result=result)
