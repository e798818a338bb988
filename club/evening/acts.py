"""What the organiser does, as one list: each act is noted, and most can be taken back.

The page posts them and `beisitzer club do` carries them out; what an act would change is found by
doing it and rolling back.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from sqlalchemy import Row, select, update

from club.evening import members
from club.evening.announcements import MOST_MINUTES, announce, set_clock
from club.evening.errors import ActError
from club.evening.forgetting import forget
from club.evening.passwords import new_password, set_password
from club.evening.results import (
    counted_results,
    paired_rounds,
    ranks_of,
    standing_lines,
)
from club.evening.seating import add_round, issue_seats, seats_json
from club.evening.sheet import NO, YES
from club.evening.taking_in import take_in_evening
from club.judging.settling import settle, settle_evening
from club.pairing.model import Mode, PairingError, PairingRequest
from club.pairing.pair import pair
from club.pairing.standings import standing_changes
from club.store.database import ClubDatabase, Writing
from club.store.identity import place_of
from club.store.live import (
    EveningRow,
    RoundRow,
    active_tables,
    all_evenings,
    current_evening,
    current_round,
    live,
    people_now,
    rounds_of,
)
from club.store.schema import (
    acts,
    decisions,
    evenings,
    groups,
    keyed,
    moves,
    people,
    results,
    rounds,
    tables,
)
from engines.games import GAMES
from pi_app.link.contract import GameId, RevisionNumber, TableId, person
from pi_app.system.spreadsheet import CsvError, parse_csv
from pi_app.wire.messages import Count, Items, Message, MessageError, String, Whole

ActFacts = Mapping[str, Any]
Person = Annotated[str, String(16, r"[pP]?[0-9]{1,9}")]
MOST_PEOPLE = 1000


# --- what is asked for


class Nothing(Message):
    """An act without facts."""


class NewEvening(Message):
    """Begin an evening; with its id a lost one is made anew."""

    games: Annotated[tuple[Annotated[str, String(64)], ...], Items(50, 1)]
    mode: Literal["free", "round-robin", "swiss", "tables"] = "tables"
    per_table: Annotated[int, Whole(2, 4)] | None = None
    title: Annotated[str, String(80, cut=True)] = ""
    rounds: Annotated[int, Whole(0, 1000)] = 0
    rules: Annotated[str, String(200, cut=True)] = ""
    evening: Annotated[str, String(40, r"[!-~]{1,40}")] | None = None


class ListedPerson(Message):
    """Somebody in a list; without `p` somebody new, without the others as before."""

    p: Person | None = None
    name: Annotated[str, String(40, cut=True)] | None = None
    present: bool | None = None


class PeopleList(Message):
    people: Annotated[tuple[ListedPerson, ...], Items(MOST_PEOPLE, 1)]


class CsvList(Message):
    """A list of people from a spreadsheet, and the name of its file."""

    csv: Annotated[str, String(1_000_000, raw=True)]
    name: Annotated[str, String(40, cut=True)] = "CSV"


class PairNext(Message):
    """Pair a round, the next one without a number; `anyway`: though tables have results left."""

    round: Count | None = None
    give: bool = True
    anyway: bool = False


class Swap(Message):
    a: Person
    b: Person


class KeyedResult(Message):
    round: Count
    places: dict[str, Any]


class Proposal(Message):
    """A revision of a game; `id` says which of several contents of it."""

    game_id: GameId
    revision: RevisionNumber
    id: Count | None = None


class MovedGame(Message):
    game_id: GameId
    table: TableId


class OnePerson(Message):
    p: Person


class Arrival(Message):
    """Somebody is there; with a name they may be new."""

    p: Person
    name: Annotated[str, String(40, cut=True)] | None = None


class OneTable(Message):
    table: TableId


class Announced(Message):
    text: Annotated[str, String(200, r"(?s).*\S.*", cut=True)]
    for_s: Annotated[int, Whole(1, 24 * 3600)] = 600
    table: TableId | None = None


class Closing(Message):
    anyway: bool = False


class ClockTime(Message):
    minutes: Annotated[int, Whole(0, MOST_MINUTES)]


class Switched(Message):
    on: bool


class Exported(Message):
    """A `club export` of a hub of before."""

    export: dict[str, Any]


# --- what every act shares


@dataclass(frozen=True, slots=True)
class OrganiserAct:
    """An act: the message that it needs, and what does it and returns what is printed."""

    asked: type[Message]
    do: Callable[[Writing, str, Any], ActFacts | None]
    undoable: bool = False


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


def _follow(writing: Writing, evening: str | None) -> None:
    """Bring up to date what follows from an act."""
    settle_evening(writing, evening)
    issue_seats(writing)


def _open(writing: Writing) -> EveningRow:
    evening = current_evening(writing.connection)
    if evening is None:
        raise ActError("no-evening")
    return evening


def _known(keyed_as: str) -> str:
    return person(keyed_as) or keyed_as


# --- evenings and people


def open_evening(writing: Writing, who: str, asked: NewEvening) -> ActFacts:
    for game in asked.games:
        if game not in GAMES:
            raise ActError("no-game", game=game, games=", ".join(GAMES))
    evening = asked.evening or "e" + "".join(secrets.choice(members.LETTERS) for _ in range(5))
    if evening in {row.id for row in all_evenings(writing.connection)}:
        raise ActError("known-evening", evening=evening)
    games = list(dict.fromkeys(asked.games))
    act = writing.act(who, "evening", evening=evening, games=games, mode=asked.mode)
    writing.connection.execute(evenings.delete().where(evenings.c.id == evening))
    writing.connection.execute(
        evenings.insert().values(
            id=evening,
            act=act,
            games=json.dumps(games),
            mode=asked.mode,
            per_table=asked.per_table or (2 if asked.mode == "round-robin" else 4),
            rounds=asked.rounds,
            rules=asked.rules,
            title=asked.title,
        )
    )
    _follow(writing, evening)
    return {"evening": evening}


def register_people(writing: Writing, who: str, asked: PeopleList) -> ActFacts:
    """Take in a list of people: new ones, and what is said anew of others."""
    known = people_now(writing.connection)
    named = {_known(each.p) for each in asked.people if each.p}
    highest = max((int(p[1:]) for p in known.keys() | named), default=0)
    listed: dict[str, tuple[str | None, bool]] = {}
    for each in asked.people:
        if each.p is None:
            highest += 1
        p = _known(each.p) if each.p else f"p{highest}"
        if p in listed:
            raise ActError("twice", p=p)
        if each.p is None and not each.name:
            raise ActError("nobody")
        before = known[p].present if p in known else True
        listed[p] = (each.name, before if each.present is None else each.present)
    act = writing.act(who, "people", people=list(listed))
    for p, (name, present) in listed.items():
        writing.add(people, act=act, p=p, name=name, present=present)
    evening = current_evening(writing.connection)
    _follow(writing, evening.id if evening else None)
    return {"people": list(listed)}


def register_list(writing: Writing, who: str, asked: CsvList) -> ActFacts:
    """Take in a list of people as spreadsheets write it: columns `p`, `name` and `present`."""
    try:
        rows = parse_csv(asked.csv, ("p", "name", "present"), ("name",))
    except CsvError as error:
        raise ActError("list", error=error, list=asked.name) from error
    listed = []
    for row in rows:
        present = row.cells["present"].lower()
        if present not in YES | NO:
            raise ActError("bad", why=f"line {row.line}: present")
        facts = {"name": row.cells["name"] or None, "present": present in YES}
        listed.append({**facts, "p": row.cells["p"] or None})
    try:
        return register_people(writing, who, PeopleList.read({"people": listed}))
    except MessageError as error:
        raise ActError("bad", why=str(error)) from error


def leave(writing: Writing, who: str, asked: OnePerson) -> None:
    _set_presence(writing, who, _known(asked.p), present=False)


def arrive(writing: Writing, who: str, asked: Arrival) -> None:
    _set_presence(writing, who, _known(asked.p), present=True, name=asked.name)


def _set_presence(
    writing: Writing, who: str, p: str, *, present: bool, name: str | None = None
) -> None:
    if name is None and p not in people_now(writing.connection):
        raise ActError("new-person" if present else "no-person", p=p)
    act = writing.act(who, "arrive" if present else "leave", p=p)
    writing.add(people, act=act, p=p, name=name, present=present)
    issue_seats(writing)


def forget_name(writing: Writing, who: str, asked: OnePerson) -> None:
    forget(writing, who, _known(asked.p))


# --- rounds


def pair_next(writing: Writing, who: str, asked: PairNext) -> ActFacts:
    """Pair a round from who is there and what was played; asked for twice, it is one round."""
    evening = _open(writing)
    connection = writing.connection
    last = current_round(connection, evening)
    number = asked.round or (last.number + 1 if last else 1)
    if last is not None and number == last.number:
        if asked.give and not last.given:
            give_round(writing, who, Nothing())
        return round_facts(_last_round(writing, evening))
    if number != (last.number + 1 if last else 1):
        raise ActError("not-next", n=number, last=last.number if last else 0)
    _check_restored(writing, anyway=asked.anyway)
    history = paired_rounds(connection, evening.id)
    mode: Mode = evening.mode  # type: ignore[assignment]  # only these were stored
    everybody = people_now(connection)
    request = PairingRequest(
        number=number,
        people=tuple(each.p for each in everybody.values() if each.present),
        history=history,
        results=tuple(result.played for result in counted_results(connection, evening)),
        per_table=evening.per_table,
        rounds=evening.rounds,
        games=evening.games,
        seed=evening.id,
        roster=tuple(everybody),
    )
    try:
        paired = pair(mode, request)
    except PairingError as error:
        raise ActError("pairing", error=_of_round(error, number)) from error
    act = writing.act(who, "pair", evening=evening.id, round=number)
    places = _places(writing, len(paired.tables))
    add_round(
        writing,
        evening.id,
        number,
        act,
        act if asked.give else None,
        [
            (place, table.game or evening.games[0], evening.rules, table.people)
            for place, table in zip(places, paired.tables, strict=True)
        ],
        paired.byes,
    )
    _follow(writing, evening.id)
    return round_facts(_last_round(writing, evening))


def _of_round(error: PairingError, number: int) -> PairingError:
    return PairingError(error.code, **{"round": number, **error.facts})


def _check_restored(writing: Writing, *, anyway: bool) -> None:
    """Raise ActError if after a restore tables may still have results that only they have."""
    if anyway or not writing.get("restored"):
        return
    wanted = active_tables(writing.connection)
    rows = writing.connection.execute(select(tables.c.id, tables.c.empty_in))
    empty = {row.id for row in rows if row.empty_in == writing.get("era")}
    if missing := [table for table in wanted if table not in empty]:
        raise ActError("not-empty", tables=", ".join(missing))


def _last_round(writing: Writing, evening: EveningRow) -> RoundRow:
    return rounds_of(writing.connection, evening.id)[-1]


def _places(writing: Writing, wanted: int) -> list[str | None]:
    """Return tables for this many groups: those that are there first, None where none is."""
    rows = writing.connection.execute(select(tables.c.id, tables.c.heard))
    there = {row.id for row in rows if members.is_there(row.heard)}
    joined = active_tables(writing.connection)
    chosen = sorted(joined, key=lambda table: table not in there)[:wanted]
    chosen.sort(key=joined.index)
    return [*chosen, *[None] * (wanted - len(chosen))]


def round_facts(row: RoundRow) -> ActFacts:
    """Return a round as the export has it."""
    return {
        "round": row.number,
        "rev": row.rev,
        "tables": [
            {"table": group.table, "seats": seats_json(group.game, group.seats)}
            for group in row.groups
        ],
        "byes": list(row.byes),
    }


def give_round(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Give the last round out to the tables."""
    evening = _open(writing)
    last = current_round(writing.connection, evening)
    if last is None:
        raise ActError("no-rounds")
    if not last.given:
        act = writing.act(who, "give", evening=evening.id, round=last.number)
        writing.connection.execute(update(rounds).where(rounds.c.id == last.id).values(given=act))
        issue_seats(writing)
    return round_facts(_last_round(writing, evening))


def swap_people(writing: Writing, who: str, asked: Swap) -> ActFacts:
    """Let two people change places in a round that was not given out yet."""
    evening = _open(writing)
    last = current_round(writing.connection, evening)
    if last is None:
        raise ActError("no-rounds")
    if last.given:
        raise ActError("given", n=last.number)
    one, two = _known(asked.a), _known(asked.b)
    seated = {p for group in last.groups for p in group.seats} | set(last.byes)
    for p in (one, two):
        if p not in seated:
            raise ActError("not-in-round", p=p, n=last.number)
    writing.act(who, "swap", evening=evening.id, round=last.number, a=one, b=two, swapped=last.id)
    _exchange(writing, last.id, one, two)
    _follow(writing, evening.id)
    return round_facts(_last_round(writing, evening))


def _exchange(writing: Writing, round_id: int, one: str, two: str) -> None:
    """Let two people change places, at tables or among those who sit out."""
    other = {one: two, two: one}

    def changed(people: str) -> str:
        return json.dumps([other.get(p, p) for p in json.loads(people)])

    connection = writing.connection
    for row in connection.execute(select(groups).where(groups.c.round_id == round_id)).all():
        connection.execute(
            update(groups).where(groups.c.id == row.id).values(seats=changed(row.seats))
        )
    byes = connection.scalar(select(rounds.c.byes).where(rounds.c.id == round_id))
    connection.execute(
        update(rounds).where(rounds.c.id == round_id).values(byes=changed(byes or "[]"))
    )


# --- results


def key_result(writing: Writing, who: str, asked: KeyedResult) -> None:
    """Key the result of a table by hand; it stands above all that a table sends later."""
    evening = _open(writing)
    number = asked.round
    row = next((r for r in rounds_of(writing.connection, evening.id) if r.number == number), None)
    if row is None:
        raise ActError("no-round", n=number)
    places = {_known(str(p)): place for p, place in asked.places.items()}
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
    _follow(writing, evening.id)


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


def move_game(writing: Writing, who: str, asked: MovedGame) -> None:
    """Give a game to another table, as after a table joined under a new name."""
    known = select(results.c.id).where(results.c.game_id == asked.game_id).limit(1)
    if writing.connection.scalar(known) is None:
        raise ActError("no-game-sent", game_id=asked.game_id)
    _table(writing, asked.table)
    act = writing.act(who, "move", game_id=asked.game_id, table=asked.table)
    writing.add(moves, act=act, game_id=asked.game_id, table_id=asked.table)
    settle(writing, [asked.game_id])


# --- tables


def _table(writing: Writing, table: str) -> Row[Any]:
    removed = tables.c.removed.is_not(None) & live(tables.c.removed)
    query = select(tables).where(tables.c.id == table, live(tables.c.act), ~removed)
    row = writing.connection.execute(query).first()
    if row is None:
        raise ActError("no-table", table=table)
    return row


def add_table(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Add a table that is confirmed already; its token is shown only now."""
    table, token = members.new_id(writing), secrets.token_urlsafe(32)
    act = writing.act(who, "add-table", table=table)
    members.add(writing, table, act, token=members.hash_token(token), confirmed=act)
    issue_seats(writing)
    return members.access(writing.connection, table, token)


def open_code(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Let tables join with a code."""
    code = members.open_joining(writing)
    writing.act(who, "code")
    return {"code": code, "for_s": members.CODE_S, **place_of(writing.connection)}


def end_code(writing: Writing, who: str, _asked: Nothing) -> None:
    """Let no table join any more."""
    writing.put("join_code", "")
    writing.act(who, "end-code")


def confirm_table(writing: Writing, who: str, asked: OneTable) -> None:
    """Let a table in that has joined with a code."""
    _table(writing, asked.table)
    if asked.table not in active_tables(writing.connection):
        act = writing.act(who, "confirm", table=asked.table)
        members.note(writing, asked.table, confirmed=act)
        issue_seats(writing)


def remove_table(writing: Writing, who: str, asked: OneTable) -> None:
    """Take a table out of the club: its token is worth nothing any more, its results stay."""
    _table(writing, asked.table)
    act = writing.act(who, "remove-table", table=asked.table)
    members.note(writing, asked.table, removed=act)


def replace_machine(writing: Writing, who: str, asked: OneTable) -> None:
    """Let the other machine have a table's token."""
    row = _table(writing, asked.table)
    writing.act(who, "replace", table=asked.table)
    members.replace_machine(writing, row)


def say(writing: Writing, who: str, asked: Announced) -> None:
    announce(writing, who, asked.text, asked.for_s, asked.table)


# --- the end of an evening, and what was done wrongly


def close_evening(writing: Writing, who: str, asked: Closing) -> ActFacts:
    """Close the evening: its results are final."""
    evening = _open(writing)
    if not asked.anyway and (missing := missing_groups(writing, evening)):
        raise ActError("missing", groups="; ".join(missing))
    _check_restored(writing, anyway=asked.anyway)
    act = writing.act(who, "close", evening=evening.id)
    writing.connection.execute(
        update(evenings).where(evenings.c.id == evening.id).values(closed=act)
    )
    _follow(writing, evening.id)
    return {"evening": evening.id}


def missing_groups(writing: Writing, evening: EveningRow) -> list[str]:
    """Return the groups of all rounds without a result, as `1: p1 p2`."""
    counted = counted_results(writing.connection, evening)
    found = []
    for row in rounds_of(writing.connection, evening.id):
        over = ranks_of(row.number, counted)
        found += [
            f"{row.number}: {' '.join(group.seats)}"
            for group in row.groups
            if frozenset(group.seats) not in over
        ]
    return found


def start_clock(writing: Writing, who: str, asked: ClockTime) -> ActFacts:
    return {"ends": set_clock(writing, who, asked.minutes)}


def undo(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Take the last act back that can be."""
    connection = writing.connection
    kinds = [name for name, act in ACTS.items() if act.undoable]
    act = connection.execute(
        select(acts)
        .where(acts.c.kind.in_(kinds), acts.c.undone.is_(None))
        .order_by(acts.c.id.desc())
        .limit(1)
    ).first()
    if act is None:
        raise ActError("nothing")
    facts = json.loads(act.facts)
    number = writing.act(who, "undo", act=act.id, undid=act.kind)
    connection.execute(update(acts).where(acts.c.id == act.id).values(undone=number))
    if act.kind == "swap":
        _exchange(writing, facts["swapped"], facts["a"], facts["b"])
    if facts.get("game_id"):
        settle(writing, [facts["game_id"]])
    current = current_evening(connection)
    for evening in {facts.get("evening"), current.id if current else None}:
        settle_evening(writing, evening)
    issue_seats(writing)
    writing.next("touched")
    return {"kind": act.kind, "act": act.id}


def renew_password(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Set a new password for the organiser's page; whoever is in has to say it."""
    password = new_password()
    set_password(writing, password)
    writing.act(who, "password")
    return {"password": password}


def switch_ratings(writing: Writing, who: str, asked: Switched) -> None:
    writing.put("ratings", "on" if asked.on else "off")
    writing.act(who, "ratings", on=asked.on)


def take_in(writing: Writing, who: str, asked: Exported) -> ActFacts:
    """Take in an evening that another hub has exported: people, rounds, and what counted."""
    evening = take_in_evening(writing, who, asked.export)
    _follow(writing, evening)
    return {"evening": evening}


ACTS: Mapping[str, OrganiserAct] = {
    "evening": OrganiserAct(NewEvening, open_evening, undoable=True),
    "people": OrganiserAct(PeopleList, register_people, undoable=True),
    "list": OrganiserAct(CsvList, register_list),
    "arrive": OrganiserAct(Arrival, arrive, undoable=True),
    "leave": OrganiserAct(OnePerson, leave, undoable=True),
    "forget": OrganiserAct(OnePerson, forget_name),
    "pair": OrganiserAct(PairNext, pair_next, undoable=True),
    "give": OrganiserAct(Nothing, give_round, undoable=True),
    "swap": OrganiserAct(Swap, swap_people, undoable=True),
    "result": OrganiserAct(KeyedResult, key_result, undoable=True),
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
    "ratings": OrganiserAct(Switched, switch_ratings),
    "take-in": OrganiserAct(Exported, take_in, undoable=True),
}
"""Every act of the organiser's by its name."""
