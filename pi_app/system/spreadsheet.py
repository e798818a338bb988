"""Reads and writes CSV for spreadsheets; all CSV of this program goes through here.

The reader accepts commas, semicolons or tabs, a line `sep=;`, CR, LF or CRLF, byte order marks and
UTF-16. The writer escapes formulas. Excel needs a form of its own: it expects the separator and the
decimal sign of the system's region, and recognises UTF-8 only by a byte order mark.
"""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from pathlib import Path

from engines.notation import composed
from pi_app.system.regular import TooLongError, read_text

FILE_LIMIT_BYTES = 1_000_000
"""Longer files are refused."""
_SEPARATORS = (",", ";", "\t")
_SEPARATOR_LINE = re.compile(r'"?sep=([^"\n])"?(?:\n|$)', re.IGNORECASE)
"""The first line in which Excel names another separator than the region's."""
_BLANK = " \t\n\u00a0\u202f\u200b\u200e\u200f\u2060\ufeff"
"""White space, and characters without a width, which copied texts have."""
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How workbooks of Excel and LibreOffice begin."""
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""The beginning of a formula; full-width signs count like narrow ones."""
_ESCAPED = re.compile(rf"\A'(?={_FORMULA.pattern})")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")


class CsvError(ValueError):
    """A file is not CSV with these columns: a code, the line (from 1; 0: no line) and facts.

    Codes: `encoding`, `workbook`, `too-long`, `csv` (why), `columns` (missing), `twice` (column),
    `cells`.
    """

    def __init__(self, code: str, line: int = 0, **facts: object) -> None:
        super().__init__(code, line, facts)
        self.code = code
        self.line = line
        self.facts: Mapping[str, object] = facts


@dataclass(frozen=True, slots=True)
class CsvRow:
    """One row: the number of its last line in the file, from 1, and a text for each column."""

    line: int
    cells: Mapping[str, str]


def read_csv(path: Path, columns: Sequence[str], needed: Sequence[str]) -> list[CsvRow]:
    """Return the rows of a file that are not empty.

    The first line names the `columns`, in any order and case; other columns are ignored. Columns
    that are not `needed` may be missing: their cells are "". Raises CsvError, OSError, or
    ValueError for a path with a NUL.
    """
    try:
        return parse_csv(read_text(path, FILE_LIMIT_BYTES), columns, needed)
    except TooLongError:
        raise CsvError("too-long") from None
    except UnicodeDecodeError as error:
        is_workbook = error.object.startswith(_WORKBOOKS)
        raise CsvError("workbook" if is_workbook else "encoding") from None


def parse_csv(text: str, columns: Sequence[str], needed: Sequence[str]) -> list[CsvRow]:
    """Return the rows of a text as `read_csv` does; CsvError."""
    text = composed(text.replace("\r\n", "\n").replace("\r", "\n"))
    given = _SEPARATOR_LINE.match(text)
    # a spreadsheet writes an empty row as separators
    head = text[given.end() if given else 0 :].lstrip(_BLANK + ",;").partition("\n")[0]
    separators = (given[1],) if given else _SEPARATORS
    # the separator that finds most columns in the first line
    separator = max(separators, key=lambda sign: len(set(_column_names(head, sign)) & set(columns)))
    rows: list[CsvRow] = []
    names: list[str] = []
    reader = csv.reader(
        StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True
    )
    try:
        for raw in reader:
            cells = [_ESCAPED.sub("", cell.strip(_BLANK), count=1) for cell in raw]
            if not any(cells) or (given and reader.line_num == 1):
                continue
            if not names:
                names = [cell.casefold() for cell in cells]
                _check_columns(reader.line_num, names, columns, needed)
            elif any(cells[len(names) :]):
                raise CsvError("cells", reader.line_num)
            else:
                named = dict(zip(names, cells, strict=False))
                row = {column: named.get(column, "") for column in columns}
                rows.append(CsvRow(reader.line_num, row))
    except csv.Error as error:
        raise CsvError("csv", reader.line_num, why=str(error)) from None
    if not names:
        _check_columns(1, names, columns, needed)
    return rows


def _column_names(head: str, separator: str) -> list[str]:
    return [cell.strip(_BLANK + '"').casefold() for cell in head.split(separator)]


def _check_columns(
    line: int, names: Sequence[str], columns: Sequence[str], needed: Sequence[str]
) -> None:
    if missing := [column for column in needed if column not in names]:
        raise CsvError("columns", line, missing=", ".join(missing), columns=",".join(columns))
    for column in columns:
        if names.count(column) > 1:
            raise CsvError("twice", line, column=column)


@dataclass(frozen=True, slots=True)
class CsvForm:
    """How CSV is written; for Excel also with a mark, and with times that it recognises."""

    separator: str = ","
    decimal: str = "."
    excel: bool = True


PLAIN = CsvForm(excel=False)
"""RFC 4180 in UTF-8, with times in ISO 8601."""
EXCEL: Mapping[str, CsvForm] = {"de": CsvForm(";", ","), "en": CsvForm()}
"""The form that Excel opens by a double click, by the language of the system's region."""

_SPECIAL = re.compile(r'[,;\t"\r\n]')
"""The characters that require quotes in any region."""


def csv_text(
    columns: Sequence[str], rows: Iterable[Iterable[object]], form: CsvForm = PLAIN
) -> str:
    """Return rows as CSV, with 1 and 0 for true and false and an empty cell for None.

    A text that a spreadsheet would compute as a formula gets an apostrophe in front. A text with
    any region's separator is quoted: elsewhere it would be cut into cells, and the second could be
    a formula.
    """
    lines = [form.separator.join(_quoted(name) for name in columns)]
    lines += [form.separator.join(_cell(value, form) for value in row) for row in rows]
    return ("\ufeff" if form.excel else "") + "".join(f"{line}\r\n" for line in lines)


def _quoted(text: str) -> str:
    return '"{}"'.format(text.replace('"', '""')) if _SPECIAL.search(text) else text


def _cell(value: object, form: CsvForm) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return str(value).replace(".", form.decimal)
    if isinstance(value, str) and form.excel and _TIME.fullmatch(value):
        # local time: spreadsheets know no time zones
        return f"{datetime.fromisoformat(value).astimezone():%Y-%m-%d %H:%M:%S}"
    if isinstance(value, str):
        return _quoted(f"'{value}" if _FORMULA.match(value) else value)
    return "" if value is None else str(value)
