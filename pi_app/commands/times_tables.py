"""`beisitzer tables`: what each player knows of the times tables."""

import csv
from collections.abc import Iterable
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import click

from pi_app.commands.console import lang_option, refuse, texts, write_data
from pi_app.commands.reading import open_games, store_option
from pi_app.displays.terminal_board import table_rows
from pi_app.past.times_tables import Tables, all_tables
from pi_app.past.times_tables_words import (
    ANSWERS,
    DAYS,
    answer_rows,
    count_lines,
    day_rows,
    tables_picture,
)


@click.command()
@click.argument("player", required=False, metavar="[PLAYER]")
@store_option
@click.option("--csv", "as_csv", is_flag=True, help="Print every task that was asked as CSV.")
@click.option("--days", is_flag=True, help="With --csv: print how each day ended instead.")
@click.option("--names/--no-names", default=None, help="Print names; without them CSV has numbers.")
@lang_option
def tables(
    player: str | None,
    store: Path | None,
    as_csv: bool,
    days: bool,
    names: bool | None,
    lang: str | None,
) -> None:
    """Show which multiplication facts are known, shaky or need practice.

    PLAYER is a name, or the number that stands for it. CSV is in UTF-8 and has no names unless
    --names asks for them: a player keeps the number.
    """
    tx = texts(lang)
    if days and not as_csv:
        refuse(tx("cli", "--days needs --csv"))
    found = all_tables(open_games(store))
    if player is not None:
        found = [one for one in found if player in (one.name, str(one.number))]
        if not found:
            refuse(tx("cli", "nobody called {name} has answered a task", name=player[:40]))
    named = not as_csv if names is None else names
    now = datetime.now(UTC)
    if as_csv:
        _print_csv(found, now, named=named, days=days)
    elif player is not None:
        one = found[0]
        picture = table_rows(tables_picture(one, now), 80)
        for line in (_who(one, named=named), *picture.rows, *count_lines(tx, one, now)):
            click.echo(line)
    elif not found:
        click.echo(tx("line", "Nobody answered a task yet."))
    else:
        for one in found:
            click.echo(f"{_who(one, named=named)}: {', '.join(count_lines(tx, one, now))}")


def _who(one: Tables, *, named: bool) -> str:
    return one.name if named else str(one.number)


def _print_csv(found: Iterable[Tables], now: datetime, *, named: bool, days: bool) -> None:
    text = StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(DAYS if days else ANSWERS)
    for one in found:
        who = _who(one, named=named)
        out.writerows(day_rows(one, who) if days else answer_rows(one, who, now))
    write_data(text.getvalue())
