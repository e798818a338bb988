"""The evening as files: CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection

from club.evening.reports.export import chosen_evening, export, named_standings
from club.evening.results import counted_results
from club.evening.season import season_lines
from club.pairing.standings import evening_points, points_number
from club.store.live import EveningRow, people_now
from pi_app.system.spreadsheet import EXCEL, csv_text

FileRows = Iterable[Mapping[str, Any]]
JSON_FILE = "evening.json"


class NoSuchFileError(Exception):
    """There is no file of this name, or nothing yet that it could have."""


def _seats(connection: Connection, evening: EveningRow) -> Iterator[dict[str, Any]]:
    """Yield each seat of the results that count."""
    people = people_now(connection)
    for result in counted_results(connection, evening):
        played = result.played
        earned = evening_points([seat.rank for seat in played.seats])
        for number, (seat, points) in enumerate(zip(played.seats, earned, strict=True), 1):
            yield {
                "round": played.round,
                "game": played.game,
                "seat": number,
                "p": seat.p,
                "name": people[seat.p].name if seat.p and seat.p in people else "",
                "rank": seat.rank,
                "points": seat.points,
                "evening_points": points_number(points),
            }


def _season(connection: Connection, _: EveningRow) -> FileRows:
    return season_lines(connection)


TABLES: Mapping[str, tuple[str, Callable[[Connection, EveningRow], FileRows]]] = {
    "standings.csv": ("rank p name points wins games decided_by", named_standings),
    "results.csv": ("round game seat p name rank points evening_points", _seats),
    "season.csv": ("rank p name points evenings", _season),
}
"""The files for a spreadsheet: their columns, and the function that returns the rows."""


def evening_file(
    connection: Connection, name: str, language: str, wanted: str | None
) -> tuple[bytes, str]:
    """Return a file of an evening, and its media type; NoSuchFileError, NoSuchEveningError.

    CSV has the separators of a spreadsheet in the browser's language.
    """
    evening = chosen_evening(connection, wanted)
    if evening is None:
        raise NoSuchFileError
    if name == JSON_FILE:
        text = json.dumps(export(connection, evening), ensure_ascii=False, indent=1) + "\n"
        return text.encode(errors="replace"), "application/json"
    if name not in TABLES:
        raise NoSuchFileError
    columns, rows = TABLES[name]
    cells = ([row[column] for column in columns.split()] for row in rows(connection, evening))
    text = csv_text(columns.split(), cells, EXCEL.get(language, EXCEL["en"]))
    return text.encode(errors="replace"), "text/csv; charset=utf-8"
