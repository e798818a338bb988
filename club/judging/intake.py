"""Receives results from a table: stores each content once, and commits it before answering."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from club.judging.reading import Named, ReadResult, read_result
from club.judging.referee import fault
from club.judging.settling import settle
from club.store.database import ClubDatabase, Writing, get
from club.store.live import current_evening, last_act
from club.store.schema import results
from pi_app.wire.messages import MessageError

log = logging.getLogger(__name__)

WITH_HIGHEST = ("disputed", "locked")
"""Verdicts that require the table's next revision to be above the highest stored one."""


def count_revisions(connection: Connection, table: str) -> int:
    """Return how many revisions of this table the hub holds."""
    held = select(results.c.game_id, results.c.revision).where(results.c.table_id == table)
    return connection.scalar(select(func.count()).select_from(held.distinct().subquery())) or 0


def take_results(database: ClubDatabase, table: str, sent: Sequence[object]) -> dict[str, Any]:
    """Store results in their order; return the answer of the contract."""
    with database.read() as connection:
        had = count_revisions(connection, table)
    verdicts = [_accept_result(database, table, facts) for facts in sent]
    with database.read() as connection:
        era, has = get(connection, "era"), count_revisions(connection, table)
    return {"era": era, "had": had, "has": has, "verdicts": verdicts}


def _accept_result(database: ClubDatabase, table: str, facts: object) -> dict[str, Any]:
    try:
        result = read_result(facts)
    except MessageError as error:
        log.warning("%s: a bad result: %s", table, error)
        return {**_named(facts), "verdict": "refused", "why": "bad"}
    with database.read() as connection:
        is_known = _find(connection, table, result) is not None
    # a replay takes long, so it runs outside of the transaction
    found = None if is_known or result.withdrawn else fault(result)
    with database.write() as writing:
        if not is_known:
            _note(writing, table, result, facts, found)
        return _judge_result(writing, table, result, is_known=is_known)


def _named(facts: object) -> dict[str, Any]:
    """Return the readable game and revision of a bad result."""
    try:
        return Named.read(facts).facts()
    except MessageError:
        return {"game_id": None, "revision": None}


def _find(connection: Connection, table: str, result: ReadResult) -> Row[Any] | None:
    return connection.execute(
        select(results).where(
            results.c.game_id == result.game_id,
            results.c.revision == result.revision,
            results.c.table_id == table,
            results.c.content == result.content,
        )
    ).first()


def _note(
    writing: Writing, table: str, result: ReadResult, facts: object, found: str | None
) -> None:
    if _find(writing.connection, table, result) is not None:
        return  # the same request came twice at once
    evening = current_evening(writing.connection)
    writing.add(
        results,
        table_id=table,
        game_id=result.game_id,
        revision=result.revision,
        withdrawn=result.withdrawn,
        payload=facts,
        at=writing.now,
        after_act=last_act(writing.connection),
        here=evening.id if evening else None,
        fault=found,
        **_said(result),
        verdict="kept",
        tick=writing.tick(),
        answered=writing.tick(),
    )
    settle(writing, [result.game_id])


def _judge_result(
    writing: Writing, table: str, result: ReadResult, *, is_known: bool
) -> dict[str, Any]:
    row = _find(writing.connection, table, result)
    if row is None:
        raise LookupError(result.game_id)
    if row.answered != row.tick:
        writing.connection.execute(
            update(results).where(results.c.id == row.id).values(answered=row.tick)
        )
    facts = verdict_facts(writing.connection, row)
    return {**facts, "verdict": "known"} if is_known and row.verdict == "counted" else facts


def verdict_facts(connection: Connection, row: Row[Any]) -> dict[str, Any]:
    """Return the present verdict on a result, in the form for tables."""
    facts = {name: getattr(row, name) for name in ("game_id", "revision", "verdict", "why")}
    if row.verdict in WITH_HIGHEST or row.why == "older":
        highest = select(func.max(results.c.revision)).where(results.c.game_id == row.game_id)
        facts["highest"] = connection.scalar(highest)
    return facts


def judge_again(database: ClubDatabase) -> None:
    """At a hub's start, judge anew the results that waited for a newer hub or another game."""
    with database.read() as connection:
        waiting = connection.execute(
            select(results).where(results.c.fault.in_(("version", "unknown-game")))
        ).all()
    for row in waiting:
        result = read_result(row.payload)
        found = fault(result)
        if found != row.fault:
            with database.write() as writing:
                writing.connection.execute(
                    update(results)
                    .where(results.c.id == row.id)
                    .values(fault=found, **_said(result))
                )
                settle(writing, [row.game_id])


def _said(result: ReadResult) -> dict[str, Any]:
    """Return a result's facts for its row."""
    return {
        "content": result.content,
        "evening": result.evening,
        "round": result.round,
        "game": result.game or None,
        "seats": [seat.facts() for seat in result.seats],
    }
