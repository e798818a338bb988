"""The store's file is removed or replaced while somebody plays: everything is written anew."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pi_app.run.alerts import news_text
from pi_app.store.database import Database, News, Trouble
from pi_app.store.lock import StoreInUseError, StoreLock
from pi_app.store.store import Store
from pi_app.texts.language import Texts
from tests.crash.process import GAME, Process
from tests.pi_app.store.faults import TAGS, games, play_games


def _other(place: Path) -> Path:
    """Return another store, with one game, as a crash leaves it: some of it is in its log."""
    other = place.with_name("other.db")
    store = Store(other)
    game = store.begin(TAGS)
    for n in range(3):
        store.append(game, n, "1", None)
    for suffix in ("", "-wal"):
        shutil.copy(f"{other}{suffix}", f"{other}.copy{suffix}")
    store.close()
    return other.with_name("other.db.copy")


def _remove(place: Path) -> None:
    place.unlink()


def _remove_all(place: Path) -> None:
    for file in place.parent.glob("games.db*"):
        file.unlink()


def _replace(place: Path) -> None:
    _other(place).rename(place)


def _replace_all(place: Path) -> None:
    other = _other(place)
    for suffix in ("", "-wal"):
        Path(f"{other}{suffix}").rename(f"{place}{suffix}")


def _replace_by_text(place: Path) -> None:
    place.unlink()
    place.write_text("mine")


def _replace_by_a_folder(place: Path) -> None:
    place.unlink()
    place.mkdir()


def _remove_folder(place: Path) -> None:
    shutil.rmtree(place.parent)


def _move_folder(place: Path) -> None:
    place.parent.rename(place.parent.with_name("elsewhere"))


WAYS: dict[str, Callable[[Path], None]] = {
    "removed": _remove,
    "removed with its log": _remove_all,
    "replaced by another store": _replace,
    "replaced by another store and its log": _replace_all,
    "replaced by a text": _replace_by_text,
    "replaced by a folder": _replace_by_a_folder,
    "in a folder that is removed": _remove_folder,
    "in a folder that is moved": _move_folder,
}


@pytest.fixture(name="place")
def _place(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return tmp_path / "here" / "games.db"


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_lost_wherever_the_file_goes_between_two_changes(
    place: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Database.transaction
    left = [0]

    def transaction(db: Database) -> object:
        left[0] -= 1
        if left[0] == 0:
            WAYS[way](place)
        return real(db)

    for count in range(1, 18):
        shutil.rmtree(place.parent, ignore_errors=True)
        place.parent.mkdir()
        shutil.rmtree(place.parent.with_name("elsewhere"), ignore_errors=True)
        left[0] = count
        with monkeypatch.context() as patch:
            patch.setattr(Database, "transaction", transaction)
            with closing(Store(place)) as store:
                expected = play_games(store)
                assert games(store) == expected
                assert store.trouble is None
                (news,) = store.news()
                assert news.trouble is Trouble.GONE
                with pytest.raises(StoreInUseError):
                    StoreLock(place)
        with closing(Store(place)) as store:
            assert store.news() == []
            assert games(store) == expected
            assert store.recall("players") == "Anna, Ben"


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_goes_after_the_last_change_is_written_at_the_end(
    place: Path, way: str
) -> None:
    store = Store(place)
    expected = play_games(store)
    WAYS[way](place)
    store.close()
    with closing(Store(place)) as again:
        assert games(again) == expected


@pytest.mark.parametrize("replace", [_replace, _replace_all])
def test_the_other_file_is_kept_with_what_is_in_its_log(
    place: Path, replace: Callable[[Path], None]
) -> None:
    with closing(Store(place)) as store:
        store.begin(TAGS)
        replace(place)
        store.append(1, 0, "5", None)
    (aside,) = place.parent.glob("games.db.replaced-*Z")
    if replace is _replace:  # its log has another name
        place.with_name("other.db.copy-wal").rename(f"{aside}-wal")
    with closing(Store(aside)) as other:
        assert games(other) == [(("1", "1", "1"), ())]


def test_where_it_cannot_be_written_anew_the_game_goes_on_in_memory_until_it_can(
    place: Path,
) -> None:
    store = Store(place)
    expected = play_games(store)
    shutil.rmtree(place.parent)
    place.parent.write_text("in the way")
    store.remember("players", "Carla")
    assert store.trouble is not None
    assert games(store) == expected
    place.parent.unlink()
    assert store.retry()
    store.close()
    with closing(Store(place)) as again:
        assert games(again) == expected
        assert again.recall("players") == "Carla"


def test_the_table_is_told_in_one_alert_and_the_games_are_there_afterwards(place: Path) -> None:
    process = Process(place, *GAME)
    process.keys("5 #")
    assert process.wait_for(lambda: "Anna: 5" in str(process.frames[-1:]))
    place.unlink()
    process.keys("6 #")
    text, _ = news_text(Texts("en"), News(trouble=Trouble.GONE))
    assert process.wait_for(lambda: text in str(process.frames[-1:]))
    assert process.end() == (0, "")
    with closing(Store(place)) as store:
        assert games(store) == [(("5", "6"), ())]
