"""`beisitzer club status` and `results`: what the organiser looks at in an evening."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from club.commands.place import IMPOSSIBLE, VerbContext, verb
from pi_app.commands.console import refuse


@click.command()
@verb
def status(at: VerbContext) -> None:
    """Show how the round goes: what each table does, which results are missing, what to decide."""
    from club.evening.shown.export import chosen_evening
    from club.evening.shown.overview import overview

    with at.read() as connection:
        facts = overview(connection, chosen_evening(connection, None))
    if at.as_json:
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
        if paired["ends"] and not facts["closed"]:
            yield tx("cli", "The time is up at {time}.", time=_local(paired["ends"]))
        for group in paired["tables"]:
            people = ", ".join(names.get(p, p) for p in group["seats"])
            words = tx.say(PROGRESS_WORDS, group["progress"])
            yield f"  {group['table'] or '-':10} {group['game']:10} {people}: {words}"
        if paired["byes"]:
            away = ", ".join(names.get(p, p) for p in paired["byes"])
            yield tx("cli", "Sitting out: {names}", names=away)
    if facts["proposals"]:
        yield tx("cli", "To decide, with accept or refuse:")
    for each in facts["proposals"]:
        yield f"  {_result_line(at, each, names)}"


@click.command()
@click.option("--evening", "wanted", metavar="ID", help="Another evening than the last one.")
@click.option(
    "--round", "number", type=click.IntRange(1), metavar="NUMBER", help="Only this round."
)
@verb
def results(at: VerbContext, wanted: str | None, number: int | None) -> None:
    """List an evening's results: places, where each came from, whether it counts, and why not."""
    from club.evening.results import shown_names
    from club.evening.shown.export import chosen_evening, export

    with at.read() as connection:
        try:
            evening = chosen_evening(connection, wanted)
        except KeyError:
            refuse(at.tx("cli", "there is no evening {evening}", evening=wanted), IMPOSSIBLE)
        found = export(connection, evening)["results"]
        names = shown_names(connection)
    if number is not None:
        found = [each for each in found if each["round"] == number]
    if at.as_json:
        click.echo(json.dumps(found))
        return
    for each in found:
        click.echo(_result_line(at, each, names))
    if not found:
        click.echo(at.tx("cli", "no result has come yet"))


def _result_line(at: VerbContext, each: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Say where a result came from, of which round it is, the places, and why it does not count."""
    from club.evening.sentences import WHYS

    tx = at.tx
    source = f"{each['store']}:{each['seq']}" if each["store"] else tx("cli", "keyed")
    of = tx("cli", "round {n}", n=each["round"]) if each["round"] else tx("cli", "free game")
    seats = sorted(each["seats"], key=lambda seat: int(seat["rank"]))
    shown = ", ".join(
        f"{seat['rank']}. {names.get(seat['p'] or '', seat.get('show') or seat['p'] or '?')}"
        for seat in seats
    )
    line = f"{source:24} {of:10} {each['table'] or '-':10} {each['game'] or '-':10} {shown}"
    if each["counted"]:
        return line
    out = tx("cli", "does not count")
    why = tx.say(WHYS, each["why"]) or tx("cli", "a later revision counts")
    return f"{line}: {out}: {why}"


def _local(ends: str) -> str:
    from datetime import datetime

    return datetime.fromisoformat(ends).astimezone().strftime("%H:%M")
