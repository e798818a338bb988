"""Facts for the hall's pages: standings, the round with its clock, and the seats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from sqlalchemy import Connection

from club.evening.announcements import clock_of
from club.evening.reports.export import chosen_evening
from club.evening.results import EveningNow, keyings, names_of
from club.evening.season import day_of, season_evenings, season_lines, settings_of
from club.evening.seating import teams_at
from club.evening.sentences import table_number
from club.pairing.standings import points_number
from club.store.live import RoundRow, all_evenings

HallFacts = dict[str, Any]


def hall_facts(now: EveningNow) -> HallFacts:
    """Return an evening's facts for the hall's pages."""
    connection, evening, rounds = now.connection, now.evening, _given(now)
    names = names_of(now.people)
    shown = {line.p for line in now.lines} | {p for each in rounds for p in each.everybody}
    ends = clock_of(now)
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
        "here": [p for p, each in now.people.items() if each.present],
        "standings": [
            [each.p, points_number(each.points), each.wins, each.games, each.decided_by, each.rank]
            for each in now.lines
        ],
        "round": round_facts(now, rounds[-1]) if rounds else None,
        "ends": ends.timestamp() if ends else None,
    }


def _given(now: EveningNow) -> list[RoundRow]:
    """Return the rounds that were handed out to the tables."""
    return [each for each in now.rounds if each.given]


def list_facts(connection: Connection, wanted: str | None = None) -> HallFacts:
    """Return the facts for the lists: all rounds of an evening, the other evenings, the season.

    NoSuchEveningError if there is no evening with the id `wanted`; None is the last one.
    """
    now = EveningNow(connection, chosen_evening(connection, wanted))
    return {
        **hall_facts(now),
        "rounds": [round_facts(now, each) for each in _given(now)],
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


def numbers_of(tables: Sequence[str | None]) -> list[int]:
    """Return the number of each group's table; a group without one sits at the next free number.

    A companion that is dead has no group, but its table is there for people all the same.
    """
    known = [table_number(table) for table in tables]
    free = (number for number in count(1) if number not in known)
    return [next(free) if number is None else number for number in known]


def round_facts(now: EveningNow, paired: RoundRow) -> HallFacts:
    """Return a round: its groups, known places, and the acts that keyed them."""
    ranks = now.ranks(paired.number)
    keyed = keyings(now.connection, paired)
    groups = []
    numbers = numbers_of([group.table for group in paired.groups])
    by_number = sorted(zip(numbers, paired.groups, strict=True), key=lambda each: each[0])
    for number, group in by_number:
        who = frozenset(group.seats)
        placed, last = ranks.get(who), keyed[who][-1] if who in keyed else None
        groups.append(
            {
                "number": number,
                "table": group.table,
                "game": group.game,
                "seats": list(group.seats),
                "teams": teams_at(group.game, len(group.seats)),
                "ranks": [placed[p] for p in group.seats] if placed else None,
                "report": last.facts if last and last.kind == "report" and not placed else None,
                "keyed": {"act": last.id, **last.facts} if last and placed else None,
            }
        )
    return {
        "n": paired.number,
        "given": paired.given,
        "tables": groups,
        "byes": list(paired.byes),
    }
