"""The linear score of Sequence: from its weights, kept as data, to what windows are worth."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from engines.sequence import board as printed
from wits.sequence import playouts

Weights = Mapping[str, Any]
WINDOWS = tuple(printed.WINDOW_NAMES)
"""Every five in a line as a bit set; a window of the play-outs is an index into these."""
CARD_INDEX = {card: index for index, card in enumerate(printed.CARDS)}
_INDEX = {window: index for index, window in enumerate(WINDOWS)}


@lru_cache(maxsize=1)
def weights() -> Weights:
    """Return the weights that `tools/tune_wits.py` found."""
    text = resources.files("wits.sequence").joinpath("weights.toml").read_text("utf-8")
    return tomllib.loads(text)


def window_of(line: int) -> int:
    """Return the index of a window from its bit set."""
    return _INDEX[line]


def board_with(board: printed.Board, given: Weights) -> playouts.Windows:
    """Return the board of the play-outs with these weights."""
    windows = [[printed.INDEX[name] for name in printed.WINDOW_NAMES[bits]] for bits in WINDOWS]
    through = [[_INDEX[bits] for bits in lines] for lines in printed.THROUGH]
    codes = [CARD_INDEX.get(code, -1) for code in board.codes]
    kinds = [
        1 if card in printed.TWO_EYED else 2 * (card in printed.ONE_EYED) for card in CARD_INDEX
    ]
    own = [
        round(100 * given["own"][chips] * given["held"][chips] ** held) if chips < 5 else 0
        for chips in range(5)
        for held in range(5)
    ]
    block = [
        round(100 * given["block"][chips] * (1 if live else given["gone"]))
        for chips in range(5)
        for live in (0, 1)
    ]
    jacks = [round(100 * given["keep_two_eyed"]), round(100 * given["keep_one_eyed"])]
    last = [round(100 * given["last_own"]), round(100 * given["last_rival"])]
    return playouts.Windows(windows, through, codes, kinds, own, block, jacks, last)


@lru_cache(maxsize=8)
def board_on(board: printed.Board) -> playouts.Windows:
    """Return the board of the play-outs with the weights that are kept."""
    return board_with(board, weights())
