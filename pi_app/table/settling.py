"""Games that were only settled: how they are told from games that wait for their first move."""

from collections.abc import Mapping, Sequence

from engines.game import AnyPosition, Game, Result

SETTLED = "Settled"
"""A tag of a record without moves: its position was the end, and people settled it."""


def outcome(
    game: Game, tags: Mapping[str, str], tokens: Sequence[str], end: AnyPosition
) -> Result | None:
    """Return how a recorded game ended, which also a settled one did; None where it goes on."""
    if end.result is None and SETTLED in tags and not tokens and game.score is not None:
        return game.score(end)
    return end.result
