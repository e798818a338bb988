"""Whether chances come true: of those who were given 60 %, some 60 % win."""

from collections.abc import Iterable
from random import Random

from ai import AI
from ai.match import seat_players
from engines import GAMES

TRIES = 100
"""Play-outs for each prediction."""
EVERY = {"just4fun": 3, "numeri": 20, "sequence": 9, "einmaleins": 4}
"""Chances are predicted after each so many moves."""
SECONDS = 0.0003
"""Thinking of the players."""
BINS = 10

Prediction = tuple[float, float]
"""A predicted chance, and what became of it: 1 won, 0 lost, a part of a shared win."""


def predictions(game: str, number: int) -> list[Prediction]:
    """Return what was predicted in one game of two (`number` even) or three players."""
    ai = AI[game]
    rng = Random(f"{game} {number}")
    deal = ai.deal(seat_players(GAMES[game], 2 + number % 2), rng)
    predicted: list[list[float]] = []
    moves = 0
    while deal.position.result is None:
        if moves % EVERY[game] == 0:
            predicted.append(list(ai.chances(deal.position, TRIES, rng)))
        deal.play(ai.choose(deal.position, deal.given(), "best", SECONDS, rng))
        moves += 1
    players, winners = deal.position.players, deal.position.result.winners
    # a team of several wins as one
    sharing = len({player.colour for player in players if player.name in winners})
    shares = [(player.name in winners) / max(1, sharing) for player in players]
    return [pair for chances in predicted for pair in zip(chances, shares, strict=True)]


def error_of(pairs: Iterable[Prediction]) -> float:
    """Return the mean gap of predictions and results over bins of chances, by their size."""
    bins: dict[int, list[Prediction]] = {}
    for chance, became in pairs:
        bins.setdefault(min(BINS - 1, int(chance * BINS)), []).append((chance, became))
    gaps = [abs(sum(chance - became for chance, became in pairs)) for pairs in bins.values()]
    return sum(gaps) / sum(map(len, bins.values()))
