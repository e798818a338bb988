"""CSV as office programs write it, and as they take it."""

import csv
import time
from datetime import datetime
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engines.notation import composed
from pi_app.system.spreadsheet import EXCEL, PLAIN, CsvError, CsvForm, csv_text, parse_csv, read_csv

BOM = "\ufeff"
COLUMNS = ("p", "name", "present")
SAVED = Path(__file__).parent / "spreadsheets"
NAMES = ["Jürgen Groß", 'Müller, Anna; "Nan"', "-1+2", "Ελένη", "Śliwa"]


def people(text: str) -> list[tuple[str, ...]]:
    return [tuple(row.cells.values()) for row in parse_csv(text, COLUMNS, ("p",))]


@pytest.mark.parametrize(
    "name",
    [
        "libreoffice-utf8-comma.csv",
        "libreoffice-utf8-semicolon.csv",
        "libreoffice-utf8-tab.csv",
        "libreoffice-utf16-tab.csv",
        "excel-csv-utf8.csv",
        "excel-unicode-text.txt",
    ],
)
def test_a_list_is_read_as_office_programs_save_it(name: str) -> None:
    rows = read_csv(SAVED / name, COLUMNS, ("p",))
    assert [row.cells["name"] for row in rows] == NAMES
    assert [row.cells["p"] for row in rows] == ["p1", "p2", "p3", "p4", "5"]
    assert [row.line for row in rows] == [2, 3, 4, 5, 6]


def test_lines_that_end_as_on_old_macs_are_lines() -> None:
    rows = read_csv(SAVED / "excel-csv-macintosh.csv", COLUMNS, ("p",))
    assert [row.cells["name"] for row in rows] == ["Juergen Gross", 'Mueller, Anna; "Nan"', "-1+2"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("excel-csv.csv", "encoding"),
        ("libreoffice-cp1252.csv", "encoding"),
        ("libreoffice-workbook.ods", "workbook"),
    ],
)
def test_a_file_in_another_form_is_named(name: str, code: str) -> None:
    with pytest.raises(CsvError) as raised:
        read_csv(SAVED / name, COLUMNS, ("p",))
    assert raised.value.code == code


ANNA = [("p1", "Anna", "")]


@pytest.mark.parametrize(
    "text",
    [
        "p;name\rp1;Anna\r",
        "p;name\r\np1;Anna\r\n",
        "p\tname\np1\tAnna",
        "sep=;\nname;p\nAnna;p1\n",
        '"sep=|"\r\np|name\r\np1|Anna\r\n',
        " P , NAME \np1, Anna \n",
        ";;\n \n;;\np;name;\np1;Anna;\n",
        "\u200bp;name\u00a0\np1;\u00a0Anna\u200b\n",
        '"p";"name"\n"p1";"Anna"\n',
        "\n\np;name;;\n;;;\np1;Anna;;\n;;;\n",
        "name;note, or so;p\nAnna;a,b;p1\n",
    ],
)
def test_separators_ends_of_lines_and_headings_come_in_many_forms(text: str) -> None:
    assert people(text) == ANNA


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "columns", 1),
        ("name\nAnna\n", "columns", 1),
        ("p;name;Name\np1;a;b\n", "twice", 1),
        ("p,name\np1,Müller, Anna\n", "cells", 2),
        ('p,name\np1,"Anna\n', "csv", 2),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, code: str, line: int) -> None:
    with pytest.raises(CsvError) as raised:
        people(text)
    assert (raised.value.code, raised.value.line) == (code, line)


def test_no_list_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("p,name\n" + "p1,Anna\n" * 200_000)
    with pytest.raises(CsvError) as raised:
        read_csv(path, COLUMNS, ("p",))
    assert raised.value.code == "too-long"


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "-1+2",
        "@SUM(A1)",
        "\tx",
        "\rx",
        "\nx",
        " =1",
        "\u00a0=1",
        "＝1",
        "\u2003@x",
    ],
)
@pytest.mark.parametrize("form", [PLAIN, *EXCEL.values()])
def test_no_text_is_taken_for_a_formula(text: str, form: CsvForm) -> None:
    _, (cell,) = csv.reader(StringIO(csv_text(("a",), [[text]], form), newline=""))
    assert cell == f"'{text}"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("form", [PLAIN, *EXCEL.values()])
def test_a_name_is_one_cell_whatever_separator_the_region_of_a_spreadsheet_has(
    form: CsvForm, separator: str
) -> None:
    text = "x;=1+1,=2\t=3"
    written = csv_text(("a",), [[text]], form)
    _, (cell,) = csv.reader(StringIO(written, newline=""), delimiter=separator)
    assert cell == text


TIME = "2026-11-28T20:15:00+00:00"
WALL = f"{datetime.fromisoformat(TIME).astimezone():%Y-%m-%d %H:%M:%S}"


@pytest.mark.parametrize(
    ("form", "row"),
    [
        (PLAIN, f'1,-2.5,1,,{TIME},"a;b",Jürgen'),
        (EXCEL["en"], f'1,-2.5,1,,{WALL},"a;b",Jürgen'),
        (EXCEL["de"], f'1;-2,5;1;;{WALL};"a;b";Jürgen'),
    ],
)
def test_numbers_and_times_are_written_as_the_reader_takes_them(form: CsvForm, row: str) -> None:
    written = csv_text("abcdefg", [[1, -2.5, True, None, TIME, "a;b", "Jürgen"]], form)
    head = form.separator.join("abcdefg")
    assert written == f"{BOM if form.excel else ''}{head}\r\n{row}\r\n"


@pytest.mark.parametrize(
    ("zone", "written"),
    [("UTC0", "2026-11-28 20:15:00"), ("XYZ-5:30", "2026-11-29 01:45:00")],
)
def test_a_spreadsheet_gets_the_time_on_the_wall_of_the_machines_zone(
    zone: str, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        text = csv_text("a", [[TIME]], EXCEL["en"])
    time.tzset()
    assert text == f"{BOM}a\r\n{written}\r\n"


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=20))
@example("=1+1")
@example("O'Neill")
@example('"')
def test_a_name_comes_back_as_it_was_written(name: str) -> None:
    for form in (PLAIN, *EXCEL.values()):
        ((_, back, _),) = people(csv_text(("p", "name"), [("p1", name)], form))
        # a name that begins as an escaped one does cannot be told from it
        assert back == composed(name) or name.startswith("'")


@given(st.text(alphabet='p1,;\t"\n\r=-\x00 \ufeffae', max_size=200))
def test_junk_is_rows_or_a_mistake_and_nothing_else(text: str) -> None:
    try:
        parse_csv(text, COLUMNS, ("p",))
    except CsvError:
        return
