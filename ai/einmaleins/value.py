"""Rates moves and positions of Einmaleins: a linear score of layings, and a model of hands.

A laying has five features (`_features`), to draw has one; the score is the sum of their weights,
in chances to win. Sets of number cards are ints with bit n for the number n, sets of factors ints
with bit f for the factor f.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from ai.api import final_shares, softmax
from ai.weights_file import read_weights
from engines.einmaleins.cards import (
    FACTORS_OF,
    FOLLOWERS,
    FREE,
    HAVING,
    PAIRS,
    SQUARES,
    Lacking,
)
from engines.einmaleins.notation import DRAW, Draw, EinmaleinsMove, layings
from engines.einmaleins.rules import EinmaleinsPosition

TABLES = ("two", "three", "more")
"""The tables that have weights of their own: by players, the last for four to six."""
DECK = 44
SIZES = 8
"""Hand sizes that the score tells apart; the last stands for all larger ones too."""
ANSWERS = 21
"""Numbers of cards, 0 to 20, that can follow on a pair."""
USUAL = 36
"""Unseen cards at the beginning of a game of two."""
FEW = 3
"""A hand up to this size lays a free card as any product, a larger one only as a square."""
SECTIONS = {
    "fit": 3 * 2 * SIZES * SIZES,
    "answers": 2 * SIZES * ANSWERS,
    "card": 3 * (len(PAIRS) + 1),
    "each": 2 * SIZES * 9,
    "lack": 2 * SIZES * 6,
    "draw": 3 * SIZES * SIZES,
}
"""The features of each kind, and how many there are."""
FIT, ANSWER, CARD, EACH, LACK, DRAWING, FEATURES = accumulate([0, *SECTIONS.values()])

_BIT = {str(number): 1 << number for number in PAIRS}
_ALL = sum(_BIT.values())
_INDEX = {number: index for index, number in enumerate(PAIRS)}


@lru_cache(maxsize=len(TABLES))
def weights_of(table: str) -> list[float]:
    """Return the weights of a table's features, one after the other."""
    weights = read_weights("einmaleins")[table]
    return [weight for name in SECTIONS for weight in weights[name]]


def table_of(players: int) -> str:
    """Return the name of the weights for so many players."""
    return TABLES[min(players - 2, len(TABLES) - 1)]


@lru_cache(maxsize=4096)
def _known_to_lack(lacking: Lacking) -> tuple[int, ...]:
    """Return by factor how surely a hand lacks it: 0 no, 1 perhaps, 2 all cards but one."""
    found: list[int] = []
    for factor in range(11):
        count = sum([factors >> factor & 1 for factors in lacking])
        missing = len(lacking) - count
        found.append(0 if not count else 2 if missing <= 1 else 1 if missing <= 3 else 0)
    return tuple(found)


class HandFeatures:
    """The features that all layings of a hand share."""

    def __init__(self, position: EinmaleinsPosition, given: tuple[str, ...]) -> None:
        self.position = position
        self.seat = position.seat
        self.size = len(given)
        self.frees = given.count(FREE)
        self.held = sum([_BIT[card] for card in {*given} if card != FREE])
        laid = position.piles.numbers
        if not position.open.free:
            laid |= 1 << position.open.number
        self.unseen = _ALL & ~(self.held | laid)
        # 1: the open card
        count = DECK - self.size - position.piles.under - 1
        self.scale = 256 * USUAL // count if count > 0 else 0

    def features(self, move: EinmaleinsMove) -> tuple[int, ...]:
        """Return the features of a legal move.

        `left` are the cards left in the hand, `other` those of the next player:
        how many cards left fit on the pair; how many unseen ones do, scaled to USUAL unseen cards;
        the card; how many cards left fit each factor, the fewer first, each 0 to 2; how surely
        `other` lacks either factor, the less sure first. Drawing has one feature: free cards (0 to
        2), own cards, and the next player's cards.
        """
        position, seat, frees = self.position, self.seat, self.frees
        hands = position.hands
        players = len(hands)
        if isinstance(move, Draw):
            own, other = min(self.size, SIZES - 1), min(hands[(seat + 1) % players], SIZES - 1)
            return (DRAWING + (min(frees, 2) * SIZES + own) * SIZES + other,)
        pair, held = move.pair, self.held
        if move.free:
            frees -= 1
            card = len(PAIRS)
        else:
            held &= ~(1 << move.number)
            card = _INDEX[move.number]
        square = int(move.number in SQUARES)
        following = (seat + 1 + square) % players
        if following == seat:  # of two players
            following = 1 - seat
        left = min(self.size, SIZES) - 1
        # a hand is empty only if a corrected record has too few cards to deal
        other = max(1, min(hands[following], SIZES - 1))
        urgent = min(other, 3) - 1
        fits = min((held & FOLLOWERS[pair]).bit_count() + frees, SIZES - 1)
        answers = (self.unseen & FOLLOWERS[pair]).bit_count() * self.scale >> 8
        stage = 0 if left < 2 else 1 if left < 4 else 2
        low = min((held & HAVING[pair[0]]).bit_count() + frees, 2)
        high = min((held & HAVING[pair[1]]).bit_count() + frees, 2)
        either = low * 3 + high if low < high else high * 3 + low
        lack = 0
        if position.lacking:
            known = _known_to_lack(position.lacking[following])
            less, surer = known[pair[0]], known[pair[1]]
            if less > surer:
                less, surer = surer, less
            # the index of the two numbers among 00, 01, 11, 02, 12, 22
            lack = less + surer * (surer + 1) // 2
        place = square * SIZES
        return (
            FIT + ((urgent * 2 + square) * SIZES + left) * SIZES + fits,
            ANSWER + (place + other) * ANSWERS + min(answers, ANSWERS - 1),
            CARD + stage * (len(PAIRS) + 1) + card,
            EACH + (place + left) * 9 + either,
            LACK + (place + other) * 6 + lack,
        )


def score_moves(
    position: EinmaleinsPosition, given: tuple[str, ...], moves: Sequence[EinmaleinsMove]
) -> list[float]:
    """Return the score of these legal moves."""
    weights, hand = weights_of(table_of(len(position.players))), HandFeatures(position, given)
    return [sum([weights[index] for index in hand.features(move)]) for move in moves]


def reply(position: EinmaleinsPosition, given: tuple[str, ...]) -> EinmaleinsMove:
    """Return the move with the best score; a free card is kept from most layings."""
    moves: list[EinmaleinsMove] = [DRAW]
    factors = position.open.factors
    bits = sum([1 << factor for factor in factors])
    for card in given:
        if card == FREE:
            continue
        if FACTORS_OF[int(card)] & bits:
            moves += layings(card, factors)
    if FREE in given:
        few = len(given) <= FEW
        moves += [move for move in layings(FREE, factors) if few or move.number in SQUARES]
    if len(moves) == 1 or len(given) == 1:
        return moves[-1]  # the last card is laid without looking
    scores = score_moves(position, given, moves)
    return moves[scores.index(max(scores))]


def rate(
    position: EinmaleinsPosition, given: tuple[str, ...]
) -> list[tuple[EinmaleinsMove, float]]:
    """Return every legal move with its chance, best first (`ai.search.GameAI.rate`)."""
    moves = position.legal(given)
    if not moves:
        return []
    scores = score_moves(position, given, moves)
    if len(given) == 1:  # who lays the last card wins
        found = [(move, 1.0 if move is not moves[-1] else 0.0) for move in moves]
        return found if len(found) > 1 else [(moves[0], _seen(position, given, scores[0]))]
    best = max(scores)
    usual = _seen(position, given, best)
    rated = [
        (move, max(0.0, usual - best + score)) for move, score in zip(moves, scores, strict=True)
    ]
    return sorted(rated, key=lambda each: -each[1])


# the model: each seat's chance

SEEN = True
"""The model has tables for a known hand too."""
LARGEST = 9
"""Hand sizes that the model tells apart; the last stands for all larger ones too."""
STUCK = LARGEST
OWN = STUCK + 1
FIT_LIMIT = 3
BEST_SCORE = OWN + LARGEST * (FIT_LIMIT + 1) + 2


def features(
    position: EinmaleinsPosition, hand: tuple[str, ...] | None = None
) -> tuple[str, list[tuple[int, dict[int, float]]]]:
    """Return the table of the model, and each seat's role and features in it, by number.

    The role counts seats from the player to move. The features are the size of the hand, and the
    part of its cards that surely cannot be laid now. A known hand adds how many cards fit (0 to 3)
    by its size, its free cards (one, two), and the best score.
    """
    if hand is None:
        return str(len(position.players)), _features(position)
    best = max(score_moves(position, hand, position.legal(hand)))
    return f"{len(position.players)}-seen", _features(position, hand, best)


def _features(
    position: EinmaleinsPosition, hand: tuple[str, ...] | None = None, best: float = 0.0
) -> list[tuple[int, dict[int, float]]]:
    players = len(position.players)
    announced = sum([1 << factor for factor in position.open.factors])
    found: list[tuple[int, dict[int, float]]] = []
    for seat, size in enumerate(position.hands):
        row = {min(max(1, size), LARGEST) - 1: 1.0}
        if position.lacking and size:
            stuck = sum([factors & announced == announced for factors in position.lacking[seat]])
            row[STUCK] = stuck / size
        found.append(((seat - position.seat) % players, row))
    if hand is not None:
        row = found[position.seat][1]
        numbers = [int(card) for card in hand if card != FREE]
        fits = min(FIT_LIMIT, sum([bool(FACTORS_OF[card] & announced) for card in numbers]))
        row[OWN + (min(len(hand), LARGEST) - 1) * (FIT_LIMIT + 1) + fits] = 1.0
        frees = len(hand) - len(numbers)
        if frees:
            row[BEST_SCORE - 3 + min(frees, 2)] = 1.0
        row[BEST_SCORE] = best
    return found


def _shares(table: str, rows: Sequence[tuple[int, dict[int, float]]]) -> list[float]:
    weights = read_weights("einmaleins", "model")[table]["weights"]
    return softmax(
        [sum([weights[role][index] * value for index, value in row.items()]) for role, row in rows]
    )


def _seen(position: EinmaleinsPosition, given: tuple[str, ...], best: float) -> float:
    """Return the chance of the player to move, with the score of the best move."""
    rows = _features(position, given, best)
    return _shares(f"{len(position.players)}-seen", rows)[position.seat]


def chances(position: EinmaleinsPosition, hand: tuple[str, ...] | None = None) -> list[float]:
    """Return each player's chance (`ai.search.GameAI.chances`)."""
    if position.result is not None:
        return final_shares(position)
    if hand is not None and len(hand) == 1 and len(position.legal(hand)) > 1:
        return [float(seat == position.seat) for seat in range(len(position.players))]
    return _shares(*features(position, hand))
