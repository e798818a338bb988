"""The moves of Einmaleins: lay a card with its factors, or draw one."""

import re
from dataclasses import dataclass
from functools import cache

from engines.einmaleins.cards import FREE, PAIRS, Pair
from engines.game import GivenError, Move
from engines.notation import QUOTED, number, read_digits

_NUMBER = "(?:0|[1-9][0-9]*)"
_LAYING = re.compile(rf"(\*?)({_NUMBER})=({_NUMBER})x({_NUMBER})")


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """A card is laid with its factors in the order announced; `free`: a free card."""

    number: int
    factors: Pair
    free: bool = False

    @property
    def pair(self) -> Pair:
        """The announced factors, the smaller one first."""
        a, b = self.factors
        return (a, b) if a <= b else (b, a)


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """The player lays nothing and draws a card."""


EinmaleinsMove = Lay | Draw
DRAW = Draw("d")


def read_laying(token: str) -> Lay | None:
    """Read `24=4x6` or `*24=4x6`; None for any other token."""
    match = _LAYING.fullmatch(token)
    if match is None:
        return None
    star, *numbers = match.groups()
    product, a, b = map(read_digits, numbers)
    return Lay(token, product, (a, b), free=bool(star))


@cache
def layings(card: str, factors: tuple[int, ...]) -> tuple[Lay, ...]:
    """Return the ways to lay this card on these factors; GivenError for an unknown card."""
    free = card == FREE
    value = number(card, max(PAIRS))
    if not free and value not in PAIRS:
        raise GivenError(f"no card is called {card[:QUOTED]!r}", "no-card", card=card[:QUOTED])
    mark = FREE if free else ""
    # a free card has no number (value is None): it is laid as any product
    return tuple(
        Lay(f"{mark}{product}={a}x{b}", product, (a, b), free)
        for product in (PAIRS if value is None else (value,))
        for a, b in PAIRS[product]
        if a in factors or b in factors
    )
