"""How a game of numeri ends: every stone counts itself times its field."""

from engines.game import Player, Result
from engines.numeri.board import Track
from engines.numeri.layout import Fields
from engines.numeri.moves import STONES


def points(track: Track, own: Fields) -> int:
    """Return field value times stone, added up, of one player's stones 1 to 6; field 0 counts 0."""
    values = track.values
    return sum(stone * values[field - 1] for stone, field in enumerate(own, 1) if field)


def settle(players: tuple[Player, ...], track: Track, fields: Fields) -> Result:
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
