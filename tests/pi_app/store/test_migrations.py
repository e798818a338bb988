"""Stores of every older version open with everything in them."""

import sqlite3
from pathlib import Path

import pytest

from pi_app.store.migrations import STEPS, TooNewError, checksum, migrate
from pi_app.store.store import Store
from tests.pi_app.store.faults import TAGS, games

TEXTS = (
    (1, '{"Game": "just4fun", "Players": "Anna yellow, Ben red"}', "2026-01-02T03:04:05+00:00"),
    (2, '{"Game": "numeri", "Players": "Zoë green, Ben red"}', "2026-01-03T03:04:05+00:00"),
)


def store_of(version: int, path: Path) -> None:
    """Write a store as the program of that version left it, with games in it."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    migrate(db, STEPS[:version])
    if version >= 1:
        db.executemany("INSERT INTO game (id, tags, began) VALUES (?, ?, ?)", TEXTS)
        db.execute("UPDATE game SET result='{}', ended='x' WHERE id=2")
        rows = [(1, 0, "5+11", "played"), (1, 1, "7", "replaced"), (1, 1, "8", "undone")]
        db.executemany(
            "INSERT INTO ply (game, n, token, state, at) VALUES (?, ?, ?, ?, 'at')", rows
        )
        db.execute("INSERT INTO memory VALUES ('players', 'Anna')")
    if version >= 2:
        for row in db.execute("SELECT id, tags, began FROM game").fetchall():
            db.execute("UPDATE game SET crc=? WHERE id=?", (checksum(*row), row[0]))
        for row in db.execute("SELECT id, game, n, token, at FROM ply").fetchall():
            db.execute("UPDATE ply SET crc=? WHERE id=?", (checksum(*row), row[0]))
    db.close()


@pytest.mark.parametrize("version", range(1, len(STEPS) + 1))
def test_a_store_of_every_version_keeps_its_games(version: int, tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store_of(version, path)
    store = Store(path)
    assert store.news() == []
    assert games(store) == [(("5+11",), ("8",)), ((), ())]
    assert store.load(2).tags["Players"] == "Zoë green, Ben red"
    assert store.recall("players") == "Anna"
    assert store.unfinished() == 1
    store.append(1, 1, "9", None)
    assert store.load(1).tokens == ("5+11", "9")


@pytest.mark.parametrize("version", range(len(STEPS) + 1))
def test_every_version_ends_with_the_same_schema(version: int, tmp_path: Path) -> None:
    def schema(path: Path) -> list[tuple[str, str]]:
        db = sqlite3.connect(path)
        return db.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()

    store_of(version, tmp_path / "old.db")
    Store(tmp_path / "old.db").close()
    Store(tmp_path / "new.db").close()
    assert schema(tmp_path / "old.db") == schema(tmp_path / "new.db")


def test_the_first_version_is_what_was_first_released(tmp_path: Path) -> None:
    store_of(1, tmp_path / "t.db")
    db = sqlite3.connect(tmp_path / "t.db")
    columns = {
        table: [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        for table in ("game", "ply", "memory")
    }
    assert columns == {
        "game": ["id", "tags", "began", "ended", "result", "shelved"],
        "ply": ["id", "game", "n", "token", "state", "at"],
        "memory": ["key", "value"],
    }


def test_a_step_that_fails_halfway_leaves_the_version_before(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store_of(1, path)
    db = sqlite3.connect(path, isolation_level=None)

    def broken(db: sqlite3.Connection) -> None:
        db.execute("DELETE FROM ply")
        raise sqlite3.OperationalError("power cut")

    with pytest.raises(sqlite3.OperationalError):
        migrate(db, (STEPS[0], broken))
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    db.close()
    assert games(Store(path))[0] == (("5+11",), ("8",))


def test_a_store_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store = Store(path)
    store.begin(TAGS)
    store._db.execute(f"PRAGMA user_version={len(STEPS) + 1}")
    store.close()
    before = path.read_bytes()
    with pytest.raises(TooNewError):
        Store(path)
    assert path.read_bytes() == before
