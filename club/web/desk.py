"""What the organiser sees: rounds, people, tables, proposals, and what was done last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from time import time
from typing import Any

from sqlalchemy import Connection, select

from club.evening.acts import UNDOABLE
from club.evening.results import CountedResult, counted_results, shown_names
from club.evening.shown.export import chosen_evening
from club.evening.shown.overview import proposals
from club.evening.shown.status import round_status, tables_now
from club.hub.identity import place_of
from club.store.database import get
from club.store.live import (
    EveningRow,
    last_act,
    people_now,
    rounds_of,
)
from club.store.schema import acts, stores, tables
from club.web.hall import HallFacts, round_facts
from engines.games import GAMES
from pi_app.link.hub_page import mark

ACTS_SHOWN = 12


def desk_facts(connection: Connection) -> HallFacts:
    """Return all that the organiser's page shows, of the last evening."""
    evening = chosen_evening(connection, None)
    results = counted_results(connection, evening)
    people = people_now(connection)
    names = shown_names(connection)
    return {
        "after": last_act(connection),
        "evening": _evening(evening),
        "known_games": list(GAMES),
        "names": dict(names),
        "people": [
            {"p": each.p, "name": each.name, "present": each.present} for each in people.values()
        ],
        "rounds": _rounds(connection, evening, results),
        "tables": _tables(connection, evening),
        "proposals": _proposals(connection, evening),
        "can_join": bool(get(connection, "web_port")),
        "joining": _joining(connection),
        "acts": _acts(connection),
    }


def _joining(connection: Connection) -> HallFacts | None:
    """Return with what a table joins now; None while none may."""
    code = get(connection, "join_code")
    if not code or float(get(connection, "join_until", "0")) < time():
        return None
    place = place_of(connection)
    return {
        "code": code,
        "host": place.host if place else "",
        "port": get(connection, "web_port"),
        "mark": mark(get(connection, "ca")),
    }


def _evening(evening: EveningRow | None) -> HallFacts | None:
    if evening is None:
        return None
    return {
        "id": evening.id,
        "mode": evening.mode,
        "games": list(evening.games),
        "per_table": evening.per_table,
        "planned": evening.rounds,
        "closed": evening.closed is not None,
    }


def _rounds(
    connection: Connection, evening: EveningRow | None, results: list[CountedResult]
) -> list[HallFacts]:
    if evening is None:
        return []
    return [round_facts(row, results) for row in rounds_of(connection, evening.id)]


def _tables(connection: Connection, evening: EveningRow | None) -> list[HallFacts]:
    """Return each table: whether it is connected, what it does, what is still to come, doubts."""
    there = tables_now(connection)
    status = round_status(connection, evening, there)
    progress = {each.group.table: each.progress for each in status.groups} if status else {}
    upto: Mapping[str, int] = {
        row.id: row.upto for row in connection.execute(select(stores.c.id, stores.c.upto))
    }
    rows = {row.id: row for row in connection.execute(select(tables))}
    found = []
    for name, now in there.items():
        row = rows[name]
        last = json.loads(row.hello).get("last", 0) if row.hello else 0
        found.append(
            {
                "id": name,
                "online": row.online,
                "seen": row.seen,
                "waiting": max(0, last - upto.get(row.store, 0)),
                "doubt": row.doubt,
                "game": now.game,
                "progress": progress.get(name),
            }
        )
    return found


def _proposals(connection: Connection, evening: EveningRow | None) -> list[HallFacts]:
    """Return the results that need a decision: those that were refused and not decided yet."""
    return [
        {name: each[name] for name in ("store", "seq", "table", "round", "game", "why", "at")}
        | {"seats": _seats(each), "readable": each["game_id"] is not None}
        for each in proposals(connection, evening)
    ]


def _seats(result: Mapping[str, Any]) -> list[HallFacts]:
    return [
        {"p": seat["p"], "show": seat.get("show", ""), "rank": seat["rank"]}
        for seat in result["seats"]
    ]


def _acts(connection: Connection) -> list[HallFacts]:
    """Return what was done last, the latest first; the first that can be is taken back by undo."""
    rows = connection.execute(select(acts).order_by(acts.c.id.desc()).limit(ACTS_SHOWN))
    return [
        {
            "id": row.id,
            "at": row.at,
            "who": row.who,
            "kind": row.kind,
            "facts": _short(json.loads(row.facts)),
            "undone": row.undone is not None,
            "undoable": row.kind in UNDOABLE and row.undone is None,
        }
        for row in rows
    ]


def _short(facts: Mapping[str, Any]) -> HallFacts:
    """Return what an act's line says: people, a round, a table."""
    shown = {
        name: facts[name]
        for name in ("p", "round", "table", "mode", "ranks", "text")
        if name in facts
    }
    if "people" in facts:
        shown["n"] = len(facts["people"])
    return shown
