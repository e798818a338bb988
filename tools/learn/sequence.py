"""The value model of Sequence: windows, jacks, open squares, the draw pile."""

from array import array
from importlib import import_module
from typing import Any

from ai.sequence.playouts import SECTIONS
from ai.sequence.scoring import OTHERS, live_windows
from ai.sequence.thinking import new_playout
from tools.learn.regression import play_games, regression
from tools.tune_ai import start_of

SIDES = 4
"""The mover's windows while two sequences are missing and while one is, then the other's."""


def features() -> list[int]:
    """Return the features that can occur, in the order of the model's file."""
    side_size = SECTIONS[0] // SIDES  # the first section has the windows, side by side
    windows = [side * side_size + feature for side in range(SIDES) for feature in live_windows()]
    return windows + list(range(SECTIONS[0], SECTIONS[-1]))


def model_of(weights: list[float]) -> dict[str, Any]:
    """Return the weights of the regression in the form of the model's file."""
    count_each = len(live_windows())
    parts = [weights[side * count_each : (side + 1) * count_each] for side in range(SIDES)]
    model: dict[str, Any] = {"mover": parts[:2], "other": parts[2:]}
    rest = iter(weights[SIDES * count_each :])
    for name, count in OTHERS.items():
        model[name] = [next(rest) for _ in range(count)]
    return model


def fit(games: int) -> dict[str, Any]:
    """Play games and return the model fitted to them."""
    np = import_module("numpy")
    start = start_of("sequence")
    # the features of all positions one after the other, and where those of each position end
    feature_list, ends = array("H"), array("I", [0])

    def note(playout: Any) -> None:
        count = playout.note_features()
        feature_list.extend(playout.features[:count])
        ends.append(len(feature_list))

    pair = new_playout(start, None), new_playout(start, None)
    won = play_games(pair, games, note, lambda playout, seat: float(playout.winner == seat))
    # by feature its column, -1 for those that cannot occur
    column = np.full(SECTIONS[-1], -1)
    column[features()] = np.arange(len(features()))
    columns, bounds = column[np.array(feature_list)], np.array(ends, dtype=np.int64)

    def rows(part: slice) -> Any:
        """Return a row for each of these positions: how often it has each feature."""
        last = min(part.stop, len(won))
        lengths = np.diff(bounds[part.start : last + 1])
        # by feature met its cell in the table of positions and features
        cells = np.repeat(np.arange(last - part.start), lengths) * len(features())
        cells += columns[bounds[part.start] : bounds[last]]
        counts = np.bincount(cells, minlength=(last - part.start) * len(features()))
        return counts.reshape(-1, len(features())).astype(float)

    return model_of(regression(rows, won, len(features())))
