"""Rounds and standings as JSON; pure functions that return plain values."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from club.pairing.standings import StandingLine, points_number

SCHEMA = "beisitzer-club"
IN_TEAMS = "sequence"
VERSION = 2
"""Raised when a key is renamed, removed or changes its meaning; keys may be added at any time."""


def team_of(game: str, seat: int, seats: int) -> int:
    """Return a seat's team, from 1 on: in most games everybody plays alone."""
    if game != IN_TEAMS:
        return seat
    return (seat - 1) % (2 if seats % 2 == 0 else 3) + 1


def seats_json(
    game: str, people: Sequence[str], names: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Return a group's seats in the contract's form, with names if given."""
    return [
        {
            "seat": seat,
            "p": p,
            **({"show": names.get(p, p)} if names is not None else {}),
            "team": team_of(game, seat, len(people)),
        }
        for seat, p in enumerate(people, 1)
    ]


def round_json(
    number: int,
    groups: Iterable[tuple[str | None, str, Sequence[str]]],
    byes: Sequence[str],
    rev: int = 1,
) -> dict[str, Any]:
    """Return a round in the contract's form; of a group the table, game and people."""
    return {
        "round": number,
        "rev": rev,
        "tables": [
            {"table": table, "seats": seats_json(game, people)} for table, game, people in groups
        ],
        "byes": list(byes),
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
