"""Games that were only settled, in contrast to games that wait for their first move."""

from collections.abc import Mapping, Sequence

from engines.game import AnyPosition, Game, Result

SETTLED = "Settled"
"""A tag of a record without moves: its position is final and was settled."""


def outcome(
    game: Game, tags: Mapping[str, str], tokens: Sequence[str], end: AnyPosition
) -> Result | None:
    """Return the result of a recorded or settled game; None if it is not over."""
    # moves after the tag: the game went on, so only its rules can end it
    if end.result is None and SETTLED in tags and not tokens and game.score is not None:
        return game.score(end)
    return end.result
