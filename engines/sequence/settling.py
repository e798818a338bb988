"""When a game of Sequence is decided."""

from collections.abc import Sequence

from engines.game import Player, Result
from engines.sequence.layout import Sequences


def find_result(
    players: tuple[Player, ...], teams: Sequence[str], needed: int, sequences: Sequences
) -> Result | None:
    """Return the result if a team has enough sequences to win, else None."""
    for team, lines in zip(teams, sequences, strict=True):
        if len(lines) >= needed:
            winners = tuple(player.name for player in players if player.colour == team)
            counts = {name: len(own) for name, own in zip(teams, sequences, strict=True)}
            return Result(winners, "sequences", {"team": team, "sequences": counts})
    return None
