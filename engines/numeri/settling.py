"""How a game of numeri ends: every stone scores its number times the value of its field."""

from engines.game import Player, Result
from engines.numeri.board import Track
from engines.numeri.layout import Fields
from engines.numeri.moves import STONES


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
