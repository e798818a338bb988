"""Games for other programs: the columns and keys that docs/records.md promises."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engines.record import parse
from pi_app.past.exchange import COLUMNS
from pi_app.store import Store
from tests.pi_app.commands.called import run
from tests.pi_app.pilot import add_games, store_games

TWO = '[Game "just4fun"]\n[Players "Anna yellow, =Ben red"]\n'
ROW = TWO + '[Position "yellow 1 14 30; red 2 3 4"]\n12+12\n'
POINTS = TWO + '[Position "yellow left=1 23x3 7x2; red left=0 23x2 7x2 33"]\n12\n'
RUNNING = '[Game "numeri"]\n[Players "Yellow yellow, =Ben red"]\n4 6 1 2\n'
TEAMS = (
    '[Game "sequence"]\n[Players "Anna blue, Ben green, Clara blue, Dora green"]\n'
    '[Rules "sequences=1"]\n[Position "blue r1c2 r1c3 r1c4; green r9c9"]\n5S@r1c5\n'
)
DOCS = (Path(__file__).parents[3] / "docs" / "records.md").read_text("utf-8")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "t.db"
    games = Store(path)
    store_games(games, ROW, POINTS, RUNNING, TEAMS)
    games.close()
    return path


def keys_told(after: str) -> list[str]:
    """Return the keys of the table that follows a sentence of the page."""
    table = DOCS.split(after, 1)[1].split("|---|---|\n", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def test_the_page_names_every_key_of_the_document(store: Path) -> None:
    found = json.loads(run("export", "--json", "--store", store).stdout)
    assert list(found) == keys_told("`--json` is one object, of [this schema](export.schema.json):")
    assert f'| `schema` | `"{found["schema"]}"` |' in DOCS
    assert f"| `version` | `{found['version']}`;" in DOCS
    of_games = keys_told("CSV has them as columns")
    of_players = keys_told("A player of a game, in `seats` and in CSV:")
    for game in found["games"]:
        assert list(game) == of_games + keys_told("In JSON only:")
        assert all(list(seat) == of_players for seat in game["seats"])
    assert list(COLUMNS["games"]) == of_games + of_players


def test_the_document_says_how_each_game_came_out(store: Path) -> None:
    games = json.loads(run("export", "--json", "--store", store).stdout)["games"]
    teams, running, points, row = games
    assert [(seat["player"], seat["rank"]) for seat in points["seats"]] == [
        ("Anna", 1),
        ("=Ben", 2),
    ]
    assert [seat["points"] for seat in points["seats"]] == [35, 33]
    assert [seat["points"] for seat in row["seats"]] == [None, None]
    assert [seat["rank"] for seat in running["seats"]] == [None, None]
    assert running["reason"] is None
    assert [seat["won"] for seat in teams["seats"]] == [True, False, True, False]
    assert [seat["rank"] for seat in teams["seats"]] == [1, 3, 1, 3]
    assert (teams["rules"], teams["reason"], teams["moves"]) == ("sequences=1", "sequences", 1)
    assert parse(row["record"]).tokens == ("12+12",)


def test_csv_has_a_row_for_each_player_and_no_formula(store: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("export", "--csv", "--store", store).stdout)))
    assert len(rows) == 4 + 2 + 2 + 2
    ben = next(row for row in rows if row["player"] == "'=Ben" and row["points"])
    assert (ben["rank"], ben["won"], ben["points"], ben["starts"]) == ("2", "0", "33", "0")


@pytest.mark.parametrize("of", COLUMNS)
def test_a_german_excel_opens_a_file_by_a_double_click(of: str, store: Path) -> None:
    text = run("export", "1", "--of", of, "--excel", "de", "--store", store).stdout
    head = next(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))
    assert head == list(COLUMNS[of])
    assert text.startswith("\ufeff")


def test_files_are_utf8_whatever_the_encoding_of_the_system(store: Path) -> None:
    games = Store(store)
    store_games(games, ROW.replace("Anna", "Jürgen Śliwa"))
    games.close()
    done = subprocess.run(
        [sys.executable, "-m", "pi_app", "export", "--csv", "--store", str(store)],
        capture_output=True,
        timeout=60,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
    )
    assert "Jürgen Śliwa" in done.stdout.decode("utf-8")


def test_numbers_choose_the_games(store: Path) -> None:
    games = json.loads(run("export", "2", "1", "--json", "--store", store).stdout)["games"]
    assert [game["id"] for game in games] == [2, 1]


def test_nothing_was_played_is_an_empty_document(tmp_path: Path) -> None:
    nowhere = tmp_path / "none.db"
    assert json.loads(run("export", "--json", "--store", nowhere).stdout)["games"] == []
    assert run("export", "--csv", "--store", nowhere).stdout.split() == [",".join(COLUMNS["games"])]


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("just4fun", "2026-03-01-just4fun-1.txt"),
        ("x" * 300, f"2026-03-01-{'x' * 49}-1.txt"),
        ("../../etc/x y", "2026-03-01-______etc_x_y-1.txt"),
    ],
)
def test_a_files_name_is_short_and_stays_in_its_folder(
    tmp_path: Path, game: str, name: str
) -> None:
    games = Store(tmp_path / "t.db")
    tags = {"Game": game, "Players": "Anna yellow, Ben red"}
    add_games(games, [(tags, ("5",), "2026-03-01T20:00:00+00:00", None)])
    games.close()
    said = run("export", "--to", tmp_path / "out", "--store", tmp_path / "t.db")
    assert said.stdout == f"{tmp_path / 'out' / name}\n"
    assert [file.name for file in tmp_path.glob("out/**/*")] == [name]


def test_a_folder_takes_records_only(store: Path, tmp_path: Path) -> None:
    result = run("export", "--csv", "--to", tmp_path / "out", "--store", store)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
