"""Opens the games for commands that only read them, also while a companion is running.

Of a damaged store the readable part is printed; then one line says so, and the status is `DAMAGED`.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

import click

from pi_app.commands.console import (
    DAMAGED,
    keep_in_log,
    load_settings,
    no_file_words,
    refuse,
    version_words,
    why,
)
from pi_app.files.regular import NotAFileError
from pi_app.run.opening import store_path
from pi_app.store.archive import GameEntry, ReadFile, find_game
from pi_app.store.check import check_files, check_is_store
from pi_app.store.migrations import VersionError
from pi_app.store.store import Reader, Store

store_option = click.option(
    "--store", type=click.Path(path_type=Path), help="Database FILE of the games."
)


def resolve_store(store: Path | None) -> Path:
    """Return the given file, else that of the settings.

    Bad settings, and anything that is not a store, end with one line and status 2.
    """
    path = store or store_path(load_settings())
    try:
        check_files(path)
        check_is_store(path)
    except NotAFileError as error:
        refuse(no_file_words(error))
    return path


def open_games(store: Path | None) -> Reader:
    """Open the games for reading until the command ends; one line and status 2 if that fails."""
    path = resolve_store(store)
    if store is not None and not store.parent.is_dir():  # probably a mistyped path
        refuse(f"{click.format_filename(store)}: there is no such folder")
    try:
        if not path.exists() or not path.stat().st_size:
            return Store(":memory:")  # nothing was played yet: that is no mistake
        return open_reader(path)
    except VersionError as error:
        refuse(version_words(path, error))
    except (sqlite3.Error, OSError, ValueError) as error:
        refuse_unreadable(path, error)


def refuse_unreadable(place: Path, error: Exception) -> NoReturn:
    """Say why a store cannot be read, with status 2; SQLite's own words go to the log."""
    reason = why(error)
    if isinstance(error, sqlite3.Error):
        keep_in_log("a store cannot be read", error)
        reason = "it is no store, access is denied, or nothing of it is whole"
    refuse(f"{click.format_filename(place)} cannot be read: {reason}")


def open_reader(path: Path) -> Reader:
    """Open a store's file until the command ends; then report any damage.

    sqlite3.Error, OSError, ValueError or VersionError if nothing of it can be read.
    """
    return Reader(click.get_current_context().with_resource(_reporting_damage(path)))


@contextmanager
def _reporting_damage(path: Path) -> Iterator[ReadFile]:
    with closing(ReadFile(path)) as file:
        try:
            yield file
        finally:  # also after a refusal: perhaps the game asked for is lost by the damage
            if file.damage is not None:
                keep_in_log("a store is damaged", file.damage.error)
                sentence = (
                    f"{click.format_filename(path)} is damaged, so games or moves may be missing "
                    "here: start beisitzer play with it, which repairs it and keeps the old file "
                    "beside it"
                )
                refuse(sentence, DAMAGED)


def game_of(store: Reader, number: int) -> GameEntry:
    """Return a game by its number in the history; one line and status 2 if there is none."""
    entry = find_game(store, number)
    if entry is None:
        refuse(f"there is no game {str(number)[:20]}: beisitzer show history lists them")
    return entry
