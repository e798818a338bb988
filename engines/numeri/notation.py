"""The words of numeri: moves and positions, read from and written as a record has them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

from engines.game import Move, Player
from engines.notation import QUOTED, Fault, number, position_parts, read_digits

SIDES = 6
"""Sides of the die; they move the stones of the same numbers, but for a star."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The differences between the editions of numeri.

    `star` is the side of the die that moves a stone of one's choice, 0 if there is none. A stone
    that never came into play scores its number times `in_hand`. As soon as any stone is beyond
    `barrier` fields, everybody may split rolls; None: only players with all their stones in play
    may.
    """

    name: str
    stones: int = SIDES
    star: int = 0
    in_hand: int = 0
    barrier: int | None = None


STAR = "*"
"""The star in a token."""
FIRST = Edition("1973")
LATER = Edition("2009", stones=5, star=SIDES, in_hand=-5)
EDITIONS = {edition.name: edition for edition in (FIRST, LATER)}

_NUMBER = "(?:0|[1-9][0-9]*)"
_TOKEN = re.compile(rf"(?P<roll>{_NUMBER}|\*(?=:))(?::(?P<rest>-|{_NUMBER}(?:,{_NUMBER})*))?")


@dataclass(frozen=True, slots=True)
class NumeriMove(Move):
    """A roll and the stones that move for it, in order; no stones if the turn is lost.

    A star has the roll SIDES.
    """

    roll: int = 0
    stones: tuple[int, ...] = ()


def read_move(token: str, edition: Edition) -> NumeriMove | None:
    """Read `4`, `6:5,1` or `6:-`, with a star on the die also `*:3`; None for any other token."""
    match = _TOKEN.fullmatch(token)
    starred = token.startswith(STAR)
    if match is None or (starred and not edition.star):
        return None
    roll, rest = SIDES if starred else read_digits(match["roll"]), match["rest"]
    if rest == "-":
        return NumeriMove(token, roll)
    if rest is None:
        return NumeriMove(token, roll, (roll,))
    stones = [number(word, edition.stones) for word in rest.split(",")]
    # 0 replaces everything that is no stone, and no move has it
    return NumeriMove(token, roll, tuple(stone or 0 for stone in stones))


@cache
def moves_of(roll: int, edition: Edition) -> tuple[tuple[NumeriMove, ...], ...]:
    """Return the moves of a roll: those of one stone, the splits, and the lost turn.

    Splits are sorted by their stones ascending, each in every order of them.
    """
    stones = range(1, edition.stones + 1)
    if roll == edition.star:
        single = tuple(NumeriMove(f"{STAR}:{stone}", roll, (stone,)) for stone in stones)
        return single, (), (NumeriMove(f"{STAR}:-", roll),)
    chosen = sorted(
        parts for count in (2, 3) for parts in combinations(stones, count) if sum(parts) == roll
    )
    splits = tuple(
        NumeriMove(f"{roll}:{','.join(map(str, order))}", roll, order)
        for parts in chosen
        for order in permutations(parts)
    )
    return (NumeriMove(str(roll), roll, (roll,)),), splits, (NumeriMove(f"{roll}:-", roll),)


Fields = tuple[int, ...]
"""The field of every stone, seat by seat, stone 1 first; 0 is not in play."""


def read_layout(text: str, players: Sequence[Player], length: int, own: int) -> Fields:
    """Read "yellow 1@36 2@0; red ..."; Fault if it is impossible.

    `length` is the number of the track's fields, `own` that of each player's stones.
    """
    seats = {player.colour: seat for seat, player in enumerate(players)}
    fields = [0] * (own * len(players))
    for colour, items in position_parts(text, seats):
        stones: set[int] = set()
        for item in items:
            stone_word, sign, field_word = item.partition("@")
            stone = number(stone_word, own)
            field = number(field_word, length)
            if not stone or not sign or field is None:
                raise Fault("no-stone-on-field", item=item[:QUOTED])
            if stone in stones:
                raise Fault("stone-twice", stone=stone, colour=colour)
            if field and field in fields:  # on field 0, the hand, there may be many
                raise Fault("two-stones", field=field)
            stones.add(stone)
            fields[seats[colour] * own + stone - 1] = field
    return tuple(fields)


def describe_layout(fields: Fields, players: Sequence[Player]) -> str:
    """Write the stones in play in the words of `Position`."""
    parts: list[str] = []
    count = len(fields) // len(players)
    for seat, player in enumerate(players):
        own = fields[seat * count : (seat + 1) * count]
        words = (f" {stone}@{field}" for stone, field in enumerate(own, 1) if field)
        parts.append(player.colour + "".join(words))
    return "; ".join(parts)
