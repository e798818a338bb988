"""`beisitzer export`: writes stored games as records, or reports for other programs."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import click

from engines.record import write
from pi_app.commands.console import excel_option, refuse, texts, write_data, write_file
from pi_app.commands.reading import game_of, open_games, store_option
from pi_app.commands.show import all_evenings, chosen_tables, report_of_course, report_of_evening
from pi_app.past.exchange import COLUMNS, as_csv, as_json
from pi_app.past.games import game_row
from pi_app.past.outcomes import Outcome, outcome_in, outcomes
from pi_app.past.statistics import count, statistics_report
from pi_app.screens.players_and_settings.times_tables_words import day_rows, tables_report
from pi_app.store import Reader
from pi_app.system.spreadsheet import EXCEL, PLAIN
from pi_app.table.table import record_of
from pi_app.view.report import Row


@click.command()
@click.argument("numbers", type=int, nargs=-1, metavar="[GAME]...")
@store_option
@click.option("--to", "folder", type=click.Path(path_type=Path), help="Write files into DIR.")
@click.option("--json", "as_document", is_flag=True, help="Print JSON; games have their records.")
@click.option(
    "--csv", "as_table", is_flag=True, help="Print CSV; a game has a row for each player."
)
@excel_option
@click.option("--of", type=click.Choice(tuple(COLUMNS)), default="games", help="What to export.")
@click.option("--names", is_flag=True, help="Of tables and days: names instead of numbers.")
def export(
    numbers: tuple[int, ...],
    store: Path | None,
    folder: Path | None,
    excel: str | None,
    of: str,
    *,
    as_document: bool,
    as_table: bool,
    names: bool,
) -> None:
    """Write games into a spreadsheet, or as records.

    \b
    All games, for any spreadsheet:  beisitzer export --csv > games.csv
    For Excel, by a double click:    beisitzer export --excel en > games.csv
    Every game's record, in files:   beisitzer export --to DIR
    The latest game's record:        beisitzer export

    GAME is a number that beisitzer show history lists; name as many as you want. docs/records.md
    says what the fields mean.
    """  # noqa: D301  # click's mark
    as_table = as_table or excel is not None
    if as_document and as_table:
        refuse("name only one of --json and --csv")
    games = open_games(store)
    if as_document or as_table:
        if folder is not None:
            refuse("--to writes records: name a file for the rest with > FILE")
        rows = _rows(games, of, numbers, names=names)
        form = EXCEL[excel] if excel else PLAIN
        write_data(as_json(of, rows) if as_document else as_csv(of, rows, form))
        return
    if of != "games":
        refuse(f"--of {of} needs --json, --csv or --excel")
    chosen = _choose_games(games, numbers, everything=folder is not None)
    if not chosen:
        refuse("no game was played, so there is nothing to export")
    records = [(outcome, record_text(games, outcome)) for outcome in chosen]
    if folder is not None:
        _write_files(folder, records)
    elif len(records) > 1:
        refuse("a record is one game: name one GAME, or --to DIR for several")
    else:
        write_data(records[0][1])


def _rows(games: Reader, of: str, numbers: tuple[int, ...], *, names: bool) -> Iterator[Row]:
    """Yield the rows of this kind; `numbers` choose games, for kinds with a row for each game."""
    tx, now = texts(), datetime.now(UTC)
    match of:
        case "games":
            for outcome in _choose_games(games, numbers, everything=True):
                yield {**game_row(outcome), "record": record_text(games, outcome)}
        case "course":
            for outcome in _choose_games(games, numbers, everything=False):
                yield from report_of_course(tx, games, outcome.entry).rows
        case "evenings":
            for place, evening in enumerate(all_evenings(games), 1):
                yield from report_of_evening(tx, games, evening, place).rows
        case "statistics":
            for each in count(outcomes(games, finished=True)):
                yield from statistics_report(tx, each).rows
        case _:  # times tables are exported with numbers instead of names
            for tables in chosen_tables(games, None):
                label = tables.name if names else str(tables.number)
                report = tables_report(tx, tables, now, label)
                yield from day_rows(tables, label) if of == "days" else report.rows


def _choose_games(games: Reader, numbers: tuple[int, ...], *, everything: bool) -> list[Outcome]:
    """Return the games with these numbers; without numbers all, the latest first, or the latest."""
    if not numbers and everything:
        return outcomes(games)[::-1]
    latest = games.list_games(0 if numbers else 1)
    entries = [*latest, *(game_of(games, number) for number in numbers)]
    return [outcome_in(entry, entry.moves) for entry in entries]


def record_text(games: Reader, outcome: Outcome) -> str:
    """Return a stored game as a record, with the date it began."""
    entry = outcome.entry
    try:
        return write(record_of(games.load(entry.id)))
    except ValueError as error:
        refuse(f"game {entry.id} cannot be written: {error}")


def _write_files(folder: Path, records: Iterable[tuple[Outcome, str]]) -> None:
    for outcome, text in records:
        entry = outcome.entry
        # date and game of an imported record may have characters that file names must not have
        name = re.sub(r"[^\w-]", "_", f"{entry.began[:10]}-{entry.game}"[:60])
        path = folder / f"{name}-{entry.id}.txt"
        write_file(path, text)
        click.echo(str(path))
