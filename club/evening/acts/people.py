"""Lists people, says who is there, and forgets names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated

from club.evening.acts.shared import (
    ActFacts,
    Nothing,
    Person,
    follow,
    person_number,
    require_evening,
)
from club.evening.errors import ActError
from club.evening.forgetting import forget
from club.evening.results import standing_lines
from club.evening.seating import issue_seats
from club.evening.sheet import NO, YES
from club.store.database import Writing
from club.store.live import (
    PersonRow,
    all_evenings,
    current_evening,
    current_round,
    people_now,
)
from club.store.schema import people
from engines.notation import composed
from pi_app.link.contract import person
from pi_app.system.spreadsheet import CsvError, parse_csv
from pi_app.wire.messages import Items, Message, MessageError, String

MOST_PEOPLE = 1000


class ListedPerson(Message):
    """Somebody in a list; without `p` somebody new, without the others as before."""

    p: Person | None = None
    name: Annotated[str, String(40, cut=True)] | None = None
    present: bool | None = None


class PeopleList(Message):
    people: Annotated[tuple[ListedPerson, ...], Items(MOST_PEOPLE, 1)]


def register_people(writing: Writing, who: str, asked: PeopleList) -> ActFacts:
    """Take in a list of people: add new ones, and change known ones where the list differs.

    A name without a number means whoever is called so; nobody is, it is somebody new.
    """
    known = people_now(writing.connection)
    wanted = Counter(same_name(each.name) for each in asked.people if each.name and not each.p)
    named = [person_number(each.p) for each in asked.people if each.p]
    listed: dict[str, tuple[str | None, bool]] = {}
    for each in asked.people:
        if each.p:
            p = person_number(each.p)
        elif each.name:
            called = find_called(known, each.name)
            if len(called) > wanted[same_name(each.name)]:
                raise ActError("which", name=each.name, numbers=", ".join(called))
            p = next((p for p in called if p not in listed), "") or new_number(
                [*known, *named, *listed]
            )
        else:
            raise ActError("nobody")
        if p in listed:
            raise ActError("twice", p=p)
        before = known[p].present if each.p and p in known else True
        listed[p] = (each.name, before if each.present is None else each.present)
    _note_people(writing, who, "people", listed)
    return {"people": list(listed)}


def same_name(name: str) -> str:
    """Return a name in the form in which names are compared."""
    return composed(name.strip()).casefold()


def find_called(known: Mapping[str, PersonRow], name: str) -> list[str]:
    """Return the numbers of those who are called so."""
    return [p for p, each in known.items() if same_name(each.name) == same_name(name)]


def new_number(known: Iterable[str]) -> str:
    return f"p{max((int(p[1:]) for p in known), default=0) + 1}"


def _note_people(
    writing: Writing, who: str, kind: str, listed: Mapping[str, tuple[str | None, bool]]
) -> None:
    """Note the name (None: as before) and the presence of each person."""
    act = writing.act(who, kind, people=list(listed))
    for p, (name, present) in listed.items():
        writing.add(people, act=act, p=p, name=name, present=present)
    evening = current_evening(writing.connection)
    follow(writing, evening.id if evening else None)


def arrive_as_before(writing: Writing, who: str, _asked: Nothing) -> ActFacts:
    """Let everybody be here who was in the last evening that is over."""
    connection = writing.connection
    over = [each for each in all_evenings(connection) if each.closed is not None]
    if not over:
        raise ActError("no-before")
    before = [line.p for line in standing_lines(connection, over[-1])]
    _note_people(writing, who, "same", dict.fromkeys(before, (None, True)))
    return {"people": before}


class CsvList(Message):
    """A list of people from a spreadsheet, and the name of its file."""

    csv: Annotated[str, String(1_000_000, raw=True)]
    name: Annotated[str, String(40, cut=True)] = "CSV"


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


class OnePerson(Message):
    p: Person


def leave(writing: Writing, who: str, asked: OnePerson) -> ActFacts:
    return _set_presence(writing, who, "leave", person_number(asked.p))


class Arrival(Message):
    """Somebody is there; with a name they may be new."""

    p: Person
    name: Annotated[str, String(40, cut=True)] | None = None


def arrive(writing: Writing, who: str, asked: Arrival) -> ActFacts:
    return _set_presence(writing, who, "arrive", person_number(asked.p), asked.name)


class OwnName(Message):
    """The name or the number of whoever says that they are here."""

    name: Annotated[str, String(40, r"(?s).*\S.*", cut=True)]


def check_in(writing: Writing, who: str, asked: OwnName) -> ActFacts:
    """Somebody says that they are here; a name that nobody has is somebody new."""
    require_evening(writing)
    known = people_now(writing.connection)
    p = person(asked.name)
    if p is not None:
        return _set_presence(writing, who, "here", p)
    called = find_called(known, asked.name)
    if len(called) > 1:
        raise ActError("which", name=asked.name, numbers=", ".join(called))
    if called:
        return _set_presence(writing, who, "here", called[0])
    if len(known) >= MOST_PEOPLE:
        raise ActError("full")
    return _set_presence(writing, who, "here", new_number(known), asked.name.strip())


def _set_presence(
    writing: Writing, who: str, kind: str, p: str, name: str | None = None
) -> ActFacts:
    """Note that somebody is here, or has left; return the round from which on that counts."""
    before = people_now(writing.connection).get(p)
    present = kind != "leave"
    if name is None and before is None:
        raise ActError("new-person" if kind == "arrive" else "no-person", p=p)
    if kind != "here" or before is None or not before.present:
        act = writing.act(who, kind, p=p)
        writing.add(people, act=act, p=p, name=name, present=present)
        issue_seats(writing)
    last = current_round(writing.connection, current_evening(writing.connection))
    return {"p": p, "round": last.number + 1 if last else 1}


def forget_name(writing: Writing, who: str, asked: OnePerson) -> None:
    forget(writing, who, person_number(asked.p))
