"""Chooses moves in Sequence and measures positions: by the score, then by play-outs with it.

Between two players the play-outs that choose a move are short: a model judges the position at
their end. Score and model make different mistakes, so both count. With more players the score
decides alone, and play-outs to the end measure the chance.
"""

from math import sqrt
from random import Random

from ai.api import Option, final_shares
from ai.halving import Share, best_of, choose_move, levels_of, shares_after
from ai.odds import Short, share_of_chance
from ai.pace import is_compiled, moves_in
from ai.sequence import playouts
from ai.sequence.playouts import SequencePlay
from ai.sequence.scoring import CARD_INDEX, board_on, window_of
from ai.weights_file import read_weights
from engines.sequence import SequencePosition
from engines.sequence.board import BITS, CARD_BITS, COPIES
from engines.sequence.moves import Place, SequenceMove, Take, TurnIn

PACE = 200_000 if is_compiled(playouts) else 1_600
"""Play-out moves a second of a desktop core."""
CANDIDATES = 6
"""Only the best moves by the score are played out: this many."""
AHEAD = 2
"""Turns of a short play-out, the first one included."""
BEHIND = 0.03
"""The most that a move loses, as a chance, for a lower score than the best one has."""
FAR = 500
"""The difference of scores at which a move loses all of BEHIND; less in proportion."""
ENOUGH = 1_000
"""Moves of thinking from which the model is used; with fewer, luck would decide."""
NEEDED = 2
"""The model is for games that are won by this many sequences."""
HANDS = 20
"""Deals of the hidden hands that measure how much chances depend on the hands."""
LEVELS = levels_of(read_weights("sequence", "levels"))
DOUBT = 0.35
"""The part of a chance that is shared equally (`ai.halving.DOUBT`): play-outs deal hands that fit
worse than those of players who chose their moves with them."""
PASS = -1
BY_SCORE = -2
"""Stands for the move that the score chooses."""


def new_playout(position: SequencePosition, hand: tuple[str, ...] | None) -> SequencePlay:
    """Return a play-out that starts at a position, with all hidden cards in its pool.

    `hand` is that of the player to move, None if it is hidden too.
    """
    terms = position.terms
    playout = SequencePlay(
        board_on(terms.board),
        len(position.players),
        list(terms.team_of),
        terms.needed,
        terms.most_dead_cards,
        may_break=terms.may_break,
    )
    chips = [-1] * len(BITS)
    for square, bit in enumerate(BITS):
        for team, own in enumerate(position.chips):
            if own & bit:
                chips[square] = team
    discards: list[int] = []
    pool: list[int] = []
    cards = [CARD_INDEX[card] for card in hand or ()]
    for card, index in CARD_INDEX.items():
        bit = CARD_BITS[card]
        # sets of the cards of which one copy or more, and both copies, are discarded
        discarded = bool(position.piles.once & bit) + bool(position.piles.twice & bit)
        discards += [index] * discarded
        pool += [index] * max(0, COPIES - discarded - cards.count(index))
    if len(pool) < sum(position.hands):
        # only a corrected record can claim so many known cards: the claim is ignored
        pool, discards = list(CARD_INDEX.values()) * COPIES, []
    lines = [[window_of(line) for line in team] for team in position.sequences]
    playout.set_up(
        chips,
        lines,
        list(position.hands),
        pool,
        discards,
        position.seat,
        position.passes,
        position.turned_in,
    )
    if hand is not None:
        playout.set_hand(position.seat, cards)
    return playout


def code_of(move: SequenceMove) -> int:
    """Return a move in the play-outs' notation."""
    if isinstance(move, Place | Take):
        return CARD_INDEX[move.card] * len(BITS) + move.square
    return CARD_INDEX[move.card] * len(BITS) if isinstance(move, TurnIn) else PASS


def score_moves(
    position: SequencePosition, given: tuple[str, ...], playout: SequencePlay
) -> dict[SequenceMove, int]:
    """Return the score of every legal move, best first; a dead card is turned in first of all."""
    wild = playout.count_fillable()
    values: dict[SequenceMove, int] = {}
    for move in position.legal(given):
        if isinstance(move, Place):
            values[move] = playout.worth(CARD_INDEX[move.card], move.square, wild)
        elif isinstance(move, Take):
            values[move] = playout.worth_of_taking(move.square)
        else:
            values[move] = playouts.TURN_IN
    return dict(sorted(values.items(), key=lambda item: -item[1]))


def search(
    position: SequencePosition,
    given: tuple[str, ...],
    seconds: float,
    rng: Random,
    *,
    decide: bool = False,
) -> list[Option]:
    """Return every legal move, best first (`ai.api.GameAI.search`, `ai.halving.halve`)."""
    root = new_playout(position, given)
    values = score_moves(position, given, root)
    if not values:
        return []
    moves = list(values)
    codes = [code_of(move) for move in moves]
    playout, budget = new_playout(position, given), moves_in(seconds, PACE)
    if _uses_model(position, budget):
        most = values[moves[0]]
        behind = [BEHIND * min(1.0, (most - value) / FAR) for value in values.values()]
        short = root, Short(playout, AHEAD)
        return best_of(
            moves, codes, short, share_of_chance, CANDIDATES, budget, rng, behind, decide=decide
        )
    share = _share_of(position.terms.team_of[position.seat])
    return best_of(moves, codes, (root, playout), share, CANDIDATES, budget, rng, decide=decide)


def _uses_model(position: SequencePosition, budget: int) -> bool:
    """Tell whether the model is used in this game with `budget` moves of thinking."""
    return len(position.players) == 2 and position.terms.needed == NEEDED and budget >= ENOUGH


def _share_of(team: int) -> Share:
    return lambda winner: float(winner == team)


def choose(
    position: SequencePosition, given: tuple[str, ...], level: str, seconds: float, rng: Random
) -> SequenceMove:
    """Return the move of a player of this level (`ai.api.GameAI.choose`)."""
    by_score = level == "best" and not _uses_model(position, moves_in(seconds, PACE))
    if by_score and len(position.legal(given)) > 1:
        return next(iter(score_moves(position, given, new_playout(position, given))))
    move: SequenceMove = choose_move(search, position, given, level, seconds, rng, levels=LEVELS)
    return move


def chances(
    position: SequencePosition, tries: int, rng: Random, hand: tuple[str, ...] | None = None
) -> list[float]:
    """Return each player's chance, which is the team's (`ai.api.GameAI.chances`)."""
    if position.result is not None:
        return final_shares(position)
    pair = new_playout(position, hand), new_playout(position, hand)
    shares = [_share_of(team) for team in position.terms.team_of]
    return shares_after(BY_SCORE, pair, shares, len(position.teams), tries, rng, DOUBT)


def spreads(position: SequencePosition, tries: int, rng: Random) -> list[float]:
    """Return each chance's standard deviation over possible hands (`ai.api.GameAI.spreads`).

    Every deal of the hands is played out several times, so that the variance between play-outs
    with the same hands can be subtracted.
    """
    if position.result is not None:
        return [0.0] * len(position.players)
    root, dealt, playout = (new_playout(position, None) for _ in range(3))
    # twice as many play-outs as for the chances, and at least two a deal: they have a variance
    tries_each = max(2, 2 * tries // HANDS)
    shares = [_share_of(team) for team in position.terms.team_of]
    samples: list[list[float]] = []
    for _ in range(HANDS):
        dealt.copy_from(root)
        dealt.deal(rng.getrandbits(32))
        samples.append(
            shares_after(
                BY_SCORE, (dealt, playout), shares, len(position.teams), tries_each, rng, 0.0
            )
        )
    # without doubt, so that chance is that of play-outs; what is shared equally does not vary
    return [(1 - DOUBT) * _spread(chances, tries_each) for chances in zip(*samples, strict=True)]


def _spread(chances: tuple[float, ...], tries_each: int) -> float:
    """Return the standard deviation of the true chances behind these measured ones.

    Every chance was measured by `tries_each` play-outs.
    """
    count = len(chances)
    mean = sum(chances) / count
    measured = sum((chance - mean) ** 2 for chance in chances) / (count - 1)
    # the mean variance of the measured chances if only luck makes them differ
    by_chance = sum(chance * (1 - chance) for chance in chances) / count / (tries_each - 1)
    return sqrt(max(0.0, measured - by_chance))
