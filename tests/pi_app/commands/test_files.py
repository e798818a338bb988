"""Every command that takes a file, with everything that is no file: one sentence each, in time."""

import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from pi_app.commands import play, report
from pi_app.commands.cli import main
from pi_app.store import Store
from pi_app.system import regular
from pi_app.view.key_script import read_keys
from tests.pi_app.commands.called import lines, refused, run
from tests.pi_app.store.faults import TAGS

RECORD = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n\n5 6\n'

SHOWN = ("history", "evening", "statistics", "tables")
READERS = {
    **{word: (word, "FILE") for word in ("check", "legal", "advise", "score")},
    "show course": ("show", "course", "FILE"),
    "import": ("import", "FILE", "--store", "STORE"),
    "play --keys": ("play", "--keys", "FILE"),
    "play --store": ("play", "--keys", "/dev/null", "--store", "FILE"),
    "export": ("export", "--store", "FILE"),
    **{f"show {word}": ("show", word, "--store", "FILE") for word in SHOWN},
    "boards check": ("boards", "check", "FILE"),
    "boards add": ("boards", "add", "FILE"),
    "club restore": ("club", "restore", "FILE", "--state", "CLUB"),
    "club round": ("club", "round", "--results", "FILE", "--people", "p1,p2,p3,p4"),
    "club --database": ("club", "status", "--state", "CLUB", "--database", "sqlite:///FILE"),
    "club --state": ("club", "status", "--state", "FILE"),
}
WRITERS = {
    "export --to": ("export", "--to", "FILE", "--store", "STORE"),
    "report": ("report", "FILE", "--store", "STORE"),
    "play --record": ("play", "just4fun", "--keys", "/dev/null", "--record", "FILE"),
    "play --shots": ("play", "just4fun", "--keys", "/dev/null", "--shots", "FILE"),
    "club backup": ("club", "backup", "FILE", "--database", "sqlite:///CLUB.db"),
}
INTO_FOLDERS = {
    "export --to", "play --shots", "play --store", "export",
    *(f"show {word}" for word in SHOWN),
}  # fmt: skip


def _make_socket(place: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as made:
        made.bind(str(place))


def _inside_a_file(place: Path) -> Path:
    place.write_text(RECORD)
    return place / "inside"


KINDS: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a link to itself": lambda place: place.symlink_to(place),
    "a device without an end": lambda place: place.symlink_to("/dev/zero"),
    "a device of chance": lambda place: place.symlink_to("/dev/urandom"),
    "a device that is full": lambda place: place.symlink_to("/dev/full"),
    "a socket": _make_socket,
    "a folder": lambda place: place.mkdir(),
    "something in a file": _inside_a_file,
    "a name that is too long": lambda place: place.with_name("x" * 300),
}


WordsOf = Callable[[tuple[str, ...], Path], list[str]]


@pytest.fixture(name="words_of")
def _words_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WordsOf:
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setattr(regular, "PATIENCE_S", 0.05)
    # the report does not ask another process about the devices here
    monkeypatch.setattr(report, "_rig_lines", list)
    (tmp_path / "record.txt").write_text(RECORD)
    (tmp_path / "here").mkdir()
    with closing(Store(tmp_path / "games")) as store:
        store.append(store.begin(TAGS), 0, "5", None)
    known = {
        "RECORD": str(tmp_path / "record.txt"),
        "STORE": str(tmp_path / "games"),
        "CLUB": str(tmp_path / "club"),
    }

    def replaced(word: str, place: Path) -> str:
        if not word.isupper() and ":///" not in word:
            return word
        for name, path in {**known, "FILE": str(place)}.items():
            word = word.replace(name, path)
        return word

    return lambda words, place: [replaced(word, place) for word in words]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", [*READERS, *WRITERS])
def test_what_is_no_file_is_refused_in_one_sentence(
    words_of: WordsOf, tmp_path: Path, command: str, kind: str
) -> None:
    if kind == "a folder" and command in (*INTO_FOLDERS, "club --state"):
        pytest.skip("a folder is right there")
    place = tmp_path / "here" / "file"
    given = KINDS[kind](place)
    place = given if isinstance(given, Path) else place
    is_there = kind not in ("something in a file", "a name that is too long")
    before = place.lstat().st_ino if is_there else 0
    result = run(*words_of({**READERS, **WRITERS}[command], place))
    assert result.exit_code in (1, 2)
    assert result.stderr.count("\n") == 1, result.stderr
    assert len(result.stderr) < 1000
    assert "fault" not in result.stderr
    assert "Errno" not in result.stderr
    assert not is_there or place.lstat().st_ino == before


def test_every_command_that_takes_a_file_is_in_the_table() -> None:
    tested = {words[0] for words in (*READERS.values(), *WRITERS.values())}
    context = main.make_context("beisitzer", [], resilient_parsing=True)
    named = {
        name
        for name in main.list_commands(context)
        if (command := main.get_command(context, name)) is not None
        for parameter in command.params
        if "file" in (parameter.name or "") or "FILE" in str(getattr(parameter, "help", ""))
    }
    others = {"web", "link"}  # only a socket's name, or tested with real brokers
    assert named - others <= tested


@pytest.mark.parametrize("command", ["check", "play --keys"])
def test_what_a_pipe_brings_is_read_like_a_file(
    words_of: WordsOf, tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regular, "PATIENCE_S", 60.0)  # a busy machine begins to write late
    os.mkfifo(place := tmp_path / "pipe")
    text = RECORD if command == "check" else "5 #"
    writer = Thread(target=place.write_text, args=(text,), daemon=True)
    writer.start()
    result = run(*words_of(READERS[command], place))
    writer.join()
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_pipe_that_never_ends_is_left_after_a_while(
    words_of: WordsOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(place := tmp_path / "pipe")
    monkeypatch.setattr(regular, "LONGEST_S", 0.2)
    handle = os.open(place, os.O_RDWR)  # somebody has it open, and writes nothing more
    os.write(handle, RECORD.encode())
    assert "pipe that does not end" in refused(*words_of(READERS["check"], place))
    os.close(handle)


@pytest.mark.parametrize("size", [play.SCRIPT_LIMIT_BYTES + 1, 30])
def test_of_a_script_that_is_none_little_is_repeated(tmp_path: Path, size: int) -> None:
    (tmp_path / "keys").write_text("5 # " + "x" * size)
    said = refused("play", "--keys", tmp_path / "keys")
    assert len(said) < len(str(tmp_path)) + 200
    assert ("longer than any key script" in said) is (size > play.SCRIPT_LIMIT_BYTES)


def test_a_line_without_an_end_on_standard_input_is_no_key(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no key is called"):
        read_keys("x" * 10_000_000)
    words = [sys.executable, "-m", "pi_app", "play", "--keys", "-", "--display", "plain"]
    result = subprocess.run(
        [*words, "--store", tmp_path / "games"],
        input="x" * 3_000_000,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stderr.startswith("beisitzer: standard input: ")
    assert len(result.stderr) < 200


@pytest.mark.parametrize("digits", ["9" * 5000, f"[[1, {'9' * 5000}]]"])
@pytest.mark.parametrize("words", [("config",), ("show", "evening"), ("check", "RECORD")])
def test_a_number_that_python_cannot_read_is_named_with_its_line(
    words_of: WordsOf,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    digits: str,
    words: tuple[str, ...],
) -> None:
    place = tmp_path / "settings.toml"
    place.write_text(f'language = "en"\n[display]\nblank_after_s = {digits}\n')
    monkeypatch.setenv("BEISITZER_CONFIG", str(place))
    if words[0] == "check":  # a record can be read with any settings
        assert run(*words_of(words, place)).exit_code == 0
    else:
        assert f"{place}, line 3: " in refused(*words)
    assert refused("config", "--set", f"display.blank_after_s={digits}")


@pytest.mark.parametrize("log", ["DELETE", "WAL"])
def test_no_club_is_put_into_another_programs_database(
    words_of: WordsOf, tmp_path: Path, log: str
) -> None:
    other = tmp_path / "here" / "other.db"
    with closing(sqlite3.connect(other)) as db:
        db.execute(f"PRAGMA journal_mode={log}")
        db.execute("CREATE TABLE people (id INTEGER)")
    before = other.read_bytes()
    result = run(*words_of(READERS["club --database"], other))
    assert "is another program's database" in result.stderr
    assert result.exit_code == 1
    assert other.read_bytes() == before
    assert [each.name for each in other.parent.iterdir()] == ["other.db"]
    assert lines(
        run(*words_of(("club", "status", "--json", "--database", "sqlite:///CLUB.db"), other))
    )
