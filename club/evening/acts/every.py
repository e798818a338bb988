"""Every act of the organiser's by its name.

The page posts them and `beisitzer club do` carries them out. To preview an act, it is carried out
and rolled back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update

from club.evening.acts.evenings import (
    Closing,
    Exported,
    NewEvening,
    close_evening,
    open_evening,
    take_in,
)
from club.evening.acts.people import (
    Arrival,
    CsvList,
    OnePerson,
    PeopleList,
    arrive,
    forget_name,
    leave,
    register_list,
    register_people,
)
from club.evening.acts.results import (
    KeyedResult,
    MovedGame,
    Proposal,
    accept,
    key_result,
    move_game,
    refuse,
)
from club.evening.acts.rounds import (
    ClockTime,
    PairNext,
    Swap,
    exchange,
    give_round,
    pair_next,
    start_clock,
    swap_people,
)
from club.evening.acts.settings import Switched, renew_password, switch_ratings
from club.evening.acts.shared import ActFacts, Nothing
from club.evening.acts.tables import (
    Announced,
    OneTable,
    add_table,
    confirm_table,
    end_code,
    open_code,
    remove_table,
    replace_machine,
    say,
)
from club.evening.errors import ActError
from club.evening.results import standing_lines
from club.evening.seating import issue_seats
from club.judging.settling import settle, settle_evening
from club.pairing.standings import standing_changes
from club.store.database import ClubDatabase, Writing
from club.store.live import current_evening
from club.store.schema import acts
from pi_app.wire.messages import Message, MessageError


@dataclass(frozen=True, slots=True)
class OrganiserAct:
    """An act: the message that it needs, and what does it and returns what is printed."""

    asked: type[Message]
    do: Callable[[Writing, str, Any], ActFacts | None]
    undoable: bool = False


def carry_out(writing: Writing, who: str, name: str, facts: object) -> dict[str, Any]:
    """Do an act and return what it says; ActError if it is not possible."""
    act = ACTS.get(name)
    if act is None:
        raise ActError("no-act", act=name[:40])
    try:
        asked = act.asked.read(facts)
    except MessageError as error:
        raise ActError("bad", why=str(error)) from error
    return {"ok": True, **(act.do(writing, who, asked) or {})}


class _RolledBack(Exception):  # noqa: N818  # no error: it ends a transaction
    """Ends a transaction of which nothing is to be kept."""


def preview(
    database: ClubDatabase, who: str, name: str, facts: object, check: Callable[[Writing], None]
) -> list[dict[str, Any]]:
    """Return what an act would change in the standings, by doing it and rolling back."""
    changes: list[dict[str, Any]] = []
    with suppress(_RolledBack), database.write() as writing:
        check(writing)
        connection = writing.connection
        before = standing_lines(connection, current_evening(connection))
        carry_out(writing, who, name, facts)
        after = standing_lines(connection, current_evening(connection))
        changes = [each.facts() for each in standing_changes(before, after)]
        raise _RolledBack
    return changes


def undo(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Take the last act back that can be."""
    connection = writing.connection
    kinds = [name for name, act in ACTS.items() if act.undoable]
    act = connection.execute(
        select(acts)
        .where(acts.c.kind.in_(kinds), acts.c.undone.is_(None))
        .order_by(acts.c.id.desc())
        .limit(1)
    ).first()
    if act is None:
        raise ActError("nothing")
    facts = json.loads(act.facts)
    number = writing.act(who, "undo", act=act.id, undid=act.kind)
    connection.execute(update(acts).where(acts.c.id == act.id).values(undone=number))
    if act.kind == "swap":
        exchange(writing, facts["swapped"], facts["a"], facts["b"])
    if facts.get("game_id"):
        settle(writing, [facts["game_id"]])
    current = current_evening(connection)
    for evening in {facts.get("evening"), current.id if current else None}:
        settle_evening(writing, evening)
    issue_seats(writing)
    writing.next("touched")
    return {"kind": act.kind, "act": act.id}


ACTS: Mapping[str, OrganiserAct] = {
    "evening": OrganiserAct(NewEvening, open_evening, undoable=True),
    "people": OrganiserAct(PeopleList, register_people, undoable=True),
    "list": OrganiserAct(CsvList, register_list),
    "arrive": OrganiserAct(Arrival, arrive, undoable=True),
    "leave": OrganiserAct(OnePerson, leave, undoable=True),
    "forget": OrganiserAct(OnePerson, forget_name),
    "pair": OrganiserAct(PairNext, pair_next, undoable=True),
    "give": OrganiserAct(Nothing, give_round, undoable=True),
    "swap": OrganiserAct(Swap, swap_people, undoable=True),
    "result": OrganiserAct(KeyedResult, key_result, undoable=True),
    "accept": OrganiserAct(Proposal, accept, undoable=True),
    "refuse": OrganiserAct(Proposal, refuse, undoable=True),
    "move": OrganiserAct(MovedGame, move_game, undoable=True),
    "clock": OrganiserAct(ClockTime, start_clock, undoable=True),
    "say": OrganiserAct(Announced, say),
    "close": OrganiserAct(Closing, close_evening, undoable=True),
    "undo": OrganiserAct(Nothing, undo),
    "add-table": OrganiserAct(Nothing, add_table, undoable=True),
    "code": OrganiserAct(Nothing, open_code),
    "end-code": OrganiserAct(Nothing, end_code),
    "confirm": OrganiserAct(OneTable, confirm_table, undoable=True),
    "remove-table": OrganiserAct(OneTable, remove_table, undoable=True),
    "replace": OrganiserAct(OneTable, replace_machine),
    "password": OrganiserAct(Nothing, renew_password),
    "ratings": OrganiserAct(Switched, switch_ratings),
    "take-in": OrganiserAct(Exported, take_in, undoable=True),
}
"""Every act of the organiser's by its name."""
