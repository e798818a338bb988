"""`beisitzer club add-table` and its like: who belongs to the club."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from club.commands.lists import read_list
from club.commands.place import IMPOSSIBLE, VerbContext, verb
from club.evening.sheet import NO, YES
from pi_app.commands.console import refuse
from pi_app.link.contract import MOST_NAME, clean, person
from pi_app.texts.language import Texts

if TYPE_CHECKING:
    from club.evening.acts import Registered

COLUMNS = ("p", "name", "present")


@click.command("add-table")
@verb
def add_table(at: VerbContext) -> None:
    """Add a table and print what its link needs, as JSON: the password is shown only now."""
    from club.evening.members import add_table as add
    from club.hub.identity import place_of
    from club.store.running import wait_for_users

    with at.act() as writing:
        place = place_of(writing.connection)
        if place is None:
            refuse(at.tx("cli", "no hub was started here yet: beisitzer club start"), IMPOSSIBLE)
        table, password = add(writing, at.who)
        hub, act = writing.get("hub"), int(writing.get("acts"))
    wait_for_users(at.database, act)
    click.echo(json.dumps(place.access(table, password, hub)))


@click.command("remove-table")
@click.argument("table")
@verb
def remove_table(at: VerbContext, table: str) -> None:
    """Take TABLE out of the club: it cannot connect any more, its results stay."""
    from club.evening.members import remove_table as remove
    from club.store.running import wait_for_users

    with at.act() as writing:
        remove(writing, at.who, table)
        act = int(writing.get("acts"))
    wait_for_users(at.database, act)
    done(at, at.tx("cli", "{table} does not belong to the club any more", table=table))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@verb
def people(at: VerbContext, file: Path) -> None:
    """Take in a list of people: CSV with the columns p, name and present."""
    from club.evening.acts import register

    listed = list(_read_people(at.tx, file))
    with at.act() as writing:
        register(writing, at.who, listed)
    done(at, at.tx.many("cli", "{n} person", "{n} people", len(listed)), people=len(listed))


def _read_people(tx: Texts, file: Path) -> Iterator[Registered]:
    from club.evening.acts import Registered

    seen: set[str] = set()
    for row in read_list(tx, file, COLUMNS, ("p",)):
        where = tx("cli", "line {line}", line=row.line)
        p = person(row.cells["p"])
        if p is None:
            _refuse_file(
                tx, file, tx("cli", "{where}: p must be a number such as p17", where=where)
            )
        if p in seen:
            _refuse_file(tx, file, tx("cli", "{where}: {p} is there twice", where=where, p=p))
        seen.add(p)
        present = row.cells["present"].lower()
        if present not in YES | NO:
            _refuse_file(tx, file, tx("cli", "{where}: present must be 1 or 0", where=where))
        yield Registered(p, clean(row.cells["name"], MOST_NAME), present in YES)


def _refuse_file(tx: Texts, file: Path, why: str) -> NoReturn:
    refuse(tx("cli", "{path} cannot be read: {why}", path=file, why=why), IMPOSSIBLE)


@click.command()
@click.argument("p")
@verb
def leave(at: VerbContext, p: str) -> None:
    """Note that P, such as p17, has left: they are not paired any more."""
    _presence(at, p, present=False)


@click.command()
@click.argument("p")
@click.option("--name", help="The name of somebody who is not on the list yet.")
@verb
def arrive(at: VerbContext, p: str, name: str | None) -> None:
    """Note that P, such as p17, is there: they are paired from the next round on."""
    if name is not None and person(p) is None:
        raise click.UsageError(at.tx("cli", "P must be a number such as p17"))
    _presence(at, p, present=True, name=name)


def _presence(at: VerbContext, p: str, *, present: bool, name: str | None = None) -> None:
    from club.evening.acts import set_presence

    shown = None if name is None else clean(name, MOST_NAME)
    with at.act() as writing:
        set_presence(writing, at.who, person(p) or p, present=present, name=shown)
    words = at.tx("cli", "{p} is there", p=p) if present else at.tx("cli", "{p} has left", p=p)
    done(at, words, p=person(p) or p, present=present)


@click.command()
@click.argument("p")
@verb
def forget(at: VerbContext, p: str) -> None:
    """Replace the name of P, such as p17, by the number, for good: results stay."""
    from club.evening.forgetting import forget as forget_name

    with at.act() as writing:
        forget_name(writing, at.who, person(p) or p)
    done(at, at.tx("cli", "the name of {p} is gone", p=p), p=person(p) or p)


def done(at: VerbContext, sentence: str, **facts: Any) -> None:
    """Print what was done: a sentence, or with --json its facts."""
    click.echo(json.dumps({"ok": True, **facts}) if at.as_json else sentence)
