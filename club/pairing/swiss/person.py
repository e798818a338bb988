"""What a Swiss system knows of somebody, and who may meet whom with which move.

The first move takes the place of white.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

Pairs = tuple[tuple[int, int | None], ...]
"""Start numbers: who has the first move, and the opponent or None for who sits out."""
NONE, MILD, STRONG, ABSOLUTE = range(4)
"""How much a move is due to somebody."""


@dataclass(frozen=True, slots=True)
class SwissPerson:
    """What a Swiss system knows of somebody; all lists have one entry for each earlier round."""

    number: int
    """The start number, 1 or more, the same in all rounds."""
    score: float = 0.0
    first_moves: tuple[bool | None, ...] = ()
    """None for a round without a game."""
    floats: tuple[str, ...] = ()
    """Whether the opponent had a lower score ("down"), a higher one ("up") or the same ("none")."""
    byes: int = 0
    opponents: frozenset[int] = frozenset()


class SwissSystem(Protocol):
    """Pairs one round of a Swiss evening."""

    def __call__(self, people: Sequence[SwissPerson], number: int, rounds: int) -> Pairs:
        """Return the pairs of round `number` of `rounds`, the best table first."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who is to be paired, with what follows from their games."""

    person: SwissPerson
    played: tuple[bool, ...]
    """Whether they had the first move, for each game they played."""
    balance: int
    """How many more first moves than second ones."""
    again: bool | None
    """The move they had twice in a row just now, None without."""
    due: bool | None
    """The move that is due to them, None for neither."""
    strength: int
    """How much it is due to them: one of `NONE` to `ABSOLUTE`."""

    @property
    def number(self) -> int:
        """The start number."""
        return self.person.number

    @property
    def score(self) -> float:
        """The points so far."""
        return self.person.score

    def floated(self, way: str, ago: int) -> bool:
        """Tell whether they met a lower (`down`) or higher (`up`) score so many rounds ago."""
        floats = self.person.floats
        return len(floats) >= ago and floats[-ago] == way

    def may_have(self, *, first: bool) -> bool:
        """Tell whether a move is allowed: not three times in a row, nor three more than others."""
        return self.again is not first and abs(self.balance + (1 if first else -1)) <= 2


def entrant(person: SwissPerson) -> Entrant:
    """Return somebody with what follows from their games."""
    played = tuple(first for first in person.first_moves if first is not None)
    balance = 2 * sum(played) - len(played)
    again = played[-1] if len(played) > 1 and played[-1] == played[-2] else None
    if not played:
        return Entrant(person, played, 0, None, None, NONE)
    due = not played[-1] if again is not None or not balance else balance < 0
    if again is not None or abs(balance) > 1:
        return Entrant(person, played, balance, again, due, ABSOLUTE)
    return Entrant(person, played, balance, again, due, STRONG if balance else MILD)


def may_meet(one: Entrant, two: Entrant, top: float | None = None) -> bool:
    """Tell whether two may meet: never twice, and not if both absolutely need the same move.

    `top` is the score above which moves no longer hinder anybody, in the last round; else None.
    """
    if two.number in one.person.opponents:
        return False
    if top is not None and max(one.score, two.score) > top:
        return True
    return any(
        one.may_have(first=first) and two.may_have(first=not first) for first in (True, False)
    )


def in_order(one: Entrant, two: Entrant) -> tuple[Entrant, Entrant]:
    """Return two opponents, the one with the first move first."""
    return (one, two) if _is_first(one, two) else (two, one)


def _is_first(one: Entrant, two: Entrant) -> bool:
    """Tell whether the first of two has the first move, by FIDE's rules of colours."""
    if one.due is not None and two.due is not None and one.due != two.due:
        return one.due
    if one.strength != two.strength:
        stronger = one if one.strength > two.strength else two
        return (stronger is one) == stronger.due
    if one.due is not None and one.balance != two.balance:
        return one.balance < two.balance
    for mine, theirs in zip(reversed(one.played), reversed(two.played), strict=False):
        if mine != theirs:
            return theirs
    higher = min(one, two, key=lambda each: each.number)
    first = higher.due if higher.due is not None else higher.number % 2 == 1
    return (higher is one) == first
