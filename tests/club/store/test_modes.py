"""Whoever may not read the club's keys cannot read the files that have them."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event

from club.evening.sentences import database_words
from club.store.backup import back_up, restore
from club.store.database import ClubDatabase, DatabaseError, get
from club.store.identity import ensure_identity
from pi_app.texts.language import Texts


@pytest.fixture(autouse=True)
def _open_hand() -> Iterator[None]:
    """Make files as most people's shells do, readable for everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def readable(folder: Path) -> list[str]:
    """Return the files that others may read or write."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path.name for path in files if stat.S_IMODE(path.stat().st_mode) & 0o077]


@pytest.mark.parametrize("before", ["nothing", "an open file", "what a kill left"])
def test_a_database_is_its_owners_alone_wherever_it_lies(tmp_path: Path, before: str) -> None:
    file = tmp_path / "my club.sqlite"
    if before != "nothing":
        for name in ("", "-wal", "-shm")[: 1 if before == "an open file" else 3]:
            Path(f"{file}{name}").touch(0o644)
    database = ClubDatabase(f"sqlite:///{file}")
    database.prepare()
    with database.write() as writing:
        ensure_identity(writing)
        with database.read() as connection:
            assert not get(connection, "ca_key"), "it is in the log beside the file"
        assert Path(f"{file}-wal").stat().st_size
        assert not readable(tmp_path)
    assert not readable(tmp_path)
    (kept := tmp_path / "kept").mkdir()
    (kept / "backup").touch(0o644)
    back_up(database, kept / "backup")
    assert not readable(tmp_path)
    restore(database, kept / "backup")
    assert not readable(tmp_path)
    database.close()
    assert not readable(tmp_path)


def test_a_database_in_memory_has_no_file() -> None:
    database = ClubDatabase("sqlite://")
    database.prepare()
    database.close()


def test_a_full_disk_is_said_in_one_sentence_and_nothing_is_changed(tmp_path: Path) -> None:
    database = ClubDatabase(f"sqlite:///{tmp_path / 'club.db'}")
    database.prepare()
    event.listen(
        database.engine, "connect", lambda opened, _: opened.execute("PRAGMA max_page_count=1")
    )
    database.engine.dispose()
    with pytest.raises(DatabaseError) as refused, database.write() as writing:
        writing.put("big", "x" * 1_000_000)
    assert "delete something" in database_words(Texts("en"), refused.value)
    with database.read() as connection:
        assert get(connection, "big") == ""
    database.close()
