"""Who takes which place in a game that is over."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast


class Ranked(NamedTuple):
    """One seat's place in a result; `points` is None in a game without points."""

    rank: int
    points: int | None
    won: bool


def places(result: Mapping[str, Any], names: Sequence[str]) -> list[Ranked]:
    """Return the place of each name by a result as `Result.as_json` writes it.

    Winners come first, the others by points. Those who are equal share a rank, and the ranks
    after it are left out: 1, 2, 2, 4. Where nobody has won, all share the first.
    """
    given = result.get("points")
    named: Mapping[str, object] = (
        cast("Mapping[str, object]", given) if isinstance(given, Mapping) else {}
    )
    points = {name: value for name, value in named.items() if isinstance(value, int)}
    winners = set(result.get("winners", ()))
    scores = [(name in winners, points.get(name, 0)) for name in names]
    better = scores if winners else []
    return [
        Ranked(1 + sum(other > score for other in better), points.get(name), name in winners)
        for name, score in zip(names, scores, strict=True)
    ]
