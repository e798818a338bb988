"""Judges results of the database anew and notes the verdicts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Row, bindparam, or_, select, tuple_, update

from club.judging.verdicts import (
    JudgingFacts,
    RoundFacts,
    RoundKey,
    Ruling,
    SentResult,
    judge,
)
from club.store.database import Writing
from club.store.live import acts_of, all_evenings, rounds_of
from club.store.schema import results

_COLUMNS = [column for column in results.c if column.name != "payload"]


def settle(writing: Writing, games: Collection[str]) -> None:
    """Judge these games again, and those of the same rounds."""
    connection = writing.connection
    rows = _rows_of_games(connection, games)
    in_rounds = {(row.evening, row.round) for row in rows if row.round is not None}
    others = _games_of_rounds(connection, in_rounds) - set(games)
    rows += _rows_of_games(connection, others)
    if not rows:
        return
    sent = [_sent(row) for row in rows]
    verdicts, _ = judge(sent, judging_facts(connection, sent))
    changed = [
        {"row": row.id, "verdict_now": verdicts[row.id].verdict, "why_now": verdicts[row.id].why}
        for row in rows
        if Ruling(row.verdict, row.why) != verdicts[row.id]
    ]
    if changed:
        connection.execute(
            update(results)
            .where(results.c.id == bindparam("row"))
            .values(
                verdict=bindparam("verdict_now"), why=bindparam("why_now"), tick=writing.tick()
            ),
            changed,
        )


def settle_evening(writing: Writing, evening: str | None) -> None:
    """Judge results that an act on an evening may affect: of its rounds, or waiting for one."""
    waiting = results.c.why.in_(("unknown-round", "not-seated"))
    of_evening = results.c.evening == evening
    rows = writing.connection.scalars(
        select(results.c.game_id).where(or_(waiting, of_evening)).distinct()
    )
    settle(writing, list(rows))


def keyed_that_count(connection: Connection, evening: str) -> frozenset[int]:
    """Return the acts of an evening's keyed results, except those replaced by a table's result."""
    of_rounds = (results.c.evening == evening) & results.c.round.is_not(None)
    games = set(connection.scalars(select(results.c.game_id).where(of_rounds)))
    sent = [_sent(row) for row in _rows_of_games(connection, games)]
    facts = judging_facts(connection, sent, {evening})
    return judge(sent, facts)[1]


def _rows_of_games(connection: Connection, games: Collection[str]) -> list[Row[Any]]:
    query = select(*_COLUMNS).where(results.c.game_id.in_(list(games)))
    return list(connection.execute(query))


def _games_of_rounds(connection: Connection, keys: Collection[RoundKey]) -> set[str]:
    of_round = tuple_(results.c.evening, results.c.round)
    return set(connection.scalars(select(results.c.game_id).where(of_round.in_(list(keys)))))


def _sent(row: Row[Any]) -> SentResult:
    return SentResult(
        id=row.id,
        table=row.table_id,
        game_id=row.game_id,
        revision=row.revision,
        content=row.content,
        after_act=row.after_act,
        withdrawn=row.withdrawn,
        fault=row.fault,
        round=(row.evening, row.round) if row.round is not None else None,
        evening=row.evening,
        game=row.game or "",
        ranks=tuple((seat["p"], seat["rank"]) for seat in row.seats or () if seat["p"] is not None),
    )


def judging_facts(
    connection: Connection, sent: Collection[SentResult], also: Collection[str] = ()
) -> JudgingFacts:
    """Return the facts for judging these results, and keyed results of the evenings `also`."""
    wanted = {each.evening for each in sent if each.evening} | set(also)
    known = {row.id: row for row in all_evenings(connection)}
    closed = {name: row.closed for name, row in known.items() if row.closed is not None}
    found_rounds: dict[RoundKey, RoundFacts] = {}
    for evening in wanted & known.keys():
        paired = rounds_of(connection, evening)
        for one in paired:
            locks = [other.act for other in paired if other.number > one.number]
            locks += [closed[evening]] if evening in closed else []
            found_rounds[evening, one.number] = RoundFacts(one.groups, min(locks, default=None))
    games = {each.game_id for each in sent}
    begun = min((known[each].act for each in wanted & known.keys()), default=0)
    keyed = acts_of(connection, "result", after=begun)
    decided = acts_of(connection, "accept", "refuse", "move")
    return JudgingFacts(
        found_rounds,
        [act for act in keyed if act.facts["evening"] in wanted],
        [act for act in decided if act.facts["game_id"] in games],
        closed,
    )
