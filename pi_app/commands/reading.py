"""Opening the games for commands that only read them, also beside a running companion."""

import sqlite3
from pathlib import Path

import click

from pi_app.commands.console import refuse
from pi_app.run.opening import store_path
from pi_app.settings.file import SettingsError, load
from pi_app.store.archive import GameEntry, ReadFile, find_game
from pi_app.store.migrations import TooNewError
from pi_app.store.store import Reader, Store

store_option = click.option(
    "--store", type=click.Path(path_type=Path), help="Database FILE of the games."
)


def place_of(store: Path | None) -> Path:
    """Return the named file or else the table's; one line and status 2 on bad settings."""
    try:
        return store or store_path(load().settings)
    except SettingsError as error:
        refuse(str(error))


def open_games(store: Path | None) -> Reader:
    """Open the games for reading; one line and status 2 where that fails."""
    place = place_of(store)
    try:
        if not place.exists() or not place.stat().st_size:
            return Store(":memory:")
        games = Reader(ReadFile(place))
    except TooNewError as error:
        refuse(f"{place} was written by a newer Beisitzer ({error}): update this one")
    except (sqlite3.Error, OSError, ValueError) as error:
        refuse(f"{click.format_filename(place)} cannot be read: {error}")
    return games


def game_of(store: Reader, number: int) -> GameEntry:
    """Return a game by its number in the history; one line and status 2 without it."""
    entry = find_game(store, number)
    if entry is None:
        refuse(f"there is no game {str(number)[:20]}: beisitzer history lists them")
    return entry
