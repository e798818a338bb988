"""`beisitzer export`: games out of the store, as records that replay on any machine."""

import json
import re
from pathlib import Path

import click

from engines.record import Record, write
from pi_app.commands.comments import comments_of
from pi_app.commands.console import refuse, system_words, texts, write_data
from pi_app.commands.history import MOST, as_dict
from pi_app.commands.reading import game_of, open_games, store_option
from pi_app.files.replace import write_safely
from pi_app.store.archive import GameEntry, list_games
from pi_app.store.store import Reader


@click.command()
@click.argument("numbers", type=int, nargs=-1, metavar="[GAME]...")
@store_option
@click.option("--to", "folder", type=click.Path(path_type=Path), help="Write files into DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with each record in it.")
def export(
    numbers: tuple[int, ...],
    store: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Write the games with these numbers (beisitzer history lists them) as game records.

    Without a number: all games with --to or --json, else the latest.
    """
    tx = texts()
    games = open_games(store)
    if numbers:
        entries = [game_of(games, number) for number in numbers]
    else:
        entries = list_games(games, MOST if folder or as_json else 1)
    if not entries and not as_json:
        refuse(tx("cli", "no game was played, so there is nothing to export"))
    records = [(entry, record_text(games, entry)) for entry in entries]
    if folder is not None:
        _write_files(folder, records)
    elif as_json:
        click.echo(json.dumps([{**as_dict(entry), "record": text} for entry, text in records]))
    elif len(records) > 1:
        refuse(tx("cli", "a record is one game: name one GAME, or --to DIR for several"))
    else:
        write_data(records[0][1])


def record_text(games: Reader, entry: GameEntry) -> str:
    """Return a stored game as a record, with the date it began."""
    stored = games.load(entry.id)
    tags = dict(stored.tags)
    tags.setdefault("Date", entry.began[:10])
    try:
        return write(Record(tags, stored.tokens, comments_of(games, entry.id)))
    except ValueError as error:
        tx = texts()
        refuse(tx("cli", "game {n} cannot be written: {why}", n=entry.id, why=error))


def _write_files(folder: Path, records: list[tuple[GameEntry, str]]) -> None:
    for entry, text in records:
        # a date and a game of the store may have come from anywhere
        name = re.sub(r"[^\w-]", "_", f"{entry.began[:10]}-{entry.game}"[:60])
        path = folder / f"{name}-{entry.id}.txt"
        try:
            write_safely(path, text.encode("utf-8"))
        except OSError as error:
            refuse(f"{path}: {system_words(texts(), error)}")
        click.echo(str(path))
