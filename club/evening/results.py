"""An evening's counted results, in the form for pairing and standings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from club.judging.settling import keyed_that_count
from club.pairing.model import Scored, TableResult
from club.pairing.standings import StandingLine, standings
from club.store.live import (
    ActRow,
    EveningRow,
    PersonRow,
    RoundRow,
    acts_of,
    all_evenings,
    people_now,
    rounds_of,
)
from club.store.schema import results as sent

FREE = "free"
"""The mode of an evening without rounds."""


def belongs(connection: Connection, evening: EveningRow | None) -> ColumnElement[bool]:
    """Return the SQL condition that a result belongs to an evening; None: to no evening."""
    known = [each.id for each in all_evenings(connection)]
    # a result without a known evening belongs to the one in which it came
    strays = or_(sent.c.evening.is_(None), sent.c.evening.not_in(known))
    if evening is None:
        return and_(strays, or_(sent.c.here.is_(None), sent.c.here.not_in(known)))
    return or_(sent.c.evening == evening.id, and_(strays, sent.c.here == evening.id))


def counts_here(evening: EveningRow | None, in_round: int | None) -> bool:
    """Tell whether a result that counts belongs to an evening's standings: free games may not."""
    return in_round is not None or evening is None or evening.mode == FREE


def keyed_results(connection: Connection, evening: EveningRow | None) -> list[tuple[ActRow, bool]]:
    """Return an evening's keyed results, and whether each counts or was replaced."""
    if evening is None:
        return []
    keyed = acts_of(connection, "result", after=evening.act)
    valid = keyed_that_count(connection, evening.id) if keyed else ()
    return [(act, act.id in valid) for act in keyed if act.facts["evening"] == evening.id]


class EveningNow:
    """What an evening has in one transaction; each part is read when it is asked for, and once.

    Without an evening it has what came while there was none.
    """

    def __init__(self, connection: Connection, evening: EveningRow | None) -> None:
        self.connection = connection
        self.evening = evening

    @cached_property
    def people(self) -> Mapping[str, PersonRow]:
        return people_now(self.connection, self.evening)

    @cached_property
    def rounds(self) -> list[RoundRow]:
        return rounds_of(self.connection, self.evening.id) if self.evening else []

    @property
    def open_round(self) -> RoundRow | None:
        """The last round while the evening is open; None before the first one, and after it."""
        is_open = self.evening is not None and self.evening.closed is None
        return self.rounds[-1] if is_open and self.rounds else None

    @cached_property
    def results(self) -> list[TableResult]:
        """The counted results, in the order of arrival."""
        counted = (
            belongs(self.connection, self.evening),
            sent.c.verdict == "counted",
            ~sent.c.withdrawn,
        )
        columns = (sent.c.at, sent.c.round, sent.c.game, sent.c.seats)
        rows = self.connection.execute(select(*columns).where(*counted).order_by(sent.c.id))
        found = [
            (row.at, TableResult(row.round, row.game, tuple(map(_scored, row.seats))))
            for row in rows
            if counts_here(self.evening, row.round)
        ]
        for act, counts in keyed_results(self.connection, self.evening):
            if counts:
                facts = act.facts
                seats = tuple(Scored(p, facts["ranks"][p]) for p in facts["seats"])
                found.append((act.at, TableResult(facts["round"], facts["game"], seats)))
        return [played for _, played in sorted(found, key=lambda each: each[0])]

    @cached_property
    def lines(self) -> tuple[StandingLine, ...]:
        """The standings: everybody who is present or has played."""
        present = [person.p for person in self.people.values() if person.present]
        return standings(present, self.results, self.evening.id if self.evening else 0)

    def ranks(self, number: int) -> dict[frozenset[str], dict[str, int]]:
        """Return the places of a round's counted results, by their people."""
        found: dict[frozenset[str], dict[str, int]] = {}
        for result in self.results:
            if result.round == number:
                ranks = {seat.p: seat.rank for seat in result.seats if seat.p is not None}
                found[frozenset(ranks)] = ranks
        return found


def _scored(seat: Mapping[str, Any]) -> Scored:
    return Scored(*(seat[name] for name in ("p", "rank", "won")))


def teams_of(connection: Connection, evening: EveningRow) -> list[tuple[str, str]]:
    """Return an evening's fixed teams; a later one ends the earlier ones of its people."""
    found: list[tuple[str, str]] = []
    for act in acts_of(connection, "team", after=evening.act):
        for one, two in act.facts["teams"]:
            found = [team for team in found if not {one, two} & set(team)]
            found.append((one, two))
    return found


def keyings(connection: Connection, paired: RoundRow) -> Mapping[frozenset[str], list[ActRow]]:
    """Return what was keyed in a round in its order, by the people of each group.

    A `report` of a phone waits until a `result` follows it.
    """
    found: dict[frozenset[str], list[ActRow]] = defaultdict(list)
    for act in acts_of(connection, "report", "result", after=paired.act):
        if act.facts["round"] == paired.number:
            found[frozenset(act.facts["ranks"])].append(act)
    return found


def names_of(people: Mapping[str, PersonRow]) -> Mapping[str, str]:
    """Return everybody's shown name by number; equal names are followed by their numbers."""
    names = {p: person.name or p for p, person in people.items()}
    times: dict[str, int] = {}
    for name in names.values():
        times[name] = times.get(name, 0) + 1
    return {p: name if times[name] == 1 else f"{name} ({p[1:]})" for p, name in names.items()}
