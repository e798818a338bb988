"""Rates moves and positions of Just 4 Fun by rows of four and fields.

A player's *class* on a field says how far away the majority is:

    0 secured, 1 leads, 2 needs one stone, 3 needs two, 4 out of reach

A row of four has for each player a *state*: its fields' classes as the digits of a number to the
base 5, the first field's the lowest. A stone moves its player one class up on a field, and rivals
one down or not at all. The score of a move is how much it changes the worth of rows and fields.
"""

from array import array
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from math import prod

from ai.api import final_shares, softmax
from ai.weights_file import Weights, read_weights
from engines.just4fun.board import FIELDS, ROW, STONES, Board, Hand, Stones, standing
from engines.just4fun.notation import CardMove
from engines.just4fun.rules import Just4Fun

SECURED, LEADS, ONE_MORE, TWO_MORE, OUT_OF_REACH = CLASSES = range(5)
STATES = 5**ROW
WIN = 20_000_000
"""The worth of a completed row, above all else."""
WON = 9 * 10**9
"""Moves that complete a row score above this, all other moves below."""
POINT = 100_000_000
"""About the score, a whole number, of a chance of 1."""
FAR = 0.3
"""Differences of score beyond this count no further."""


@lru_cache(maxsize=4096)
def classes_of(stones: Stones) -> tuple[int, ...]:
    """Return each seat's class on a field with these stones."""
    judged = standing(stones)
    most = max(stones)
    found: list[int] = []
    for seat, count in enumerate(stones):
        if judged.secured:
            found.append(SECURED if seat == judged.owner else OUT_OF_REACH)
        elif count == most:
            found.append(LEADS if seat == judged.owner else ONE_MORE)
        else:
            found.append(TWO_MORE if most - count == 1 else OUT_OF_REACH)
    return tuple(found)


class RowScore:
    """The score on one board, from its weights."""

    def __init__(self, board: Board, weights: Weights) -> None:
        rows = board.rows
        self.worth: list[list[list[int]]] = [
            [_row_worths(row, weights["reach"], weights[side]) for row in rows]
            for side in ("own", "rival")
        ]
        # by field: its rows, each with the field's place in it as the unit of its digit
        self.rows_at: list[list[tuple[int, int]]] = [
            [(index, 5 ** row.index(field)) for index, row in enumerate(rows) if field in row]
            for field in range(FIELDS + 1)
        ]
        # by field and class what the class adds to all states, 16 bits a row
        self.adds = [
            [sum(units << 16 * row for row, units in at) * each for each in CLASSES]
            for at in self.rows_at
        ]
        self.bytes = 2 * len(rows)
        # the worth of each field (0 is none) by the player's class there
        self.fields: list[list[int]] = [
            [round(field * share * weights["points"]) for share in weights["field"]]
            for field in range(FIELDS + 1)
        ]
        # factors are percentages
        placed = [(STONES - left) / STONES for left in range(STONES + 1)]
        self.row_phase = [round(100 * (1 - weights["row_fade"] * share)) for share in placed]
        self.field_phase = [round(100 * (1 + weights["field_rise"] * share)) for share in placed]
        # index: how many seats after the player the rival sits; 0 is unused
        self.rivals = [0, *(round(100 * weight) for weight in weights["rivals"])]
        # rows and fields are multiplied by two percentages, cards by none
        self.cards = [round(10_000 * value) for value in weights["cards"]]

    def states(self, classes: Sequence[Sequence[int]], seat: int) -> "array[int]":
        """Return the states of all rows for a seat; `classes` are those on each field."""
        total = sum([adds[each[seat]] for adds, each in zip(self.adds, classes, strict=True)])
        return array("H", total.to_bytes(self.bytes, "little"))


def _row_worths(row: Sequence[int], reach: Sequence[float], weights: Weights) -> list[int]:
    """Return what each of a row's 625 states is worth to one side."""
    one_more = [weights["one"] * reach[field] ** weights["reach_one"] for field in row]
    two_more = [weights["two"] * reach[field] ** weights["reach_two"] for field in row]
    factors = [(weights["secured"], 1.0, one_more[place], two_more[place]) for place in range(ROW)]
    values = [0] * STATES
    # out of reach, a row is worth nothing
    for digits in product(CLASSES[:OUT_OF_REACH], repeat=ROW):
        state = sum(digit * 5**place for place, digit in enumerate(digits))
        owned = sum(digit <= LEADS for digit in digits)
        if owned == ROW:
            values[state] = WIN
            continue
        factor = prod(factors[place][digit] for place, digit in enumerate(digits))
        values[state] = round(weights["owned"][owned] * factor)
    return values


@lru_cache(maxsize=8)
def score_on(board: Board) -> RowScore:
    """Return the score of a board with the shipped weights."""
    return RowScore(board, read_weights("just4fun"))


def rate(position: Just4Fun, given: Hand) -> list[tuple[CardMove, float]]:
    """Return every legal move with its chance, best first (`ai.search.GameAI.rate`)."""
    moves = position.legal(given)
    if not moves or _ends(position):
        found = [(move, final_shares(position.play(move)[0])[position.seat]) for move in moves]
        return sorted(found, key=lambda each: -each[1])
    if moves[0].exchange:
        return [(moves[0], chances(position)[position.seat])]
    scores = score_moves(position, moves)
    best = max(scores)
    after, _ = position.play(moves[scores.index(best)])
    usual = chances(after)[position.seat]
    behind = [0.0 if score >= WON else min(FAR, (best - score) / POINT) for score in scores]
    found = [(move, max(0.0, usual - each)) for move, each in zip(moves, behind, strict=True)]
    return sorted(found, key=lambda each: -each[1])


def reply(position: Just4Fun, given: Hand) -> CardMove:
    """Return the move with the best score."""
    moves = position.legal(given)
    if len(moves) == 1:
        return moves[0]
    scores = score_moves(position, moves)
    return moves[scores.index(max(scores))]


def _ends(position: Just4Fun) -> bool:
    """Tell whether every move now ends the game, because nobody else has a turn left."""
    rounds, seat = position.terms.rounds, position.seat
    # the stones and the rounds that everybody has after this move
    left = [stones - (other == seat) for other, stones in enumerate(position.stones_left)]
    turns = [taken + (other == seat) for other, taken in enumerate(position.turns)]
    return not any(
        stones and (rounds is None or taken < rounds)
        for stones, taken in zip(left, turns, strict=True)
    )


def score_moves(position: Just4Fun, moves: Sequence[CardMove]) -> list[int]:
    """Return the score of these legal moves, none of which is an exchange."""
    score = score_on(position.terms.board)
    seat = position.seat
    classes = [classes_of(stones) for stones in position.counts]
    players = len(position.players)
    left = position.stones_left[seat]
    row_phase, field_phase = score.row_phase[left], score.field_phase[left]
    own_states = score.states(classes, seat)
    own_worth, rival_worth = score.worth
    rivals = [
        (other, score.rivals[(other - seat) % players], score.states(classes, other))
        for other in range(players)
        if other != seat
    ]
    found: list[int] = []
    for move in moves:
        field = move.total
        own = classes[field][seat]
        value: int = 0
        if own != SECURED:  # else one more stone changes nothing
            at, worths = score.rows_at[field], score.fields[field]
            rows: int = 0
            for row, unit in at:
                state, worth = own_states[row], own_worth[row]
                rows += worth[state - unit] - worth[state]
            rows *= 100  # percent: one's own gains count in full
            fields = (worths[own - 1] - worths[own]) * 100
            for other, weight, states in rivals:
                theirs = classes[field][other]
                # a stone that only ties with the leader lowers nobody else's class
                if theirs == OUT_OF_REACH or (own == TWO_MORE and theirs != LEADS):
                    continue
                for row, unit in at:
                    state, worth = states[row], rival_worth[row]
                    rows += (worth[state] - worth[state + unit]) * weight
                fields += (worths[theirs] - worths[theirs + 1]) * weight
            value = rows * row_phase + fields * field_phase
        found.append(value + score.cards[len(move.cards)])
    return found


# the model: each seat's chance


ALONE = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1))
"""The kinds of rows: how many fields are owned, and how many need two stones."""
REACH = ((1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1))
"""The kinds that also count how likely a hand reaches the missing fields."""
SECURED_ALONE = (1, 2, 3)
"""The numbers of owned fields for which it counts how many of them are secured."""
SECURED_REACH = (2, 3)
"""The same, but that count is multiplied by how likely a hand reaches the missing fields."""
ROW_FEATURES = len(ALONE) + len(REACH) + 1 + len(SECURED_ALONE) + len(SECURED_REACH)
FEATURES = ROW_FEATURES + 3 * 3 + 2


def _row_features(state: int, chance: float) -> dict[int, float]:
    """Return the features of a row, without those that are 0; {} if nobody can complete it.

    `chance` says how likely a hand reaches all of the missing fields.
    """
    digits = [state // 5**place % 5 for place in range(ROW)]
    owned = sum(digit <= LEADS for digit in digits)
    if OUT_OF_REACH in digits or owned == ROW:
        return {}
    secured = digits.count(SECURED)
    kind = owned, digits.count(TWO_MORE)
    values = [
        *(float(kind == each) for each in ALONE),
        *(chance * (kind == each) for each in REACH),
        chance * chance * (kind == (ROW - 1, 0)),
        *(float(secured * (owned == each)) for each in SECURED_ALONE),
        *(secured * chance * (owned == each) for each in SECURED_REACH),
    ]
    return {index: value for index, value in enumerate(values) if value}


@cache
def _features_of(row: tuple[int, ...], state: int) -> dict[int, float]:
    """Return the features of this row in a state."""
    return _row_features(state, _reaches(row)[_missing(state)])


def _missing(state: int) -> int:
    """Return the places of a row's fields that are not owned, as bits."""
    return sum(1 << place for place in range(ROW) if state // 5**place % 5 > LEADS)


def _reaches(row: Sequence[int]) -> list[float]:
    """Return by set of a row's places (bits) the chance that a hand reaches all its fields."""
    reach = read_weights("just4fun")["reach"]
    return [
        prod(reach[field] for place, field in enumerate(row) if missing >> place & 1)
        for missing in range(1 << ROW)
    ]


def features(
    position: Just4Fun,
    hand: Hand | None = None,  # noqa: ARG001  # none are learnt of the hand
) -> tuple[str, list[tuple[int, dict[int, float]]]]:
    """Return the table of the model, and each seat's role and features in it, by number.

    The role counts seats from the player to move. The features are those of its rows, then the
    points (in hundreds) of its owned, secured and two-stones-away fields, each times 1, the phase
    and its square, then 1 and the phase. The phase is the share of all stones still in hand.
    """
    score = score_on(position.terms.board)
    players = len(position.players)
    classes = [classes_of(stones) for stones in position.counts]
    phase = _phase(position)
    found: list[tuple[int, dict[int, float]]] = []
    for seat in range(players):
        sums: dict[int, float] = {}
        for row, state in zip(position.terms.board.rows, score.states(classes, seat), strict=True):
            for index, value in _features_of(row, state).items():
                sums[index] = sums.get(index, 0.0) + value
        for field in range(1, FIELDS + 1):
            for kind in _KINDS[classes[field][seat]]:
                for power in range(3):
                    index = ROW_FEATURES + 3 * kind + power
                    sums[index] = sums.get(index, 0.0) + field / 100 * phase**power
        sums[FEATURES - 2], sums[FEATURES - 1] = 1.0, phase
        found.append(((seat - position.seat) % players, sums))
    return str(players), found


_KINDS: tuple[tuple[int, ...], ...] = ((0, 1), (0,), (), (2,), ())
"""By class the sums in which its points count: owned, secured, two stones away."""


def _phase(position: Just4Fun) -> float:
    return sum(position.stones_left) / len(position.players) / STONES


class Model:
    """The model on one board for a number of players, its weights added up by state and class.

    A chance is a softmax over the seats of a sum of weights of features.
    """

    def __init__(self, board: Board, weights: Sequence[Sequence[float]]) -> None:
        chances = [_reaches(row) for row in board.rows]
        self.rows: list[list[array[float]]] = []
        self.points = [role[ROW_FEATURES : FEATURES - 2] for role in weights]
        self.begins = [role[FEATURES - 2 :] for role in weights]
        for role in weights:
            tables = [array("d", bytes(8 * STATES)) for _ in board.rows]
            for state in range(STATES):
                # the sum of a state is a quadratic function of the chance: three values determine
                # it
                none, less, more = (
                    sum(role[index] * value for index, value in _row_features(state, at).items())
                    for at in (0.0, -1.0, 1.0)
                )
                slope, square = (more - less) / 2, (more + less) / 2 - none
                missing = _missing(state)
                for table, chance in zip(tables, chances, strict=True):
                    reached = chance[missing]
                    table[state] = none + reached * (slope + reached * square)
            self.rows.append(tables)

    def score(
        self, role: int, states: Sequence[int], points: Sequence[float], phase: float
    ) -> float:
        """Return the sum of weights of a seat with these states and points (as in `features`)."""
        total = self.begins[role][0] + self.begins[role][1] * phase
        for kind, value in enumerate(points):
            low, middle, high = self.points[role][3 * kind : 3 * kind + 3]
            total += value * (low + phase * (middle + phase * high))
        return total + sum(
            [table[state] for table, state in zip(self.rows[role], states, strict=True)]
        )


@lru_cache(maxsize=8)
def model_on(board: Board, players: int) -> Model:
    """Return the model with the shipped weights."""
    return Model(board, read_weights("just4fun", "model")[str(players)]["weights"])


def chances(position: Just4Fun, hand: Hand | None = None) -> list[float]:
    """Return each player's chance, after the best move if the hand is known."""
    if position.result is not None:
        return final_shares(position)
    if hand is not None:
        return chances(position.play(rate(position, hand)[0][0])[0])
    board, players = position.terms.board, len(position.players)
    score, model = score_on(board), model_on(board, players)
    classes = [classes_of(stones) for stones in position.counts]
    phase = _phase(position)
    scores: list[float] = []
    for seat in range(players):
        sums = [0, 0, 0, 0, 0]
        for field, each in enumerate(classes):
            sums[each[seat]] += field
        points = ((sums[SECURED] + sums[LEADS]) / 100, sums[SECURED] / 100, sums[TWO_MORE] / 100)
        role = (seat - position.seat) % players
        scores.append(model.score(role, score.states(classes, seat), points, phase))
    return softmax(scores)
