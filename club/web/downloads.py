"""The evening as files: CSV, JSON, and FIDE's TRF of a Swiss evening."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from sqlalchemy import Connection

from club.evening.results import (
    counted_results,
    paired_round,
    paired_rounds,
    shown_names,
    standing_lines,
)
from club.evening.seating import current_round
from club.evening.shown.export import chosen_evening, export
from club.pairing.exports import results_table, round_table, standings_table, trf
from club.pairing.model import PairingRequest
from club.store.live import EveningRow, people_now
from pi_app.files.spreadsheet import EXCEL, CsvForm, csv_text

Writer = Callable[[Connection, EveningRow, CsvForm], str]
SWISS = "swiss"


class NoSuchFileError(Exception):
    """There is nothing yet that this file could have."""


def _standings(connection: Connection, evening: EveningRow, form: CsvForm) -> str:
    lines = standing_lines(connection, evening)
    return csv_text(*standings_table(lines, _names(connection)), form)


def _round(connection: Connection, evening: EveningRow, form: CsvForm) -> str:
    row = current_round(connection, evening)
    if row is None:
        raise NoSuchFileError
    called = [group.table or str(place) for place, group in enumerate(row.groups, 1)]
    return csv_text(*round_table(paired_round(row), _names(connection), called), form)


def _results(connection: Connection, evening: EveningRow, form: CsvForm) -> str:
    played = [result.played for result in counted_results(connection, evening)]
    return csv_text(*results_table(played, _names(connection)), form)


def _names(connection: Connection) -> Mapping[str, str]:
    return {p: person.name for p, person in people_now(connection).items()}


def _json(connection: Connection, evening: EveningRow, _: CsvForm) -> str:
    return json.dumps(export(connection, evening), ensure_ascii=False, indent=1) + "\n"


def _trf(connection: Connection, evening: EveningRow, _: CsvForm) -> str:
    if evening.mode != SWISS:
        raise NoSuchFileError
    results = counted_results(connection, evening)
    people = people_now(connection)
    history = paired_rounds(connection, evening.id)
    request = PairingRequest(
        max((each.number for each in history), default=0) + 1,
        tuple(p for p, person in people.items() if person.present),
        history,
        tuple(result.played for result in results),
        evening.per_table,
        evening.rounds,
        games=evening.games,
        roster=tuple(people),
    )
    ranks = {line.p: line.rank for line in standing_lines(connection, evening)}
    return trf(evening.id, request, shown_names(connection), ranks)


FILES: Mapping[str, tuple[str, Writer]] = {
    "standings.csv": ("text/csv; charset=utf-8", _standings),
    "round.csv": ("text/csv; charset=utf-8", _round),
    "results.csv": ("text/csv; charset=utf-8", _results),
    "evening.json": ("application/json", _json),
    "evening.trf": ("text/plain; charset=utf-8", _trf),
}
"""The files by name: their kind, and what writes them."""


def written(connection: Connection, name: str, language: str) -> bytes:
    """Return a file of the last evening; NoSuchFileError if there is nothing that it could have.

    CSV has the separators of a spreadsheet in the browser's language.

    KeyError if there is no file of this name, PairingError if a library is missing.
    """
    _, writer = FILES[name]
    evening = chosen_evening(connection, None)
    if evening is None:
        raise NoSuchFileError
    form = EXCEL.get(language, EXCEL["en"])
    return writer(connection, evening, form).encode(errors="replace")
