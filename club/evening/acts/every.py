"""Carries out acts by their names, previews their changes, and takes them back.

The page posts them and `beisitzer club do` carries them out. To preview an act, it is carried out
and rolled back.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sqlalchemy import update

from club.evening.acts import (  # noqa: F401  # they declare acts
    evenings,
    people,
    results,
    rounds,
    settings,
    tables,
)
from club.evening.acts.shared import ACTS, ActFacts, act
from club.evening.errors import ActError
from club.evening.results import EveningNow
from club.evening.seating import issue_seats
from club.judging.settling import settle, settle_evening
from club.pairing.standings import standing_changes
from club.store.database import ClubDatabase, Writing
from club.store.live import HALL, ActRow, acts_of, current_evening
from club.store.schema import acts
from pi_app.wire.messages import MessageError


def carry_out(writing: Writing, who: str, name: str, facts: object) -> dict[str, Any]:
    """Do an act and return its facts; ActError if it is not possible."""
    if name not in ACTS:
        raise ActError("no-act", act=name[:40])
    writing.who = who
    try:
        asked = ACTS[name].asked.read(facts)
    except MessageError as error:
        raise ActError("bad", why=str(error)) from error
    return {"ok": True, **(ACTS[name].do(writing, asked) or {})}


class _RolledBack(Exception):  # noqa: N818  # no error: it ends a transaction
    """Rolls a transaction back."""


def preview(
    database: ClubDatabase, who: str, name: str, facts: object, check: Callable[[Writing], None]
) -> list[dict[str, Any]]:
    """Return an act's changes to the standings, by doing it and rolling back."""
    changes: list[dict[str, Any]] = []
    with suppress(_RolledBack), database.write() as writing:
        check(writing)
        connection = writing.connection
        before = EveningNow(connection, current_evening(connection)).lines
        carry_out(writing, who, name, facts)
        after = EveningNow(connection, current_evening(connection)).lines
        changes = standing_changes(before, after)
        raise _RolledBack
    return changes


@act("undo", "something taken back")
def undo(writing: Writing) -> ActFacts:
    """Take back the last act that `can_undo`."""
    connection = writing.connection
    kinds = [name for name, each in ACTS.items() if each.undoable]
    last = next((each for each in reversed(acts_of(connection, *kinds)) if can_undo(each)), None)
    if last is None:
        raise ActError("nothing")
    facts = last.facts
    number = writing.act("undo", act=last.id, undid=last.kind)
    connection.execute(update(acts).where(acts.c.id == last.id).values(undone=number))
    if last.kind == "swap":
        rounds.exchange(writing, facts["swapped"], facts["pairs"])
    if last.kind == "reject":
        connection.execute(update(acts).where(acts.c.undone == last.id).values(undone=None))
    if facts.get("game_id"):
        settle(writing, [facts["game_id"]])
    current = current_evening(connection)
    for evening in {facts.get("evening"), facts.get("id"), current.id if current else None}:
        settle_evening(writing, evening)
    issue_seats(writing)
    writing.next("touched")
    return {"kind": last.kind, "act": last.id}


def can_undo(act: ActRow) -> bool:
    """Tell whether `undo` takes an act back; acts from the hall are corrected in other ways."""
    is_undoable = act.kind in ACTS and ACTS[act.kind].undoable
    return is_undoable and act.undone is None and not act.who.startswith(HALL)
