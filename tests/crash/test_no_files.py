"""Pipes and devices in the places of files: no start and no reader waits for them or reads on."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pi_app.phones.pairing import Pairing
from pi_app.store.store import Store
from tests.crash.process import GAME, Process
from tests.pi_app.store.faults import TAGS, games

INSIDE = """
import sys
from pathlib import Path
import click
from pi_app.commands.report import _game_lines, report
from pi_app.files.regular import NotAFileError
from pi_app.store.archive import ReadFile
from pi_app.store.derived import Derived
from pi_app.store.store import Store
place = Path(sys.argv[1])
store = Store(place)
print("store", store.trouble, store.begin({}))
store.close()
derived = Derived.of_store(place)
derived.put("kind", 1, "key", b"value")
print("derived", derived.get("kind", 1, "key"))
try:
    ReadFile(place)
except NotAFileError as error:
    print("reader", error.filename)
with click.Context(report):
    print("report", *_game_lines(place))
"""
LIMIT_S = 120
"""So long a process may take; one that waits for a pipe would take for ever."""
NEEDED = ("", "-wal", "-shm", "-journal", ".phones")
"""What a start opens beside the store, and cannot do without."""
READERS = ("show history", "show statistics", "show evening", "show tables", "export")


def to_zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


PLANT = pytest.mark.parametrize("plant", [os.mkfifo, to_zero], ids=["pipe", "device"])
Plant = Callable[[Path], None]


def run(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command that must end by itself, with its log in this folder."""
    return subprocess.run(
        [sys.executable, "-m", "pi_app", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
        env=os.environ | {"XDG_STATE_HOME": str(folder), "LANG": "en_GB.UTF-8"},
    )


def refused(done: "subprocess.CompletedProcess[str]", path: Path) -> bool:
    """Tell whether a command ended with the one sentence about this file."""
    said = f"beisitzer: {path} is a pipe or a device, not a file: remove it, or name another --"
    return done.returncode == 2 and done.stderr.startswith(said) and done.stderr.count("\n") == 1


@pytest.fixture(name="place")
def _place(tmp_path: Path) -> Path:
    """Return a store with a game that goes on."""
    place = tmp_path / "games.db"
    store = Store(place)
    store.append(store.begin(TAGS), 0, "5", None)
    store.close()
    return place


def replaced(place: Path, suffix: str, plant: Plant) -> Path:
    path = place.with_name(place.name + suffix)
    path.unlink(missing_ok=True)
    plant(path)
    return path


@PLANT
@pytest.mark.parametrize("suffix", NEEDED)
def test_a_start_refuses_what_is_no_file_in_one_sentence(
    place: Path, suffix: str, plant: Plant
) -> None:
    path = replaced(place, suffix, plant)
    words = ("play", "--store", str(place), "--keys", "-", "--display", "plain")
    assert refused(run(place.parent, *words), path)
    if suffix:
        path.unlink()
        assert run(place.parent, *words).returncode == 0
        store = Store(place)
        assert games(store) == [(("5",), ())]
        store.close()


@PLANT
@pytest.mark.parametrize("suffix", [".run", ".derived", ".derived-journal"])
def test_a_start_does_without_what_is_no_file_where_it_can(
    place: Path, suffix: str, plant: Plant
) -> None:
    replaced(place, suffix, plant)
    process = Process(place)
    process.keys("6 #")
    assert process.wait_for(lambda: "Anna" in str(process.frames[-1:]), LIMIT_S)
    assert process.end()[0] == 0
    store = Store(place)
    assert games(store) == [(("5", "6"), ())]
    store.close()


@PLANT
@pytest.mark.parametrize("word", READERS)
def test_a_reader_refuses_what_is_no_file_in_one_sentence(
    place: Path, word: str, plant: Plant
) -> None:
    for suffix in ("-wal", ""):
        path = replaced(place, suffix, plant)
        assert refused(run(place.parent, *word.split(), "--store", str(place)), path)
        path.unlink()


@PLANT
def test_nothing_is_imported_into_what_is_no_file(
    place: Path, tmp_path: Path, plant: Plant
) -> None:
    exported = run(tmp_path, "export", "--store", str(place))
    assert exported.returncode == 0, exported.stderr
    (record := tmp_path / "record.txt").write_text(exported.stdout)
    path = replaced(place, "", plant)
    assert refused(run(tmp_path, "import", str(record), "--store", str(place)), path)
    assert not path.is_file()


@PLANT
@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_whoever_opens_a_store_without_its_lock_waits_for_no_pipe_either(
    place: Path, suffix: str, plant: Plant
) -> None:
    """A store goes on in memory as on a card that cannot be read; what is derived is not used."""
    path = replaced(place, suffix, plant)
    replaced(place, ".derived-journal", plant)
    done = subprocess.run(
        [sys.executable, "-c", INSIDE, str(place)],
        capture_output=True,
        text=True,
        check=True,
        timeout=LIMIT_S,
    )
    trouble, derived, reader, report = done.stdout.splitlines()
    assert trouble.startswith("store read-only ")
    assert derived == "derived None"
    assert reader in (f"reader {path}", f"reader {path.resolve()}")
    assert report.startswith("report the store cannot be read: ")


@PLANT
def test_settings_that_are_no_file_are_told(tmp_path: Path, plant: Plant) -> None:
    plant(path := tmp_path / "settings.toml")
    done = subprocess.run(
        [sys.executable, "-m", "pi_app", "config"],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
        env=os.environ | {"BEISITZER_CONFIG": str(path), "LANG": "de_DE.UTF-8"},
    )
    assert done.returncode == 2
    assert "das ist eine Pipe oder ein Gerät, keine Datei" in done.stderr


@PLANT
def test_a_log_that_is_no_file_is_not_written(place: Path, plant: Plant) -> None:
    (folder := place.parent / "beisitzer").mkdir()
    plant(folder / "beisitzer.log")
    process = Process(place, *GAME)
    process.keys("6 #")
    assert process.wait_for(lambda: bool(process.frames), LIMIT_S)
    assert process.end()[0] == 0


def test_links_to_files_are_files(tmp_path: Path) -> None:
    (elsewhere := tmp_path / "elsewhere").mkdir()
    (place := tmp_path / "games.db").symlink_to(elsewhere / "other.db")
    (tmp_path / "games.db.phones").symlink_to(elsewhere / "phones")
    process = Process(place, *GAME)
    process.keys("5 #")
    assert process.wait_for(lambda: "Anna: 5" in str(process.frames[-1:]), LIMIT_S)
    assert process.end() == (0, "")
    store = Store(elsewhere / "other.db")
    assert games(store) == [(("5",), ())]
    store.close()


def test_of_phones_no_more_is_read_than_can_be_theirs(tmp_path: Path) -> None:
    path = tmp_path / "games.db.phones"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a hole of a terabyte
    assert Pairing(path, lambda: 0.0).browsers == ()
