"""An opponent in Einmaleins that people would write first; it measures how well the AI plays."""

from random import Random

from engines.einmaleins.cards import FREE, PAIRS, SQUARES
from engines.einmaleins.notation import EinmaleinsMove, Lay
from engines.einmaleins.rules import EinmaleinsPosition


def greedy(position: EinmaleinsPosition, given: tuple[str, ...], rng: Random) -> EinmaleinsMove:
    """Lay if possible: a square first, then what keeps most of one's own cards fitting."""
    return max(position.legal(given), key=lambda move: _wishes(move, given))


def _wishes(move: EinmaleinsMove, hand: tuple[str, ...]) -> tuple[int, ...]:
    if not isinstance(move, Lay):
        return (0,)
    rest = list(hand)
    rest.remove(FREE if move.free else str(move.number))
    fitting = sum(
        card == FREE or any(set(pair) & set(move.pair) for pair in PAIRS[int(card)])
        for card in rest
    )
    return (1, int(not move.free), int(move.number in SQUARES), fitting)
