"""What never was a store of games is refused by every command, in one sentence and untouched."""

import gzip
import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pi_app.store.derived import Derived
from pi_app.store.store import Store
from tests.pi_app.commands.called import refused, run
from tests.pi_app.store.faults import games

RECORD = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n\n5 6\n'
COMMANDS = {
    "play": ("play", "--keys", "/dev/null", "--display", "plain"),
    "play a game": ("play", "just4fun", "--keys", "/dev/null", "--display", "plain"),
    "import": ("import", "RECORD"),
    "export": ("export",),
    "show course": ("show", "course", "1"),
    **{f"show {name}": ("show", name) for name in ("history", "statistics", "evening", "tables")},
}


def _database(place: Path, *, page: int = 4096, mode: str = "DELETE", version: int = 0) -> None:
    with closing(sqlite3.connect(place)) as db:
        db.execute(f"PRAGMA page_size={page}")
        db.execute(f"PRAGMA journal_mode={mode}")
        db.execute("CREATE TABLE game (id INTEGER PRIMARY KEY, white TEXT, black TEXT)")
        db.execute("INSERT INTO game (white, black) VALUES ('Anna', 'Ben')")
        db.execute(f"PRAGMA user_version={version}")
        db.commit()


def _derived(place: Path) -> None:
    Derived(place).put("kind", 1, "key", b"value")


FILE, DATABASE = "is no store of games: name another", "is another program's database: name another"
KINDS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a table": (lambda place: place.write_text("name;points\rAnna;3\r"), FILE),
    "a picture": (lambda place: place.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50_000)), FILE),
    "one sign": (lambda place: place.write_text("x"), FILE),
    "a record": (lambda place: place.write_text(RECORD), FILE),
    "nothing but zeros": (lambda place: place.write_bytes(bytes(5000)), FILE),
    "chance": (lambda place: place.write_bytes(random.Random(1).randbytes(300_000)), FILE),
    "line ends": (lambda place: place.write_bytes(b"\r" * 70_000), FILE),
    "packed": (lambda place: place.write_bytes(gzip.compress(b"x" * 9000)), FILE),
    "a database": (_database, DATABASE),
    "one with our pages": (lambda place: _database(place, page=1024, version=4), DATABASE),
    "one with a log": (lambda place: _database(place, mode="WAL"), DATABASE),
    "one with our pages and a log": (
        lambda place: _database(place, page=1024, mode="WAL"),
        DATABASE,
    ),
    "a newer one": (lambda place: _database(place, page=1024, version=99), DATABASE),
    "what we derive": (_derived, DATABASE),
    "a folder": (lambda place: place.mkdir(), "is a folder, not a store: name a"),
}


def seen(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return the names, the contents and the times of all files in a folder."""
    return {
        str(path.relative_to(folder)): (
            b"" if path.is_dir() else path.read_bytes(),
            path.stat().st_mtime_ns,
        )
        for path in folder.rglob("*")
    }


@pytest.fixture(name="place")
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    (tmp_path / "record.txt").write_text(RECORD)
    (tmp_path / "here").mkdir()
    return tmp_path / "here" / "games.db"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_never_was_a_store_is_refused_and_left_as_it_is(
    place: Path, command: str, kind: str
) -> None:
    make, sentence = KINDS[kind]
    make(place)
    before = seen(place.parent)
    record = str(place.parent.parent / "record.txt")
    words = [record if word == "RECORD" else word for word in COMMANDS[command]]
    assert f"{place} {sentence} --store FILE" in refused(*words, "--store", place)
    assert seen(place.parent) == before


@pytest.mark.parametrize("path", ["", ".", "/"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_without_a_name_of_its_own_is_a_folder(
    place: Path, monkeypatch: pytest.MonkeyPatch, command: str, path: str
) -> None:
    """An empty path comes from a variable of a shell that is not set."""
    monkeypatch.chdir(place.parent)
    record = str(place.parent.parent / "record.txt")
    words = [record if word == "RECORD" else word for word in COMMANDS[command]]
    assert "is a folder, not a store: name a" in refused(*words, "--store", path)
    assert seen(place.parent) == {}


def test_a_report_is_written_about_a_folder_without_a_name(place: Path) -> None:
    assert run("report", place, "--store", "").exit_code == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_written_about_it_without_touching_it(place: Path, kind: str) -> None:
    make, _ = KINDS[kind]
    make(place)
    before = seen(place.parent)
    assert run("report", place.parent.parent / "report.txt", "--store", place).exit_code == 0
    assert seen(place.parent) == before


@pytest.mark.parametrize("size", [None, 0])
@pytest.mark.parametrize("command", ["play a game", "import"])
def test_a_missing_or_an_empty_file_becomes_a_store(
    place: Path, command: str, size: int | None
) -> None:
    if size is not None:
        place.touch()
    record = str(place.parent.parent / "record.txt")
    words = [record if word == "RECORD" else word for word in COMMANDS[command]]
    assert run(*words, "--store", place).exit_code == 0
    store = Store(place)
    assert len(games(store)) == 1
    store.close()


def test_a_file_of_which_nothing_is_left_is_a_store_where_a_companion_ran(place: Path) -> None:
    words = COMMANDS["play a game"]
    assert run(*words, "--store", place).exit_code == 0
    place.write_bytes(os.urandom(5000))
    assert run(*words, "--store", place).exit_code == 0
    assert [each.name for each in place.parent.glob("games.db.damaged-*")]
