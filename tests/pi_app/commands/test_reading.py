"""Damaged and newer games: a command that reads them says so, with status 1."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engines.game import Result
from pi_app.store import Store
from pi_app.store.journal import FactLines
from tests.pi_app.commands.called import run
from tests.pi_app.store.faults import TAGS

COMMANDS = {
    "history": ("show", "history"),
    "history of one": ("show", "history", "1"),
    "export": ("export", "1"),
    "export of all": ("export", "--json"),
    "statistics": ("show", "statistics"),
    "evening": ("show", "evening"),
    "report": ("report", "-"),
}


@pytest.fixture(name="place")
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    store = Store(tmp_path / "games")
    for moves in (("5", "6", "7"), ("8", "9")):
        game = store.begin(TAGS)
        for n, token in enumerate(moves):
            store.append(game, n, token, None)
        store.append(game, len(moves), "12", Result(("Anna",), "points", {}))
    store.remember("players", "[]")
    store.close()
    return tmp_path / "games"


def alter(place: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    (file,) = place.glob(name)
    before = file.read_bytes()
    file.write_bytes(change(before))
    assert file.read_bytes() != before


def flip_the_second_move(data: bytes) -> bytes:
    return data.replace(b'"6"', b'"7"')


# a report has the latest game only
@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"report"}))
def test_a_command_that_reads_a_damaged_game_says_from_which_move_on(
    place: Path, command: str
) -> None:
    alter(place, "0001-*", flip_the_second_move)
    result = run(*COMMANDS[command], "--store", place)
    assert result.exit_code == 1, result.output
    assert "Game 1 is damaged: move 2 and what follows it cannot be read." in result.stderr


def test_what_is_before_the_damage_is_printed_and_nothing_after_it(place: Path) -> None:
    alter(place, "0001-*", flip_the_second_move)
    result = run("show", "history", "1", "--store", place)
    assert "1  Anna  5" in result.stdout
    assert "2  Ben" not in result.stdout
    assert run("export", "1", "--store", place).stdout.rstrip().endswith("1. 5")


@pytest.mark.parametrize("words", [("show", "history", "2"), ("export", "2")])
def test_a_command_that_reads_other_games_says_nothing_of_it(
    place: Path, words: tuple[str, ...]
) -> None:
    alter(place, "0001-*", flip_the_second_move)
    result = run(*words, "--store", place)
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_report_of_a_damaged_game_says_so(place: Path) -> None:
    alter(place, "0002-*", lambda data: data.replace(b'"9"', b'"8"'))
    result = run("report", "-", "--store", place)
    assert result.exit_code == 1
    assert "damaged at move 2" in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_known_of_people_and_damaged_is_told(place: Path, command: str) -> None:
    alter(place, "people.jsonl", lambda data: data.replace(b"players", b"playerz"))
    result = run(*COMMANDS[command], "--store", place)
    assert result.exit_code == 1
    assert "is damaged where it says what is known of people" in result.stderr


def test_a_game_of_a_newer_program_is_told_and_left_as_it_is(place: Path) -> None:
    newer = FactLines()
    newer.add([{"game": 3, "format": 2, "what": "we do not know"}])
    (place / "0003-halma-2031-01-01.jsonl").write_bytes(newer.data)
    result = run("show", "history", "--store", place)
    assert result.exit_code == 1
    assert "Game 3 was written by a newer Beisitzer: update this one." in result.stderr
    assert len(result.stdout.splitlines()) == 4
    assert (place / "0003-halma-2031-01-01.jsonl").read_bytes() == newer.data
