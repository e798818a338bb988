"""An evening's counted results, in the form for pairing and standings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from club.judging.settling import keyed_that_count
from club.pairing.model import Round, Scored, Seating, TableResult
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


@dataclass(frozen=True, slots=True)
class CountedResult:
    """A result that counts; `game_id` is None if it was keyed."""

    played: TableResult
    at: str
    game_id: str | None = None


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


def counted_results(connection: Connection, evening: EveningRow | None) -> list[CountedResult]:
    """Return an evening's counted results, in the order of arrival."""
    found = []
    for row in connection.execute(
        select(sent.c.round, sent.c.game, sent.c.seats, sent.c.at, sent.c.game_id)
        .where(belongs(connection, evening), sent.c.verdict == "counted", ~sent.c.withdrawn)
        .order_by(sent.c.id)
    ):
        if not counts_here(evening, row.round):
            continue
        seats = tuple(
            Scored(seat["p"], seat["rank"], seat["points"], seat["won"]) for seat in row.seats
        )
        found.append(CountedResult(TableResult(row.round, row.game, seats), row.at, row.game_id))
    if evening is not None:
        found += _counted_keyed(connection, evening)
    return sorted(found, key=lambda result: result.at)


def ranks_of(number: int, results: Iterable[CountedResult]) -> dict[frozenset[str], dict[str, int]]:
    """Return the places of a round's counted results, by their people."""
    found: dict[frozenset[str], dict[str, int]] = {}
    for result in results:
        if result.played.round == number:
            ranks = {seat.p: seat.rank for seat in result.played.seats if seat.p is not None}
            found[frozenset(ranks)] = ranks
    return found


def keyed_results(connection: Connection, evening: EveningRow) -> list[tuple[ActRow, bool]]:
    """Return an evening's keyed results, and whether each counts or was replaced."""
    keyed = acts_of(connection, "result", after=evening.act, evening=evening.id)
    valid = keyed_that_count(connection, evening.id) if keyed else ()
    return [(act, act.id in valid) for act in keyed]


def _counted_keyed(connection: Connection, evening: EveningRow) -> list[CountedResult]:
    found = []
    for act, counts in keyed_results(connection, evening):
        if counts:
            seats = tuple(Scored(p, act.facts["ranks"][p]) for p in act.facts["seats"])
            played = TableResult(act.facts["round"], act.facts["game"], seats)
            found.append(CountedResult(played, act.at))
    return found


def standing_lines(connection: Connection, evening: EveningRow | None) -> tuple[StandingLine, ...]:
    """Return an evening's standings: everybody who is present or has played."""
    people = people_now(connection, evening)
    return lines_of(people, evening, counted_results(connection, evening))


def lines_of(
    people: Mapping[str, PersonRow], evening: EveningRow | None, results: Iterable[CountedResult]
) -> tuple[StandingLine, ...]:
    """Return an evening's standings from its people and counted results."""
    present = [person.p for person in people.values() if person.present]
    played = [result.played for result in results]
    return standings(present, played, evening.id if evening else 0)


def paired_round(row: RoundRow) -> Round:
    """Return a round in the form for pairing."""
    seated = tuple(Seating(tuple(group.seats), group.game) for group in row.groups)
    return Round(row.number, seated, tuple(row.byes))


def paired_rounds(connection: Connection, evening: str) -> tuple[Round, ...]:
    return tuple(paired_round(row) for row in rounds_of(connection, evening))


def teams_of(connection: Connection, evening: EveningRow) -> list[tuple[str, str]]:
    """Return an evening's fixed teams; a later one ends the earlier ones of its people."""
    found: list[tuple[str, str]] = []
    for act in acts_of(connection, "team", after=evening.act):
        for one, two in act.facts["teams"]:
            found = [team for team in found if not {one, two} & set(team)]
            found.append((one, two))
    return found


def reports_of(
    connection: Connection, paired: RoundRow, *, counted: bool = False
) -> dict[frozenset[str], ActRow]:
    """Return a round's results keyed on phones, by their people.

    Only unconfirmed ones, with `counted` also confirmed ones.
    """
    found: dict[frozenset[str], ActRow] = {}
    for act in acts_of(connection, "report", "result", after=paired.act):
        if act.facts["round"] != paired.number:
            continue
        group = frozenset(act.facts["ranks"])
        if act.kind == "report":
            found[group] = act
        elif not counted:
            found.pop(group, None)
    return found


def keyed_acts(connection: Connection, paired: RoundRow) -> dict[frozenset[str], ActRow]:
    """Return the acts that keyed a round's results, by their people."""
    found = acts_of(connection, "result", after=paired.act)
    return {
        frozenset(act.facts["ranks"]): act for act in found if act.facts["round"] == paired.number
    }


def shown_names(connection: Connection) -> Mapping[str, str]:
    """Return everybody's shown name by number; equal names are followed by their numbers."""
    return names_of(people_now(connection))


def names_of(people: Mapping[str, PersonRow]) -> Mapping[str, str]:
    """Return the names to show, as `shown_names` does."""
    names = {p: person.name or p for p, person in people.items()}
    times: dict[str, int] = {}
    for name in names.values():
        times[name] = times.get(name, 0) + 1
    return {p: name if times[name] == 1 else f"{name} ({p[1:]})" for p, name in names.items()}
