"""Builds the linear score of Sequence and its value model from their weights."""

from functools import lru_cache
from itertools import pairwise, product

from ai.odds import UNIT
from ai.sequence import playouts
from ai.weights_file import Weights, read_weights
from engines.sequence import board as printed

WINDOWS = tuple(printed.WINDOW_NAMES)
"""Every five in a line as a bit set; a window of the play-outs is an index into these."""
CARD_INDEX = {card: index for index, card in enumerate(printed.CARDS)}
_INDEX = {window: index for index, window in enumerate(WINDOWS)}
OTHERS = {
    name: end - begin
    for name, (begin, end) in zip(
        ("two_eyed", "one_eyed", "open", "pile"), pairwise(playouts.SECTIONS), strict=True
    )
}
"""The numbers of the model's features of each kind except windows, in their order."""


def window_of(line: int) -> int:
    """Return the index of a window from its bit set."""
    return _INDEX[line]


def live_windows() -> list[int]:
    """Return the possible features of the mover's windows, in order.

    They apply while the mover still needs two sequences (`playouts.Windows`).
    """
    features: list[int] = []
    for chips in range(5):
        missing = 5 - chips
        for filled in range(missing + 1):
            # the numbers of chips from which each of these is noted: see `playouts.Windows`
            wild_counts = range(3 if chips >= 2 else 1)
            blocks = range(2 if chips >= 3 else 1)
            lost_counts = range(min(2, missing - filled) + 1 if chips else 1)
            for wilds, blocked, lost in product(wild_counts, blocks, lost_counts):
                # the kind is just the chips: side 0, the mover, who needs more than one sequence
                features.append(playouts.window_feature(chips, filled, wilds, blocked, lost))
    return features


def model_values(model: Weights) -> list[int]:
    """Return the model's log-odds by feature."""
    values = [0.0] * playouts.SECTIONS[-1]
    # each side has two parts: it needs two sequences, or only one
    parts = [part for side in ("mover", "other") for part in model[side]]
    features_a_part = playouts.SECTIONS[0] // len(parts)
    live = live_windows()
    for number, part in enumerate(parts):
        for feature, odds in zip(live, part, strict=True):
            values[number * features_a_part + feature] = odds
    # after the windows' features come all others
    values[playouts.SECTIONS[0] :] = [odds for name in OTHERS for odds in model[name]]
    return [round(UNIT * odds) for odds in values]


def board_with(board: printed.Board, weights: Weights, model: Weights) -> playouts.Windows:
    """Return the board of the play-outs with these weights and this model of positions."""
    windows = [[printed.INDEX[name] for name in printed.WINDOW_NAMES[bits]] for bits in WINDOWS]
    through = [[_INDEX[bits] for bits in lines] for lines in printed.THROUGH]
    codes = [CARD_INDEX.get(code, -1) for code in board.codes]  # -1: a corner, which has no card
    # the numbers of the kinds are those of `playouts.Windows`
    kinds = [0] * len(CARD_INDEX)
    for card in printed.TWO_EYED:
        kinds[CARD_INDEX[card]] = 1
    for card in printed.ONE_EYED:
        kinds[CARD_INDEX[card]] = 2
    # the play-outs have no fractions: 100 times the weights
    own = [
        round(100 * weights["own"][chips] * weights["held"][chips] ** filled)
        for chips in range(5)
        for filled in range(5)
    ]
    block = [
        round(100 * weights["block"][chips] * (1 if live else weights["gone"]))
        for chips in range(5)
        for live in (0, 1)
    ]
    jacks = [round(100 * weights["keep_two_eyed"]), round(100 * weights["keep_one_eyed"])]
    last = [round(100 * weights["last_own"]), round(100 * weights["last_rival"])]
    return playouts.Windows(
        windows, through, codes, kinds, own, block, jacks, last, model_values(model)
    )


@lru_cache(maxsize=8)
def board_on(board: printed.Board) -> playouts.Windows:
    """Return the board of the play-outs with the shipped weights."""
    return board_with(board, read_weights("sequence"), read_weights("sequence", "value_model"))
