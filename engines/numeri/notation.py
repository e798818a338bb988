"""The words of numeri: moves and positions, read from and written as a record has them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

from engines.game import Move, Player
from engines.notation import QUOTED, Fault, number, position_parts, read_digits

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

Fields = tuple[int, ...]
"""The field of every stone, six a seat, stone 1 first; 0 is not in play."""


def read_layout(text: str, players: Sequence[Player], length: int) -> Fields:
    """Read "yellow 1@36 2@0; red ..."; Fault if it is impossible.

    `length` is the number of the track's fields.
    """
    seats = {player.colour: seat for seat, player in enumerate(players)}
    fields = [0] * (STONES * len(players))
    for colour, items in position_parts(text, seats):
        stones: set[int] = set()
        for item in items:
            stone_word, sign, field_word = item.partition("@")
            stone = number(stone_word, STONES)
            field = number(field_word, length)
            if not stone or not sign or field is None:
                raise Fault("no-stone-on-field", item=item[:QUOTED])
            if stone in stones:
                raise Fault("stone-twice", stone=stone, colour=colour)
            if field and field in fields:  # on field 0, the hand, there may be many
                raise Fault("two-stones", field=field)
            stones.add(stone)
            fields[seats[colour] * STONES + stone - 1] = field
    return tuple(fields)


def describe_layout(fields: Fields, players: Sequence[Player]) -> str:
    """Write the stones in play in the words of `Position`."""
    parts: list[str] = []
    for seat, player in enumerate(players):
        own = fields[seat * STONES : (seat + 1) * STONES]
        words = (f" {stone}@{field}" for stone, field in enumerate(own, 1) if field)
        parts.append(player.colour + "".join(words))
    return "; ".join(parts)
