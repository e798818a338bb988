"""A store whose file fails: the game goes on in memory and is written when that is possible."""

import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_app.store.database import Trouble
from pi_app.store.store import Store
from tests.pi_app.store.faults import TAGS, Faults, course, games, reopened

CODES = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_IOERR | 3 << 8: Trouble.FAILING,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
}


def statements(path: Path) -> int:
    """Return how many statements an undisturbed course of games carries out on its file."""
    faults = Faults(None, sqlite3.SQLITE_FULL)
    store = Store(path, faults.connect)
    course(store)
    return faults.count


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("after", [False, True])
def test_whichever_statement_fails_nothing_is_lost(
    tmp_path: Path,
    code: int,
    after: bool,
) -> None:
    total = statements(tmp_path / "count.db")
    assert total > 60
    for first in range(1, total + 1):
        path = tmp_path / f"{first}.db"
        faults = Faults(first, code, after=after)
        store = Store(path, faults.connect)
        expected = course(store)
        assert games(store) == expected, f"in memory, statement {first}"
        assert store.trouble is CODES[code]
        assert [news.trouble for news in store.news()] == [CODES[code]]
        assert not store.retry()
        faults.first = None
        assert store.retry()
        assert [news.written for news in store.news()] == [True]
        store.close()
        assert reopened(path) == expected, f"in the file, statement {first}"


def test_what_was_confirmed_before_the_failure_is_in_the_file_at_once(tmp_path: Path) -> None:
    faults = Faults(None, sqlite3.SQLITE_FULL)
    store = Store(tmp_path / "t.db", faults.connect)
    game = store.begin(TAGS)
    store.append(game, 0, "5", None)
    faults.first = 0
    store.append(game, 1, "6", None)
    assert games(store) == [(("5", "6"), ())]
    assert reopened(tmp_path / "t.db") == [(("5",), ())]


def test_a_failing_card_that_comes_back_empty_gets_everything(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    faults = Faults(None, sqlite3.SQLITE_IOERR)
    store = Store(path, faults.connect)
    expected = course(store)
    faults.first = 0
    store.remember("a", "b")
    for file in tmp_path.iterdir():
        file.unlink()
    faults.first = None
    assert store.retry()
    store.close()
    assert reopened(path) == expected


def test_games_begun_while_the_card_was_unreadable_overwrite_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store = Store(path)
    expected = course(store)
    store.close()
    hidden = path.rename(tmp_path / "hidden.db")
    faults = Faults(0, sqlite3.SQLITE_IOERR)
    store = Store(path, faults.connect)
    game = store.begin(TAGS)
    store.append(game, 0, "11", None)
    path.unlink(missing_ok=True)
    hidden.rename(path)
    faults.first = None
    assert store.retry()
    store.close()
    assert reopened(path) == [*expected, (("11",), ())]


SCRIPT = """
import resource, sys
from pathlib import Path
from pi_app.store.store import Store
from tests.pi_app.store.faults import course, games, reopened
path = Path(sys.argv[1])
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
for limit in map(int, sys.argv[2:]):
    file = path / f"{limit}.db"
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
    store = Store(file)
    expected = course(store)
    assert games(store) == expected, limit
    troubled = store.trouble
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    assert store.retry(), limit
    store.close()
    assert reopened(file) == expected, limit
    print(limit, troubled)
"""


def test_files_that_cannot_grow_at_any_point_lose_nothing(tmp_path: Path) -> None:
    """The kernel itself refuses every write beyond a size, from the first byte to the last."""
    whole = Store(tmp_path / "whole.db")
    course(whole)
    end = max(file.stat().st_size for file in tmp_path.iterdir())
    whole.close()
    limits = [*range(0, end, 1030), end]
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), *map(str, limits)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert len(lines) == len(limits)
    assert lines[0].startswith("0 ")
    assert not lines[0].endswith("None")
    assert lines[-1] == f"{end} None"


READ_ONLY = """
import os, sys
from pathlib import Path
from pi_app.store.store import Store
from tests.pi_app.store.faults import TAGS, games
if os.geteuid() == 0:
    os.setuid(65534)
store = Store(Path(sys.argv[1]))
print(store.trouble, games(store))
game = store.begin(TAGS)
store.append(game, 0, "12", None)
print(games(store)[-1], store.retry())
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that the user nobody may enter too: root may write everywhere."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_read_only_card_is_read_and_the_game_goes_on_in_memory(open_folder: Path) -> None:
    path = open_folder / "card" / "t.db"
    store = Store(path)
    expected = course(store)
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    store.close()
    for file, content in before.items():  # as after a power cut: with a log that counts
        file.write_bytes(content)
        file.chmod(0o444)
    path.parent.chmod(0o555)
    run = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    path.parent.chmod(0o755)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [f"read-only {expected}", "(('12',), ()) False"]
    assert {file: file.read_bytes() for file in before} == before


def test_a_mistake_of_ours_is_no_trouble_of_the_file(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.db")
    with pytest.raises(sqlite3.IntegrityError):
        store.append(99, 0, "5", None)
    assert store.trouble is None
    game = store.begin(TAGS)
    store.append(game, 0, "5", None)
    assert reopened(tmp_path / "t.db") == [(("5",), ())]


def test_a_move_is_one_transaction_and_synchronous(tmp_path: Path) -> None:
    faults = Faults(None, sqlite3.SQLITE_FULL)
    store = Store(tmp_path / "t.db", faults.connect)
    game = store.begin(TAGS)
    seen: list[str] = []
    store._db._state.db.set_trace_callback(seen.append)
    store.append(game, 0, "5", None)
    assert seen[0] == "BEGIN IMMEDIATE"
    assert [line for line in seen if line.startswith(("BEGIN", "COMMIT"))] == [seen[0], seen[-1]]
    assert store._db.rows("PRAGMA synchronous") == [(2,)]
    assert store._db.rows("PRAGMA journal_mode") == [("wal",)]
