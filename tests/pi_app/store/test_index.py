"""The index: lists answer from it, and never say anything else than the files."""

from __future__ import annotations

import os
import sqlite3
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from pi_app.store import GameEntry, Reader, Store, index, new_file
from pi_app.store.disk import number_of
from pi_app.store.game import StoredGame, game_in
from tests.pi_app.store.faults import TAGS, play_games

FLIPS = 60


def listed(folder: Path) -> list[GameEntry]:
    with closing(Reader.of(folder)) as games:
        return games.list_games()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an index that has every game."""
    place = tmp_path / "games"
    with closing(Store(place)) as store:
        for _ in range(3):
            play_games(store)
        assert store.count_games() == 6
    return place


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the numbers of the games that are read for rows of the index, as they are read."""
    numbers: list[int] = []

    def counted(data: bytes, name: str) -> StoredGame | None:
        numbers.append(number_of(name))
        return game_in(data, name)

    monkeypatch.setattr(index, "game_in", counted)
    return numbers


def test_a_check_pauses_after_every_few_rows_and_every_few_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "AT_ONCE", 2)
    pauses: list[None] = []
    with closing(Store(folder)) as store:
        store.check_index(lambda: pauses.append(None))
    assert len(pauses) == 3 + 3


def test_a_reading_program_reads_only_what_the_index_does_not_have_and_changes_nothing(
    folder: Path, read: list[int]
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    games = listed(folder)
    assert read == []
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    (folder / "index.db").unlink()
    assert listed(folder) == games
    assert sorted(read) == [1, 2, 3, 4, 5, 6]
    assert not (folder / "index.db").exists()


def test_beside_a_companion_a_reading_program_sees_the_games_as_their_files_are(
    folder: Path, read: list[int]
) -> None:
    with closing(Store(folder)) as store:
        store.append(4, 1, "9", None)
        assert [game.moves for game in listed(folder) if game.id == 4] == [2]
        assert read == [4]
        store.begin(TAGS)
        store.delete(2)
        assert [game.id for game in listed(folder)] == [6, 5, 4, 3, 1]
        assert listed(folder) == store.list_games()


def test_every_bit_of_a_game_that_is_flipped_is_told_by_lists_of_a_program_with_the_index(
    folder: Path,
) -> None:
    (file,) = folder.glob("0003-*")
    whole, chance = file.read_bytes(), Random(3)
    for bit in chance.sample(range(8 * len(whole)), FLIPS):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        file.write_bytes(data)
        with closing(Reader.of(folder)) as games:
            entries = {game.id: game.damage for game in games.list_games()}
            assert entries.pop(3) is not None, bit
            assert set(entries.values()) == {None}
            assert list(games.faulty) == [3]


def flipped(chance: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


SPOILT: dict[str, Callable[[Random, bytes], bytes]] = {
    "a bit is flipped": flipped,
    "it is cut": lambda chance, data: data[: chance.randrange(len(data))],
    "a page is of another file": lambda chance, data: (
        data[: (at := 4096 * chance.randrange(len(data) // 4096))]
        + chance.randbytes(4096)
        + data[at + 4096 :]
    ),
    "it is of another version": lambda _, data: data[:60] + b"\0\0\0\1" + data[64:],
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_index_changes_no_list_of_a_reading_program(folder: Path, how: str) -> None:
    file, games, chance = folder / "index.db", listed(folder), Random(5)
    whole = file.read_bytes()
    for _ in range(FLIPS // 3):
        file.write_bytes(SPOILT[how](chance, whole))
        assert listed(folder) == games


@pytest.mark.parametrize("what", ["nothing", "a folder", "a pipe", "a row that was altered"])
def test_an_index_that_is_none_is_made_anew_by_a_companion(folder: Path, what: str) -> None:
    file, games = folder / "index.db", listed(folder)
    if what == "a row that was altered":
        with closing(sqlite3.connect(file)) as db, db:
            db.execute("UPDATE game SET entry=replace(entry, 'Ben', 'Bob')")
    else:
        file.unlink()
    if what == "a folder":
        file.mkdir()
    elif what == "a pipe":
        os.mkfifo(file)
    assert listed(folder) == games
    with closing(Store(folder)) as store:
        assert store.list_games() == games


def most_bytes(folder: Path, count: int) -> int:
    """Return the most memory that a new index, its check and a page of so many games take."""
    folder.mkdir()
    for number in range(1, count + 1):
        name, data = new_file(number, TAGS, "2026-11-28T20:00:00+00:00", tokens=("5",))
        (folder / name).write_bytes(data)
    del [(n, n) for n in range(3000)][:]  # Python keeps up to 2,000 pairs for later use
    with closing(Store(folder)) as store:
        tracemalloc.start()
        try:
            for _ in range(2):
                store.end_check(store.check_index())
            assert len(store.list_games(8)) == 8
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def test_the_index_keeps_no_list_of_the_games_in_memory(tmp_path: Path) -> None:
    most_bytes(tmp_path / "first", 20)  # loads what is loaded once
    few, many = most_bytes(tmp_path / "few", 100), most_bytes(tmp_path / "many", 500)
    assert (many - few) / 400 < 40  # a name in a list takes some hundred bytes
