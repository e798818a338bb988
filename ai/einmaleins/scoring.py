"""Builds the products of Einmaleins, and the score of layings from its weights."""

from functools import lru_cache
from itertools import pairwise

from ai.einmaleins import playouts
from ai.einmaleins.playouts import LayingScore, Products
from ai.weights_file import Weights, read_weights
from engines.einmaleins import cards as deck

CARD_INDEX = {str(number): index for index, number in enumerate(deck.PAIRS)}
CARD_INDEX[deck.FREE] = len(deck.PAIRS)
PAIR_INDEX = {
    pair: index
    for index, pair in enumerate(pair for pairs in deck.PAIRS.values() for pair in pairs)
}
TABLES = ("two", "three", "more")
"""The tables that have weights of their own: by players, the last for four to six."""
FEATURES = {
    name: end - begin
    for name, (begin, end) in zip(
        ("fit", "answers", "card", "each", "lack", "draw"),
        pairwise(playouts.SECTIONS),
        strict=True,
    )
}
"""The numbers of the score's features of each kind, in their order (`playouts.LayingScore`)."""
UNIT = 10_000
"""The chance 1 in the score's whole numbers."""


@lru_cache(maxsize=1)
def products() -> Products:
    """Return the products of 1 to 10 for the play-outs."""
    return Products(
        [CARD_INDEX[str(a * b)] for a, b in PAIR_INDEX],
        [1 << a | 1 << b for a, b in PAIR_INDEX],
        [int(number in deck.SQUARES) for number in deck.PAIRS],
    )


def table_of(players: int) -> str:
    """Return the name of the weights for so many players."""
    return TABLES[min(players - 2, len(TABLES) - 1)]


def build_score(weights: Weights) -> LayingScore:
    """Return the score with the weights of one table."""
    return LayingScore([round(UNIT * weight) for name in FEATURES for weight in weights[name]])


@lru_cache(maxsize=len(TABLES))
def _score(table: str) -> LayingScore:
    return build_score(read_weights("einmaleins")[table])


def laying_score(players: int) -> LayingScore:
    """Return the score for games of so many players."""
    return _score(table_of(players))
