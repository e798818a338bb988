"""The moves of numeri: a roll, and the stones that move for it."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

from engines.game import Move
from engines.notation import number, read_digits

STONES = 6
"""Stones of each player, numbered 1 to 6 like the sides of the die."""

_NUMBER = "(?:0|[1-9][0-9]*)"
_TOKEN = re.compile(rf"(?P<roll>{_NUMBER})(?::(?P<rest>-|{_NUMBER}(?:,{_NUMBER})*))?")


@dataclass(frozen=True, slots=True)
class NumeriMove(Move):
    """A roll and the stones that move for it, in order; no stones if the turn is lost.

    `split` is set if the token names the stones among which the roll is split.
    """

    roll: int = 0
    stones: tuple[int, ...] = ()
    split: bool = False


def read_move(token: str) -> NumeriMove | None:
    """Read `4`, `6:5,1` or `6:-`; None for any other token."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    roll, rest = read_digits(match["roll"]), match["rest"]
    if rest == "-":
        return NumeriMove(token, roll)
    if rest is None:
        return NumeriMove(token, roll, (roll,))
    stones = [number(word, STONES) for word in rest.split(",")]
    # 0 replaces everything that is not 1 to 6, and no split may contain it
    return NumeriMove(token, roll, tuple(stone or 0 for stone in stones), split=True)


@cache
def splits(roll: int) -> tuple[NumeriMove, ...]:
    """Return every way to split a roll, by its stones ascending, each in every order of them."""
    chosen = sorted(
        stones
        for count in (2, 3)
        for stones in combinations(range(1, STONES + 1), count)
        if sum(stones) == roll
    )
    return tuple(
        NumeriMove(f"{roll}:{','.join(map(str, order))}", roll, order, split=True)
        for stones in chosen
        for order in permutations(stones)
    )


SINGLE = tuple(NumeriMove(str(roll), roll, (roll,)) for roll in range(STONES + 1))
LOST = tuple(NumeriMove(f"{roll}:-", roll) for roll in range(STONES + 1))
"""The move of one stone and the lost turn, both by roll; the first of each is unused."""
