"""`beisitzer tables`: shows what each player knows of the times tables."""

from datetime import UTC, datetime
from pathlib import Path

import click

from pi_app.commands.console import excel_option, lang_option, refuse, texts, write_data
from pi_app.commands.reading import open_games, store_option
from pi_app.displays.terminal_board import table_rows
from pi_app.files.spreadsheet import EXCEL, PLAIN, csv_text
from pi_app.past.times_tables import Tables, all_tables
from pi_app.screens.keeping.times_tables_words import (
    ANSWERS,
    DAYS,
    answer_rows,
    count_lines,
    day_rows,
    tables_picture,
)
from pi_app.texts.printable import printable


@click.command()
@click.argument("player", required=False, metavar="[PLAYER]", type=printable)
@store_option
@click.option("--csv", "as_csv", is_flag=True, help="Print every task that was asked as CSV.")
@excel_option
@click.option("--days", is_flag=True, help="With --csv: print how each day ended instead.")
@click.option("--names/--no-names", default=None, help="Print names; without them CSV has numbers.")
@lang_option
def tables(
    player: str | None,
    store: Path | None,
    as_csv: bool,
    excel: str | None,
    days: bool,
    names: bool | None,
    lang: str | None,
) -> None:
    """Show which multiplication facts are known, shaky or need practice.

    PLAYER is a name or the player's number. CSV is in UTF-8 and has numbers instead of names,
    unless you add --names; a player's number never changes.
    """
    tx = texts(lang)
    as_csv = as_csv or excel is not None
    if days and not as_csv:
        refuse(tx("cli", "--days needs --csv"))
    players = all_tables(open_games(store))
    if player is not None:
        players = [each for each in players if player in (each.name, str(each.number))]
        if not players:
            refuse(tx("cli", "nobody called {name} has answered a task", name=player[:40]))
    with_names = not as_csv if names is None else names  # CSV is passed on: no names by default
    now = datetime.now(UTC)
    if as_csv:
        labels = [(each, _label(each, named=with_names)) for each in players]
        rows = (
            row
            for each, label in labels
            for row in (day_rows(each, label) if days else answer_rows(each, label, now))
        )
        write_data(csv_text(DAYS if days else ANSWERS, rows, EXCEL[excel] if excel else PLAIN))
    elif player is not None:
        each = players[0]
        columns = 80  # a terminal has at least these
        picture = table_rows(tables_picture(each, now), columns)
        for line in (
            _label(each, named=with_names),
            *picture.rows,
            *count_lines(tx, each, now),
        ):
            click.echo(line)
    elif not players:
        click.echo(tx("line", "Nobody answered a task yet."))
    else:
        for each in players:
            click.echo(f"{_label(each, named=with_names)}: {', '.join(count_lines(tx, each, now))}")


def _label(player_tables: Tables, *, named: bool) -> str:
    return player_tables.name if named else str(player_tables.number)
