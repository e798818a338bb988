"""A disk that refuses: what counts is in memory, is told once, and is written at its place."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from stat import S_ISDIR

import pytest

from pi_app.store.disk import News
from pi_app.store.journal import FactLines
from pi_app.store.store import Store
from tests.pi_app.pilot import add_games
from tests.pi_app.store.faults import REFUSALS, TAGS, FailingDisk, games, play_games, reopened

EXPECTED = [(("5", "6", "7", "9", "10+11"), ()), (("2+3",), ("5",))]
ACTS = 70
"""More acts than playing the games takes."""
TROUBLES = {
    errno.ENOSPC: News.FULL,
    errno.EROFS: News.READ_ONLY,
    errno.EIO: News.FAILING,
    errno.ENOENT: News.GONE,
}


@pytest.mark.parametrize("number", REFUSALS, ids=map(errno.errorcode.get, REFUSALS))
@pytest.mark.parametrize("once", [True, False])
def test_whatever_act_a_disk_refuses_nothing_is_lost_and_it_is_told(
    tmp_path: Path, number: int, once: bool
) -> None:
    for first in range(2, ACTS):
        folder = tmp_path / str(first)
        disk = FailingDisk(folder, first, number, once=once)
        store = Store(disk)
        assert play_games(store) == EXPECTED
        assert games(store) == EXPECTED
        assert (store.trouble is None) is not bool(disk.waiting)
        refused = disk.count >= first
        news = store.news()
        if refused:
            assert TROUBLES[number] in news
        for path in folder.glob("000*"):  # a part of a line was never confirmed
            assert not FactLines(path.read_bytes()).damaged
        disk.first = None
        assert store.retry() is True
        assert store.trouble is None
        assert (News.WRITTEN in news + store.news()) is refused
        store.close()
        assert reopened(folder) == EXPECTED
        again = Store(folder)
        assert again.recall("draft") == "x"
        assert [again.load(n).damage for n in (1, 2)] == [None, None]
        assert not list(folder.glob("*.other"))
    assert not refused, "every act was refused once"


def test_a_disk_that_fills_and_empties_keeps_every_move(tmp_path: Path) -> None:
    disk = FailingDisk(tmp_path, None, errno.ENOSPC)
    store = Store(disk)
    game = store.begin(TAGS)
    for n in range(60):
        disk.first = disk.count if n % 7 < 4 else None
        store.append(game, n, str(n % 12 + 1), None)
        assert (store.trouble is None) is (n % 7 >= 4)
        assert len(Store(tmp_path).load(game).tokens) <= n + 1
    disk.first = None
    assert store.retry()
    assert len(Store(tmp_path).load(game).tokens) == 60
    told = [news for news in store.news() if news is not News.WRITTEN]
    assert told == [News.FULL] * 9


@pytest.mark.parametrize("what", ["the game", "people", "everything", "the game is cut"])
def test_a_file_that_somebody_removes_is_written_anew_with_all_that_is_known(
    tmp_path: Path, what: str
) -> None:
    folder = tmp_path / "games"
    store = Store(folder)
    store.remember("players", "Anna")
    game = store.begin(TAGS)
    store.append(game, 0, "5", None)
    (file,) = folder.glob("0001-*")
    if what == "everything":
        folder.rename(tmp_path / "away")
    elif what == "the game is cut":
        os.truncate(file, 40)
    else:
        (file if what == "the game" else folder / "people.jsonl").unlink()
    store.append(game, 1, "6", None)
    store.remember("draft", "x")
    assert News.GONE in store.news()
    assert store.trouble is None
    again = Store(folder)
    assert again.load(game).tokens == ("5", "6")
    assert (again.recall("players"), again.recall("draft")) == ("Anna", "x")


def test_a_folder_that_could_not_be_read_at_the_start_loses_no_game_of_either(
    tmp_path: Path,
) -> None:
    """A stick that comes late: what was begun without it gets a name beside what is on it."""
    place = tmp_path / "games"
    first = Store(place)
    play_games(first)
    first.close()
    place.rename(tmp_path / "away")
    place.write_text("a file")
    store = Store(place)
    assert store.trouble is News.NO_FOLDER
    assert store.news() == [News.NO_FOLDER]
    game = store.begin(TAGS)
    store.append(game, 0, "12", None)
    assert store.load(game).tokens == ("12",)
    place.unlink()
    (tmp_path / "away").rename(place)
    assert store.retry()
    assert sorted(reopened(place)) == sorted([*EXPECTED, (("12",), ())])


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    store = Store(tmp_path)
    assert store.news() == [News.READ_ONLY]
    monkeypatch.undo()
    assert store.retry()
    assert store.news() == [News.WRITTEN]


def test_on_a_fat_stick_everything_goes_on_as_on_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No links, no modes, folders that cannot be flushed, and capitals are small letters."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "FAT has none")

    flush = os.fsync

    def flush_file(handle: int) -> None:
        if S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        flush(handle)

    monkeypatch.setattr(os, "fsync", flush_file)
    monkeypatch.setattr(os, "fchmod", lambda *_: None)  # the kernel ignores it there
    for name in ("symlink", "link", "chown", "chmod"):
        monkeypatch.setattr(os, name, refuse)
    store = Store(tmp_path)
    assert play_games(store) == games(store)
    for n in range(100):
        store.remember("draft", "x" * 2500 + str(n))
    store.delete(1)
    (deleted,) = store.deleted_games()
    store.bring_back(deleted)
    add_games(store, [(TAGS, ("5",), "2026-11-28", None)])
    assert store.count_games() == 3
    assert (store.trouble, store.news()) == (None, [])
    store.close()
    again = Store(tmp_path)
    assert games(again) == [*EXPECTED, (("5",), ())]
    assert (tmp_path / "people.jsonl").stat().st_size < 6000  # it was replaced by a shorter one
    assert not list(tmp_path.glob("*.new"))
    names = [path.name.lower() for path in tmp_path.rglob("*")]
    assert len(names) == len(set(names))
