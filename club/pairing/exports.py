"""Rounds and standings as JSON and tables; pure functions that return plain values."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from club.pairing.model import Round, TableResult
from club.pairing.standings import StandingLine, evening_points, points_number

SCHEMA = "beisitzer-club"
VERSION = 2
"""Raised when a key is renamed, removed or changes its meaning; keys may be added at any time."""
ListOfRows = tuple[Sequence[str], Iterable[Sequence[object]]]
"""The names of columns, and the rows."""


def round_json(each: Round) -> dict[str, Any]:
    """Return a round that no hub has, as the contract's `rounds` has it."""
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
    """Return standings as the contract's `standings` has them."""
    return [
        {
            "p": line.p,
            "points": points_number(line.points),
            "wins": line.wins,
            "rank": line.rank,
            "decided_by": line.decided_by,
        }
        for line in lines
    ]


def standings_table(lines: Iterable[StandingLine], names: Mapping[str, str]) -> ListOfRows:
    """Return `rank,p,name,points,wins,games,decided_by` with a heading; names may be missing."""
    return (
        ("rank", "p", "name", "points", "wins", "games", "decided_by"),
        (
            (
                line.rank,
                line.p,
                names.get(line.p, ""),
                points_number(line.points),
                line.wins,
                line.games,
                line.decided_by,
            )
            for line in lines
        ),
    )


def round_table(each: Round, names: Mapping[str, str], tables: Sequence[str] = ()) -> ListOfRows:
    """Return `round,table,seat,p,name`, for a list on the wall; who sits out has no table.

    Tables are called as `tables` says, in the order of the round, or else by their number.
    """
    rows: list[tuple[object, ...]] = []
    for number, table in enumerate(each.tables, 1):
        called = tables[number - 1] if number <= len(tables) else number
        for seat, p in enumerate(table.people, 1):
            rows.append((each.number, called, seat, p, names.get(p, "")))
    rows += [(each.number, "", "", p, names.get(p, "")) for p in each.byes]
    return ("round", "table", "seat", "p", "name"), rows


def results_table(results: Iterable[TableResult], names: Mapping[str, str]) -> ListOfRows:
    """Return `round,game,seat,p,name,rank,points,evening_points`, one row a seat."""
    rows: list[tuple[object, ...]] = []
    for result in results:
        earned = evening_points([seat.rank for seat in result.seats])
        for number, (seat, points) in enumerate(zip(result.seats, earned, strict=True), 1):
            p = seat.p or ""
            rows.append(
                (
                    result.round,
                    result.game,
                    number,
                    p,
                    names.get(p, ""),
                    seat.rank,
                    seat.points,
                    points_number(points),
                )
            )
    heading = ("round", "game", "seat", "p", "name", "rank", "points", "evening_points")
    return heading, rows
