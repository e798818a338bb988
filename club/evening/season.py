"""The club's settings, and the standings of a season."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection

from club.evening.results import EveningNow
from club.pairing.standings import points_number
from club.store.database import get
from club.store.live import EveningRow, all_evenings, people_now


def settings_of(connection: Connection) -> dict[str, Any]:
    """Return the club's name, and a season's beginning and number of counted evenings."""
    return {
        "club": get(connection, "club"),
        "since": get(connection, "since"),
        "best": int(get(connection, "best", "0")),
    }


def season_evenings(connection: Connection) -> list[EveningRow]:
    """Return the evenings of the season, the earliest first."""
    since = get(connection, "since")
    return [each for each in all_evenings(connection) if day_of(each) >= since]


def day_of(evening: EveningRow) -> str:
    """Return the day on which an evening began, here and as ISO writes it."""
    return datetime.fromisoformat(evening.began).astimezone().date().isoformat()


def season_lines(connection: Connection) -> list[dict[str, Any]]:
    """Return each person's points over the season, best first; equal points share a rank.

    The settings say how many `best` evenings count for each person, 0: all.
    """
    best, people = settings_of(connection)["best"], people_now(connection)
    earned: dict[str, list[Fraction]] = defaultdict(list)
    for evening in season_evenings(connection):
        for line in EveningNow(connection, evening).lines:
            if line.games:
                earned[line.p].append(line.points)
    totals = {p: sum(sorted(each)[-best:], Fraction(0)) for p, each in earned.items()}
    return [
        {
            "p": p,
            "name": people[p].name if p in people else "",
            "points": points_number(total),
            "evenings": len(earned[p]),
            "rank": 1 + sum(other > total for other in totals.values()),
        }
        for p, total in sorted(totals.items(), key=lambda each: -each[1])
    ]
