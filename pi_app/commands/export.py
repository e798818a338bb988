"""`beisitzer export`: writes stored games as records or for other programs."""

import re
from collections.abc import Callable
from pathlib import Path

import click

from engines.record import write
from pi_app.commands.console import excel_option, refuse, system_words, texts, write_data
from pi_app.commands.reading import game_of, open_games, store_option
from pi_app.files.replace import write_safely
from pi_app.files.spreadsheet import EXCEL, PLAIN
from pi_app.past.exchange import as_text, document, games_csv, play_log
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
@click.option("--plays", is_flag=True, help="Print finished games as BG Stats imports them.")
def export(
    numbers: tuple[int, ...],
    store: Path | None,
    folder: Path | None,
    *,
    as_json: bool,
    as_csv: bool,
    excel: str | None,
    plays: bool,
) -> None:
    """Write the games with these numbers (beisitzer history lists them) as game records.

    Without a number: the latest game; with --to, --json, --csv, --excel or --plays, all games.
    docs/export.md says what the fields mean.
    """
    tx = texts()
    forms_asked = [("json", as_json), ("csv", as_csv or excel is not None), ("plays", plays)]
    wanted = [name for name, is_asked in forms_asked if is_asked]
    if len(wanted) > 1:
        refuse(tx("cli", "name only one of --json, --csv and --plays"))
    form = wanted[0] if wanted else None
    games = open_games(store)
    chosen = _choose_games(games, numbers, everything=bool(folder or form))
    if folder is not None and form is not None:
        refuse(tx("cli", "--to writes records: name a file for the rest with > FILE"))
    if form is not None:
        forms: dict[str, Callable[[], str]] = {
            "json": lambda: as_text(document(chosen, lambda outcome: record_text(games, outcome))),
            "csv": lambda: games_csv(chosen, EXCEL[excel] if excel else PLAIN),
            "plays": lambda: as_text(play_log(tx, chosen)),
        }
        write_data(forms[form]())
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
