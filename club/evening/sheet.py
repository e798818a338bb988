"""Reads the sheet of results for `club round --results`: one row a seat.

Its COLUMNS are `round,table,seat,p,rank,points,present`. A row with a table says who sat there, and
with a rank how they did; without a rank the game does not count, and points say nothing. A row
without a table says only who is there: `present` is yes (1, also empty) or no (0) from that round
on, until another row says otherwise. At a table it says whether the seat was taken.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from club.pairing.model import Round, Scored, Seating, Sheet, TableResult
from pi_app.system.spreadsheet import CsvError

COLUMNS = ("round", "table", "seat", "p", "rank", "points", "present")
NEEDED = ("round", "table", "seat", "p", "rank")
"""The required columns."""
SEAT_COLUMNS = 4
YES = frozenset({"", "1", "yes", "y", "true", "x", "ja", "j", "wahr", "✓"})
NO = frozenset({"0", "no", "n", "false", "-", "nein", "falsch"})
"""Words of people and spreadsheets for yes and no, in small letters."""


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    round: int
    table: str
    seat: int
    p: str
    rank: int
    """0 without a rank."""
    present: bool


def read_sheet(
    cells: Iterable[tuple[int, Mapping[str, str]]], people: Sequence[str], rounds: int
) -> Sheet:
    """Return these people's rounds, results and presence; CsvError for an unusable sheet.

    `cells` are the lines of the rows and their cells by COLUMNS. Rounds with tables
    must be 1, 2, ... without a gap, and at most `rounds`.

    Codes besides those of CsvError: `value` (column, value), `again` (p, round), `at-table` (table,
    round), `rounds` (round, last).
    """
    presence: dict[tuple[int, str], bool] = {}
    seated: dict[int, dict[str, list[_Row]]] = defaultdict(lambda: defaultdict(list))
    for row in (_row(line, each, frozenset(people)) for line, each in cells):
        if (row.round, row.p) in presence:
            raise CsvError("again", row.line, p=row.p, round=row.round)
        presence[row.round, row.p] = row.present
        if row.table:
            seated[row.round][row.table].append(row)
    sheet = Sheet(presence=tuple(sorted((n, p, there) for (n, p), there in presence.items())))
    played: list[Round] = []
    results: list[TableResult] = []
    for expected, (number, tables) in enumerate(sorted(seated.items()), 1):
        if number != expected or number > rounds:
            raise CsvError("rounds", round=number, last=rounds)
        ordered = [sorted(seats, key=lambda row: row.seat) for seats in tables.values()]
        for seats in ordered:
            results += _result(seats)
        placed = {row.p for seats in ordered for row in seats}
        byes = [p for p in sheet.present(people, number) if p not in placed]
        played.append(Round(number, tuple(map(_seating, ordered)), tuple(byes)))
    return Sheet(tuple(played), tuple(results), sheet.presence)


def _row(line: int, cells: Mapping[str, str], people: Collection[str]) -> _Row:
    def number(column: str) -> int:
        text = cells[column]
        if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) == int(text)):
            raise CsvError("value", line, column=column, value=text)
        return int(text)

    present = cells["present"].lower()
    for column, value, known in (("p", cells["p"], people), ("present", present, YES | NO)):
        if value not in known:
            raise CsvError("value", line, column=column, value=value)
    seat, rank = (number(each) if cells[each] else 0 for each in ("seat", "rank"))
    return _Row(line, number("round"), cells["table"], seat, cells["p"], rank, present in YES)


def _seating(seats: Sequence[_Row]) -> Seating:
    absent = frozenset(row.p for row in seats if not row.present)
    return Seating(tuple(row.p for row in seats), absent=absent)


def _result(seats: Sequence[_Row]) -> list[TableResult]:
    """Return a table's result; [] without ranks, or with fewer than two people present."""
    numbers = [row.seat for row in seats]
    came = [row for row in seats if row.present]
    ranks = [row.rank for row in came]
    is_result = len(came) > 1 and any(ranks)
    is_seated = 0 not in numbers and len({*numbers}) == len(numbers) <= SEAT_COLUMNS
    if not is_seated or (is_result and not min(ranks) == 1 <= max(ranks) <= len(seats)):
        last = seats[-1]
        raise CsvError("at-table", last.line, table=last.table, round=last.round)
    seated = tuple(Scored(row.p, row.rank) for row in came)
    return [TableResult(seats[0].round, "", seated)] if is_result else []
