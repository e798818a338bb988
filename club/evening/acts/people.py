"""Lists people, notes their presence, and forgets names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated

from club.evening.acts import shared
from club.evening.errors import ActError
from club.evening.forgetting import forget
from club.evening.results import EveningNow
from club.evening.seating import issue_seats
from club.store import live
from club.store.database import Writing
from club.store.schema import people as people_table
from engines.notation import composed
from pi_app.link.contract import person
from pi_app.wire.messages import Items, Message, String

PEOPLE_LIMIT = 1000


class ListedPerson(Message):
    """A person in a list; without `p` a new one; other missing fields stay as before."""

    p: shared.Person | None = None
    name: shared.PersonName | None = None
    present: bool | None = None


@shared.act("people", "people added or renamed: {n}", undoable=True)
def register_people(
    writing: Writing, people: Annotated[tuple[ListedPerson, ...], Items(PEOPLE_LIMIT, 1)]
) -> shared.ActFacts:
    """Import a list of people: add new ones, and change known ones where the list differs.

    A name without a number means all people with that name, or else a new person.
    """
    known = live.people_now(writing.connection)
    wanted = Counter(same_name(each.name) for each in people if each.name and not each.p)
    named = [shared.person_number(each.p) for each in people if each.p]
    listed: dict[str, tuple[str | None, bool]] = {}
    for each in people:
        if each.p:
            p = shared.person_number(each.p)
        elif each.name:
            called = find_called(known, each.name)
            if len(called) > wanted[same_name(each.name)]:
                raise ActError("which", name=each.name, numbers=", ".join(called))
            fresh = new_number([*known, *named, *listed])
            p = next((p for p in called if p not in listed), fresh)
        else:
            raise ActError("nobody")
        if p in listed:
            raise ActError("twice", p=p)
        before = known[p].present if each.p and p in known else True
        listed[p] = (each.name, before if each.present is None else each.present)
    _note_people(writing, "people", listed)
    return {"people": list(listed)}


def same_name(name: str) -> str:
    """Return a name in a form for comparing."""
    return composed(name.strip()).casefold()


def find_called(known: Mapping[str, live.PersonRow], name: str) -> list[str]:
    """Return the numbers of the people with this name."""
    return [p for p, each in known.items() if same_name(each.name) == same_name(name)]


def new_number(known: Iterable[str]) -> str:
    return f"p{max((int(p[1:]) for p in known), default=0) + 1}"


def _note_people(
    writing: Writing, kind: str, listed: Mapping[str, tuple[str | None, bool]]
) -> None:
    """Note the name (None: as before) and the presence of each person."""
    noted = writing.act(kind, people=list(listed))
    for p, (name, present) in listed.items():
        writing.add(people_table, act=noted, p=p, name=name, present=present)
    evening = live.current_evening(writing.connection)
    shared.follow(writing, evening.id if evening else None)


@shared.act("same", "the same people as last time: {n}", undoable=True)
def arrive_as_before(writing: Writing) -> shared.ActFacts:
    """Note that everybody from the last closed evening is here."""
    connection = writing.connection
    over = [each for each in live.all_evenings(connection) if each.closed is not None]
    if not over:
        raise ActError("no-before")
    before = [line.p for line in EveningNow(connection, over[-1]).lines]
    _note_people(writing, "same", dict.fromkeys(before, (None, True)))
    return {"people": before}


@shared.act("leave", "{name} has left", undoable=True)
def leave(writing: Writing, p: shared.Person) -> shared.ActFacts:
    return _set_presence(writing, "leave", shared.person_number(p))


@shared.act("arrive", "{name} is here", undoable=True)
def arrive(writing: Writing, p: shared.Person) -> shared.ActFacts:
    return _set_presence(writing, "arrive", shared.person_number(p))


@shared.act("here", "{name} is here", by_anybody=True)
def check_in(
    writing: Writing, name: Annotated[str, String(40, r"(?s).*\S.*", cut=True)]
) -> shared.ActFacts:
    """Note that a person, by name or number, is here; an unknown name adds a new person."""
    shared.require_evening(writing)
    known = live.people_now(writing.connection)
    p = person(name)
    if p is not None:
        return _set_presence(writing, "here", p)
    called = find_called(known, name)
    if len(called) > 1:
        raise ActError("which", name=name, numbers=", ".join(called))
    if called:
        return _set_presence(writing, "here", called[0])
    if len(known) >= PEOPLE_LIMIT:
        raise ActError("full")
    return _set_presence(writing, "here", new_number(known), name.strip())


def _set_presence(writing: Writing, kind: str, p: str, name: str | None = None) -> shared.ActFacts:
    """Note that a person is here or has left; return the first round for which that counts."""
    before = live.people_now(writing.connection).get(p)
    if name is None and before is None:
        raise ActError("no-person", p=p)
    if kind != "here" or before is None or not before.present:
        noted = writing.act(kind, p=p)
        writing.add(people_table, act=noted, p=p, name=name, present=kind != "leave")
        issue_seats(writing)
    last = live.current_round(writing.connection, live.current_evening(writing.connection))
    return {"p": p, "round": last.number + 1 if last else 1}


@shared.act("forget", "a name forgotten")
def forget_name(writing: Writing, p: shared.Person) -> None:
    forget(writing, shared.person_number(p))
