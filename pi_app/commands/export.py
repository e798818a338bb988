"""`beisitzer export`: writes stored games as records or for other programs."""

import re
from pathlib import Path

import click

from engines.record import write
from pi_app.commands.console import excel_option, refuse, system_words, texts, write_data
from pi_app.commands.reading import game_of, open_games, store_option
from pi_app.files.replace import write_safely
from pi_app.files.spreadsheet import EXCEL, PLAIN
from pi_app.past.exchange import as_text, document, games_csv
from pi_app.past.outcomes import Outcome, outcome_of, outcomes
from pi_app.store.archive import record_of
from pi_app.store.store import Reader


@click.command()
@click.argument("numbers", type=int, nargs=-1, metavar="[GAME]...")
@store_option
@click.option("--to", "folder", type=click.Path(path_type=Path), help="Write files into DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with each record in it.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, a row for each player of a game.")
@excel_option
def export(
    numbers: tuple[int, ...],
    store: Path | None,
    folder: Path | None,
    *,
    as_json: bool,
    as_csv: bool,
    excel: str | None,
) -> None:
    """Write the games with these numbers (beisitzer history lists them) as game records.

    Without a number: the latest game; with --to, --json, --csv or --excel, all games.
    docs/export.md says what the fields mean.
    """
    tx = texts()
    as_csv = as_csv or excel is not None
    if as_json and as_csv:
        refuse(tx("cli", "name only one of --json and --csv"))
    games = open_games(store)
    chosen = _choose_games(games, numbers, everything=bool(folder or as_json or as_csv))
    if folder is not None and (as_json or as_csv):
        refuse(tx("cli", "--to writes records: name a file for the rest with > FILE"))
    if as_json:
        write_data(as_text(document(chosen, lambda outcome: record_text(games, outcome))))
        return
    if as_csv:
        write_data(games_csv(chosen, EXCEL[excel] if excel else PLAIN))
        return
    if not chosen:
        refuse(tx("cli", "no game was played, so there is nothing to export"))
    records = [(outcome, record_text(games, outcome)) for outcome in chosen]
    if folder is not None:
        _write_files(folder, records)
    elif len(records) > 1:
        refuse(tx("cli", "a record is one game: name one GAME, or --to DIR for several"))
    else:
        write_data(records[0][1])


def _choose_games(games: Reader, numbers: tuple[int, ...], *, everything: bool) -> list[Outcome]:
    """Return the games with these numbers; without numbers all, the latest first, or the latest."""
    entries = [game_of(games, number) for number in numbers]
    all_outcomes = outcomes(games)[::-1]  # the latest first
    if not numbers:
        return all_outcomes if everything else all_outcomes[:1]
    by_id = {outcome.entry.id: outcome for outcome in all_outcomes}
    # a game left without a move is not among the outcomes, but somebody named it
    return [by_id.get(entry.id) or outcome_of(entry, 0) for entry in entries]


def record_text(games: Reader, outcome: Outcome) -> str:
    """Return a stored game as a record, with the date it began."""
    entry = outcome.entry
    try:
        return write(record_of(games, entry))
    except ValueError as error:
        tx = texts()
        refuse(tx("cli", "game {n} cannot be written: {why}", n=entry.id, why=error))


def _write_files(folder: Path, records: list[tuple[Outcome, str]]) -> None:
    for outcome, text in records:
        entry = outcome.entry
        # date and game of an imported record may hold what no file name may
        name = re.sub(r"[^\w-]", "_", f"{entry.began[:10]}-{entry.game}"[:60])
        path = folder / f"{name}-{entry.id}.txt"
        try:
            write_safely(path, text.encode("utf-8"))
        except OSError as error:
            refuse(f"{path}: {system_words(texts(), error)}")
        click.echo(str(path))
