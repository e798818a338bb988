"""Chooses cards to lay in Einmaleins and measures positions by play-outs to the end.

The hidden hands are dealt so that they agree with what their players could not lay.
"""

from functools import partial
from random import Random

from ai.api import Chooser, Option, final_shares
from ai.einmaleins import playouts
from ai.einmaleins.playouts import EinmaleinsPlay, LayingScore
from ai.einmaleins.scoring import CARD_INDEX, PAIR_INDEX, UNIT, laying_score, products
from ai.halving import best_of, choose_move, levels_of, share_of, shares_after
from ai.pace import is_compiled, moves_in
from ai.weights_file import read_weights
from engines.einmaleins import EinmaleinsMove, EinmaleinsPosition
from engines.einmaleins import cards as deck
from engines.einmaleins.moves import Lay

PACE = 3_700_000 if is_compiled(playouts) else 40_000
"""Play-out moves a second of a desktop core."""
LEVELS = levels_of(read_weights("einmaleins", "levels"))
WEIGHED = 2_000
"""With so many play-out moves for each legal move the score counts as much as they do."""
DRAW = -1
AS_PLAYED = -2
"""Stands for the move that the score chooses."""


def new_playout(
    position: EinmaleinsPosition, hand: tuple[str, ...] | None, score: LayingScore | None = None
) -> EinmaleinsPlay:
    """Return a play-out that starts at a position, with all hidden cards in its pool.

    `hand` is that of the player to move, None if it is hidden too. `score` is one to try out.
    """
    players = len(position.players)
    playout = EinmaleinsPlay(products(), score or laying_score(players), players)
    free = CARD_INDEX[deck.FREE]
    top = position.open
    # the cards under the open card; `piles.numbers` is a bit set of them
    under = [index for number, index in _numbers() if position.piles.numbers >> number & 1]
    under += [free] * min(position.piles.frees, position.free)
    cards = [CARD_INDEX[card] for card in hand or ()]
    open_card = free if top.free else CARD_INDEX[str(top.number)]
    pool = [index for _, index in _numbers()] + [free] * position.free
    for card in (*under, *cards, open_card):
        if card in pool:  # a record can claim one card in two places
            pool.remove(card)
    # the sizes of the hands to be dealt
    others = [
        0 if hand is not None and seat == position.seat else count
        for seat, count in enumerate(position.hands)
    ]
    if len(pool) < sum(others):
        # only a corrected record can claim so many known cards: the claim is ignored
        under, pool = [], [index for _, index in _numbers()]
    factors = sum(1 << factor for factor in position.announced)  # as a bit set
    playout.set_up(
        list(position.hands), pool, under, open_card, factors, position.idle, position.seat
    )
    for seat, lacking in enumerate(position.lacking):
        # the cards that lack most are dealt first, while there are most to choose from
        playout.set_lacking(seat, sorted(lacking, key=int.bit_count, reverse=True))
    if hand is not None:
        playout.set_hand(position.seat, cards)
    return playout


def _numbers() -> list[tuple[int, int]]:
    """Return every number card's number and index."""
    return list(zip(deck.PAIRS, range(len(deck.PAIRS)), strict=True))


def code_of(move: EinmaleinsMove) -> int:
    """Return a move in the play-outs' notation."""
    if not isinstance(move, Lay):
        return DRAW
    card = CARD_INDEX[deck.FREE if move.free else str(move.number)]
    return card * len(PAIR_INDEX) + PAIR_INDEX[move.pair]


def search(
    position: EinmaleinsPosition,
    given: tuple[str, ...],
    seconds: float,
    rng: Random,
    *,
    decide: bool = False,
) -> list[Option]:
    """Return every legal move, best first (`ai.api.GameAI.search`, `ai.halving.halve`)."""
    moves = list(position.legal(given))
    if not moves:
        return []
    codes = [code_of(move) for move in moves]
    pair = new_playout(position, given), new_playout(position, given)
    share, budget = share_of(position.seat), moves_in(seconds, PACE)
    # the fewer play-outs there is time for, the more the score counts
    weight = WEIGHED * len(codes) / max(1, budget)
    behind = [] if len(given) == 1 else _behind(pair[0], codes, weight)  # the last card wins
    return best_of(
        moves, codes, pair, share, len(moves), budget, rng, behind, weight=weight, decide=decide
    )


def _behind(root: EinmaleinsPlay, codes: list[int], weight: float) -> list[float]:
    """Return what each move loses for a lower score than the best one has."""
    worth = [root.worth(code) for code in codes]
    best = max(worth)
    return [weight * (best - each) / UNIT for each in worth]


choose: Chooser = partial(choose_move, search, levels=LEVELS)
"""Returns the move of a player of a level (`ai.api.GameAI.choose`)."""


def chances(
    position: EinmaleinsPosition, tries: int, rng: Random, hand: tuple[str, ...] | None = None
) -> list[float]:
    """Return each player's chance (`ai.api.GameAI.chances`)."""
    if position.result is not None:
        return final_shares(position)
    pair = new_playout(position, hand), new_playout(position, hand)
    shares = [share_of(seat) for seat in range(len(position.players))]
    return shares_after(AS_PLAYED, pair, shares, len(shares), tries, rng)
