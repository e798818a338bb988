"""The linear score of Just 4 Fun: from its weights, kept as data, to what rows are worth."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from itertools import product
from typing import Any

from engines.just4fun.board import DIRECTIONS, FIELDS, ROW, SIDE, Board
from wits.just4fun.playouts import CLASSES, WIN, RowScore

Weights = Mapping[str, Any]
LEADS = CLASSES[1]


@lru_cache(maxsize=1)
def weights() -> Weights:
    """Return the weights that `tools/tune_wits.py` found."""
    text = resources.files("wits.just4fun").joinpath("weights.toml").read_text("utf-8")
    return tomllib.loads(text)


def rows_of(board: Board) -> list[list[int]]:
    """Return every row of four fields of a board, each in the order it lies there."""
    found = []
    for line, column, (down, right) in product(range(SIDE), range(SIDE), DIRECTIONS):
        places = [(line + down * i, column + right * i) for i in range(ROW)]
        if all(0 <= y < SIDE and 0 <= x < SIDE for y, x in places):
            found.append([board.fields[y * SIDE + x] for y, x in places])
    return found


def score_of(rows: list[list[int]], given: Weights) -> RowScore:
    """Return the score of these rows with these weights."""
    worth: list[int] = []
    for side in ("own", "rival"):
        for row in rows:
            worth += _states(row, given["reach"], given[side])
    fields = [
        round(field * share * given["points"])
        for field in range(FIELDS + 1)
        for share in given["field"]
    ]
    row_phase = [round(100 * (1 - given["row_fade"] * (20 - left) / 20)) for left in range(21)]
    field_phase = [round(100 * (1 + given["field_rise"] * (20 - left) / 20)) for left in range(21)]
    rivals = [0, *(round(100 * weight) for weight in given["rivals"])]
    cards = [round(10_000 * value) for value in given["cards"]]
    return RowScore(rows, worth, fields, row_phase, field_phase, rivals, cards)


def _states(row: list[int], reach: list[float], given: Weights) -> list[int]:
    """Return what a row's 625 states are worth to one side."""
    one = [given["one"] * reach[field] ** given["reach_one"] for field in row]
    two = [given["two"] * reach[field] ** given["reach_two"] for field in row]
    factors = [(given["secured"], 1.0, one[place], two[place], 0.0) for place in range(ROW)]
    found = []
    # the first field's class is the lowest digit of a state
    for d, c, b, a in product(range(5), repeat=ROW):
        owned = (a <= LEADS) + (b <= LEADS) + (c <= LEADS) + (d <= LEADS)
        if owned == ROW:
            found.append(WIN)
            continue
        factor = factors[0][a] * factors[1][b] * factors[2][c] * factors[3][d]
        found.append(round(given["owned"][owned] * factor))
    return found


@lru_cache(maxsize=8)
def score_on(board: Board) -> RowScore:
    """Return the score of a board with the weights that are kept."""
    return score_of(rows_of(board), weights())
