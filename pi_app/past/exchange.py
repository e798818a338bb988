"""Reports for other programs: their rows as CSV and as a JSON document.

docs/records.md describes the fields, docs/export.schema.json the document; tests keep both in step
with this module.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pi_app.system.spreadsheet import PLAIN, CsvForm, csv_text
from pi_app.view.report import Row

VERSION = 1
"""Raised when a key is renamed, removed or changes its meaning; keys may be added at any time."""

COLUMNS = {
    "games": (
        *("id", "game", "began", "ended", "minutes", "board", "rules", "moves", "reason"),
        *("player", "colour", "seat", "starts", "rank", "won", "points"),
    ),
    "course": ("game", "n", "player", "move", "name", "chance", "turn"),
    "evenings": (
        "evening",
        "began",
        "games",
        "player",
        "colour",
        "rank",
        "played",
        "won",
        "points",
    ),
    "statistics": (
        *("game", "player", "other", "together", "played", "won", "lost"),
        *("began", "won_beginning", "longest_run"),
    ),
    "tables": ("player", "task", "product", "standing", "right", "wrong", "last", "due"),
    "days": ("player", "day", "known", "shaky", "practise"),
}
"""The columns of each kind of rows in CSV; a game has a row for each of its `seats`."""


def as_json(of: str, rows: Iterable[Row]) -> str:
    """Return rows of this kind as a JSON document, in one line of ASCII."""
    return json.dumps({"schema": f"beisitzer-{of}", "version": VERSION, of: list(rows)}) + "\n"


def as_csv(of: str, rows: Iterable[Row], form: CsvForm = PLAIN) -> str:
    """Return rows of this kind as CSV: a row of names, then the rows."""
    columns = COLUMNS[of]
    flat = (each for row in rows for each in _flat(row))
    return csv_text(columns, ([row[column] for column in columns] for row in flat), form)


def _flat(row: Row) -> Iterator[Row]:
    """Yield a row for each of its seats, if it has seats, else the row."""
    seats = row.get("seats")
    if not isinstance(seats, list):
        yield row
    else:
        yield from ({**row, **seat} for seat in seats)
