"""Chances are true: of those who were given 60 %, some 60 % win."""

from random import Random

import pytest

from ai import AI
from tests.ai.play_outs import needs_compiled, setup
from tests.options import Options

FULL = 400
"""`--calibration 400`: half a minute a game; then the error has to be small."""
TRIES = 100
EVERY = {"just4fun": 3, "numeri": 20, "sequence": 9, "einmaleins": 4}
BINS = 10


def predictions(game: str, games: int) -> list[tuple[float, float]]:
    """Return chances in the middle of games, each with what became of it: 1 won, 0 lost."""
    found = []
    ai = AI[game]
    for number in range(games):
        rng = Random(f"{game} {number}")
        deal = ai.deal(setup(game, 2 + number % 2, {}, rng), rng)
        said: list[list[float]] = []
        move = 0
        while deal.position.result is None:
            if move % EVERY[game] == 0:
                said.append(list(ai.chances(deal.position, TRIES, rng)))
            deal.play(ai.choose(deal.position, deal.given(), "best", 0.0003, rng))
            move += 1
        names = deal.position.result.winners
        share = [(p.name in names) / max(1, len(names)) for p in deal.position.players]
        if game == "sequence":
            share = [float(p.name in names) for p in deal.position.players]
        found += [pair for chances in said for pair in zip(chances, share, strict=True)]
    return found


def calibration_error(pairs: list[tuple[float, float]]) -> float:
    """Return the mean gap of what was said and what was, over ten bins, by their size."""
    bins: dict[int, list[tuple[float, float]]] = {}
    for said, was in pairs:
        bins.setdefault(min(BINS - 1, int(said * BINS)), []).append((said, was))
    gaps = (abs(sum(said - was for said, was in each)) for each in bins.values())
    return sum(gaps) / len(pairs)


def test_the_error_is_the_gap_of_said_and_seen() -> None:
    assert calibration_error([(0.6, 1), (0.6, 1), (0.6, 0), (0.6, 0), (0.6, 1)]) < 1e-9
    assert calibration_error([(0.9, 0), (0.9, 1)]) == pytest.approx(0.4)


@needs_compiled
@pytest.mark.parametrize("game", EVERY)
def test_chances_come_true(game: str, options: Options) -> None:
    error = calibration_error(predictions(game, options.calibration))
    bound = 0.04 if options.calibration >= FULL else 0.12
    assert error <= bound, f"{game}: {error:.3f} over {options.calibration} games"
