"""Every store since version 3 opens with everything in it; one from before that is left alone."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pi_app.store.archive import ReadFile, list_games
from pi_app.store.migrations import OLDEST, STEPS, VersionError, newest_version
from pi_app.store.store import Reader, Store
from tests.pi_app.store.faults import TAGS, Faults, games, reopened

DATA = Path(__file__).parents[2] / "data"
STORED = [(("5", "6", "7", "9", "10+11"), ()), (("2+3",), ("5",)), (("2+3", "4", "19"), ())]

NEXT = {
    newest_version() + 1: (
        "CREATE TABLE guest (id INTEGER PRIMARY KEY, name TEXT NOT NULL, crc INTEGER NOT NULL)",
        "INSERT INTO guest SELECT 1, value, checksum(1, value) FROM memory WHERE key='players'",
        "UPDATE memory SET value=value || ', Zoë', crc=checksum(key, value || ', Zoë')"
        " WHERE key='players'",
    ),
    newest_version() + 2: (
        "CREATE TABLE other (id INTEGER PRIMARY KEY, tags TEXT NOT NULL, began TEXT NOT NULL,"
        " ended TEXT, result TEXT, shelved INTEGER NOT NULL DEFAULT 0,"
        " weather TEXT NOT NULL DEFAULT 'fair', crc INTEGER NOT NULL)",
        "INSERT INTO other (id, tags, began, ended, result, shelved, crc)"
        " SELECT id, tags, began, ended, result, shelved, crc FROM game",
        "DROP TABLE game",
        "ALTER TABLE other RENAME TO game",
    ),
}
"""Steps as they may come: a new table and changed rows, then a column in a table anew."""


@pytest.fixture
def next_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program be one that knows two more versions."""
    for version, statements in NEXT.items():
        monkeypatch.setitem(STEPS, version, statements)


def unpacked(name: str, path: Path) -> Path:
    """Unpack a store that the program itself wrote when the version in its name was the newest."""
    for suffix in ("", "-wal"):
        packed = DATA / f"{name}{suffix}.gz"
        if packed.exists():
            path.with_name(path.name + suffix).write_bytes(gzip.decompress(packed.read_bytes()))
    return path


def schema(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()


def files(folder: Path) -> dict[str, bytes]:
    """Return what lies in a folder, but for the memory that SQLite's connections share."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix != ".db-shm"}


@pytest.mark.parametrize("name", ["store-3.db", "store-3-cut.db"])
@pytest.mark.parametrize("damaged", [False, True])
def test_a_store_that_the_third_version_wrote_is_read_whole(
    tmp_path: Path, name: str, damaged: bool
) -> None:
    path = unpacked(name, tmp_path / "t.db")
    if damaged:
        path.write_bytes(bytes(100) + path.read_bytes()[100:])
    beside = Reader(ReadFile(path))
    assert [entry.id for entry in list_games(beside, 9)] == [3, 2, 1]
    store = Store(path)
    assert bool(store.news()) is damaged
    assert games(store) == STORED
    assert store.load(3).tags["Event"] == "x" * 6000
    assert store.game_on_table() == 3
    assert store.recall("players") == "Anna, Ben"
    assert [entry.winners for entry in list_games(store, 9)] == [(), (), ("Anna",)]
    store.close()
    assert reopened(path) == STORED


@pytest.mark.usefixtures("next_steps")
@pytest.mark.parametrize("name", ["store-3.db", "store-3-cut.db"])
def test_a_store_of_an_earlier_version_is_brought_to_the_newest_with_all_its_games(
    tmp_path: Path, name: str
) -> None:
    path = unpacked(name, tmp_path / "t.db")
    store = Store(path)
    assert store.news() == []
    assert games(store) == STORED
    assert store.recall("players") == "Anna, Ben, Zoë"
    assert store._db.rows("SELECT name FROM guest") == [("Anna, Ben",)]
    assert store._db.rows("SELECT DISTINCT weather FROM game") == [("fair",)]
    store.append(3, 3, "20", None)
    store.close()
    assert [file.name for file in tmp_path.iterdir()] == ["t.db"]
    assert reopened(path)[2][0] == (*STORED[2][0], "20")


@pytest.mark.usefixtures("next_steps")
def test_every_version_ends_with_the_same_schema(tmp_path: Path) -> None:
    Store(unpacked("store-3.db", tmp_path / "old.db")).close()
    Store(tmp_path / "new.db").close()
    assert schema(tmp_path / "old.db") == schema(tmp_path / "new.db")


@pytest.mark.usefixtures("next_steps")
def test_a_reader_sees_an_earlier_version_as_the_newest_and_changes_nothing(
    tmp_path: Path,
) -> None:
    path = unpacked("store-3-cut.db", tmp_path / "t.db")
    before = files(tmp_path)
    with closing(ReadFile(path)) as file:
        assert file.whole
        assert Reader(file).recall("players") == "Anna, Ben, Zoë"
        assert Reader(file).load(3).tokens == STORED[2][0]
    assert files(tmp_path) == before


@pytest.mark.usefixtures("next_steps")
@pytest.mark.parametrize("where", [b"Anna yellow", b'"points"', b"10+11", b"Anna, Ben"])
def test_no_step_makes_damage_look_sound(tmp_path: Path, where: bytes) -> None:
    """What is damaged in an earlier version is rescued as that version, then brought to ours."""
    path = unpacked("store-3.db", tmp_path / "t.db")
    content = path.read_bytes()
    assert where in content
    path.write_bytes(content.replace(where, where[:-1] + b"!", 1))
    with closing(ReadFile(path)) as file:
        assert Reader(file).game_on_table() == 3
        assert file.damage is not None
    store = Store(path)
    (told,) = store.news()
    assert told.recovered is not None
    assert games(store)[-1] == STORED[-1]
    assert store.recall("players") == (None if where == b"Anna, Ben" else "Anna, Ben, Zoë")
    assert store._db.rows("SELECT DISTINCT weather FROM game") == [("fair",)]


@pytest.mark.usefixtures("next_steps")
@pytest.mark.parametrize("after", [False, True])
def test_a_migration_that_fails_anywhere_leaves_the_version_before(
    tmp_path: Path, after: bool
) -> None:
    counting = Faults(None, sqlite3.SQLITE_FULL)
    Store(unpacked("store-3.db", tmp_path / "count.db"), counting.connect).close()
    for first in range(1, counting.count + 1):
        path = unpacked("store-3.db", tmp_path / f"{first}.db")
        old = schema(path)
        faults = Faults(first, sqlite3.SQLITE_FULL, after=after)
        store = Store(path, faults.connect)
        assert games(store) == STORED, first
        assert store.recall("players") == "Anna, Ben, Zoë"
        assert schema(path) in (old, schema(tmp_path / "count.db")), first
        faults.first = None
        assert store.retry()
        store.append(3, 3, "20", None)
        store.close()
        assert schema(path) == schema(tmp_path / "count.db")
        assert reopened(path)[2][0] == (*STORED[2][0], "20")


@pytest.mark.parametrize("name", ["store-2.db", "store-2-cut.db"])
@pytest.mark.parametrize("damaged", [False, True])
def test_a_store_from_before_the_third_version_is_refused_and_left_alone(
    tmp_path: Path, name: str, damaged: bool
) -> None:
    path = unpacked(name, tmp_path / "t.db")
    if damaged:
        path.write_bytes(path.read_bytes()[:100])
    before = files(tmp_path)
    for opened in (Store, ReadFile):
        with pytest.raises(VersionError) as found:
            opened(path)
        assert not found.value.newer
    assert files(tmp_path) == before


def test_a_store_from_before_that_comes_back_in_mid_game_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    faults = Faults(None, sqlite3.SQLITE_IOERR)
    store = Store(path, faults.connect)
    game = store.begin(TAGS)
    faults.first = 0
    store.append(game, 0, "5", None)
    for file in tmp_path.iterdir():
        file.unlink()
    before = unpacked("store-2.db", path).read_bytes()
    faults.first = None
    assert not store.retry()
    store.append(game, 1, "6", None)
    assert games(store) == [(("5", "6"), ())]
    store.close()
    assert path.read_bytes() == before


def test_a_store_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store = Store(path)
    store.begin(TAGS)
    store._db.execute("ALTER TABLE game ADD COLUMN weather TEXT")
    store._db.execute(f"PRAGMA user_version={newest_version() + 1}")
    store.close()
    before = path.read_bytes()
    for opened in (Store, ReadFile):
        with pytest.raises(VersionError) as found:
            opened(path)
        assert found.value.newer
    assert path.read_bytes() == before


@pytest.mark.parametrize("number", [0, 1, OLDEST - 1, newest_version() + 1, 99])
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
