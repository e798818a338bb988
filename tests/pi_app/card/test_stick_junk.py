"""Junk on a stick hides no good archive, and no failure takes the card's room."""

import errno
import os
import resource
import shutil
import struct
import tracemalloc
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.card import archive as archives
from pi_app.card.archive import read
from pi_app.card.helper import CardError
from pi_app.card.stick_menu import RESERVE_BYTES
from pi_app.store import Store
from tests.pi_app.card.stick_table import Table, leftovers, repacked, rows, said, saved_table
from tests.pi_app.card.sticks import failing

GOOD = "beisitzer-2026-03-01-1200.zip"
NEWER = "beisitzer-2026-03-02-{:04}.zip"
"""Names that come before the good one in the list."""


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.pilot.ctx.store.close()


@pytest.fixture(name="good", scope="module")
def _good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of an archive with one game."""
    table = Table(tmp_path_factory.mktemp("good"))
    table.play("7 12")
    table.choose("Save to stick")
    (name,) = table.stick.files()
    table.pilot.ctx.store.close()
    return (table.stick.content / name).read_bytes()


# --- what is on the stick


def _packed_otherwise(good: bytes, place: Path, method: int) -> None:
    """Write an archive packed by another method, with damage in its first file."""
    place.write_bytes(good)
    with zipfile.ZipFile(place) as old:
        files = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(place, "w", method) as new:
        for name, data in files.items():
            new.writestr(name, data)
    damaged = bytearray(place.read_bytes())
    damaged[60] ^= 0xFF
    place.write_bytes(damaged)


def _directory(place: Path, length: int) -> None:
    """Write a file that claims a central directory of this length, and is as long."""
    with place.open("wb") as file:
        file.seek(length)
        file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, length, 0, 0))


JUNK: dict[str, Callable[[bytes, Path], object]] = {
    "a folder": lambda _, place: place.mkdir(),
    "a pipe": lambda _, place: os.mkfifo(place),
    "a link to itself": lambda _, place: place.symlink_to(place),
    "a link to nothing": lambda _, place: place.symlink_to(place.parent / "nothing"),
    "empty": lambda _, place: place.touch(),
    "text": lambda _, place: place.write_text("holiday"),
    "bzip2": lambda good, place: _packed_otherwise(good, place, zipfile.ZIP_BZIP2),
    "LZMA": lambda good, place: _packed_otherwise(good, place, zipfile.ZIP_LZMA),
    "a long directory": lambda _, place: _directory(place, 1 << 17),
}


DAMAGED = "This file is damaged. Nothing here was changed."


@pytest.mark.parametrize("kind", JUNK)
def test_junk_of_any_kind_is_called_damaged_and_hides_no_archive(
    good: bytes, table: Table, kind: str
) -> None:
    content = table.stick.content
    (content / GOOD).write_bytes(good)
    JUNK[kind](good, content / NEWER.format(1))
    table.choose("Load from stick")
    junk, archive = rows(table)
    assert said(table.then(junk)) == DAMAGED
    table.choose("Load from stick")
    assert said(table.then(archive)).startswith("1 game of")


def test_a_file_that_cannot_be_read_is_a_fault_of_the_stick(
    good: bytes, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    (table.stick.content / GOOD).write_bytes(good)
    monkeypatch.setattr(archives, "open_regular", failing(errno.EIO))
    table.choose("Load from stick")
    assert said(table.then(rows(table)[0])) == "This stick fails. Take another one."


class Damage(NamedTuple):
    """What happens to an archive: bits are flipped, it is cut, and filled up again."""

    flips: tuple[tuple[float, int], ...]
    keep: float
    tail: bytes

    def __call__(self, data: bytes) -> bytes:
        damaged = bytearray(data)
        for place, bit in self.flips:
            damaged[int(place * (len(data) - 1))] ^= 1 << bit
        return bytes(damaged[: int(self.keep * len(data))]) + self.tail


share = st.floats(0, 1) | st.floats(0, 0.02) | st.floats(0.95, 1)  # more at the heads
damages = st.builds(
    Damage,
    st.lists(st.tuples(share, st.integers(0, 7)), max_size=4).map(tuple),
    st.just(1.0) | share,
    st.just(b"") | st.binary(max_size=30),
)


@settings(max_examples=150, deadline=None)
@given(damages)
def test_damage_of_any_kind_is_told_or_changes_nothing(good: bytes, damage: Damage) -> None:
    with TemporaryDirectory() as name:
        (sound := Path(name) / GOOD).write_bytes(good)
        (damaged := Path(name) / NEWER.format(1)).write_bytes(damage(good))
        try:
            found = read(damaged)
        except CardError as error:
            assert error.code == "damaged"  # noqa: PT017  # most are refused
        else:
            # a name has no checksum of its own, what it names has
            assert set(found.values()) <= set(read(sound).values())


def test_a_long_central_directory_is_refused_before_it_is_read(tmp_path: Path) -> None:
    _directory(tmp_path / GOOD, 50_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(CardError, match="damaged"):
            read(tmp_path / GOOD)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000


@pytest.mark.parametrize("size", [4 << 20, 64 << 20])
def test_a_file_that_grows_too_much_is_refused_before_it_is_read(
    good: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    place = tmp_path / "stick" / GOOD
    place.parent.mkdir()

    def grow(files: dict[str, bytes]) -> None:
        files["games/0001-j.jsonl"] = bytes(size)

    place.write_bytes(repacked(good, tmp_path, grow, zipfile.ZIP_DEFLATED))
    counts = Counter[str]()
    real = zipfile.ZipExtFile.read

    def counted(file: zipfile.ZipExtFile, n: int | None = -1) -> bytes:
        data = real(file, n)
        counts[file.name] += len(data)
        return data

    monkeypatch.setattr(zipfile.ZipExtFile, "read", counted)
    with pytest.raises(CardError) as refused:
        read(place)
    assert refused.value.code == "damaged"
    assert counts["games/0001-j.jsonl"] == 0


# --- the card's room


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Let the system refuse to make any file longer than this."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


@pytest.mark.parametrize("size", [0, 100])
def test_a_card_that_becomes_full_while_it_is_loaded_goes_on_with_the_game(
    table: Table, size: int
) -> None:
    saved_table(table)
    with files_up_to(size):
        frame = table.load("only the games")
    assert said(frame) == "The card is full or cannot be written. Nothing was changed."
    assert leftovers(table) == set()
    table.play("4")
    assert table.pilot.ctx.store.trouble is None


def test_without_room_for_all_of_it_and_for_moves_nothing_is_written(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_table(table)
    usage = shutil.disk_usage(table.state)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=RESERVE_BYTES + 99))
    before = table.games()
    frame = table.load("only the games")
    assert said(frame) == "The card is full or cannot be written. Nothing was changed."
    assert table.games() == before


def test_a_damaged_archive_leaves_nothing_on_the_card(good: bytes, table: Table) -> None:
    spoiled = bytearray(good)
    spoiled[60] ^= 1  # in the first game
    (table.stick.content / GOOD).write_bytes(spoiled)
    table.choose("Load from stick")
    assert said(table.then(rows(table)[0])) == DAMAGED
    assert leftovers(table) == set()


FAULTS: dict[str, Callable[[pytest.MonkeyPatch], object]] = {
    "the games cannot be written": lambda patch: patch.setattr(
        Store, "add_files", failing(errno.EIO)
    ),
    "a fault in the program": lambda patch: patch.setattr(Store, "add_files", lambda *_: 1 / 0),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_loading_that_fails_late_leaves_nothing_either(
    table: Table, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    saved_table(table)
    FAULTS[fault](monkeypatch)
    table.load("games and settings")
    assert table.pilot.program.quit is None
    assert leftovers(table) == set()
    assert table.settings.read_text() == 'language = "en"\n'
    assert table.games() == [("7 12", "8 9"), ("3",)]
