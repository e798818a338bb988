"""`beisitzer club export`, `journal`, `backup` and `restore`: what the club has."""

from __future__ import annotations

import json
from pathlib import Path

import click

from club.commands.members import done
from club.commands.place import (
    IMPOSSIBLE,
    VerbContext,
    database_option,
    default_folder,
    open_club,
    refuse_database,
    state_option,
    verb,
)
from pi_app.commands.console import json_option, lang_option, refuse, texts, why
from pi_app.texts.language import Texts


@click.command()
@click.option("--evening", "wanted", metavar="ID", help="Another evening than the last one.")
@verb
def export(at: VerbContext, wanted: str | None) -> None:
    """Print an evening's standings; with --json all results and rounds too."""
    from club.evening.shown.export import chosen_evening
    from club.evening.shown.export import export as exported

    with at.read() as connection:
        try:
            evening = chosen_evening(connection, wanted)
        except KeyError:
            refuse(at.tx("cli", "there is no evening {evening}", evening=wanted), IMPOSSIBLE)
        document = exported(connection, evening)
    if at.as_json:
        click.echo(json.dumps(document))
        return
    for line in document["standings"]:
        name = line["name"] or line["p"]
        click.echo(
            f"{line['rank']:4}  {line['points']:6g}  {line['wins']:3}  {line['p']:6}  {name}"
        )


@click.command()
@verb
def journal(at: VerbContext) -> None:
    """Print every act: when, who, what, and whether it was taken back."""
    from sqlalchemy import select

    from club.store.schema import acts

    with at.read() as connection:
        rows = connection.execute(select(acts).order_by(acts.c.id)).all()
    for row in rows:
        facts = json.loads(row.facts)
        if at.as_json:
            line = {"act": row.id, "at": row.at, "who": row.who, "kind": row.kind}
            click.echo(json.dumps({**line, "facts": facts, "undone": row.undone}))
            continue
        mark = at.tx("cli", "(taken back)") if row.undone else ""
        words = " ".join(f"{name}={value}" for name, value in facts.items() if name != "stores")
        click.echo(
            f"{row.id:5}  {row.at[:19]}  {row.who:10}  {row.kind:12}  {words[:120]} {mark}".rstrip()
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
        _refuse_file(at.tx, file, error)
    except DatabaseError as error:
        refuse_database(at.tx, error)
    done(at, at.tx("cli", "{path} has everything now", path=file), file=str(file))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@json_option
@lang_option
@state_option
@database_option
def restore(
    file: Path, lang: str | None, state: Path | None, database: str | None, *, as_json: bool
) -> None:
    """Replace all of the club by what a backup has, also while the hub runs or elsewhere."""
    from club.store.backup import BackupError
    from club.store.backup import restore as restored
    from club.store.database import DatabaseError

    tx, folder = texts(lang), state or default_folder()
    opened = open_club(tx, folder, database, create=True)
    try:
        restored(opened, file)
    except BackupError:
        refuse(tx("cli", "{path} is no backup of a club", path=file), IMPOSSIBLE)
    except OSError as error:
        _refuse_file(tx, file, error)
    except DatabaseError as error:
        refuse_database(tx, error)
    done(
        VerbContext(tx, opened, folder, as_json),
        tx("cli", "everything is as in {path}", path=file),
        file=str(file),
    )


def _refuse_file(tx: Texts, file: Path, error: OSError) -> None:
    refuse(
        tx("cli", "{path} cannot be used: {why}", path=file, why=why(error)),
        IMPOSSIBLE,
    )
