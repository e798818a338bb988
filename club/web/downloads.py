"""The evening as files: CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from sqlalchemy import Connection

from club.evening.reports.export import chosen_evening, export
from club.evening.results import (
    counted_results,
    paired_round,
    standing_lines,
)
from club.evening.season import season_lines, settings_of
from club.pairing.exports import results_table, round_table, standings_table
from club.pairing.rating import ratings as rate
from club.store.live import EveningRow, all_evenings, current_round, people_now
from pi_app.system.spreadsheet import EXCEL, CsvForm, csv_text

Writer = Callable[[Connection, EveningRow, CsvForm], str]


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


def _ratings(connection: Connection, _: EveningRow, form: CsvForm) -> str:
    """Return how strong people are, over all evenings."""
    if not settings_of(connection)["ratings"]:
        raise NoSuchFileError
    played = [
        result
        for evening in all_evenings(connection)
        for result in counted_results(connection, evening)
    ]
    played.sort(key=lambda result: result.at)
    names = _names(connection)
    rows = [
        (each.game, each.p, names.get(each.p, ""), each.strength, each.games, each.unsure)
        for each in rate(result.played for result in played)
    ]
    return csv_text(("game", "p", "name", "strength", "games", "unsure"), rows, form)


def _season(connection: Connection, _: EveningRow, form: CsvForm) -> str:
    names = _names(connection)
    rows = [
        (line["rank"], line["p"], names.get(line["p"], ""), line["points"], line["evenings"])
        for line in season_lines(connection)
    ]
    return csv_text(("rank", "p", "name", "points", "evenings"), rows, form)


def _names(connection: Connection) -> Mapping[str, str]:
    return {p: person.name for p, person in people_now(connection).items()}


def _json(connection: Connection, evening: EveningRow, _: CsvForm) -> str:
    return json.dumps(export(connection, evening), ensure_ascii=False, indent=1) + "\n"


FILES: Mapping[str, tuple[str, Writer]] = {
    "standings.csv": ("text/csv; charset=utf-8", _standings),
    "round.csv": ("text/csv; charset=utf-8", _round),
    "results.csv": ("text/csv; charset=utf-8", _results),
    "season.csv": ("text/csv; charset=utf-8", _season),
    "ratings.csv": ("text/csv; charset=utf-8", _ratings),
    "evening.json": ("application/json", _json),
}
"""The files by name: their kind, and what writes them."""


def written(connection: Connection, name: str, language: str, wanted: str | None) -> bytes:
    """Return a file of an evening; NoSuchFileError if there is nothing that it could have.

    CSV has the separators of a spreadsheet in the browser's language.

    KeyError if there is no file of this name, or no such evening.
    """
    _, writer = FILES[name]
    evening = chosen_evening(connection, wanted)
    if evening is None:
        raise NoSuchFileError
    form = EXCEL.get(language, EXCEL["en"])
    return writer(connection, evening, form).encode(errors="replace")
