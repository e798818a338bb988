"""Every act of the organiser's by its name.

The page posts them and `beisitzer club do` carries them out. To preview an act, it is carried out
and rolled back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import update

from club.evening.acts.evenings import (
    Closing,
    NewEvening,
    close_evening,
    open_evening,
)
from club.evening.acts.people import (
    Arrival,
    CsvList,
    OnePerson,
    OwnName,
    PeopleList,
    arrive,
    arrive_as_before,
    check_in,
    forget_name,
    leave,
    register_list,
    register_people,
)
from club.evening.acts.results import (
    KeyedAct,
    KeyedResult,
    MovedGame,
    OwnResult,
    Proposal,
    accept,
    agree,
    key_result,
    move_game,
    refuse,
    reject_result,
    report_result,
)
from club.evening.acts.rounds import (
    ClockTime,
    NewTeam,
    PairNext,
    Swap,
    exchange,
    form_team,
    give_round,
    pair_next,
    start_clock,
    swap_people,
)
from club.evening.acts.settings import HubSettings, change_settings, renew_password
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
from club.store.live import HALL, ActRow, acts_of, current_evening
from club.store.schema import acts
from pi_app.wire.messages import Message, MessageError


@dataclass(frozen=True, slots=True)
class OrganiserAct:
    """An act: the message that it needs, and what does it and returns what is printed."""

    asked: type[Message]
    do: Callable[[Writing, str, Any], ActFacts | None]
    undoable: bool = False
    by_anybody: bool = False
    """Whether whoever is in the hall may do it on a phone."""


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
    act = next((act for act in reversed(acts_of(connection, *kinds)) if can_undo(act)), None)
    if act is None:
        raise ActError("nothing")
    facts = act.facts
    number = writing.act(who, "undo", act=act.id, undid=act.kind)
    connection.execute(update(acts).where(acts.c.id == act.id).values(undone=number))
    if act.kind == "swap":
        exchange(writing, facts["swapped"], facts["pairs"])
    if act.kind == "reject":
        connection.execute(update(acts).where(acts.c.undone == act.id).values(undone=None))
    if facts.get("game_id"):
        settle(writing, [facts["game_id"]])
    current = current_evening(connection)
    for evening in {facts.get("evening"), current.id if current else None}:
        settle_evening(writing, evening)
    issue_seats(writing)
    writing.next("touched")
    return {"kind": act.kind, "act": act.id}


def can_undo(act: ActRow) -> bool:
    """Tell whether `undo` takes an act back: what people do in the hall is corrected otherwise."""
    is_undoable = act.kind in ACTS and ACTS[act.kind].undoable
    return is_undoable and act.undone is None and not act.who.startswith(HALL)


ACTS: Mapping[str, OrganiserAct] = {
    "evening": OrganiserAct(NewEvening, open_evening, undoable=True),
    "people": OrganiserAct(PeopleList, register_people, undoable=True),
    "list": OrganiserAct(CsvList, register_list),
    "arrive": OrganiserAct(Arrival, arrive, undoable=True),
    "leave": OrganiserAct(OnePerson, leave, undoable=True),
    "here": OrganiserAct(OwnName, check_in, by_anybody=True),
    "same": OrganiserAct(Nothing, arrive_as_before, undoable=True),
    "team": OrganiserAct(NewTeam, form_team, undoable=True),
    "forget": OrganiserAct(OnePerson, forget_name),
    "pair": OrganiserAct(PairNext, pair_next, undoable=True),
    "give": OrganiserAct(Nothing, give_round, undoable=True),
    "swap": OrganiserAct(Swap, swap_people, undoable=True),
    "result": OrganiserAct(KeyedResult, key_result, undoable=True),
    "report": OrganiserAct(OwnResult, report_result, by_anybody=True),
    "agree": OrganiserAct(OnePerson, agree, by_anybody=True),
    "reject": OrganiserAct(KeyedAct, reject_result, undoable=True),
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
    "settings": OrganiserAct(HubSettings, change_settings),
}
"""Every act of the organiser's by its name."""
