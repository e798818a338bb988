"""`beisitzer club do`, `status` and `password`: the organiser's acts without a browser."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from club.commands.place import IMPOSSIBLE, VerbContext, verb
from pi_app.commands.console import refuse
from pi_app.wire.messages import MessageError, read_object


@click.command()
@click.argument("act")
@click.argument("facts", metavar="[JSON]", default="{}")
@verb
def do(at: VerbContext, act: str, facts: str) -> None:
    """Carry out an ACT of the organiser's page and print what follows, as JSON.

    JSON is what the act needs; - reads it from standard input. docs/link.md lists the acts.
    """
    written = sys.stdin.read() if facts == "-" else facts
    try:
        asked = read_object(written)
    except MessageError as error:
        words = at.tx("cli", "this is not what the act needs ({why})", why=error)
        raise click.UsageError(words) from None
    click.echo(json.dumps(_carry_out(at, act, asked)))


def _carry_out(at: VerbContext, act: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Do an act in the database: a hub that runs looks there within a second."""
    from club.evening.acts.every import carry_out
    from club.evening.errors import ActError
    from club.evening.sentences import act_words
    from club.store.identity import ensure_identity

    try:
        with at.explained(), at.database.write() as writing:
            ensure_identity(writing)
            return carry_out(writing, at.who, act, asked)
    except ActError as error:
        if error.is_usage:
            raise click.UsageError(act_words(at.tx, error)) from None
        refuse(act_words(at.tx, error), IMPOSSIBLE)


@click.command()
@verb
def password(at: VerbContext) -> None:
    """Set a new password for the organiser's page, and print it once; whoever was in is out."""
    click.echo(_carry_out(at, "password", {})["password"])


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@verb
def status(at: VerbContext, *, as_json: bool) -> None:
    """Show how the round goes: what each table does, which results are missing, what to decide."""
    from club.evening.reports.export import chosen_evening
    from club.evening.reports.status import overview

    with at.read() as connection:
        facts = overview(connection, chosen_evening(connection, None))
    if as_json:
        click.echo(json.dumps(facts))
        return
    for line in _status_lines(at, facts):
        click.echo(line)


def _status_lines(at: VerbContext, facts: Mapping[str, Any]) -> Iterator[str]:
    from club.evening.sentences import NO_EVENING, PROGRESS_WORDS

    tx, names = at.tx, facts["names"]
    if facts["evening"] is None:
        yield tx(*NO_EVENING)
        return
    if facts["closed"]:
        yield tx("cli", "the evening {evening} is closed", evening=facts["evening"])
    paired = facts["round"]
    if paired is None:
        yield tx("cli", "Evening {evening}: no round is paired", evening=facts["evening"])
    else:
        missing = tx.many(
            "cli", "{n} result is missing", "{n} results are missing", paired["missing"]
        )
        yield tx(
            "cli",
            "Evening {evening}, round {n}: {missing}",
            evening=facts["evening"],
            n=paired["round"],
            missing=missing,
        )
        for group in paired["tables"]:
            people = ", ".join(names.get(p, p) for p in group["seats"])
            words = tx.say(PROGRESS_WORDS, group["progress"])
            yield f"  {group['table'] or '-':16} {group['game']:10} {people}: {words}"
        if paired["byes"]:
            away = ", ".join(names.get(p, p) for p in paired["byes"])
            yield tx("cli", "Sitting out: {names}", names=away)
    if facts["proposals"]:
        n = len(facts["proposals"])
        yield tx("cli", "To decide on the organiser's page: {n}", n=n)
