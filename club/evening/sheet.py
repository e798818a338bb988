"""Reads the sheet of results for `club round --results`: one row a seat.

Its COLUMNS are `round,table,seat,p,rank,points,present`. A row with a table has a person who sat
there, and their rank; without a rank the game does not count. A row without a table has only a
person's presence: `present` is yes (1, also empty) or no (0) from that round on, until another row
changes it. At a table it says whether the seat was taken.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from club.pairing.model import Round, Scored, Seating, Sheet, TableResult
from pi_app.system.spreadsheet import CsvError

COLUMNS = ("round", "table", "seat", "p", "rank", "points", "present")
MOST_SEATS = 4
NEEDED = ("round", "table", "seat", "p", "rank")
"""The required columns."""
YES = frozenset({"", "1", "yes", "y", "true", "x", "ja", "j", "wahr", "✓"})
NO = frozenset({"0", "no", "n", "false", "-", "nein", "falsch"})
"""Words of people and spreadsheets for yes and no, in small letters."""
_WHOLE = re.compile("[0-9]{1,9}")
_POINTS = re.compile("-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    round: int
    table: str
    seat: int
    p: str
    rank: int | None
    points: int | None
    present: bool


def read_sheet(
    cells: Iterable[tuple[int, Mapping[str, str]]], people: Sequence[str], rounds: int
) -> Sheet:
    """Return these people's rounds, results and presence; CsvError for an unusable sheet.

    `cells` are the lines of the rows and their cells by COLUMNS. Rounds with tables
    must be 1, 2, ... without a gap, and at most `rounds`.

    Codes besides those of CsvError: `number` (column, value), `points` (value), `present` (value),
    `person` (p), `again` (p, round), `seat-taken` (table, round, seat), `crowded` (table, round),
    `half` (table, round), `ranks` (table, round), `missing-round` (round), `too-late` (round).
    """
    rows = [_row(line, row, frozenset(people)) for line, row in cells]
    presence: dict[tuple[int, str], bool] = {}
    seated: dict[int, dict[str, list[_Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if (row.round, row.p) in presence:
            raise CsvError("again", row.line, p=row.p, round=row.round)
        presence[row.round, row.p] = row.present
        if row.table:
            seated[row.round][row.table].append(row)
    for expected, number in enumerate(sorted(seated), 1):
        if number != expected:
            raise CsvError("missing-round", round=expected)
        if number > rounds:
            raise CsvError("too-late", round=number)
    sheet = Sheet(presence=tuple(sorted((n, p, there) for (n, p), there in presence.items())))
    played: list[Round] = []
    results: list[TableResult] = []
    for number, tables in sorted(seated.items()):
        seatings = [_seating(number, table, seats) for table, seats in tables.items()]
        placed = {p for seating in seatings for p in seating.people}
        byes = [p for p in sheet.present(people, number) if p not in placed]
        played.append(Round(number, tuple(seatings), tuple(byes)))
        results += [
            result
            for table, seats in tables.items()
            if (result := _result(number, table, seats)) is not None
        ]
    return Sheet(tuple(played), tuple(results), sheet.presence)


def _row(line: int, cells: Mapping[str, str], people: frozenset[str]) -> _Row:
    if cells["p"] not in people:
        raise CsvError("person", line, p=cells["p"])
    present = cells["present"].lower()
    if present not in YES | NO:
        raise CsvError("present", line, value=present)
    return _Row(
        line,
        _number(line, "round", cells["round"]),
        cells["table"],
        _number(line, "seat", cells["seat"]) if cells["table"] else 0,
        cells["p"],
        _number(line, "rank", cells["rank"]) if cells["rank"] else None,
        _points(line, cells["points"]),
        present in YES,
    )


def _number(line: int, column: str, value: str) -> int:
    """Return a whole number from 1 on."""
    if not _WHOLE.fullmatch(value) or int(value) == 0:
        raise CsvError("number", line, column=column, value=value)
    return int(value)


def _points(line: int, value: str) -> int | None:
    if value and not _POINTS.fullmatch(value):
        raise CsvError("points", line, value=value)
    return int(value) if value else None


def _seating(number: int, table: str, seats: list[_Row]) -> Seating:
    by_seat = {row.seat: row for row in seats}
    if len(by_seat) < len(seats):
        last = seats[-1]
        raise CsvError("seat-taken", last.line, table=table, round=number, seat=last.seat)
    if len(seats) > MOST_SEATS:
        raise CsvError("crowded", seats[-1].line, table=table, round=number)
    ordered = [by_seat[seat] for seat in sorted(by_seat)]
    absent = frozenset(row.p for row in ordered if not row.present)
    return Seating(tuple(row.p for row in ordered), absent=absent)


def _result(number: int, table: str, seats: list[_Row]) -> TableResult | None:
    """Return a table's result; None without ranks, or with fewer than two people present."""
    came = sorted((row for row in seats if row.present), key=lambda row: row.seat)
    ranked = [row for row in came if row.rank is not None]
    if len(came) < 2 or not ranked:
        return None
    if len(ranked) < len(came):
        line = next(row.line for row in came if row.rank is None)
        raise CsvError("half", line, table=table, round=number)
    ranks = [row.rank for row in ranked if row.rank is not None]
    if min(ranks) != 1 or max(ranks) > len(seats):
        raise CsvError("ranks", ranked[0].line, table=table, round=number)
    scored = tuple(Scored(row.p, row.rank, row.points) for row in came if row.rank is not None)
    return TableResult(number, "", scored)
