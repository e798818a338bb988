"""The rules of NewGame: two players place stones in turn; three in a row win.

The token of a move is its field, `5`. Violations, in the order in which they are tested:
`game-over`, `bad-move`, `field-taken`. Events: `placed {field}`. Results: `row {row}`, `full`.
`Position "yellow 5 1; red 3"`: whose stones are on which fields.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from beisitzer.plugin.rules import (
    Event,
    Fault,
    Game,
    Move,
    Player,
    Position,
    Refusal,
    Result,
    Setup,
    check_table,
    position_parts,
)

COLOURS = ("yellow", "red")
FIELDS = ("1", "2", "3", "4", "5", "6", "7", "8", "9")
COLUMNS = 3
ROWS = ("123", "456", "789", "147", "258", "369", "159", "357")

Stones = tuple[int | None, ...]
"""The owner's seat for each field, None for a free field."""


@dataclass(frozen=True, slots=True, repr=False)
class NewGamePosition(Position[Move, None]):
    """The game at one moment. It never changes: a move makes a new position."""

    players: tuple[Player, ...]
    seat: int
    stones: Stones = (None,) * len(FIELDS)
    result: Result | None = None

    def owner(self, field: str) -> int | None:
        """Return the seat with the stone on a field, None if it is free."""
        return self.stones[FIELDS.index(field)]

    def candidates(self, given: None) -> Sequence[Move]:  # noqa: ARG002  # nothing is hidden
        return [Move(field) for field in FIELDS]

    def _read(self, token: str) -> Move | None:
        return Move(token) if token in FIELDS else None

    def _refuse(self, move: Move) -> Refusal | None:
        if self.owner(move.token) is not None:
            return Refusal("field-taken", move.token, {"field": move.token})
        return None

    def _play(self, move: Move) -> tuple["NewGamePosition", tuple[Event, ...]]:
        stones = list(self.stones)
        stones[FIELDS.index(move.token)] = self.seat
        after = replace(self, stones=tuple(stones), seat=1 - self.seat)
        return with_result(after), (Event("placed", {"field": move.token}),)

    def _read_layout(self, text: str) -> Stones:
        colours = [player.colour for player in self.players]
        stones: dict[str, int] = {}
        for colour, fields in position_parts(text, colours):
            for field in fields:
                if field not in FIELDS:
                    raise Fault("no-field", item=field[:20])
                if field in stones:
                    raise Fault("field-twice", item=field)
                stones[field] = colours.index(colour)
        return tuple(stones.get(field) for field in FIELDS)

    def _set(self, layout: Stones, seat: int) -> "NewGamePosition":
        return with_result(replace(self, stones=layout, seat=seat, result=None))

    def describe(self) -> str:
        parts = []
        for seat, player in enumerate(self.players):
            fields = [field for field in FIELDS if self.owner(field) == seat]
            if fields:
                parts.append(" ".join([player.colour, *fields]))
        return "; ".join(parts)


def with_result(position: NewGamePosition) -> NewGamePosition:
    """Return the position, with its result if the game is over: then `seat` is the last mover's."""
    last = 1 - position.seat
    for row in ROWS:
        seats = {position.owner(field) for field in row}
        seat = seats.pop()
        if seat is not None and not seats:  # all three fields have this one owner
            result = Result((position.players[seat].name,), "row", {"row": list(row)})
            return replace(position, seat=last, result=result)
    if None not in position.stones:
        return replace(position, seat=last, result=Result((), "full"))
    return position


def begin(setup: Setup) -> NewGamePosition:
    """Return the first position; Fault where the tags contradict the game."""
    check_table(setup, COLOURS, {2}, ())
    return NewGamePosition(setup.players, setup.start).apply_setup(setup)


GAME = Game("newgame", COLOURS, frozenset({2}), begin)
