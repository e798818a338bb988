"""How strong people are, over all evenings and per game.

By openskill's Bradley-Terry model with full pairing: at a table, each two people have played each
other. Its default model, Plackett-Luce, is not used: two who share a place can come out below who
was placed after them.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from club.pairing.model import TableResult, library_error

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFullRating

AVERAGE = 1500
"""The strength of a newcomer."""
PER_POINT = 40
"""How much strength is one point of openskill's."""
SURE = 6.0
"""Up to which uncertainty (openskill's, 8.3 for a newcomer) a strength says something."""


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
    """Return the ratings after these results, the oldest result first; best first in each game.

    A guest without a number is rated as a newcomer at each table. PairingError `missing-library`
    without openskill.
    """
    try:
        from openskill.models import BradleyTerryFull
    except ImportError as error:
        raise library_error(error, "openskill") from None
    model = BradleyTerryFull()
    known: dict[tuple[str, str], BradleyTerryFullRating] = {}
    games: Counter[tuple[str, str]] = Counter()
    for result in results:
        if len(result.seats) < 2:
            continue
        keys = [(result.game, seat.p or "") for seat in result.seats]
        teams = [[known.get(key) or model.rating()] for key in keys]
        after = model.rate(teams, ranks=[float(seat.rank) for seat in result.seats])
        for key, (rating,) in zip(keys, after, strict=True):
            if key[1]:
                known[key] = rating
                games[key] += 1
    rated = [
        PersonRating(
            p,
            game,
            round(AVERAGE + (rating.mu - model.mu) * PER_POINT),
            games[game, p],
            rating.sigma > SURE,
        )
        for (game, p), rating in known.items()
    ]
    return tuple(sorted(rated, key=lambda each: (each.game, -each.strength, each.p)))
