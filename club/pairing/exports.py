"""Rounds and standings as JSON, tables and TRF; pure functions that return plain values or text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from club.pairing.model import PairingRequest, Round, TableResult, library_error
from club.pairing.standings import StandingLine, evening_points, points_number
from club.pairing.swiss.rounds import SwissGame, add_up, games_of, start_numbers

Table = tuple[Sequence[str], Iterable[Sequence[object]]]
"""The names of columns, and the rows."""


def round_json(
    each: Round,
    *,
    era: int = 1,
    rev: int = 1,
    tables: Sequence[str | None] = (),
) -> dict[str, Any]:
    """Return a round as the contract's `rounds` has it; `tables` are the tables' ids in order."""
    named = [*tables, *[None] * len(each.tables)]
    return {
        "round": each.number,
        "era": era,
        "rev": rev,
        "tables": [
            {
                "table": name,
                "seats": [{"seat": seat, "p": p} for seat, p in enumerate(table.people, 1)],
            }
            for name, table in zip(named, each.tables, strict=False)
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


def standings_table(lines: Iterable[StandingLine], names: Mapping[str, str]) -> Table:
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


def round_table(each: Round, names: Mapping[str, str], tables: Sequence[str] = ()) -> Table:
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


def results_table(results: Iterable[TableResult], names: Mapping[str, str]) -> Table:
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


def trf(
    title: str, request: PairingRequest, names: Mapping[str, str], ranks: Mapping[str, int]
) -> str:
    """Return a Swiss evening as FIDE's TRF16: the request's people, history and results.

    `ranks` are those of the standings. Sitting out is `U`, not being there `Z`, a table without a
    result `=`, as the pairing counts them. PairingError `missing-library` without the library.
    """
    try:
        from caissify_pairings.trf import write_trf
    except ImportError as error:
        raise library_error(error, "caissify-pairings") from None
    numbers = start_numbers(request)
    lines = add_up(numbers, request.history, request.results)
    games = {number: games_of(each, request.results) for number, each in _numbered(request.history)}
    players = [
        {
            "starting_number": number,
            "name": printable_name(names.get(p, p)),
            "score": lines[p].score,
            "rank": ranks.get(p, number),
            "results": {nth: _trf_game(played.get(p), numbers) for nth, played in games.items()},
        }
        for p, number in numbers.items()
    ]
    tournament = {"name": printable_name(title)}
    text: str = write_trf(tournament, players, max(request.rounds, len(games)))
    return text + "\n"


def _numbered(history: Sequence[Round]) -> Iterator[tuple[int, Round]]:
    yield from enumerate(sorted(history, key=lambda each: each.number), 1)


def _trf_game(game: SwissGame | None, numbers: Mapping[str, int]) -> dict[str, object]:
    if game is None:
        return {"opponent": None, "result": "Z"}
    if game.opponent is None:
        return {"opponent": None, "result": "U"}
    return {
        "opponent": numbers[game.opponent],
        "color": "w" if game.first else "b",
        "result": {1.0: "1", 0.5: "=", 0.0: "0"}[game.score],
    }


def printable_name(name: str) -> str:
    """Return a name on one line, for a format that has one line a person."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())
