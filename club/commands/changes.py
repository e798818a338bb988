"""Acts that can be looked at before they count: `--preview`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from club.commands.place import VerbContext
from pi_app.texts.language import Texts

if TYPE_CHECKING:
    from club.pairing.standings import StandingChange, StandingLine
    from club.store.database import Writing

preview_option = click.option(
    "--preview", is_flag=True, help="Only show what this changes in the standings."
)


def carry_out(at: VerbContext, act: Callable[[Writing], None], *, preview: bool) -> bool:
    """Do an act and return True; for a preview print what it would change, and return False."""
    from club.evening.results import TakenBack, changes_by, shown_names

    if not preview:
        with at.act() as writing:
            act(writing)
        return True
    changes: tuple[StandingChange, ...] = ()
    names: Mapping[str, str] = {}
    with suppress(TakenBack), at.act() as writing:
        changes, names = changes_by(writing, act), shown_names(writing.connection)
        raise TakenBack
    if at.as_json:
        click.echo(json.dumps([_facts(each) for each in changes]))
        return False
    for each in changes:
        click.echo(f"{each.p:6}  {_line(at.tx, each)}  {names.get(each.p, each.p)}")
    if not changes:
        click.echo(at.tx("cli", "this changes nothing in the standings"))
    return False


def _line(tx: Texts, change: StandingChange) -> str:
    """Say rank and points before and after, such as "2. 9 -> 4. 7"."""
    nobody = tx("cli", "not there")
    sides = (
        f"{side.rank}. {float(side.points):g}" if side else nobody
        for side in (change.before, change.after)
    )
    return " -> ".join(sides)


def _facts(change: StandingChange) -> dict[str, object]:
    from club.pairing.standings import points_number

    def side(line: StandingLine | None) -> dict[str, object] | None:
        if line is None:
            return None
        return {"rank": line.rank, "points": points_number(line.points), "wins": line.wins}

    return {"p": change.p, "before": side(change.before), "after": side(change.after)}
