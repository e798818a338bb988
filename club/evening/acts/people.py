"""Says who plays: lists of people, who is there, and whose name is forgotten."""

from __future__ import annotations

from typing import Annotated

from club.evening.acts.shared import ActFacts, Person, follow, person_number
from club.evening.errors import ActError
from club.evening.forgetting import forget
from club.evening.seating import issue_seats
from club.evening.sheet import NO, YES
from club.store.database import Writing
from club.store.live import current_evening, people_now
from club.store.schema import people
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
    """Take in a list of people: new ones, and what is said anew of others."""
    known = people_now(writing.connection)
    named = {person_number(each.p) for each in asked.people if each.p}
    highest = max((int(p[1:]) for p in known.keys() | named), default=0)
    listed: dict[str, tuple[str | None, bool]] = {}
    for each in asked.people:
        if each.p is None:
            highest += 1
        p = person_number(each.p) if each.p else f"p{highest}"
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
    follow(writing, evening.id if evening else None)
    return {"people": list(listed)}


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


def leave(writing: Writing, who: str, asked: OnePerson) -> None:
    _set_presence(writing, who, person_number(asked.p), present=False)


class Arrival(Message):
    """Somebody is there; with a name they may be new."""

    p: Person
    name: Annotated[str, String(40, cut=True)] | None = None


def arrive(writing: Writing, who: str, asked: Arrival) -> None:
    _set_presence(writing, who, person_number(asked.p), present=True, name=asked.name)


def _set_presence(
    writing: Writing, who: str, p: str, *, present: bool, name: str | None = None
) -> None:
    if name is None and p not in people_now(writing.connection):
        raise ActError("new-person" if present else "no-person", p=p)
    act = writing.act(who, "arrive" if present else "leave", p=p)
    writing.add(people, act=act, p=p, name=name, present=present)
    issue_seats(writing)


def forget_name(writing: Writing, who: str, asked: OnePerson) -> None:
    forget(writing, who, person_number(asked.p))
