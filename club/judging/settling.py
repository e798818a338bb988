"""Judges events of the database anew and notes the verdicts."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, or_, select, update

from club.judging.verdicts import (
    Decision,
    GroupFacts,
    JudgingFacts,
    KeyedRanks,
    RoundFacts,
    RoundKey,
    SentEvent,
    Verdict,
    judge,
)
from club.store.database import Writing
from club.store.live import all_evenings, live, people_now, rounds_of
from club.store.schema import decisions, events, keyed

log = logging.getLogger(__name__)

AT_ONCE = 400
"""Values in one query."""
_JUDGED = (
    events.c.kind.in_(("result", "withdrawn")),
    events.c.whole,
    events.c.game_id.is_not(None),
)


def settle(writing: Writing, games: Collection[str]) -> set[str]:
    """Judge these games again, and those of the same rounds; return the evenings concerned."""
    connection = writing.connection
    rows = _rows_of_games(connection, games)
    in_rounds = {(row.evening, row.round) for row in rows if row.round is not None}
    others = _games_of_rounds(connection, in_rounds) - set(games)
    rows += _rows_of_games(connection, others)
    if not rows:
        return set()
    sent = [_sent(row) for row in rows]
    verdicts, _ = judge(sent, judging_facts(connection, sent))
    for row in rows:
        why = verdicts[row.id].why
        if why is not None and why != row.why:
            log.warning("%s: event %d of %s is refused: %s", row.table_id, row.seq, row.store, why)
    changed = [
        {"row": row.id, "new_why": verdicts[row.id].why, "new_counted": verdicts[row.id].counted}
        for row in rows
        if Verdict(row.why, row.counted) != verdicts[row.id]
    ]
    if changed:
        connection.execute(
            update(events)
            .where(events.c.id == bindparam("row"))
            .values(why=bindparam("new_why"), counted=bindparam("new_counted")),
            changed,
        )
    return {evening for row in rows for evening in (row.evening, row.here) if evening}


def settle_evening(writing: Writing, evening: str | None) -> None:
    """Judge what an act on an evening may change: its rounds, and what waits for a round."""
    waiting = and_(events.c.why.in_(("unknown-round", "not-seated", "unknown-game")))
    of_rounds = and_(events.c.evening == evening, events.c.round.is_not(None))
    rows = writing.connection.scalars(
        select(events.c.game_id).where(*_JUDGED, or_(waiting, of_rounds)).distinct()
    )
    settle(writing, list(rows))


def keyed_that_count(connection: Connection, evening: str) -> frozenset[int]:
    """Return the ids of an evening's keyed results that no table's result replaced."""
    rows = connection.execute(
        select(events).where(*_JUDGED, events.c.evening == evening, events.c.round.is_not(None))
    ).all()
    games = {row.game_id for row in rows}
    sent = [_sent(row) for row in _rows_of_games(connection, games)]
    facts = judging_facts(connection, sent, {evening})
    return judge(sent, facts)[1]


def _rows_of_games(connection: Connection, games: Iterable[str]) -> list[Row[Any]]:
    wanted: list[str] = list(games)
    found: list[Row[Any]] = []
    for first in range(0, len(wanted), AT_ONCE):
        query = select(events).where(
            *_JUDGED, events.c.game_id.in_(wanted[first : first + AT_ONCE])
        )
        found += connection.execute(query).all()
    return found


def _games_of_rounds(connection: Connection, keys: Iterable[RoundKey]) -> set[str]:
    found: set[str] = set()
    for evening, number in keys:
        found.update(
            connection.scalars(
                select(events.c.game_id).where(
                    *_JUDGED, events.c.evening == evening, events.c.round == number
                )
            )
        )
    return found


def _sent(row: Row[Any]) -> SentEvent:
    seats = json.loads(row.seats) if row.seats else []
    return SentEvent(
        id=row.id,
        table=row.table_id,
        game_id=row.game_id,
        revision=row.revision,
        content=row.content,
        after_act=row.after_act,
        withdrawn=row.kind == "withdrawn",
        fault=row.fault,
        round=(row.evening, row.round) if row.round is not None else None,
        game=row.game or "",
        ranks=tuple((seat["p"], seat["rank"]) for seat in seats if seat["p"] is not None),
    )


def judging_facts(
    connection: Connection, sent: Collection[SentEvent], also: Collection[str] = ()
) -> JudgingFacts:
    """Return what these events are judged by, and keyed results of the evenings `also`."""
    wanted = {event.round[0] for event in sent if event.round} | set(also)
    found_rounds: dict[RoundKey, RoundFacts] = {}
    closing = {row.id: row.closed for row in all_evenings(connection)}
    for evening in wanted & closing.keys():
        paired = rounds_of(connection, evening)
        for one in paired:
            later = [other.act for other in paired if other.number > one.number]
            locks = [*later, *([closing[evening]] if closing[evening] is not None else [])]
            found_rounds[evening, one.number] = RoundFacts(
                tuple(GroupFacts(frozenset(g.seats), g.table, g.game) for g in one.groups),
                min((lock for lock in locks if lock is not None), default=None),
            )
    free = any(event.round is None and not event.withdrawn for event in sent)
    registered = frozenset(people_now(connection)) if free else frozenset()
    return JudgingFacts(
        found_rounds,
        _keyed_of(connection, wanted),
        _decisions_of(connection, {event.game_id for event in sent}),
        registered or None,
    )


def _keyed_of(connection: Connection, wanted: Collection[str]) -> list[KeyedRanks]:
    if not wanted:
        return []
    rows = connection.execute(
        select(keyed).where(keyed.c.evening.in_(wanted), live(keyed.c.act)).order_by(keyed.c.act)
    )
    return [
        KeyedRanks(
            row.id,
            row.act,
            (row.evening, row.round),
            tuple((p, rank) for p, rank in json.loads(row.ranks)),
        )
        for row in rows
    ]


def _decisions_of(connection: Connection, games: Collection[str]) -> list[Decision]:
    rows = connection.execute(
        select(decisions).where(decisions.c.game_id.is_not(None), live(decisions.c.act))
    )
    found = [
        Decision(row.act, row.event_id, row.game_id, row.accepted)
        for row in rows
        if row.game_id in games
    ]
    return sorted(found, key=lambda decision: decision.act)
