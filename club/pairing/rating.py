"""How strong people are, over all evenings and per game."""

from collections.abc import Iterable
from dataclasses import dataclass

from club.pairing.model import TableResult


@dataclass(frozen=True, slots=True)
class PersonRating:
    """One person's strength in one game."""

    p: str
    game: str
    strength: int
    """About 1500 for a newcomer, higher is better."""
    games: int
    unsure: bool
    """Whether it still says little, because they have played too few games."""


def ratings(results: Iterable[TableResult]) -> tuple[PersonRating, ...]:
    """Return the ratings after these results, the oldest result first; best first in each game."""
    raise NotImplementedError
