"""Chances are true: of those who were given 60 %, some 60 % win."""

import pytest

from bench.strength.calibration import EVERY, error_of, predictions
from tests.ai.play_outs import needs_compiled
from tests.options import Options

GAMES, FULL = 40, 400
"""With `--times 10` it takes half a minute a game; then the error has to be small."""


def test_the_error_is_the_gap_of_said_and_seen() -> None:
    assert error_of([(0.6, 1), (0.6, 1), (0.6, 0), (0.6, 0), (0.6, 1)]) < 1e-9
    assert error_of([(0.9, 0), (0.9, 1)]) == pytest.approx(0.4)


@needs_compiled
@pytest.mark.parametrize("game", EVERY)
def test_chances_come_true(game: str, options: Options) -> None:
    games = GAMES * options.times
    error = error_of(pair for number in range(games) for pair in predictions(game, number))
    bound = 0.03 if games >= FULL else 0.12
    assert error <= bound, f"{game}: {error:.3f} over {games} games"
