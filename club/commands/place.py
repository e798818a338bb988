"""Finds a club's folder or database, for every verb."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pi_app.commands.console import lang_option, refuse, texts
from pi_app.texts.language import Texts
from pi_app.texts.libraries import library_words

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from club.store.database import ClubDatabase

IMPOSSIBLE = 1
"""The exit status of an impossible act; 2 is a mistake in the command line."""

DATABASE_FILE = "database"
"""The file with the database's URL, if the database is not in the folder."""

state_option = click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="PATH",
    help="Folder of the hub's state; default: the one in your home.",
)
database_option = click.option(
    "--database", metavar="URL", help="The club's database: postgresql://..., sqlite:///FILE."
)


@dataclass(frozen=True, slots=True)
class VerbContext:
    """Shared by all verbs, whether a hub is running or not."""

    tx: Texts
    database: ClubDatabase

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Exit with the reason if the database cannot be used."""
        from club.store.database import DatabaseError

        try:
            yield
        except DatabaseError as error:
            refuse_database(self.tx, error)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Read one consistent state of the database, without blocking anybody."""
        with self.explained(), self.database.read() as connection:
            yield connection


def verb(command: Callable[..., None], *, create: bool = False) -> Callable[..., None]:
    """Add the common options to a verb, and pass it a VerbContext as its first argument.

    With `create` the verb begins a club if there is none yet.
    """

    @lang_option
    @state_option
    @database_option
    @functools.wraps(command)
    def run(
        *words: Any, lang: str | None, state: Path | None, database: str | None, **options: Any
    ) -> None:
        tx = texts(lang)
        folder = state or default_folder()
        opened = open_club(tx, folder, database, create=create)
        command(VerbContext(tx, opened), *words, **options)

    return run


def default_folder() -> Path:
    """Return the default folder of a hub's state."""
    from platformdirs import user_data_path

    return user_data_path("beisitzer") / "club"


def open_club(tx: Texts, folder: Path, url: str | None, *, create: bool = False) -> ClubDatabase:
    """Open the database of a club until the command ends; one line and status 1 without one."""
    try:
        from club.store.database import ClubDatabase, DatabaseError, sqlite_url
    except ImportError as error:
        refuse_missing(tx, error)
    url = url or kept_url(folder)
    if url is None and not create and not (folder / "club.db").exists():
        refuse(
            tx("cli", "there is no club in {path}: beisitzer club start begins one", path=folder),
            IMPOSSIBLE,
        )
    if url is None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        database = ClubDatabase(url or sqlite_url(folder))
        click.get_current_context().call_on_close(database.close)
        database.prepare()
    except DatabaseError as error:
        refuse_database(tx, error)
    return database


def kept_url(folder: Path) -> str | None:
    """Return the other database with which this folder's hub was started, if any."""
    try:
        return (folder / DATABASE_FILE).read_text("utf-8").strip() or None
    except OSError:
        return None


def refuse_missing(tx: Texts, error: ImportError) -> NoReturn:
    """Name the missing or broken library."""
    name = (error.name or "sqlalchemy").partition(".")[0]
    refuse(library_words(tx, error, name, "pip install 'beisitzer[club]'"), IMPOSSIBLE)


def refuse_database(tx: Texts, error: Exception) -> NoReturn:
    """Say why a database cannot be used."""
    from club.evening.sentences import database_words

    refuse(database_words(tx, error), IMPOSSIBLE)
