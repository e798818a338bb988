"""Chooses moves in numeri and measures positions by greedy play-outs; nothing is hidden."""

from collections.abc import Sequence
from functools import lru_cache, partial
from random import Random
from typing import cast

from ai.api import Chooser, Option, final_shares
from ai.halving import best_of, choose_move, levels_of, share_of, shares_after
from ai.numeri import playouts
from ai.numeri.playouts import NumeriPlay
from ai.pace import is_compiled, moves_in
from ai.weights_file import read_weights
from engines.numeri import NumeriPosition, board
from engines.numeri.moves import STONES, NumeriMove, splits

PACE = 1_500_000 if is_compiled(playouts) else 28_000
"""Play-out moves a second of a desktop core."""
LEVELS = levels_of(read_weights("numeri", "levels"))
CHAIN, POINT, HOP = 10_000_000, 1_000, 1
"""The greedy player's value of a chain, of a point and of a field of the way."""
NO_MOVE = -1

Orders = tuple[NumeriMove, ...]
"""Moves that lead to the same end."""


@lru_cache(maxsize=8)
def track_on(track: board.Track) -> playouts.TrackValues:
    """Return the track of the play-outs."""
    moves = [[_code(move.stones) for move in splits(roll)] for roll in range(STONES + 1)]
    return playouts.TrackValues([0, *track.values], moves, CHAIN, POINT, HOP)


def _code(stones: Sequence[int]) -> int:
    """Return stones in their order as the digits of a number to the base 7, the first lowest."""
    return sum(stone * 7**place for place, stone in enumerate(stones))


def new_playout(position: NumeriPosition) -> NumeriPlay:
    """Return a play-out that starts at a position."""
    playout = NumeriPlay(track_on(position.track), len(position.players))
    playout.set_up(list(position.fields), position.seat)
    return playout


def search(
    position: NumeriPosition, given: int, seconds: float, rng: Random, *, decide: bool = False
) -> list[Option]:
    """Return every legal move, best first (`ai.api.GameAI.search`, `ai.halving.halve`)."""
    moves = tuple(position.legal(given))
    if not moves:
        return []
    # a lost turn has no preview
    groups = [end.orders for end in position.previews(given)] or [moves]
    codes = [_code(group[0].stones) for group in groups]
    pair = new_playout(position), new_playout(position)
    share, budget = share_of(position.seat), moves_in(seconds, PACE)
    options = best_of(groups, codes, pair, share, len(groups), budget, rng, decide=decide)
    return [
        Option(move, chance, tries)
        for group, chance, tries in options
        for move in cast(Orders, group)
    ]


choose: Chooser = partial(choose_move, search, levels=LEVELS)
"""Returns the move of a player of a level (`ai.api.GameAI.choose`)."""


def chances(
    position: NumeriPosition, tries: int, rng: Random, hand: int | None = None
) -> list[float]:
    """Return each player's chance (`ai.api.GameAI.chances`); `hand` is a roll, if known.

    With a roll it is the chance after the best move for it.
    """
    if position.result is not None:
        return final_shares(position)
    code = NO_MOVE
    if hand is not None:
        code = new_playout(position).best(hand)
    shares = [share_of(seat) for seat in range(len(position.players))]
    return shares_after(
        code, (new_playout(position), new_playout(position)), shares, len(shares), tries, rng
    )
