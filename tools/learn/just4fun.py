"""The value model of Just 4 Fun: features of rows and fields for both players."""

from array import array
from importlib import import_module
from typing import Any

from ai.just4fun.scoring import (
    LEADS,
    SECURED,
    STATES,
    TWO_MORE,
    live_states,
    reaches,
    rows_of,
)
from ai.just4fun.thinking import new_playout
from ai.weights_file import read_weights
from engines.just4fun.board import FIELDS, ROW
from engines.just4fun.layout import STONES
from tools.learn.regression import play_games, regression
from tools.tune_ai import start_of

ROWS = 54
"""How many rows of four the board has."""
ALONE = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1))
"""The kinds of rows: how many fields are owned, and how many need two stones."""
REACH = ((1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1))
"""The kinds for which it counts how likely a hand reaches the missing fields."""
SECURED_ALONE = (1, 2, 3)
"""The numbers of owned fields for which it counts how many of them are secured."""
SECURED_REACH = (2, 3)
"""The same, but that count is multiplied by how likely a hand reaches the missing fields."""


def features_of(owned: int, secured: int, two_more: int, reach: float) -> list[float]:
    """Return the features of one row."""
    shape = owned, two_more
    return [
        *(float(shape == kind) for kind in ALONE),
        *(reach * (shape == kind) for kind in REACH),
        reach * reach * (shape == (ROW - 1, 0)),
        *(float(secured * (owned == kind)) for kind in SECURED_ALONE),
        *(secured * reach * (owned == kind) for kind in SECURED_REACH),
    ]


def model_of(weights: list[float]) -> dict[str, Any]:
    """Return the weights of the regression in the form of the model's file."""
    model: dict[str, Any] = {"begins": weights[:2]}
    rest = iter(weights[2:])  # in the order of `features_of` and `_points`
    for side in ("mover", "other"):
        alone, reach = ([[0.0] * (ROW + 1) for _ in range(ROW)] for _ in range(2))
        secured, secured_reach = ([0.0] * ROW for _ in range(2))
        for owned, two_more in ALONE:
            alone[owned][two_more] = next(rest)
        for owned, two_more in REACH:
            reach[owned][two_more] = next(rest)
        square = next(rest)
        for owned in SECURED_ALONE:
            secured[owned] = next(rest)
        for owned in SECURED_REACH:
            secured_reach[owned] = next(rest)
        model[side] = {
            "alone": alone,
            "reach": reach,
            "square": square,
            "secured": secured,
            "secured_reach": secured_reach,
        }
    for side in ("mover", "other"):
        model[side]["points"] = [[next(rest) for _ in range(3)] for _ in range(3)]
    return model


def _points(classes: list[int], seat: int, phase: float) -> list[float]:
    """Return points, in hundreds, of fields owned, secured and two stones away.

    Each of the three sums comes times 1, the `phase` and its square. `classes` has what a field is
    to each seat, with four seats for each field.
    """
    sums = [0.0, 0.0, 0.0]
    for field in range(1, FIELDS + 1):
        class_ = classes[field * 4 + seat]
        sums[0] += (class_ <= LEADS) * field / 100
        sums[1] += (class_ == SECURED) * field / 100
        sums[2] += (class_ == TWO_MORE) * field / 100
    return [value * phase**power for value in sums for power in range(3)]


def fit(games: int) -> dict[str, Any]:
    """Play games and return the model fitted to them."""
    np = import_module("numpy")
    start = start_of("just4fun")
    states = array("H")
    rest: list[list[float]] = []

    def note(playout: Any) -> None:
        """Note the states of all rows, the mover's first, then the turn, phase and points."""
        seat, row_states, classes = playout.seat, list(playout.states), list(playout.classes)
        phase = sum(playout.left[:2]) // 2 / STONES
        # the states of each row are by seat, with places for four
        for side in (seat, 1 - seat):
            states.extend(row * STATES + state for row, state in enumerate(row_states[side::4]))
        points = _points(classes, seat, phase) + _points(classes, 1 - seat, phase)
        rest.append([1.0, phase, *points])

    pair = new_playout(start, None), new_playout(start, None)
    won = play_games(pair, games, note, lambda playout, seat: float(playout.winners == 1 << seat))
    row_features = np.zeros((STATES * ROWS, len(features_of(0, 0, 0, 0.0))))
    for row, fields in enumerate(rows_of(start.terms.board)):
        chance = reaches(fields, read_weights("just4fun")["reach"])
        for state, owned, secured, two_more, missing in live_states():
            row_features[row * STATES + state] = features_of(
                owned, secured, two_more, chance[missing]
            )
    row_states = np.array(states).reshape(len(won), 2, ROWS)
    sides = [sum(row_features[row_states[:, side, row]] for row in range(ROWS)) for side in (0, 1)]
    other = np.array(rest)  # of each position: 1.0 and the phase, then the points
    features = np.hstack([other[:, :2], *sides, other[:, 2:]])
    return model_of(regression(lambda part: features[part], won, features.shape[1]))
