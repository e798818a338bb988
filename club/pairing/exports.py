"""Rounds and standings as JSON; pure functions that return plain values."""

from collections.abc import Iterable
from typing import Any

from club.pairing.model import Round
from club.pairing.standings import StandingLine, points_number

SCHEMA = "beisitzer-club"
VERSION = 2
"""Raised when a key is renamed, removed or changes its meaning; keys may be added at any time."""


def round_json(each: Round) -> dict[str, Any]:
    """Return a round without a hub in the form of the contract's `rounds`."""
    return {
        "round": each.number,
        "rev": 1,
        "tables": [
            {
                "table": None,
                "seats": [
                    {"seat": seat, "p": p, "team": seat} for seat, p in enumerate(table.people, 1)
                ],
            }
            for table in each.tables
        ],
        "byes": list(each.byes),
    }


def standings_json(lines: Iterable[StandingLine]) -> list[dict[str, Any]]:
    """Return standings in the form of the contract's `standings`."""
    return [
        {
            **{name: getattr(line, name) for name in ("p", "wins", "rank", "decided_by", "games")},
            "points": points_number(line.points),
        }
        for line in lines
    ]
