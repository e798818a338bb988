"""A position of Nine Men's Morris as text: the `Position` tag, and corrections.

"white a1 d7 left=2; black g7": the points with stones, and the stones still in hand (0 without
`left=`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from beisitzer.plugin.rules import Fault, Player, number, position_parts
from muehle.rules.board import MILL, Grid


@dataclass(frozen=True, slots=True)
class Layout:
    """The seat of the stone on each occupied point, and the stones in hand, by seat."""

    stones: Mapping[str, int]
    in_hand: tuple[int, ...]


def read_layout(text: str, players: Sequence[Player], grid: Grid) -> Layout:
    """Read a position's text; Fault for an impossible one."""
    colours = [player.colour for player in players]
    stones: dict[str, int] = {}
    left: dict[int, int] = {}
    for colour, items in position_parts(text, colours):
        seat = colours.index(colour)
        for item in items:
            if item.startswith("left="):
                if seat in left:
                    raise Fault("left-twice")
                count = number(item.removeprefix("left="), grid.stones)
                if count is None:
                    raise Fault("no-left", item=item[:20], most=grid.stones)
                left[seat] = count
                continue
            if item not in grid.next_to:
                raise Fault("no-point", item=item[:20])
            if item in stones:
                raise Fault("point-twice", item=item)
            stones[item] = seat
    in_hand = tuple(left.get(seat, 0) for seat in range(len(players)))
    _check(Layout(stones, in_hand), colours, grid)
    return Layout(stones, in_hand)


def _check(layout: Layout, colours: Sequence[str], grid: Grid) -> None:
    owners = list(layout.stones.values())
    totals = [owners.count(seat) + left for seat, left in enumerate(layout.in_hand)]
    for colour, total in zip(colours, totals, strict=True):
        if total > grid.stones:
            raise Fault("too-many", colour=colour, most=grid.stones)
    if all(total < MILL for total in totals):
        raise Fault("few-both")


def describe_layout(layout: Layout, players: Sequence[Player], grid: Grid) -> str:
    """Write a position as the text that `read_layout` reads."""
    parts: list[str] = []
    for seat, player in enumerate(players):
        words = [point for point in grid.points if layout.stones.get(point) == seat]
        if layout.in_hand[seat]:
            words.append(f"left={layout.in_hand[seat]}")
        if words:
            parts.append(" ".join([player.colour, *words]))
    return "; ".join(parts)
