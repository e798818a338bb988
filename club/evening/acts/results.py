"""Keys results, and decides about those that tables have sent."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Row, select

from club.evening.acts.shared import follow, person_number, require_evening
from club.evening.acts.tables import table_of_club
from club.evening.errors import ActError
from club.judging.settling import settle
from club.store.database import Writing
from club.store.live import rounds_of
from club.store.schema import decisions, keyed, moves, results
from pi_app.link.contract import GameId, RevisionNumber, TableId
from pi_app.wire.messages import Count, Message


class KeyedResult(Message):
    round: Count
    places: dict[str, Any]


def key_result(writing: Writing, who: str, asked: KeyedResult) -> None:
    """Key the result of a table by hand; it stands above all that a table sends later."""
    evening = require_evening(writing)
    number = asked.round
    row = next((r for r in rounds_of(writing.connection, evening.id) if r.number == number), None)
    if row is None:
        raise ActError("no-round", n=number)
    places = {person_number(str(p)): place for p, place in asked.places.items()}
    group = next((g for g in row.groups if set(g.seats) == set(places)), None)
    if group is None:
        raise ActError("not-together", n=number)
    for p, place in places.items():
        if type(place) is not int or not 1 <= place <= len(places):
            raise ActError("rank", p=p, n=len(places))
    # people count places on, tables leave gaps after those who share one: both mean the same
    given = {p: 1 + sum(other < place for other in places.values()) for p, place in places.items()}
    act = writing.act(who, "result", evening=evening.id, round=number, ranks=given)
    writing.add(
        keyed,
        act=act,
        evening=evening.id,
        round=number,
        game=group.game,
        ranks=json.dumps([(p, given[p]) for p in group.seats]),
    )
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
