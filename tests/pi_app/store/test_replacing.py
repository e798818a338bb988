"""One store takes the place of another: whole, with the lock, and not at all if that fails."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pi_app.store.check import read_only
from pi_app.store.lock import StoreInUseError, StoreLock
from pi_app.store.store import Store
from tests.pi_app.store.faults import TAGS, games


def written(path: Path, *tokens: str) -> None:
    """Write a store with one game."""
    with closing(Store(path)) as store:
        game = store.begin(TAGS)
        for n, token in enumerate(tokens):
            store.append(game, n, token, None)


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Store:
    written(tmp_path / "new.db", "40")
    return Store(tmp_path / "games.db")


def test_the_new_store_is_played_on_and_locked(store: Store, tmp_path: Path) -> None:
    store.begin(TAGS)
    store.replace_all(tmp_path / "new.db")
    with pytest.raises(StoreInUseError):
        StoreLock(tmp_path / "games.db")
    store.append(1, 1, "41", None)
    store.close()
    assert not (tmp_path / "new.db").exists()
    with closing(Store(tmp_path / "games.db")) as again:
        assert games(again)[0][0] == ("40", "41")


def test_a_renaming_that_fails_loses_nothing_even_while_somebody_reads(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader keeps SQLite from emptying the log when the store closes its connection."""
    game = store.begin(TAGS)
    store.append(game, 0, "7", None)
    with closing(read_only(tmp_path / "games.db")) as reader:
        reader.execute("SELECT count(*) FROM ply").fetchone()

        def fail(*_: object) -> None:
            raise OSError(30, "Read-only file system")

        with monkeypatch.context() as patch:
            patch.setattr("pi_app.store.recovery._rename", fail)
            with pytest.raises(OSError, match="Read-only"):
                store.replace_all(tmp_path / "new.db")
    assert games(store)[0][0] == ("7",)
    store.append(game, 1, "8", None)
    store.close()


def test_a_store_in_memory_has_no_file_to_replace(tmp_path: Path) -> None:
    written(tmp_path / "new.db", "40")
    with closing(Store(":memory:")) as store, pytest.raises(sqlite3.OperationalError):
        store.replace_all(tmp_path / "new.db")
