"""What the organiser does: each act is noted, and can be taken back."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Row, select, update

from club.evening.results import counted_results, paired_rounds
from club.evening.seating import issue_seats, reissue
from club.judging.settling import settle, settle_evening
from club.pairing.model import Mode, PairingError, PairingRequest
from club.pairing.pair import pair
from club.store.database import Writing
from club.store.live import (
    EveningRow,
    RoundRow,
    active_tables,
    current_evening,
    people_now,
    rounds_of,
)
from club.store.schema import (
    acts,
    decisions,
    evenings,
    events,
    groups,
    keyed,
    people,
    rounds,
    stores,
    tables,
)

UNDOABLE = (
    "evening",
    "people",
    "leave",
    "arrive",
    "pair",
    "result",
    "accept",
    "refuse",
    "close",
    "add-table",
    "remove-table",
    "rebuilt",
    "clock",
)
"""Acts that `undo` takes back, the last one first."""
OF_ROUNDS = ("evening", "pair", "close", "rebuilt")
"""Acts after which another round than before is the current one."""


class ActError(Exception):
    """An act that is not possible now: a code and facts, no sentence.

    Codes: `no-evening`, `no-round` (n), `no-rounds`, `no-person` (p), `new-person` (p), `nobody`,
    `not-together`, `rank` (p), `no-event` (store, seq), `no-proposal` (store, seq), `unreadable`
    (store, seq), `nothing`, `no-table` (table), `no-tables`, `pairing` (error).
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: Mapping[str, object] = facts


@dataclass(frozen=True, slots=True)
class Registered:
    """Somebody in a list of people."""

    p: str
    name: str
    present: bool


def _follow(writing: Writing, evening: str | None) -> None:
    """Bring up to date what follows from an act."""
    settle_evening(writing, evening)
    issue_seats(writing)


def _open(writing: Writing) -> EveningRow:
    evening = current_evening(writing.connection)
    if evening is None:
        raise ActError("no-evening")
    return evening


def open_evening(
    writing: Writing,
    who: str,
    games: Sequence[str],
    mode: Mode,
    *,
    per_table: int,
    planned: int = 0,
    rules: str = "",
    known_as: str = "",
) -> str:
    """Begin an evening and return its id."""
    evening = known_as or _word()
    act = writing.act(who, "evening", evening=evening, games=list(games), mode=mode)
    _add_evening(writing, evening, act, games, mode, per_table, planned, rules)
    _follow(writing, evening)
    return evening


def _add_evening(
    writing: Writing,
    evening: str,
    act: int,
    games: Sequence[str],
    mode: str,
    per_table: int,
    planned: int,
    rules: str,
) -> None:
    writing.connection.execute(evenings.delete().where(evenings.c.id == evening))
    writing.connection.execute(
        evenings.insert().values(
            id=evening,
            act=act,
            games=json.dumps(list(games)),
            mode=mode,
            per_table=per_table,
            rounds=planned,
            rules=rules,
        )
    )


def _word() -> str:
    """Return a short random id that can be read out."""
    return "e" + "".join(secrets.choice("23456789abcdefghjkmnpqrstuvwxyz") for _ in range(5))


def register(writing: Writing, who: str, listed: Sequence[Registered]) -> None:
    """Take in a list of people: new ones, and what is said anew of others."""
    if not listed:
        raise ActError("nobody")
    act = writing.act(who, "people", people=[person.p for person in listed])
    for person in listed:
        writing.add(people, act=act, p=person.p, name=person.name, present=person.present)
    _follow_people(writing)


def _follow_people(writing: Writing) -> None:
    evening = current_evening(writing.connection)
    free = writing.connection.scalars(
        select(events.c.game_id)
        .where(events.c.kind == "result", events.c.round.is_(None), events.c.game_id.is_not(None))
        .where(events.c.here == (evening.id if evening else None))
        .distinct()
    )
    settle(writing, list(free))
    _follow(writing, evening.id if evening else None)


def set_presence(
    writing: Writing, who: str, p: str, *, present: bool, name: str | None = None
) -> None:
    """Note that somebody has left, or has come; with a `name` they may be new."""
    if name is None and p not in people_now(writing.connection):
        raise ActError("new-person" if present else "no-person", p=p)
    act = writing.act(who, "arrive" if present else "leave", p=p)
    writing.add(people, act=act, p=p, name=name, present=present)
    if name is not None:
        _follow_people(writing)


def pair_next(writing: Writing, who: str) -> RoundRow:
    """Pair the next round from who is there and what was played, and give it to the tables."""
    evening = _open(writing)
    connection = writing.connection
    history = paired_rounds(connection, evening.id)
    present = tuple(p.p for p in people_now(connection).values() if p.present)
    mode: Mode = evening.mode  # type: ignore[assignment]  # only these were stored
    request = PairingRequest(
        number=max((each.number for each in history), default=0) + 1,
        people=present,
        history=history,
        results=tuple(result.played for result in counted_results(connection, evening)),
        per_table=evening.per_table,
        rounds=evening.rounds,
        games=evening.games,
        seed=evening.id,
        roster=tuple(people_now(connection)),
    )
    try:
        paired = pair(mode, request)
    except PairingError as error:
        why = PairingError(error.code, **{"round": request.number, **error.facts})
        raise ActError("pairing", error=why) from error
    act = writing.act(who, "pair", evening=evening.id, round=paired.number)
    places = _places(writing, len(paired.tables))
    add_round(
        writing,
        act,
        evening.id,
        paired.number,
        [
            (place, table.game or evening.games[0], evening.rules, None, table.people)
            for place, table in zip(places, paired.tables, strict=True)
        ],
        paired.byes,
    )
    _follow(writing, evening.id)
    return rounds_of(connection, evening.id)[-1]


def _places(writing: Writing, wanted: int) -> list[str | None]:
    """Return tables for this many groups: those that are connected first, None where none is."""
    connected = set(writing.connection.scalars(select(tables.c.id).where(tables.c.online)))
    joined = active_tables(writing.connection)
    chosen = sorted(joined, key=lambda table: table not in connected)[:wanted]
    chosen.sort(key=joined.index)
    return [*chosen, *[None] * (wanted - len(chosen))]


GroupFields = tuple[str | None, str, str, str | None, Sequence[str]]
"""A group's table, game, rules, board and people."""


def add_round(
    writing: Writing,
    act: int,
    evening: str,
    number: int,
    seated: Sequence[GroupFields],
    byes: Sequence[str],
) -> None:
    """Add a round with its groups."""
    era, rev = writing.next_pair()
    round_id = writing.add(
        rounds,
        act=act,
        evening=evening,
        number=number,
        era=era,
        rev=rev,
        byes=json.dumps(list(byes)),
    )
    for place, (table, game, rules, board, seats) in enumerate(seated, 1):
        writing.add(
            groups,
            round_id=round_id,
            place=place,
            table_id=table,
            game=game,
            rules=rules,
            board=board,
            seats=json.dumps(list(seats)),
        )


def key_result(writing: Writing, who: str, number: int, ranks: Mapping[str, int]) -> None:
    """Key the result of a table by hand; it stands above all that a table sends later."""
    evening = _open(writing)
    row = next((r for r in rounds_of(writing.connection, evening.id) if r.number == number), None)
    if row is None:
        raise ActError("no-round", n=number)
    group = next((g for g in row.groups if set(g.seats) == set(ranks)), None)
    if group is None:
        raise ActError("not-together", n=number)
    for p, rank in ranks.items():
        if not 1 <= rank <= len(ranks):
            raise ActError("rank", p=p, n=len(ranks))
    # people count places on, tables leave gaps after those who share one: both mean the same
    given = {p: 1 + sum(other < rank for other in ranks.values()) for p, rank in ranks.items()}
    act = writing.act(who, "result", evening=evening.id, round=number, ranks=given)
    in_order = [(p, given[p]) for p in group.seats]
    writing.add(
        keyed,
        act=act,
        evening=evening.id,
        round=number,
        game=group.game,
        ranks=json.dumps(in_order),
    )
    _follow(writing, evening.id)


def decide(writing: Writing, who: str, store: str, seq: int, *, accepted: bool) -> None:
    """Accept or refuse a proposal; it stands above every revision.

    A result that counts can be refused too: its game is left out with all its revisions, and comes
    back when it is accepted.
    """
    row = writing.connection.execute(
        select(events).where(events.c.store == store, events.c.seq == seq)
    ).first()
    if row is None:
        raise ActError("no-event", store=store, seq=seq)
    if row.why is None and (accepted or not row.counted):
        raise ActError("no-proposal", store=store, seq=seq)
    if row.game_id is None and accepted:
        raise ActError("unreadable", store=store, seq=seq)
    act = writing.act(
        who, "accept" if accepted else "refuse", store=store, seq=seq, game_id=row.game_id
    )
    for event in _of_game(writing, row) if row.counted else [row.id]:
        writing.add(decisions, act=act, event_id=event, game_id=row.game_id, accepted=accepted)
    if row.game_id is not None:
        settle(writing, [row.game_id])


def _of_game(writing: Writing, counted: Row[tuple[object, ...]]) -> list[int]:
    """Return the events of a game that would count without the one that does, and that one."""
    rows = writing.connection.scalars(
        select(events.c.id)
        .where(events.c.game_id == counted.game_id, events.c.why.is_(None))
        .order_by(events.c.id)
    )
    return list(rows)


def close_evening(writing: Writing, who: str) -> str:
    """Close the evening and return its id; tables may forget what they have sent."""
    evening = _open(writing)
    upto = {
        row.id: row.upto for row in writing.connection.execute(select(stores.c.id, stores.c.upto))
    }
    act = writing.act(who, "close", evening=evening.id, stores=upto)
    writing.connection.execute(
        update(evenings).where(evenings.c.id == evening.id).values(closed=act)
    )
    _follow(writing, evening.id)
    return evening.id


def undo(writing: Writing, who: str) -> Row[tuple[object, ...]]:
    """Take the last act back that can be, and return it."""
    connection = writing.connection
    act = connection.execute(
        select(acts)
        .where(acts.c.kind.in_(UNDOABLE), acts.c.undone.is_(None))
        .order_by(acts.c.id.desc())
        .limit(1)
    ).first()
    if act is None:
        raise ActError("nothing")
    facts = json.loads(act.facts)
    number = writing.act(who, "undo", act=act.id, undid=act.kind)
    connection.execute(update(acts).where(acts.c.id == act.id).values(undone=number))
    if facts.get("game_id"):
        settle(writing, [facts["game_id"]])
    if act.kind == "people":
        _follow_people(writing)
    current = current_evening(connection)
    for evening in {facts.get("evening"), current.id if current else None}:
        settle_evening(writing, evening)
    issue_seats(writing)
    if act.kind in OF_ROUNDS:
        reissue(writing)  # also where no table is: pages and televisions follow the pair too
    return act
