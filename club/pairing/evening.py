"""Pairs several rounds one after the other, assuming that every game is played."""

from collections.abc import Iterator
from dataclasses import dataclass

from club.pairing.model import Mode, PairingRequest, Round, Sheet
from club.pairing.pair import pair

NOTHING_KNOWN = Sheet()


@dataclass(frozen=True, slots=True)
class PlannedEvening:
    """The facts before an evening."""

    people: tuple[str, ...]
    rounds: int
    per_table: int = 4
    seed: int | str = 0
    mode: Mode = "tables"
    games: tuple[str, ...] = ()


def plan(evening: PlannedEvening, sheet: Sheet = NOTHING_KNOWN) -> tuple[Round, ...]:
    """Return all rounds: the sheet's unchanged, the others paired in order.

    PairingError if one of them is impossible.
    """
    return tuple(_rounds(evening, sheet))


def _rounds(evening: PlannedEvening, sheet: Sheet) -> Iterator[Round]:
    history = list(sheet.rounds)
    yield from history
    for number in range(len(history) + 1, evening.rounds + 1):
        paired = pair(
            evening.mode,
            PairingRequest(
                number,
                sheet.present(evening.people, number),
                tuple(history),
                sheet.results,
                evening.per_table,
                evening.rounds,
                evening.seed,
                evening.games,
                evening.people,
            ),
        )
        history.append(paired)
        yield paired
