"""Chooses moves in Just 4 Fun and measures positions: by the score, then by play-outs with it.

Between two players the play-outs that choose a move are short: a model judges the position at
their end. So there can be more of them, and luck plays a smaller part. With more players the score
decides alone, because play-outs to the end choose worse; they measure the chances.
"""

from collections.abc import Sequence
from random import Random

from ai.api import Option, final_shares
from ai.halving import best_of, choose_move, levels_of, share_of, shares_after
from ai.just4fun import playouts
from ai.just4fun.playouts import Just4FunPlay
from ai.just4fun.scoring import score_on
from ai.odds import Short, share_of_chance
from ai.pace import is_compiled, moves_in
from ai.weights_file import read_weights
from engines.just4fun import Just4Fun
from engines.just4fun.cards import DECK, HAND, Hand
from engines.just4fun.moves import CardMove

PACE = 1_200_000 if is_compiled(playouts) else 9_000
"""Play-out moves a second of a desktop core."""
LEVELS = levels_of(read_weights("just4fun", "levels"))
CANDIDATES = 6
"""Only the best moves by the score are played out: this many."""
AHEAD = 4
"""Moves of a short play-out, the first one included."""
SCARCE = 3_000
"""With less time, in play-out moves, the score counts too."""
WEIGHED = 100
"""With so many play-out moves for each candidate it counts as much as they do."""
POINT = 1_000_000
"""A percentage point of the chance to win in the score's whole numbers, about."""
FAR = 30
"""A score so many points lower than the best is as bad as any lower one."""
SEATS = 4
"""The play-outs have places for this many players, however many play."""
BY_SCORE = -1
"""Stands for the move that the score chooses."""


def new_playout(position: Just4Fun, hand: Hand | None) -> Just4FunPlay:
    """Return a play-out that starts at a position, with all hidden cards in its pool.

    `hand` is that of the player to move, None if it is hidden too.
    """
    terms = position.terms
    seats = len(position.players)
    playout = Just4FunPlay(
        score_on(terms.board), seats, terms.rounds or 0, closed=terms.secured_closed
    )
    # the stones by field and seat, with room for all SEATS in every field
    counts = [0] * (len(position.counts) * SEATS)
    for field, stones in enumerate(position.counts):
        first = field * SEATS
        counts[first : first + seats] = stones
    discards: list[int] = []
    pool: list[int] = []
    for card, copies in DECK.items():
        discarded = min(copies, position.piles.count_discarded(card))
        in_hand = hand.count(card) if hand else 0
        discards += [card] * discarded
        pool += [card] * max(0, copies - discarded - in_hand)
    if len(pool) < HAND * seats:
        # only a corrected record can claim so many known cards: the claim is ignored
        pool, discards = [card for card, copies in DECK.items() for _ in range(copies)], []
    blank = [0] * (SEATS - seats)
    playout.set_up(
        counts,
        [*position.stones_left, *blank],
        [*position.turns, *blank],
        pool,
        discards,
        position.seat,
    )
    if hand:
        playout.set_hand(position.seat, list(hand))
    return playout


def subset_of(hand: Hand, cards: Sequence[int]) -> int:
    """Return the places in a hand of these cards, as bits."""
    places = 0
    for card in cards:
        # the first place with this card that is not taken by one of the same value
        places |= next(
            1 << place
            for place, hand_card in enumerate(hand)
            if hand_card == card and not places >> place & 1
        )
    return places


def rank_moves(position: Just4Fun, hand: Hand, playout: Just4FunPlay) -> list[CardMove]:
    """Return every legal move, best first by the score."""
    moves = list(position.legal(hand))
    if not moves or moves[0].exchange:  # an exchange is the only legal move then
        return moves
    playout.update_gains()
    return sorted(moves, key=lambda move: _worth(playout, move), reverse=True)


def _worth(playout: Just4FunPlay, move: CardMove) -> int:
    """Return a move's score, after `update_gains`."""
    return playout.worth(move.total) + playout.score.worth_of_cards(len(move.cards))


def _behind(
    root: Just4FunPlay, ranked: Sequence[CardMove], budget: int
) -> tuple[float, list[float]]:
    """Return how much the score counts, and what each move loses for a lower one than the best."""
    if budget >= SCARCE or ranked[0].exchange:
        return 0.0, []
    tried = ranked[:CANDIDATES]
    weight = WEIGHED * len(tried) / max(1, budget)
    best = _worth(root, tried[0])
    points = [min(FAR, (best - _worth(root, move)) / POINT) for move in tried]
    return weight, [weight * each / 100 for each in points]


def search(
    position: Just4Fun, given: Hand, seconds: float, rng: Random, *, decide: bool = False
) -> list[Option]:
    """Return every legal move, best first (`ai.api.GameAI.search`, `ai.halving.halve`)."""
    hand = tuple(sorted(given))
    root = new_playout(position, hand)
    moves = rank_moves(position, hand, root)
    if not moves:
        return []
    # an exchange lays no cards: the empty subset
    subsets = [0 if move.exchange else subset_of(hand, move.cards) for move in moves]
    # each trial copies the root into this play-out and plays that on
    playout, budget = new_playout(position, hand), moves_in(seconds, PACE)
    if len(position.players) == 2:
        pair = root, Short(playout, AHEAD)
        weight, behind = _behind(root, moves, budget)
        return best_of(
            moves,
            subsets,
            pair,
            share_of_chance,
            CANDIDATES,
            budget,
            rng,
            behind,
            weight=weight,
            decide=decide,
        )
    share = share_of(position.seat)
    return best_of(moves, subsets, (root, playout), share, CANDIDATES, budget, rng, decide=decide)


def choose(position: Just4Fun, given: Hand, level: str, seconds: float, rng: Random) -> CardMove:
    """Return the move of a player of this level (`ai.api.GameAI.choose`)."""
    if level == "best" and len(position.players) > 2:
        hand = tuple(sorted(given))
        return rank_moves(position, hand, new_playout(position, hand))[0]
    move: CardMove = choose_move(search, position, given, level, seconds, rng, levels=LEVELS)
    return move


def chances(position: Just4Fun, tries: int, rng: Random, hand: Hand | None = None) -> list[float]:
    """Return each player's chance (`ai.api.GameAI.chances`)."""
    if position.result is not None:
        return final_shares(position)
    pair = new_playout(position, hand), new_playout(position, hand)
    shares = [share_of(seat) for seat in range(len(position.players))]
    return shares_after(BY_SCORE, pair, shares, len(shares), tries, rng)
