"""Which move is best, by play-outs: sequential halving, all moves on the same chance.

Every round plays the moves that are left with the same seeds, hence with the same cards and
dice where they can be: what differs is the move. Then the worse half is left out.
"""

from collections.abc import Callable, Sequence
from math import exp
from random import Random
from typing import Any, NamedTuple

from ai.api import Option

LEVELS = {"beginner": (0.35, 0.08), "club": (0.1, 0.03), "best": (0.0, 0.0)}
"""By level, the chance that a move is overlooked, and how soft the choice among the rest is."""
DEALING = 2
"""What it takes to set up a play-out, in moves."""

DOUBT = 0.1
"""Play-outs are surer than games turn out: so much of a chance is everybody's alike."""

Share = Callable[[int], float]
"""What somebody has of an outcome, as the play-outs return it: 0 to 1."""


class Trials(NamedTuple):
    """Which move it is (its index), what it won in all, and in how many play-outs."""

    at: int
    won: float
    tries: int


def share_of(seat: int) -> Share:
    """Return what this seat has of an outcome that is a bit set of winners."""

    def share(winners: int) -> float:
        return (winners >> seat & 1) / winners.bit_count() if winners else 0.0

    return share


def halve(
    count: int, budget: int, trial: Callable[[int, int], tuple[float, int]], rng: Random
) -> list[Trials]:
    """Play out so many options with a budget of moves; return them, best first.

    `trial` plays out an option (its index) with a seed: what it won and how many moves it took.
    Every option is played out at least once, however small the budget.
    """
    left = list(range(count))
    won = [0.0] * count
    tries = [0] * count
    out: list[int] = []
    rounds = max(1, (count - 1).bit_length())
    for round_ in range(rounds):
        moves = budget // rounds
        while moves > 0 or not tries[left[0]]:
            seed = rng.getrandbits(32)
            for index in left:
                gain, made = trial(index, seed)
                won[index] += gain
                tries[index] += 1
                moves -= made
        left.sort(key=lambda index: -won[index] / tries[index])
        if round_ < rounds - 1:
            stay = (len(left) + 1) // 2
            out = left[stay:] + out
            left = left[:stay]
    return [Trials(index, won[index], tries[index]) for index in left + out]


def best_of(
    moves: Sequence[Any],
    codes: Sequence[int],
    tables: tuple[Any, Any],
    share: Share,
    candidates: int,
    budget: int,
    rng: Random,
    behind: Sequence[float] = (),
) -> list[Option]:
    """Return every move with its chance, best first; only the first `candidates` are played out.

    `codes` are the moves as the play-outs write them, `tables` the root and one to play on.
    `behind` is what the chance of each is lowered by, for a reason that play-outs do not see.
    """
    root, table = tables

    def trial(index: int, seed: int) -> tuple[float, int]:
        won = share(table.try_move(root, codes[index], seed)) - (behind[index] if behind else 0.0)
        return won, table.moves + DEALING

    tried = halve(min(candidates, len(moves)), budget, trial, rng)
    every = sum(one.won for one in tried) / sum(one.tries for one in tried)
    found = [Option(moves[one.at], max(0.0, one.won / one.tries), one.tries) for one in tried]
    return found + [Option(move, every, 0) for move in moves[len(tried) :]]


def shares_after(
    code: int,
    tables: tuple[Any, Any],
    shares: Sequence[Share],
    sides: int,
    tries: int,
    rng: Random,
) -> list[float]:
    """Return the chance of each of `shares` from so many play-outs from the root.

    `sides` can win, players or teams; DOUBT is shared among them.
    """
    root, table = tables
    won = [0.0] * len(shares)
    for _ in range(tries):
        outcome = table.try_move(root, code, rng.getrandbits(32))
        for at, share in enumerate(shares):
            won[at] += share(outcome)
    return [(1 - DOUBT) * total / tries + DOUBT / sides for total in won]


def choose_move(
    search: Callable[[Any, Any, float, Random], Sequence[Option]],
    position: Any,
    given: Any,
    level: str,
    seconds: float,
    rng: Random,
) -> Any:
    """Return the only legal move, else what a player of this level takes of those searched."""
    moves = position.legal(given)
    if len(moves) == 1:
        return moves[0]
    return pick_move(search(position, given, seconds, rng), level, rng)


def pick_move(options: Sequence[Option], level: str, rng: Random) -> Any:
    """Return the move that a player of this level takes of these options, best first.

    Who is no master overlooks some of the options; of those seen, one whose chance is better by
    the level's softness is taken e times as often. Nobody plays badly on purpose.
    """
    overlooked, softness = LEVELS[level]
    if not softness:
        return options[0].move
    seen = [option for option in options if option.tries and rng.random() >= overlooked]
    if not seen:
        return rng.choice(options).move
    best = max(option.chance for option in seen)
    weights = [exp((option.chance - best) / softness) for option in seen]
    return rng.choices(seen, weights)[0].move
