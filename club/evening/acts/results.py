"""Enters results by hand, and decides about results from tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, select, update

from club.evening.acts.shared import (
    Person,
    act,
    follow,
    last_round,
    person_number,
    require_evening,
)
from club.evening.acts.tables import table_of_club
from club.evening.errors import ActError
from club.evening.results import EveningNow, keyings
from club.judging.settling import settle
from club.store import live
from club.store.database import Writing
from club.store.schema import acts, results
from pi_app.link.contract import GameId, RevisionNumber, TableId
from pi_app.wire.messages import Count


@act("result", "result of round {round} keyed", undoable=True)
def key_result(writing: Writing, round_: Count, places: dict[str, Any]) -> None:
    """Enter a group's result by hand; it overrides results that a table sends later."""
    paired = _round_of(writing, require_evening(writing), round_)
    _count(writing, paired, *_read_places(paired, places))


def _round_of(writing: Writing, evening: live.EveningRow, number: int) -> live.RoundRow:
    paired = live.rounds_of(writing.connection, evening.id)
    row = next((each for each in paired if each.number == number), None)
    if row is None:
        raise ActError("no-round", n=number)
    return row


def _read_places(
    paired: live.RoundRow, said: Mapping[str, Any]
) -> tuple[live.GroupRow, dict[str, int]]:
    """Return the group of these places, and each person's place; ActError if they do not fit."""
    places = {person_number(str(p)): place for p, place in said.items()}
    group = next((g for g in paired.groups if set(g.seats) == set(places)), None)
    if group is None:
        raise ActError("not-together", n=paired.number)
    for p, place in places.items():
        if type(place) is not int or not 1 <= place <= len(places):
            raise ActError("rank", p=p, n=len(places))
    # after a shared place people go on without a gap, tables with one: both mean the same
    given = {p: 1 + sum(other < place for other in places.values()) for p, place in places.items()}
    return group, given


def _count(
    writing: Writing,
    paired: live.RoundRow,
    group: live.GroupRow,
    given: Mapping[str, int],
    **facts: str,
) -> None:
    """Store a group's places as its result."""
    known = {"evening": paired.evening, "round": paired.number, "game": group.game}
    writing.act("result", **known, seats=group.seats, ranks=given, **facts)
    follow(writing, paired.evening)


# --- results keyed by a group's people on a phone


@act("report", "{name} has keyed the result of round {round}", by_anybody=True)
def report_result(writing: Writing, p: Person, places: dict[str, Any]) -> None:
    """Note a result that a person reports for their group; it counts once another confirms it."""
    paired, group = _own_group(writing, p)
    of_places, given = _read_places(paired, places)
    if of_places != group:
        raise ActError("not-together", n=paired.number)
    facts = {"evening": paired.evening, "round": paired.number, "ranks": given}
    writing.act("report", p=person_number(p), **facts)


@act("agree", "result of round {round} keyed", by_anybody=True)
def agree(writing: Writing, p: Person) -> None:
    """Confirm the result that another person of the group reported on another device."""
    paired, group = _own_group(writing, p)
    keyed = keyings(writing.connection, paired).get(frozenset(group.seats))
    if not keyed or keyed[-1].kind != "report":
        raise ActError("no-report")
    report = keyed[-1]
    other, by = person_number(p), str(report.facts["p"])
    if other == by or writing.who == report.who:
        raise ActError("own-report")
    _count(writing, paired, group, report.facts["ranks"], p=by, confirmed=other)


def _own_group(writing: Writing, p: str) -> tuple[live.RoundRow, live.GroupRow]:
    """Return the round and group in which this person lacks a result; ActError if none."""
    evening = require_evening(writing)
    paired = last_round(writing, evening)
    if not paired.given:
        raise ActError("no-rounds")
    p = person_number(p)
    group = next((each for each in paired.groups if p in each.seats), None)
    if group is None:
        raise ActError("not-in-round", p=p, n=paired.number)
    if frozenset(group.seats) in EveningNow(writing.connection, evening).ranks(paired.number):
        raise ActError("has-result")
    return paired, group


@act("reject", "result of round {round} refused", undoable=True)
def reject_result(writing: Writing, act_: Count) -> None:
    """Remove the result that this act entered, unless the next round is already paired."""
    evening = require_evening(writing)
    keyed_by = {
        each.id: each for each in live.acts_of(writing.connection, "result", after=evening.act)
    }
    keying = keyed_by.get(act_)
    if keying is None:
        raise ActError("no-keyed", act=act_)
    number, ranks = keying.facts["round"], keying.facts["ranks"]
    last = live.current_round(writing.connection, evening)
    if last is not None and last.number > number:
        raise ActError("over")
    # also takes the report back, so that the group keys anew
    paired = _round_of(writing, evening, number)
    keyed = keyings(writing.connection, paired)[frozenset(ranks)]
    gone = [keying.id, *[each.id for each in keyed if each.kind == "report"][-1:]]
    number = writing.act("reject", evening=evening.id, round=number, ranks=ranks)
    writing.connection.execute(update(acts).where(acts.c.id.in_(gone)).values(undone=number))
    follow(writing, evening.id)


@act("accept", "a result accepted", undoable=True)
def accept(
    writing: Writing, game_id: GameId, revision: RevisionNumber, id_: Count | None = None
) -> None:
    """Make a proposal count; it overrides every revision of its game.

    `id` chooses among several contents of the same revision.
    """
    rows = [
        row for row in _of_revision(writing, game_id, revision, id_) if row.verdict != "counted"
    ]
    if not rows:
        raise ActError("no-proposal", game_id=game_id, revision=revision)
    _decide(writing, "accept", rows[0])


@act("refuse", "a result left out", undoable=True)
def refuse(
    writing: Writing, game_id: GameId, revision: RevisionNumber, id_: Count | None = None
) -> None:
    """Refuse a proposal; if its game counts, leave out all its revisions until one is accepted."""
    rows = _of_revision(writing, game_id, revision, id_)
    _decide(writing, "refuse", min(rows, key=lambda row: row.verdict == "counted"))


def _of_revision(
    writing: Writing, game_id: str, revision: int, chosen: int | None
) -> Sequence[Row[Any]]:
    """Return the contents of a revision, the newest first."""
    query = select(results).where(results.c.game_id == game_id, results.c.revision == revision)
    if chosen is not None:
        query = query.where(results.c.id == chosen)
    rows = writing.connection.execute(query.order_by(results.c.id.desc())).all()
    if not rows:
        raise ActError("no-result", game_id=game_id, revision=revision)
    return rows


def _decide(writing: Writing, kind: str, row: Row[Any]) -> None:
    known = {"game_id": row.game_id, "revision": row.revision, "round": row.round}
    writing.act(kind, result=row.id, **known)
    settle(writing, [row.game_id])


@act("move", "a game given to {table}", undoable=True)
def move_game(writing: Writing, game_id: GameId, table: TableId) -> None:
    """Give a game to another table, for instance after the table joined again."""
    known = select(results.c.id).where(results.c.game_id == game_id).limit(1)
    if writing.connection.scalar(known) is None:
        raise ActError("no-game-sent", game_id=game_id)
    table_of_club(writing, table)
    writing.act("move", game_id=game_id, table=table)
    settle(writing, [game_id])
