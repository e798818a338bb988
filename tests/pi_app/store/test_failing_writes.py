"""A store whose file fails: the game goes on in memory and is written when that is possible."""

import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from pi_app.store.database import CHECKPOINT_PAGES, Trouble
from pi_app.store.migrations import PAGE_BYTES
from pi_app.store.store import Store
from tests.pi_app.store.faults import TAGS, Faults, games, play_games, reopened

CODES = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_IOERR | 3 << 8: Trouble.FAILING,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
}


def statements(path: Path) -> int:
    """Return how many statements an undisturbed course of games carries out on its file."""
    faults = Faults(None, sqlite3.SQLITE_FULL)
    store = Store(path, faults.connect)
    play_games(store)
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
    # each statement fails in one way; that the others are treated alike, a part of them shows
    for first in range(1, total + 1, 1 if code == sqlite3.SQLITE_FULL else 9):
        path = tmp_path / f"{first}.db"
        faults = Faults(first, code, after=after)
        store = Store(path, faults.connect)
        expected = play_games(store)
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
    expected = play_games(store)
    faults.first = 0
    store.remember("a", "b")
    for file in tmp_path.iterdir():
        file.unlink()
    faults.first = None
    assert store.retry()
    store.close()
    assert reopened(path) == expected


@pytest.mark.parametrize("clock", [None, 0.0, 1.0, 2.0**31, 1_800_000_000.0])
def test_games_begun_while_the_card_was_unreadable_overwrite_nothing(
    tmp_path: Path, clock: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where the clock has no battery: it may begin in 1970, and at each start anew."""
    path = tmp_path / "t.db"
    store = Store(path)
    expected = play_games(store)
    store.close()
    if clock is not None:
        monkeypatch.setattr("pi_app.store.store.time", lambda: clock)
    monkeypatch.setattr("pi_app.store.store.urandom", Random(1).randbytes, raising=False)
    for _ in range(3):
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
        expected.append((("11",), ()))
        assert reopened(path) == expected


SCRIPT = """
import resource, sys
from pathlib import Path
from pi_app.store.store import Store
from tests.pi_app.store.faults import Faults, play_games, games, reopened
path = Path(sys.argv[1])
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
for limit in map(int, sys.argv[2:]):
    file = path / f"{limit}.db"
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
    store = Store(file, Faults(None, 0).connect)
    expected = play_games(store)
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
    play_games(whole)
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
Path("/").as_uri()  # imports a module that nobody may not read where Python is root's own
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
    expected = play_games(store)
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


SOMEBODY_ELSES = """
import os, sys
from pathlib import Path
from pi_app.store.store import Store
Path("/").as_uri()  # imports a module that nobody may not read where Python is root's own
if os.geteuid() == 0:
    os.setuid(65534)
store = Store(Path(sys.argv[1]))
print(store.trouble, [news.trouble for news in store.news()])
"""


@pytest.mark.parametrize("kind", ["its file", "its folder", "no folder"])
def test_a_store_that_may_not_be_written_is_told_at_the_start(open_folder: Path, kind: str) -> None:
    path = open_folder / "card" / "t.db"
    if kind == "no folder":
        path.parent.parent.chmod(0o555)
    else:
        course_and_close(path)
        path.chmod(0o444)
        path.parent.chmod(0o777 if kind == "its file" else 0o555)
    run = subprocess.run(
        [sys.executable, "-c", SOMEBODY_ELSES, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    for folder in (open_folder, path.parent):
        if folder.exists():
            folder.chmod(0o755)
    assert run.stdout.splitlines() == ["read-only [<Trouble.READ_ONLY: 'read-only'>]"], run.stderr


def course_and_close(path: Path) -> None:
    store = Store(path)
    play_games(store)
    store.close()


def test_a_row_of_somebody_else_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    faults = Faults(None, sqlite3.SQLITE_IOERR)
    store = Store(path, faults.connect)
    game = store.begin(TAGS)
    store.append(game, 0, "5", None)
    faults.first = 0
    store.append(game, 1, "6", None)
    other = Store(path)  # as a second companion that nobody kept off
    other.append(game, 1, "7", None)
    other.close()
    faults.first = None
    assert not store.retry()
    store.close()
    assert reopened(path) == [(("5", "7"), ())]


def test_a_move_wears_the_card_by_one_small_page(tmp_path: Path) -> None:
    """A page and its frame's header; the log is begun anew before it is long."""
    path = tmp_path / "t.db"
    log = tmp_path / "t.db-wal"
    store = Store(path)
    game = store.begin(TAGS)
    sizes = []
    for n in range(300):
        store.append(game, n, "5+11+13", None)
        sizes.append(log.stat().st_size)
    frame = 24 + PAGE_BYTES
    grown = [after - before for before, after in pairwise(sizes)]
    assert sum(size > frame for size in grown) <= len(grown) // 8, "a full page is divided"
    assert max(sizes) <= 32 + frame * (CHECKPOINT_PAGES + 8)


def test_a_mistake_of_ours_is_no_trouble_of_the_file(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.db")
    with pytest.raises(sqlite3.IntegrityError):
        store.append(99, 0, "5", None)
    assert store.trouble is None
    game = store.begin(TAGS)
    store.append(game, 0, "5", None)
    assert reopened(tmp_path / "t.db") == [(("5",), ())]


def test_a_move_is_one_transaction_and_synchronous(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.db")
    game = store.begin(TAGS)
    seen: list[str] = []
    store._db._state.db.set_trace_callback(seen.append)
    store.append(game, 0, "5", None)
    assert seen[0] == "BEGIN IMMEDIATE"
    assert [line for line in seen if line.startswith(("BEGIN", "COMMIT"))] == [seen[0], seen[-1]]
    assert store._db.rows("PRAGMA synchronous") == [(2,)]
    assert store._db.rows("PRAGMA journal_mode") == [("wal",)]
