"""Deleted games: how long they can be brought back, and what deleting costs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Result
from pi_app.store import Reader, Store, content_key, new_file
from pi_app.store.disk import Disk
from pi_app.store.store import KEPT_DAYS
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
    record = new_file(0, TAGS, "", tokens=("5",), game_id=content_key(TAGS, ("5",)))
    assert store.add_files([record]) == {"deleted": 1}
    assert store.begin(TAGS) == 2


def test_nothing_is_removed_while_the_clock_is_only_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(TODAY)
    store = store_of(tmp_path, clock)
    store.delete(1)
    clock.now += timedelta(days=2 * KEPT_DAYS)
    with monkeypatch.context() as patch:
        patch.setattr("pi_app.store.store.clock_is_sure", lambda _: False)
        store.end_check()
        assert [game.id for game in store.deleted_games()] == [1]
    store.end_check()
    assert store.deleted_games() == []


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


def test_the_thread_that_writes_lists_no_games_unless_some_share_a_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_of(tmp_path, Clock(TODAY), 3)
    listed: list[str] = []

    def games(_: Disk, folder: str = "") -> Iterator[str]:
        listed.append(folder)
        return iter(())

    doubles = store.check_index()
    monkeypatch.setattr(Disk, "games", games)
    store.end_check(doubles)
    assert listed == ["deleted/"]


def test_deleting_a_game_and_bringing_it_back_reads_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_of(tmp_path, Clock(TODAY), 3)
    assert store.count_games() == 3
    read: list[str] = []
    read_file = Disk.read

    def counted(disk: Disk, name: str) -> bytes:
        read.append(name)
        return read_file(disk, name)

    monkeypatch.setattr(Disk, "read", counted)
    store.delete(2)
    assert [game.id for game in store.list_games(9)] == [3, 1]
    (deleted,) = store.deleted_games()
    store.bring_back(deleted)
    assert [game.id for game in store.list_games(9)] == [3, 2, 1]
    assert {name.rpartition("/")[2][:4] for name in read} == {"0002"}


DAYS = st.integers(-400, 400)
ACTS = st.one_of(
    st.tuples(st.just("play"), st.just(0)),
    st.tuples(st.just("delete"), st.integers(0, 9)),
    st.tuples(st.just("bring back"), st.integers(0, 9)),
    st.tuples(st.just("jump"), DAYS),
    st.tuples(st.just("lose the clock"), st.just(0)),
    st.tuples(st.just("look"), st.just(0)),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ACTS, min_size=4, max_size=25))
def test_however_the_clock_jumps_no_game_goes_before_its_days_and_no_number_comes_again(
    acts: list[tuple[str, int]],
) -> None:
    clock = Clock(TODAY)
    store = Store(":memory:", clock)
    here: list[int] = []
    deleted: dict[int, datetime | None] = {}
    """When each was deleted by a clock that was set, else when one was first looked at."""
    begun = 0
    for act, value in acts:
        if act == "play":
            store.append(store.begin(TAGS), 0, "5", None)
            begun += 1
            here.append(begun)
        elif act == "delete" and here:
            game = here.pop(value % len(here))
            store.delete(game)
            deleted[game] = clock.now if clock.now.year > 2000 else None
        elif act == "bring back" and deleted:
            game = sorted(deleted)[value % len(deleted)]
            (stored,) = (each for each in store.deleted_games() if each.id == game)
            store.bring_back(stored)
            del deleted[game]
            here.append(game)
        elif act == "jump":
            clock.now = max(TODAY - timedelta(days=300), clock.now + timedelta(days=value))
        elif act == "lose the clock":
            clock.now = UNSET
        elif act == "look":
            store.end_check()
            if clock.now != UNSET:
                known = {game: at or clock.now for game, at in deleted.items()}
                first = clock.now - timedelta(days=KEPT_DAYS)
                deleted = {game: at for game, at in known.items() if at >= first}
        assert sorted(entry.id for entry in store.list_games()) == sorted(here)
        assert sorted(game.id for game in store.deleted_games()) == sorted(deleted)
    assert {store.load(game).tokens for game in here} <= {("5",)}
    assert Store(store._disk.folder, clock).begin(TAGS) == begun + 1


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(DAYS, st.none()), min_size=1, max_size=8))
def test_however_the_clock_jumps_moves_and_lists_are_those_of_the_files(
    jumps: list[int | None],
) -> None:
    """A new index has the games in the order in which the one that was kept up to date has."""
    clock = Clock(TODAY)
    store = Store(":memory:", clock)
    assert store.list_games() == []
    for jump in jumps:
        clock.now = UNSET if jump is None else TODAY + timedelta(days=jump)
        game = store.begin(TAGS)
        store.append(game, 0, str(game % 9 + 1), None)
        clock.now = TODAY
        store.append(game, 1, "9", Result(("Anna",), "points", {}))
    with closing(Reader.of(store._disk.folder)) as fresh:
        assert fresh.list_games() == store.list_games()
        for number in range(1, len(jumps) + 1):
            assert fresh.load(number).tokens == (str(number % 9 + 1), "9")
            assert fresh.load(number) == store.load(number)
    latest, places = -1000, {}
    for number, jump in enumerate(jumps, 1):  # without a clock: after all that was before
        places[number] = latest if jump is None else jump
        latest = max(latest, places[number])
    order = sorted(places, key=lambda number: (places[number], number), reverse=True)
    assert [entry.id for entry in store.list_games()] == order


def test_a_game_stored_while_the_index_is_checked_stays_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check runs beside the table: it takes no new row for one whose file is gone."""
    store = store_of(tmp_path, Clock(TODAY), 1)
    assert store.count_games() == 1
    listed, first = Disk.games, iter([True])

    def list_slowly(disk: Disk, folder: str = "") -> Iterator[str]:
        names = list(listed(disk, folder))
        if next(first, False):
            store.append(store.begin(TAGS), 0, "5", None)
            assert store.count_games() == 2
        return iter(names)

    monkeypatch.setattr(Disk, "games", list_slowly)
    store.check_index()
    assert [game.id for game in store.list_games(9)] == [2, 1]
