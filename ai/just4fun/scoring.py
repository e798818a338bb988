"""Builds the linear score of Just 4 Fun and its value model from their weights."""

from array import array
from functools import lru_cache
from itertools import product
from math import prod

from ai.just4fun.playouts import CLASSES, WIN, RowScore
from ai.odds import UNIT
from ai.weights_file import Weights, read_weights
from engines.just4fun.board import FIELDS, ROW, SIDE, Board
from engines.just4fun.layout import STONES
from engines.rows import DIRECTIONS

SECURED, LEADS, ONE_MORE, TWO_MORE, OUT_OF_REACH = CLASSES
STATES = len(CLASSES) ** ROW
PHASES = STONES + 1


def rows_of(board: Board) -> list[list[int]]:
    """Return every row of four fields of a board, each from its first field to its last."""
    rows: list[list[int]] = []
    for line, column, (down, right) in product(range(SIDE), range(SIDE), DIRECTIONS):
        places = [(line + down * i, column + right * i) for i in range(ROW)]
        if all(0 <= y < SIDE and 0 <= x < SIDE for y, x in places):
            rows.append([board.fields[y * SIDE + x] for y, x in places])
    return rows


def build_row_score(rows: list[list[int]], weights: Weights, model: Weights) -> RowScore:
    """Build the score from `weights`, and the value model from `model`."""
    worth = array("i")
    value_model = array("i")
    for side in ("own", "rival"):
        for row in rows:
            worth.extend(_row_worths(row, weights["reach"], weights[side]))
    for side in ("mover", "other"):
        for row in rows:
            value_model.extend(_row_log_odds(row, weights["reach"], model[side]))
    # the worth of each field (0 is none) by the player's class there, in the order of CLASSES
    fields = [
        round(field * share * weights["points"])
        for field in range(FIELDS + 1)
        for share in weights["field"]
    ]
    # the play-outs have no fractions: factors are percentages
    placed = [(STONES - left) / STONES for left in range(PHASES)]
    row_phase = [round(100 * (1 - weights["row_fade"] * share)) for share in placed]
    field_phase = [round(100 * (1 + weights["field_rise"] * share)) for share in placed]
    # by how many seats a rival sits after the player: 0 is the player, who is no rival
    rivals = [0, *(round(100 * weight) for weight in weights["rivals"])]
    # rows and fields are multiplied by two percentages, cards by none
    cards = [round(10_000 * value) for value in weights["cards"]]
    return RowScore(
        rows, worth, fields, row_phase, field_phase, rivals, cards, value_model, _standing(model)
    )


def _row_worths(row: list[int], reach: list[float], weights: Weights) -> list[int]:
    """Return what each of a row's 625 states is worth to one side."""
    one_more = [weights["one"] * reach[field] ** weights["reach_one"] for field in row]
    two_more = [weights["two"] * reach[field] ** weights["reach_two"] for field in row]
    factors = [
        (weights["secured"], 1.0, one_more[place], two_more[place], 0.0) for place in range(ROW)
    ]
    values = [0] * STATES
    # the first field's class is the lowest digit of a state; out of reach, a row is worth nothing
    for fourth, third, second, first in product(CLASSES[:-1], repeat=ROW):
        state = first + 5 * (second + 5 * (third + 5 * fourth))
        # a field is owned in the classes SECURED and LEADS, the first two
        owned = (first <= LEADS) + (second <= LEADS) + (third <= LEADS) + (fourth <= LEADS)
        if owned == ROW:
            values[state] = WIN
            continue
        factor = factors[0][first] * factors[1][second] * factors[2][third] * factors[3][fourth]
        values[state] = round(weights["owned"][owned] * factor)
    return values


@lru_cache(maxsize=1)
def live_states() -> tuple[tuple[int, int, int, int, int], ...]:
    """Return the states of rows that can still be completed.

    Each is the state, how many fields are owned, how many of these are secured, how many need two
    stones, and the missing fields as bits of their places.
    """
    states: list[tuple[int, int, int, int, int]] = []
    for state in range(STATES):
        digits = [state // 5**place % 5 for place in range(ROW)]
        missing = sum(1 << place for place, digit in enumerate(digits) if digit > LEADS)
        if missing and OUT_OF_REACH not in digits:
            shape = ROW - missing.bit_count(), digits.count(SECURED), digits.count(TWO_MORE)
            states.append((state, *shape, missing))
    return tuple(states)


def reaches(row: list[int], reach: list[float]) -> list[float]:
    """Return by set of a row's places (bits) the chance that a hand reaches all its fields."""
    return [
        prod(reach[field] for place, field in enumerate(row) if missing >> place & 1)
        for missing in range(1 << ROW)
    ]


def _row_log_odds(row: list[int], reach: list[float], weights: Weights) -> list[int]:
    """Return the log-odds of each of a row's 625 states for one side of the model."""
    values = [0] * STATES
    chance = reaches(row, reach)
    for state, owned, secured, two_more, missing in live_states():
        reachable = chance[missing]
        odds = weights["alone"][owned][two_more] + weights["reach"][owned][two_more] * reachable
        # where a single stone completes the row, the odds are quadratic in the chance
        if owned == ROW - 1 and not two_more:
            odds += weights["square"] * reachable * reachable
        odds += secured * (weights["secured"][owned] + weights["secured_reach"][owned] * reachable)
        values[state] = round(UNIT * odds)
    return values


def _standing(model: Weights) -> list[int]:
    """Return the log-odds of classes on fields by the stones left, then those of the turn."""
    values: list[int] = []
    for side in ("mover", "other"):
        for left in range(PHASES):
            phase = left / STONES
            # the weights are the coefficients of polynomials in `phase`, for 100 points
            owned, secured, two_more = (
                sum(factor * phase**power for power, factor in enumerate(polynomial)) / 100
                for polynomial in model[side]["points"]
            )
            # secured, leads, one more, two more, out of reach: the order of CLASSES
            values += [
                round(UNIT * share) for share in (owned + secured, owned, 0.0, two_more, 0.0)
            ]
    first, later = model["begins"]
    return values + [round(UNIT * (first + later * left / STONES)) for left in range(PHASES)]


@lru_cache(maxsize=8)
def score_on(board: Board) -> RowScore:
    """Return the score of a board with the shipped weights."""
    return build_row_score(
        rows_of(board), read_weights("just4fun"), read_weights("just4fun", "value_model")
    )
