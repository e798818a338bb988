"""The command line speaks the table's language, and takes the colours of both."""

import json
from pathlib import Path

import pytest

from pi_app.commands.stones import add_colours
from pi_app.store import Store
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.common import day_words
from pi_app.texts.language import Texts
from tests.pi_app.commands.called import run

WON = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n[Date "2026-03-01"]\n'
WON += '[Position "yellow 1 14 30; red 2 3 4"]\n12+12\n'


@pytest.fixture(autouse=True)
def _german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "german.toml"
    settings.write_text('language = "de"\n')
    monkeypatch.setenv("BEISITZER_CONFIG", str(settings))
    monkeypatch.setenv("BEISITZER_BOARDS", str(tmp_path / "boards"))


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> str:
    record = tmp_path / "won.txt"
    record.write_text(WON, "utf-8")
    place = str(tmp_path / "games")
    said = run("import", str(record), str(record), "--store", place)
    assert said.stdout == "imported: 1, 1 already there\n"
    return place


def test_the_history_names_games_and_days_as_people_do(store: str) -> None:
    german = run("show", "history", "--store", store).stdout
    assert "   1.3.2026  Just 4 Fun  Anna, Ben  Anna gewinnt!" in german
    english = run("show", "history", "--store", store, "--lang", "en").stdout
    assert " 1 Mar 2026  Just 4 Fun  Anna, Ben  Anna wins!" in english


@pytest.mark.parametrize(
    ("iso", "german", "english"),
    [
        ("2026-12-24T20:15:00+00:00", "24.12.2026", "24 Dec 2026"),
        ("1999-01-09", "9.1.1999", "9 Jan 1999"),
        ("yesterday at noon", "yesterday ", "yesterday "),
    ],
)
def test_days_are_written_as_people_write_them(iso: str, german: str, english: str) -> None:
    assert (day_words(Texts("de"), iso), day_words(Texts("en"), iso)) == (german, english)


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("Anna gelb 23:3 7:1; Ben rot 7:2", {"Anna": 23, "Ben": 7}),
        ("Anna Maria Gelb 23x3; Ben red 7x2 8", {"Anna Maria": 23, "Ben": 15}),
        ("yellow 23; rot 7:2", {"Gelb": 23, "Rot": 7}),
        ("Anna 23:3; Ben 7:2", {"Anna": 23, "Ben": 7}),
        ("Anna 23:3; Ben gelb 7:2 8", {"Anna": 23, "Ben": 15}),
    ],
)
def test_stones_on_the_table_are_settled_in_one_line(line: str, points: dict[str, int]) -> None:
    result = run("score", "just4fun", line, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["points"] == points
    assert "gewinnt!" in run("score", "just4fun", line).stdout


def test_stones_on_the_track_are_settled_in_one_line() -> None:
    result = json.loads(
        run("score", "numeri", "Anna gelb 6:36 5@30; Ben blau 6:35", "--json").stdout
    )
    assert result["stones"]["Anna"][4][:2] == [5, 30]
    assert result["stones"]["Ben"][5][:2] == [6, 35]
    assert result["winners"] == ["Anna"]


def test_an_own_board_counts_by_its_own_values(tmp_path: Path) -> None:
    board = tmp_path / "short.toml"
    board.write_text('game = "numeri"\nname = "Short"\nvalues = [5, 1, 2, 9, 7, 8, 3]\n')
    assert run("boards", "add", str(board)).exit_code == 0
    result = run("score", "numeri", "Anna gelb 6:4; Ben rot 1:1", "--board", "Short", "--json")
    assert json.loads(result.stdout)["points"] == {"Anna": 54, "Ben": 5}


def test_colours_may_be_given_in_both_languages(tmp_path: Path) -> None:
    tx, presentation = Texts("de"), PRESENTATIONS["numeri"]
    given = add_colours(tx, presentation, "Anna gelb, Ben  Red, C grün")
    assert given == "Anna yellow, Ben red, C green"
    assert add_colours(tx, presentation, "Anna lila,Gelb") == "Anna lila, Gelb yellow"
    keys = tmp_path / "keys"
    keys.write_text("1", "utf-8")
    store = tmp_path / "t.db"
    command = ["play", "numeri", "--players", "Anna gelb, Ben Blau", "--keys", str(keys)]
    assert run(*command, "--display", "plain", "--store", str(store)).exit_code == 0
    games = Store(store)
    latest = games.latest_game()
    assert latest is not None
    assert games.load(latest).tags["Players"] == "Anna yellow, Ben blue"
