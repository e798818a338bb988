"""Deleted games: how long they can be brought back, and what deleting costs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pi_app.store import Store, StoreInUseError, StoreLock
from pi_app.store.deleted import KEPT_DAYS
from pi_app.store.disk import Disk
from tests.pi_app.store.faults import TAGS

TODAY = datetime(2026, 11, 28, 20, tzinfo=UTC)
UNSET = datetime(1970, 1, 1, tzinfo=UTC)


class Clock:
    """Tells the time that a test sets."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def store_of(path: Path, clock: Clock, games: int = 1) -> Store:
    """Return a store with games of one move."""
    store = Store(path, clock)
    for _ in range(games):
        store.append(store.begin(TAGS), 0, "5", None)
    return store


@pytest.mark.parametrize("unset", [False, True], ids=["the clock was set", "it was not"])
def test_a_deleted_game_can_be_brought_back_for_its_days_and_not_longer(
    tmp_path: Path, unset: bool
) -> None:
    clock = Clock(UNSET if unset else TODAY)
    store = store_of(tmp_path, clock)
    store.delete(1)
    store.end_check()
    clock.now = TODAY
    store.end_check()
    clock.now += timedelta(days=KEPT_DAYS)
    store.end_check()
    assert [game.id for game in store.deleted_games()] == [1]
    clock.now += timedelta(seconds=1)
    store.end_check()
    assert store.deleted_games() == []
    assert store.was_deleted(TAGS, ("5",))
    assert store.begin(TAGS) == 2


def test_another_store_says_nothing_about_the_game_with_the_same_number(tmp_path: Path) -> None:
    clock = Clock(TODAY - timedelta(days=2 * KEPT_DAYS))
    other = store_of(tmp_path / "other", clock)
    other.delete(1)
    clock.now = TODAY
    store = store_of(tmp_path / "games", clock)
    store.add_files(other.files())
    store.delete(1)
    store.end_check()
    assert [game.id for game in store.deleted_games()] == [1]


def test_deleting_a_game_and_bringing_it_back_reads_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_of(tmp_path, Clock(TODAY), 3)
    assert store.count_games() == 3
    read: list[str] = []

    def read_file(disk: Disk, name: str) -> bytes:
        read.append(name)
        return (disk.folder / name).read_bytes()

    monkeypatch.setattr(Disk, "read", read_file)
    store.delete(2)
    assert [game.id for game in store.list_games(9)] == [3, 1]
    (deleted,) = store.deleted_games()
    store.bring_back(deleted)
    assert [game.id for game in store.list_games(9)] == [3, 2, 1]
    assert {name.rpartition("/")[2][:4] for name in read} == {"0002"}


def test_an_index_in_memory_takes_no_lock_from_a_folder_that_was_made_anew(tmp_path: Path) -> None:
    store = store_of(tmp_path / "games", Clock(TODAY))
    (tmp_path / "games").rename(tmp_path / "away")
    store.append(1, 1, "6", None)
    (tmp_path / "games" / "index.db").mkdir()
    store.check_index()
    store.end_check()
    assert store.count_games() == 1
    with pytest.raises(StoreInUseError):
        StoreLock(tmp_path / "games")
