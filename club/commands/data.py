"""`beisitzer club export`, `backup` and `restore`: what the club has."""

from __future__ import annotations

import json
from pathlib import Path

import click

from club.commands.place import IMPOSSIBLE, VerbContext, creating_verb, verb
from pi_app.commands.console import refuse, why


@click.command()
@click.option("--evening", "wanted", metavar="ID", help="Another evening than the last one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@verb
def export(at: VerbContext, wanted: str | None, *, as_json: bool) -> None:
    """Print an evening's standings; with --json all results and rounds too."""
    from club.evening.reports.export import chosen_evening
    from club.evening.reports.export import export as exported

    with at.read() as connection:
        try:
            evening = chosen_evening(connection, wanted)
        except KeyError:
            refuse(at.tx("cli", "there is no evening {evening}", evening=wanted), IMPOSSIBLE)
        document = exported(connection, evening)
    if as_json:
        click.echo(json.dumps(document))
        return
    for line in document["standings"]:
        name = line["name"] or line["p"]
        click.echo(
            f"{line['rank']:4}  {line['points']:6g}  {line['wins']:3}  {line['p']:6}  {name}"
        )


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@verb
def backup(at: VerbContext, file: Path) -> None:
    """Write all of the club into FILE, also while the hub runs; keep it secret, it has the keys."""
    from club.store.backup import back_up
    from club.store.database import DatabaseError

    try:
        back_up(at.database, file)
    except OSError as error:
        _refuse_file(at, file, error)
    except DatabaseError as error:
        at.refuse(error)
    click.echo(at.tx("cli", "{path} has everything now", path=file))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@creating_verb
def restore(at: VerbContext, file: Path) -> None:
    """Replace all of the club by what a backup has; no hub may run."""
    from club.store.backup import BackupError
    from club.store.backup import restore as restored
    from club.store.database import DatabaseError

    try:
        restored(at.database, file)
    except BackupError:
        refuse(at.tx("cli", "{path} is no backup of a club", path=file), IMPOSSIBLE)
    except OSError as error:
        _refuse_file(at, file, error)
    except DatabaseError as error:
        at.refuse(error)
    click.echo(at.tx("cli", "everything is as in {path}", path=file))


def _refuse_file(at: VerbContext, file: Path, error: OSError) -> None:
    words = at.tx("cli", "{path} cannot be used: {why}", path=file, why=why(error))
    refuse(words, IMPOSSIBLE)
