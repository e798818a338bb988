"""`beisitzer club join`, `tables` and `smart-home`: who may connect, and how that goes."""

from __future__ import annotations

import json

import click

from club.commands.members import done
from club.commands.place import IMPOSSIBLE, VerbContext, verb
from pi_app.commands.console import refuse


@click.command()
@click.option("--end", is_flag=True, help="End it at once.")
@verb
def join(at: VerbContext, *, end: bool) -> None:
    """Let tables join for half an hour: print the code that is keyed there, and what to compare."""
    from club.evening.joining import end_joining, open_joining
    from club.hub.certificates import fingerprint
    from pi_app.link.hub_page import mark

    with at.act() as writing:
        if end:
            end_joining(writing, at.who)
        else:
            host, port = writing.get("host"), writing.get("web_port")
            if not port:
                refuse(
                    at.tx("cli", "the hub has no page to join at: start it with its own broker"),
                    IMPOSSIBLE,
                )
            url, code = f"https://{host}:{port}", open_joining(writing, at.who)
            authority = writing.get("ca")
    if end:
        done(at, at.tx("cli", "no table can join any more"))
        return
    words = at.tx("cli", "tables join at {url} with the code {code}", url=url, code=code)
    shown = mark(authority)
    compare = at.tx("cli", "compare with the table: {fingerprint}", fingerprint=shown)
    facts = {"url": url, "code": code, "mark": shown, "fingerprint": fingerprint(authority)}
    done(at, f"{words}\n{compare}", **facts)


@click.command()
@verb
def tables(at: VerbContext) -> None:
    """List the tables: whether they are there, what waits, and what is odd."""
    from club.evening.members import list_tables
    from club.evening.sentences import PROGRESS_WORDS

    with at.read() as connection:
        listed = list_tables(connection)
    if at.as_json:
        click.echo(json.dumps(listed))
        return
    for table in listed:
        state = at.tx("cli", "there") if table["online"] else at.tx("cli", "away")
        line = f"{table['table']:12} {state:8} {table['seen'] or '':24}"
        if table["online"] and table["assignment"]:
            line += " " + at.tx.say(PROGRESS_WORDS, table["assignment"])
        elif table["game"]:
            line += " " + at.tx("page", "plays {game}", game=table["game"])
        if table["missing"]:
            numbers = ", ".join(map(str, table["missing"]))
            line += " " + at.tx("cli", "missing: {numbers}", numbers=numbers)
        if table["doubt"]:
            line += " " + at.tx("cli", "its card was copied, or is in two machines")
        click.echo(line.rstrip())


@click.command("smart-home")
@verb
def smart_home(at: VerbContext) -> None:
    """Let a smart home read the tables and tell them texts; print what it needs, as JSON."""
    from club.evening.members import let_home_in
    from club.hub.broker import SMART_HOME
    from club.hub.identity import place_of
    from club.store.running import wait_for_users

    with at.act() as writing:
        place = place_of(writing.connection)
        if place is None:
            refuse(at.tx("cli", "no hub was started here yet: beisitzer club start"), IMPOSSIBLE)
        password = let_home_in(writing, at.who)
        hub, act = writing.get("hub"), int(writing.get("acts"))
    wait_for_users(at.database, act)
    click.echo(json.dumps(place.access(SMART_HOME, password, hub)))
