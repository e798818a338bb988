"""Opens the games for commands that only read them, also while a companion is running.

A damaged game is printed up to the damage; then one line says so, and the status is `DAMAGED`.
"""

import errno
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from pi_app.commands.console import DAMAGED, load_settings, no_file_words, refuse, why
from pi_app.run.opening import store_path
from pi_app.store import GameEntry, Reader
from pi_app.system.regular import NotAFileError, check_regular

store_option = click.option("--store", type=click.Path(path_type=Path), help="FOLDER of the games.")


def resolve_store(store: Path | None) -> Path:
    """Return the given folder, else that of the settings.

    Bad settings, or a path that is not a folder, end with one line and status 2.
    """
    path = store or store_path(load_settings())
    try:
        check_regular(path)
    except NotAFileError as error:
        refuse(no_file_words(error))
    if path.is_file() or not path.name:  # no name: a variable of a shell that is not set
        kind = errno.ENOTDIR if path.is_file() else errno.EISDIR
        refuse(no_file_words(NotAFileError(path, kind)))
    return path


def open_games(store: Path | None) -> Reader:
    """Open the games for reading until the command ends; one line and status 2 if that fails."""
    path = resolve_store(store)
    if store is not None and not store.parent.is_dir():  # probably a mistyped path
        refuse(f"{click.format_filename(store)}: there is no such folder")
    try:
        return open_reader(path)
    except (OSError, ValueError) as error:
        refuse(f"{click.format_filename(path)} cannot be read: {why(error)}")


def open_reader(path: Path) -> Reader:
    """Open a store until the command ends; then say which of the games it read are damaged.

    OSError or ValueError if the folder cannot be read.
    """
    return click.get_current_context().with_resource(_reporting_damage(path))


@contextmanager
def _reporting_damage(path: Path) -> Iterator[Reader]:
    with closing(Reader.of(path)) as games:
        try:
            yield games
        finally:  # also after a refusal, which damage may have caused
            refuse_damage(path, games)


def refuse_damage(path: Path, games: Reader) -> None:
    """End with one line and status `DAMAGED` if a game that was read is damaged."""
    if words := " ".join(_damage_words(path, games)):
        refuse(words, DAMAGED)


def _damage_words(path: Path, games: Reader) -> Iterator[str]:
    for number, game in sorted(games.faulty.items()):
        if game.newer:
            yield f"Game {number} was written by a newer Beisitzer: update this one."
        else:
            yield (
                f"Game {number} is damaged: move {game.damage} and what follows it cannot be read. "
                "To the table with it: there the moves can be set right."
            )
    if games.forgotten:
        place = click.format_filename(path)
        yield f"{place} is damaged where it says what is known of people: some of it is missing."


def game_of(store: Reader, number: int) -> GameEntry:
    """Return a game by its number in the history; one line and status 2 if there is none."""
    entry = store.find_game(number)
    if entry is None:
        refuse(f"there is no game {str(number)[:20]}: beisitzer show history lists them")
    return entry
