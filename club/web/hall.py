"""What the hall sees: standings, the round with its clock, and who sits where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection

from club.evening.announcements import clock_of
from club.evening.reports.export import chosen_evening
from club.evening.results import CountedResult, counted_results, lines_of, names_of, ranks_of
from club.pairing.standings import StandingLine, points_number
from club.store.live import EveningRow, GroupRow, RoundRow, people_now, rounds_of

HallFacts = dict[str, Any]


def hall_facts(connection: Connection) -> HallFacts:
    """Return what the hall's pages show of the last evening."""
    evening = chosen_evening(connection, None)
    results = counted_results(connection, evening)
    people = people_now(connection)
    names = names_of(people)
    lines = lines_of(people, evening, results)
    given = [each for each in rounds_of(connection, evening.id) if each.given] if evening else []
    paired = given[-1] if given else None
    shown = {line.p for line in lines} | set(_people_of(paired))
    return {
        "evening": evening.id if evening else None,
        "title": evening.title if evening else "",
        "mode": evening.mode if evening else None,
        "games": list(evening.games) if evening else [],
        "planned": evening.rounds if evening else 0,
        "closed": evening is not None and evening.closed is not None,
        "names": {p: names.get(p, p) for p in sorted(shown)},
        "standings": [_line(line) for line in lines],
        "round": round_facts(paired, results) if paired else None,
        "ends": _ends(connection, evening, paired),
    }


def _people_of(paired: RoundRow | None) -> Iterable[str]:
    if paired is not None:
        yield from paired.byes
        for group in paired.groups:
            yield from group.seats


def _line(line: StandingLine) -> list[object]:
    points = points_number(line.points)
    return [line.p, points, line.wins, line.games, line.decided_by, line.rank]


def _ends(
    connection: Connection, evening: EveningRow | None, paired: RoundRow | None
) -> float | None:
    """Return when the round's time is up, in seconds since 1970."""
    if evening is None or evening.closed is not None or paired is None:
        return None
    ends = clock_of(connection, paired)
    return ends.timestamp() if ends else None


def round_facts(paired: RoundRow, results: Iterable[CountedResult]) -> HallFacts:
    """Return a round: its tables with who sits there, and the places where they are known."""
    ranks = ranks_of(paired.number, results)
    return {
        "n": paired.number,
        "given": paired.given,
        "tables": [
            _group(place, group, ranks.get(frozenset(group.seats)))
            for place, group in enumerate(paired.groups, 1)
        ],
        "byes": list(paired.byes),
    }


def _group(place: int, group: GroupRow, ranks: Mapping[str, int] | None) -> HallFacts:
    return {
        "place": place,
        "table": group.table,
        "game": group.game,
        "seats": list(group.seats),
        "ranks": [ranks[p] for p in group.seats] if ranks else None,
    }
