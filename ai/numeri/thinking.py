"""Chooses moves in numeri and measures positions by play-outs; nothing is hidden.

With two players a play-out is short: a net, learnt from games against itself, chooses its moves and
rates where it ends. With more, greedy players play it to the end.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from random import Random
from typing import cast

from ai.api import Chooser, Option, final_shares
from ai.halving import (
    DEALING,
    Share,
    best_of,
    choose_move,
    levels_of,
    share_of,
    shares_after,
)
from ai.numeri import playouts
from ai.numeri.playouts import NumeriPlay, ValueNet
from ai.odds import Short, chances_by_step, share_of_chance
from ai.pace import is_compiled, moves_in
from ai.weights_file import Weights, read_weights
from engines.numeri import NumeriPosition, board
from engines.numeri.moves import STONES, NumeriMove, splits

PACE = 1_500_000 if is_compiled(playouts) else 28_000
"""Play-out moves a second of a desktop core."""
WISE_PACE = 420_000 if is_compiled(playouts) else 1_400
"""The same, where the net chooses the moves."""
AHEAD = 16
"""Moves of a short play-out, the first one included."""
FEW = 32
"""Play-outs that each move should get: with little time they are shorter."""
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


@lru_cache(maxsize=1)
def value_net() -> ValueNet:
    """Return the net that rates positions of two players."""
    return net_with(read_weights("numeri", "value_model"))


def net_with(model: Weights) -> ValueNet:
    """Return a net with these weights: whole numbers, as in the model's file."""
    inner = [weight for unit in model["inner"] for weight in unit]
    return ValueNet(inner, model["bias"], model["outer"], model["base"], chances_by_step())


def _code(stones: Sequence[int]) -> int:
    """Return stones in their order as the digits of a number to the base 7, the first lowest."""
    return sum(stone * 7**place for place, stone in enumerate(stones))


def new_playout(position: NumeriPosition) -> NumeriPlay:
    """Return a play-out that starts at a position."""
    playout = NumeriPlay(track_on(position.track), len(position.players), value_net())
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
    root, playout = new_playout(position), new_playout(position)
    pair: tuple[NumeriPlay, NumeriPlay | Short] = root, playout
    share, budget = share_of(position.seat), moves_in(seconds, PACE)
    if len(position.players) == 2:
        budget = moves_in(seconds, WISE_PACE)
        ahead = budget // (FEW * len(groups)) - DEALING
        pair = root, Short(playout, max(1, min(AHEAD, ahead)))
        share = share_of_chance
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
    root, playout = new_playout(position), new_playout(position)
    count = len(position.players)
    if count > 2:
        code = NO_MOVE if hand is None else root.best(hand)
        shares = [share_of(seat) for seat in range(count)]
        return shares_after(code, (root, playout), shares, count, tries, rng)
    code = NO_MOVE if hand is None else root.wise(hand)
    own_first: list[Share] = [share_of_chance, lambda chance: 1 - share_of_chance(chance)]
    pair = root, Short(playout, AHEAD)
    found = shares_after(code, pair, own_first, count, tries, rng)
    return found if position.seat == 0 else found[::-1]
