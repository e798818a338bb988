"""Stores of every older version open with everything in them."""

import gzip
import sqlite3
from pathlib import Path

import pytest

from pi_app.store.archive import ReadFile, list_games
from pi_app.store.migrations import NEWEST, SCHEMAS, TooNewError, second_checksum
from pi_app.store.recovery import upgrade
from pi_app.store.store import Reader, Store
from tests.pi_app.store.faults import TAGS, games, reopened

DATA = Path(__file__).parents[2] / "data"
TEXTS = (
    (1, '{"Game": "just4fun", "Players": "Anna yellow, Ben red"}', "2026-01-02T03:04:05+00:00"),
    (2, '{"Game": "numeri", "Players": "Zoë green, Ben red"}', "2026-01-03T03:04:05+00:00"),
)


def store_of(version: int, path: Path) -> None:
    """Write a store as the program of that version left it, with games in it."""
    if version == NEWEST:
        store_of(NEWEST - 1, path)
        Store(path).close()
        return
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    for statement in SCHEMAS[version]:
        db.execute(statement)
    db.execute(f"PRAGMA user_version={version}")
    db.executemany("INSERT INTO game (id, tags, began) VALUES (?, ?, ?)", TEXTS)
    db.execute("UPDATE game SET result='{}', ended='x' WHERE id=2")
    rows = [(1, 0, "5+11", "played"), (1, 1, "7", "replaced"), (1, 1, "8", "undone")]
    db.executemany("INSERT INTO ply (game, n, token, state, at) VALUES (?, ?, ?, ?, 'at')", rows)
    db.execute("INSERT INTO memory VALUES ('players', 'Anna')")
    if version >= 2:
        for row in db.execute("SELECT id, tags, began FROM game").fetchall():
            db.execute("UPDATE game SET crc=? WHERE id=?", (second_checksum(*row), row[0]))
        for row in db.execute("SELECT id, game, n, token, at FROM ply").fetchall():
            db.execute("UPDATE ply SET crc=? WHERE id=?", (second_checksum(*row), row[0]))
    db.close()


@pytest.mark.parametrize("version", SCHEMAS)
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
    assert [file.name for file in tmp_path.iterdir() if "." in file.name[4:]] == []


@pytest.mark.parametrize("version", SCHEMAS)
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


def written_by_the_second_version(path: Path, name: str) -> Path:
    """Unpack a store that the program itself wrote when its second version was the newest."""
    for suffix in ("", "-wal"):
        packed = DATA / f"{name}{suffix}.gz"
        if packed.exists():
            path.with_name(path.name + suffix).write_bytes(gzip.decompress(packed.read_bytes()))
    return path


@pytest.mark.parametrize("name", ["store-2.db", "store-2-cut.db"])
@pytest.mark.parametrize("damaged", [False, True])
def test_a_store_that_the_second_version_wrote_is_read_whole(
    tmp_path: Path, name: str, damaged: bool
) -> None:
    path = written_by_the_second_version(tmp_path / "t.db", name)
    if damaged:
        path.write_bytes(bytes(100) + path.read_bytes()[100:])
    beside = Reader(ReadFile(path))
    assert [entry.id for entry in list_games(beside, 9)] == [3, 2, 1]
    store = Store(path)
    assert bool(store.news()) is damaged
    assert games(store) == [
        (("5", "6", "7", "9", "10+11"), ()),
        (("2+3", "4", "19"), ()),
        (("2+3",), ("5",)),
    ]
    assert store.load(2).tags["Event"] == "x" * 6000
    assert store.unfinished() == 3
    assert "Zo" in (store.recall("players") or "")
    assert [entry.winners for entry in list_games(store, 9)] == [(), (), ("Anna",)]
    store.close()
    assert len(reopened(path)) == 3


def test_an_upgrade_that_fails_leaves_the_version_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.db"
    store_of(1, path)
    before = path.read_bytes()

    def broken(*_: object) -> None:
        raise OSError(28, "no room")

    monkeypatch.setattr("pi_app.store.recovery.os.fsync", broken)
    with pytest.raises(OSError, match="no room"):
        upgrade(path, 1, lambda _: None)
    assert path.read_bytes() == before
    monkeypatch.undo()
    assert games(Store(path))[0] == (("5+11",), ("8",))


def test_a_store_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store = Store(path)
    store.begin(TAGS)
    store._db.execute("ALTER TABLE game ADD COLUMN weather TEXT")
    store._db.execute(f"PRAGMA user_version={NEWEST + 1}")
    store.close()
    before = path.read_bytes()
    with pytest.raises(TooNewError):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("number", [0, 1, NEWEST - 1, NEWEST + 1, 99])
def test_a_wrong_version_number_is_damage_and_costs_nothing(tmp_path: Path, number: int) -> None:
    path = tmp_path / "t.db"
    store = Store(path)
    game = store.begin(TAGS)
    store.append(game, 0, "5", None)
    store._db.execute(f"PRAGMA user_version={number}")
    store.close()
    store = Store(path)
    (told,) = store.news()
    assert told.recovered is not None
    assert games(store) == [(("5",), ())]
