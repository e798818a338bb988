"""Plays the score against itself, and fits a logistic regression to who won."""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

SEED = 1
STRAY = 0.06
"""The share of moves by chance, so that the games reach positions which the score avoids."""
RIDGE = 3.0
"""How much large weights cost, so that rare features get small ones."""
STEPS = 8
"""Steps of Newton's method, from weights of 0."""
BATCH = 20_000
"""Positions whose features are in memory at once."""


def play_games(
    pair: tuple[Any, Any],
    games: int,
    record_position: Callable[[Any], None],
    win_share: Callable[[Any, int], float],
) -> list[float]:
    """Play `games` games and return how much of the win went to the player to move.

    The answer has one number for each position met: 1.0 won, 0.0 lost. `pair` are the root
    and a play-out to play; `record_position` is called with every position; `win_share` returns a
    seat's share in a finished game.
    """
    root, playout = pair
    rng = Random(SEED)
    shares = []
    for _ in range(games):
        playout.copy_from(root)
        playout.deal(rng.getrandbits(32))
        seats = []
        while not playout.over:
            record_position(playout)
            seats.append(playout.seat)
            playout.play(playout.any() if rng.random() < STRAY else playout.best())
        shares += [win_share(playout, seat) for seat in seats]
    return shares


def regression(rows: Callable[[slice], Any], win_shares: list[float], columns: int) -> list[float]:
    """Return the weights of the features; `rows` returns the features of a slice of positions."""
    np = import_module("numpy")
    answer = np.array(win_shares)
    weights = np.zeros(columns)
    for _ in range(STEPS):
        gradient, curvature = -RIDGE * weights, RIDGE * np.eye(columns)
        for first in range(0, len(win_shares), BATCH):
            part = slice(first, first + BATCH)
            features = rows(part)
            chances = 1 / (1 + np.exp(-(features @ weights)))
            gradient += features.T @ (answer[part] - chances)
            curvature += (features * (chances * (1 - chances))[:, None]).T @ features
        weights += np.linalg.solve(curvature, gradient)
    return [float(weight) for weight in weights]
