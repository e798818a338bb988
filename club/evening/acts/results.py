"""Keys results, and decides about those that tables have sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row, select, update

from club.evening.acts.people import OnePerson
from club.evening.acts.shared import Person, follow, person_number, require_evening
from club.evening.acts.tables import table_of_club
from club.evening.errors import ActError
from club.evening.results import counted_results, ranks_of, reports_of
from club.judging.settling import settle
from club.store.database import Writing
from club.store.live import (
    EveningRow,
    GroupRow,
    RoundRow,
    acts_of,
    current_round,
    rounds_of,
)
from club.store.schema import acts, decisions, keyed, moves, results
from pi_app.link.contract import GameId, RevisionNumber, TableId
from pi_app.wire.messages import Count, Message


class KeyedResult(Message):
    round: Count
    places: dict[str, Any]


def key_result(writing: Writing, who: str, asked: KeyedResult) -> None:
    """Key the result of a table by hand; it stands above all that a table sends later."""
    evening = require_evening(writing)
    paired = _round_of(writing, evening, asked.round)
    _count(writing, who, paired, *_read_places(paired, asked.places))


def _round_of(writing: Writing, evening: EveningRow, number: int) -> RoundRow:
    paired = rounds_of(writing.connection, evening.id)
    row = next((each for each in paired if each.number == number), None)
    if row is None:
        raise ActError("no-round", n=number)
    return row


def _read_places(paired: RoundRow, said: Mapping[str, Any]) -> tuple[GroupRow, dict[str, int]]:
    """Return the group that these places are of, and each person's; ActError."""
    places = {person_number(str(p)): place for p, place in said.items()}
    group = next((g for g in paired.groups if set(g.seats) == set(places)), None)
    if group is None:
        raise ActError("not-together", n=paired.number)
    for p, place in places.items():
        if type(place) is not int or not 1 <= place <= len(places):
            raise ActError("rank", p=p, n=len(places))
    # people count places on, tables leave gaps after those who share one: both mean the same
    given = {p: 1 + sum(other < place for other in places.values()) for p, place in places.items()}
    return group, given


def _count(
    writing: Writing,
    who: str,
    paired: RoundRow,
    group: GroupRow,
    given: Mapping[str, int],
    **facts: str,
) -> None:
    """Let the places of a group count."""
    known = {"evening": paired.evening, "round": paired.number, "ranks": given}
    act = writing.act(who, "result", **known, **facts)
    writing.add(
        keyed,
        act=act,
        evening=paired.evening,
        round=paired.number,
        game=group.game,
        ranks=json.dumps([(p, given[p]) for p in group.seats]),
    )
    follow(writing, paired.evening)


# --- results that the people of a group key on a phone


class OwnResult(Message):
    """The places of one's own group, keyed by one of it."""

    p: Person
    places: dict[str, Any]


def report_result(writing: Writing, who: str, asked: OwnResult) -> None:
    """Note what somebody says of their own group; it counts once another one confirms it."""
    paired, group = _own_group(writing, asked.p)
    of_places, given = _read_places(paired, asked.places)
    if of_places != group:
        raise ActError("not-together", n=paired.number)
    facts = {"evening": paired.evening, "round": paired.number, "ranks": given}
    writing.act(who, "report", p=person_number(asked.p), **facts)


def agree(writing: Writing, who: str, asked: OnePerson) -> None:
    """Confirm what another person of the group has keyed, on another device."""
    paired, group = _own_group(writing, asked.p)
    report = reports_of(writing.connection, paired).get(frozenset(group.seats))
    if report is None:
        raise ActError("no-report")
    p, by = person_number(asked.p), str(report.facts["p"])
    if p == by or who == report.who:
        raise ActError("own-report")
    _count(writing, who, paired, group, report.facts["ranks"], p=by, confirmed=p)


def _own_group(writing: Writing, p: str) -> tuple[RoundRow, GroupRow]:
    """Return the round and the group in which this person still has no result; ActError if none."""
    evening = require_evening(writing)
    paired = current_round(writing.connection, evening)
    if paired is None or not paired.given:
        raise ActError("no-rounds")
    p = person_number(p)
    group = next((each for each in paired.groups if p in each.seats), None)
    if group is None:
        raise ActError("not-in-round", p=p, n=paired.number)
    counted = counted_results(writing.connection, evening)
    if frozenset(group.seats) in ranks_of(paired.number, counted):
        raise ActError("has-result")
    return paired, group


class KeyedAct(Message):
    """The act by which a result was keyed."""

    act: Count


def reject_result(writing: Writing, who: str, asked: KeyedAct) -> None:
    """Take a keyed result out again, while the next round is not paired."""
    evening = require_evening(writing)
    keyed_by = {act.id: act for act in acts_of(writing.connection, "result", after=evening.act)}
    act = keyed_by.get(asked.act)
    if act is None:
        raise ActError("no-keyed", act=asked.act)
    last = current_round(writing.connection, evening)
    if last is not None and last.number > act.facts["round"]:
        raise ActError("over")
    # with the report behind it, so that the group keys anew
    paired = _round_of(writing, evening, act.facts["round"])
    report = reports_of(writing.connection, paired, counted=True).get(frozenset(act.facts["ranks"]))
    gone = [act.id, *([report.id] if report else [])]
    facts = {"evening": evening.id, "round": act.facts["round"], "ranks": act.facts["ranks"]}
    number = writing.act(who, "reject", **facts)
    writing.connection.execute(update(acts).where(acts.c.id.in_(gone)).values(undone=number))
    follow(writing, evening.id)


class Proposal(Message):
    """A revision of a game; `id` says which of several contents of it."""

    game_id: GameId
    revision: RevisionNumber
    id: Count | None = None


def accept(writing: Writing, who: str, asked: Proposal) -> None:
    """Let a proposal count; it stands above every revision of its game."""
    rows = [row for row in _of_revision(writing, asked) if row.verdict != "counted"]
    if not rows:
        raise ActError("no-proposal", game_id=asked.game_id, revision=asked.revision)
    _decide(writing, who, rows[0], accepted=True)


def refuse(writing: Writing, who: str, asked: Proposal) -> None:
    """Refuse a proposal; of a game that counts, leave out all revisions until it is accepted."""
    rows = _of_revision(writing, asked)
    _decide(writing, who, min(rows, key=lambda row: row.verdict == "counted"), accepted=False)


def _of_revision(writing: Writing, asked: Proposal) -> list[Row[Any]]:
    """Return the contents of a revision, the newest first."""
    query = select(results).where(
        results.c.game_id == asked.game_id, results.c.revision == asked.revision
    )
    if asked.id is not None:
        query = query.where(results.c.id == asked.id)
    rows = writing.connection.execute(query.order_by(results.c.id.desc())).all()
    if not rows:
        raise ActError("no-result", game_id=asked.game_id, revision=asked.revision)
    return list(rows)


def _decide(writing: Writing, who: str, row: Row[Any], *, accepted: bool) -> None:
    kind = "accept" if accepted else "refuse"
    act = writing.act(who, kind, game_id=row.game_id, revision=row.revision, round=row.round)
    writing.add(decisions, act=act, result_id=row.id, game_id=row.game_id, accepted=accepted)
    settle(writing, [row.game_id])


class MovedGame(Message):
    game_id: GameId
    table: TableId


def move_game(writing: Writing, who: str, asked: MovedGame) -> None:
    """Give a game to another table, as after a table joined under a new name."""
    known = select(results.c.id).where(results.c.game_id == asked.game_id).limit(1)
    if writing.connection.scalar(known) is None:
        raise ActError("no-game-sent", game_id=asked.game_id)
    table_of_club(writing, asked.table)
    act = writing.act(who, "move", game_id=asked.game_id, table=asked.table)
    writing.add(moves, act=act, game_id=asked.game_id, table_id=asked.table)
    settle(writing, [asked.game_id])
