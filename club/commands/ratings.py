"""`beisitzer club ratings`: how strong people are, over all evenings."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from club.commands.members import done
from club.commands.place import IMPOSSIBLE, VerbContext, verb
from club.evening.sentences import pairing_words
from club.pairing.model import PairingError
from pi_app.commands.console import refuse

SWITCH = "ratings"
"""Under this key the database says "off" if the club wants no ratings."""


@click.command()
@click.option("--game", metavar="GAME", help="Only this game.")
@click.option("--on/--off", "switched", default=None, help="Whether the club has ratings at all.")
@verb
def ratings(at: VerbContext, game: str | None, *, switched: bool | None) -> None:
    """Print how strong people are in each game, over all evenings; ? marks what is unsure.

    A newcomer has 1500. --off switches ratings off for everybody.
    """
    from club.evening.results import counted_results, shown_names
    from club.pairing.rating import ratings as rate
    from club.store.database import get
    from club.store.live import all_evenings

    if switched is not None:
        with at.act() as writing:
            writing.put(SWITCH, "on" if switched else "off")
        on, off = at.tx("cli", "ratings are on"), at.tx("cli", "ratings are off")
        done(at, on if switched else off, on=switched)
        return
    with at.read() as connection:
        if get(connection, SWITCH, "on") == "off":
            refuse(at.tx("cli", "ratings are off: --on switches them on"), IMPOSSIBLE)
        played = [
            result
            for evening in all_evenings(connection)
            for result in counted_results(connection, evening)
        ]
        names = shown_names(connection)
    played.sort(key=lambda result: result.at)
    try:
        rated = rate(result.played for result in played)
    except PairingError as error:
        refuse(pairing_words(at.tx, error), IMPOSSIBLE)
    chosen = [each for each in rated if game in (None, each.game)]
    if at.as_json:
        click.echo(json.dumps([asdict(each) for each in chosen]))
        return
    for each in chosen:
        mark = "?" if each.unsure else " "
        name = names.get(each.p, each.p)
        click.echo(f"{each.game:12} {each.strength:5}{mark} {each.games:4}  {each.p:6}  {name}")
