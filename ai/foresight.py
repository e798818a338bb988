"""What will have to be answered next: the positions that a player's likeliest moves lead to."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from ai.api import GameAI

IMAGINED = 60
"""How many hands are imagined for a player whose cards are hidden."""
GLANCE_S = 0.001
"""How long a move with each of them is thought about (`ai.GameAI.search`)."""
WAYS = 3
"""How many of the best moves with a hand or roll count, if there are several hands or rolls."""
FADE = 0.4
"""Each further move counts only this part of the one before: most people see what is good."""


def imagine_hands(ai: GameAI, position: Any, own: Any, rng: Random) -> list[Any]:
    """Return hands that the player to move may have, for somebody who holds `own`.

    [] for a game whose AI imagines none.
    """
    if ai.imagine is None:
        return []
    return [ai.imagine(position, own, rng) for _ in range(IMAGINED)]


def likely_positions(
    ai: GameAI, position: Any, givens: Sequence[Any], rng: Random
) -> Iterator[Any]:
    """Yield the positions that the player to move likely leads to, each once, likeliest first.

    `givens` are the hands or rolls that this player may have, all equally likely.
    """
    weights: dict[str, float] = {}
    after: dict[str, Any] = {}
    for given in givens:
        weight, reached = 1.0, list[Any]()
        for option in ai.search(position, given, GLANCE_S, rng):
            token = option.move.token
            if token not in after:
                after[token] = position.play(option.move)[0]
            if after[token] in reached:  # the same move in another order
                continue
            reached.append(after[token])
            weights[token] = weights.get(token, 0.0) + weight
            weight *= FADE
            if len(reached) == WAYS and len(givens) > 1:
                break
    yield from _distinct(after[token] for token in sorted(weights, key=lambda key: -weights[key]))


def _distinct(positions: Iterable[Any]) -> Iterator[Any]:
    """Yield every position once; not all can be hashed."""
    seen: list[Any] = []
    for position in positions:
        if position not in seen:
            seen.append(position)
            yield position
