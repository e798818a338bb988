"""`beisitzer club do`, `status` and `password`: the organiser's acts without a browser."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
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
    """Do an act in the database, where a running hub sees it within a second."""
    from club.evening.acts.every import carry_out
    from club.evening.errors import ActError
    from club.evening.sentences import act_words
    from club.store.identity import ensure_identity

    try:
        with at.explained(), at.database.write() as writing:
            ensure_identity(writing)
            return carry_out(writing, "command", act, asked)
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
@click.option("--json", is_flag=True, expose_value=False, help="Print JSON, which is so anyway.")
@verb
def status(at: VerbContext) -> None:
    """Print all that the organiser's page shows, as JSON: rounds, tables, what is to decide."""
    from club.web.desk import desk_facts

    with at.read() as connection:
        click.echo(json.dumps(desk_facts(connection, at.tx)))
