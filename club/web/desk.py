"""Facts for the organiser's page: rounds, people, tables, proposals, and the latest acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from sqlalchemy import Connection, select

from club.evening.acts.every import can_undo
from club.evening.acts.shared import ACTS
from club.evening.members import code_now, is_there, unconfirmed
from club.evening.reports.export import chosen_evening, proposals
from club.evening.reports.status import progress_at
from club.evening.results import EveningNow, names_of, teams_of
from club.evening.season import settings_of
from club.evening.sentences import (
    OTHER_ACTS,
    PROGRESS_WORDS,
    WHYS,
    table_number,
    table_words,
)
from club.store.identity import place_of
from club.store.live import (
    ActRow,
    EveningRow,
    all_evenings,
    last_decision,
    people_now,
    tables_now,
)
from club.store.schema import acts
from club.store.schema import results as sent
from club.web.hall import HallFacts, round_facts
from engines.games import GAMES
from pi_app.texts.language import Texts

ACTS_SHOWN = 12


def desk_facts(connection: Connection, tx: Texts) -> HallFacts:
    """Return all facts for the organiser's page, about the last evening."""
    evening = chosen_evening(connection, None)
    now = EveningNow(connection, evening)
    people = people_now(connection)  # the people now: a closed evening has none present
    settings = settings_of(connection)
    place, names = place_of(connection), names_of(people)
    return {
        "after": last_decision(connection),
        "evening": evening
        and {**asdict(evening), "planned": evening.rounds, "closed": evening.closed is not None},
        "known_games": list(GAMES),
        "names": dict(names),
        "people": [
            {"p": each.p, "name": each.name, "present": each.present} for each in people.values()
        ],
        "rounds": [round_facts(now, row) for row in now.rounds],
        "partners": teams_of(connection, evening) if evening else [],
        "tables": _tables(now, tx),
        "unconfirmed": [{"id": row.id} for row in unconfirmed(connection)],
        "proposals": _proposals(connection, tx, evening),
        "lost": _lost(connection),
        "joining": {name: place[name] for name in ("host", "port", "mark")}
        | {"code": code_now(connection)},
        "settings": settings,
        "acts": _acts(connection, tx, names),
    }


def _lost(connection: Connection) -> list[str]:
    """Return unknown evenings named in results, as after a restore."""
    known = {evening.id for evening in all_evenings(connection)}
    named = select(sent.c.evening).where(sent.c.why == "unknown-round").distinct()
    return sorted(set(connection.scalars(named)) - known)


def _tables(now: EveningNow, tx: Texts) -> list[HallFacts]:
    """Return each table: whether it is connected, its state, waiting results, doubts."""
    paired = now.rounds[-1] if now.rounds else None
    done = now.ranks(paired.number) if paired else {}
    found = []
    for name, row in tables_now(now.connection).items():
        online, state = is_there(row.heard), row.state or {}
        facts = {
            "id": name,
            "number": table_number(name),
            "online": online,
            "seen": row.heard * 1000 or None,
        }
        facts |= {"waiting": row.waiting, "twice": row.rival is not None}
        facts["game"] = state["game"] if online and state.get("phase") == "playing" else None
        found.append(facts | {"progress": tx.say(PROGRESS_WORDS, progress_at(paired, row, done))})
    return found


def _proposals(connection: Connection, tx: Texts, evening: EveningRow | None) -> list[HallFacts]:
    """Return the results that need a decision."""
    wanted = ("id", "game_id", "revision", "table", "round", "game", "verdict", "withdrawn")
    return [
        {
            **{name: each[name] for name in wanted},
            "number": table_number(each["table"]),
            "text": tx.say(WHYS, each["why"] or each["verdict"]) or each["why"],
            "seats": [{"show": "", **seat} for seat in each["seats"]],
        }
        for each in proposals(connection, evening)
    ]


def _acts(connection: Connection, tx: Texts, names: Mapping[str, str]) -> list[HallFacts]:
    """Return the latest acts, newest first; undo takes back the first one that allows it."""
    rows = connection.execute(select(acts).order_by(acts.c.id.desc()).limit(ACTS_SHOWN))
    return [
        {
            "at": act.at,
            "undone": act.undone is not None,
            "undoable": can_undo(act),
            "text": act_text(tx, act, names),
        }
        for act in (ActRow(**row) for row in rows.mappings())
    ]


def act_text(tx: Texts, act: ActRow, names: Mapping[str, str]) -> str:
    """Return the log's text of an act."""
    facts = act.facts
    said = ACTS[act.kind].said if act.kind in ACTS else OTHER_ACTS.get(act.kind)
    p = facts.get("p", "")
    known = {
        "n": len(facts.get("people", ())),
        "name": names.get(p, p),
        "round": facts.get("round"),
        "table": table_words(tx, facts.get("table") or ""),
        "text": facts.get("text"),
    }
    ranks = sorted(facts.get("ranks", {}).items(), key=lambda each: each[1])
    places = ", ".join(f"{rank}. {names.get(p, p)}" for p, rank in ranks)
    return ": ".join(filter(None, (tx(*said, **known) if said else act.kind, places)))
