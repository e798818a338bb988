"""`beisitzer club export`, `backup` and `restore`: the club's data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click

from club.commands.place import IMPOSSIBLE, VerbContext, verb
from pi_app.commands.console import refuse, why


@click.command()
@click.option("--evening", "wanted", metavar="ID", help="Another evening than the last one.")
@click.option("--json", is_flag=True, expose_value=False, help="Print JSON, which is so anyway.")
@verb
def export(at: VerbContext, wanted: str | None) -> None:
    """Print all of an evening as JSON: standings, results, rounds."""
    from club.evening.reports.export import NoSuchEveningError, chosen_evening
    from club.evening.reports.export import export as exported

    with at.read() as connection:
        try:
            evening = chosen_evening(connection, wanted)
        except NoSuchEveningError:
            refuse(at.tx("cli", "there is no evening {evening}", evening=wanted), IMPOSSIBLE)
        click.echo(json.dumps(exported(connection, evening)))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@verb
def backup(at: VerbContext, file: Path) -> None:
    """Write all of the club into FILE, also while the hub runs; keep it secret, it has the keys."""
    from club.store.backup import back_up

    with _explained(at, file):
        back_up(at.database, file)
    click.echo(at.tx("cli", "{path} has everything now", path=file))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@partial(verb, create=True)
def restore(at: VerbContext, file: Path) -> None:
    """Replace all of the club by what a backup has; no hub may run."""
    from club.store.backup import BackupError
    from club.store.backup import restore as restored

    with _explained(at, file):
        try:
            restored(at.database, file)
        except BackupError:
            refuse(at.tx("cli", "{path} is no backup of a club", path=file), IMPOSSIBLE)
    click.echo(at.tx("cli", "everything is as in {path}", path=file))


@contextmanager
def _explained(at: VerbContext, file: Path) -> Iterator[None]:
    """Say why a file, or the database, cannot be used."""
    with at.explained():
        try:
            yield
        except OSError as error:
            words = at.tx("cli", "{path} cannot be used: {why}", path=file, why=why(error))
            refuse(words, IMPOSSIBLE)
