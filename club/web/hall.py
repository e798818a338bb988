"""Facts for the hall's pages: standings, the round with its clock, and the seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection

from club.evening.announcements import clock_of
from club.evening.reports.export import chosen_evening
from club.evening.results import (
    CountedResult,
    counted_results,
    keyed_acts,
    lines_of,
    names_of,
    ranks_of,
    reports_of,
)
from club.evening.season import day_of, season_evenings, season_lines, settings_of
from club.evening.seating import teams_at
from club.pairing.standings import StandingLine, points_number
from club.store.live import EveningRow, RoundRow, all_evenings, people_now, rounds_of

HallFacts = dict[str, Any]


def hall_facts(connection: Connection) -> HallFacts:
    """Return the facts for the hall's pages, about the last evening."""
    evening = chosen_evening(connection, None)
    results, rounds = counted_results(connection, evening), _given(connection, evening)
    return _evening_facts(connection, evening, results, rounds)


def _evening_facts(
    connection: Connection,
    evening: EveningRow | None,
    results: Iterable[CountedResult],
    rounds: Sequence[RoundRow],
) -> HallFacts:
    """Return an evening's facts for the hall's pages, from these results and rounds."""
    people = people_now(connection, evening)
    names = names_of(people)
    lines = lines_of(people, evening, results)
    shown = {line.p for line in lines} | {p for each in rounds for p in each.everybody}
    return {
        "club": settings_of(connection)["club"],
        "evening": evening.id if evening else None,
        "title": evening.title if evening else "",
        "day": day_of(evening) if evening else "",
        "mode": evening.mode if evening else None,
        "games": list(evening.games) if evening else [],
        "planned": evening.rounds if evening else 0,
        "closed": evening is not None and evening.closed is not None,
        "names": {p: names.get(p, p) for p in sorted(shown)},
        "here": [p for p, each in people.items() if each.present],
        "standings": [_line(line) for line in lines],
        "round": round_facts(connection, rounds[-1], results) if rounds else None,
        "ends": _ends(connection, evening, rounds[-1] if rounds else None),
    }


def _given(connection: Connection, evening: EveningRow | None) -> list[RoundRow]:
    """Return the rounds that were handed out to the tables."""
    return [each for each in rounds_of(connection, evening.id) if each.given] if evening else []


def list_facts(connection: Connection, wanted: str | None = None) -> HallFacts:
    """Return the facts for the lists: all rounds of an evening, the other evenings, the season.

    NoSuchEveningError if there is no evening with the id `wanted`; None is the last one.
    """
    evening = chosen_evening(connection, wanted)
    results, rounds = counted_results(connection, evening), _given(connection, evening)
    return {
        **_evening_facts(connection, evening, results, rounds),
        "rounds": [round_facts(connection, each, results) for each in rounds],
        "evenings": [
            {"id": each.id, "title": each.title, "day": day_of(each)}
            for each in reversed(all_evenings(connection))
        ],
        "season": {
            **settings_of(connection),
            "evenings": len(season_evenings(connection)),
            "lines": season_lines(connection),
        },
    }


def _line(line: StandingLine) -> list[object]:
    points = points_number(line.points)
    return [line.p, points, line.wins, line.games, line.decided_by, line.rank]


def _ends(
    connection: Connection, evening: EveningRow | None, paired: RoundRow | None
) -> float | None:
    """Return the end of a round's time, in seconds since 1970."""
    if evening is None or evening.closed is not None or paired is None:
        return None
    ends = clock_of(connection, paired)
    return ends.timestamp() if ends else None


def round_facts(
    connection: Connection, paired: RoundRow, results: Iterable[CountedResult]
) -> HallFacts:
    """Return a round: its groups, known places, and the acts that keyed them."""
    ranks = ranks_of(paired.number, results)
    reports, keyed = reports_of(connection, paired), keyed_acts(connection, paired)
    groups = []
    for place, group in enumerate(paired.groups, 1):
        who = frozenset(group.seats)
        placed, report, act = ranks.get(who), reports.get(who), keyed.get(who)
        groups.append(
            {
                "place": place,
                "table": group.table,
                "game": group.game,
                "seats": list(group.seats),
                "teams": teams_at(group.game, len(group.seats)),
                "ranks": [placed[p] for p in group.seats] if placed else None,
                "report": report.facts if report and not placed else None,
                "keyed": {"act": act.id, **act.facts} if act and placed else None,
            }
        )
    return {
        "n": paired.number,
        "given": paired.given,
        "tables": groups,
        "byes": list(paired.byes),
    }
