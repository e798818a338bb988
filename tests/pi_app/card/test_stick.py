"""Saving to a stick and loading from it, with every fault that a stick and a card can have."""

import errno
import io
import os
import socket
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pi_app.card import stick
from pi_app.card.archive import read
from pi_app.card.helper import CardError, HelperError
from pi_app.card.stick import Sticks
from pi_app.extras.machine import StickExtra
from pi_app.run.extras import Start
from pi_app.store import Store
from systemd.helper import CALLS
from tests.pi_app.card.stick_table import Table, leftovers, repacked, rows, said, saved_table
from tests.pi_app.card.sticks import failing
from tests.pi_app.pilot import Pilot

NO_STICK = "No stick is plugged in, or it was pulled out too early."


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.pilot.ctx.store.close()


def path_of(handle: int) -> Path:
    return Path(f"/proc/self/fd/{handle}").readlink()


# --- saving


def test_everything_is_written_read_back_and_may_be_pulled_out(table: Table) -> None:
    table.play("7 12", "8 9")
    table.settings.write_text('language = "de"\n')
    frame = table.choose("Save to stick")
    sentence = "Saved and read back. You may pull the stick out. 1 game is on it."
    assert said(frame) == sentence
    steps = ["mount sda1 rw", "unmount", "mount sda1 ro", "unmount"]
    assert table.stick.steps == steps
    (name,) = table.stick.files()
    with zipfile.ZipFile(table.stick.content / name) as packed:
        first, *rest = packed.namelist()
        assert first.startswith("games/0001-just4fun-")
        assert rest == ["games/people.jsonl", "settings.toml"]
        assert packed.read("settings.toml") == b'language = "de"\n'
    assert leftovers(table) == set()


def test_archives_of_the_same_minute_replace_none_and_the_newest_comes_first(table: Table) -> None:
    for _ in range(11):
        table.choose("Save to stick")
    assert len(table.stick.files()) == 11
    table.choose("Load from stick")
    first, second, *_, last = rows(table)
    assert (first, second) == (f"{last}-11", f"{last}-10")


def test_the_copy_has_every_move_and_the_store_can_be_played_on(table: Table) -> None:
    table.play("7 12", "8 9")
    table.choose("Save to stick")
    table.play("3")
    (name,) = table.stick.files()
    (data, _) = read(table.stick.content / name).values()
    assert [token in data for token in (b'"7 12"', b'"8 9"')] == [True, True]
    assert table.games() == [("7 12", "8 9"), ("3",)]


def test_without_a_stick_it_says_so(table: Table) -> None:
    table.stick.pull_out()
    assert said(table.choose("Save to stick")) == NO_STICK


def test_of_several_sticks_none_is_guessed(table: Table) -> None:
    table.stick.others = ["sdb1"]
    assert said(table.choose("Save to stick")) == "Several sticks are plugged in. Leave one."
    assert table.stick.steps == []


@pytest.mark.parametrize("step", ["mount sda1 rw", "unmount", "mount sda1 ro"])
def test_a_stick_that_is_pulled_out_at_any_step_gives_a_sentence(table: Table, step: str) -> None:
    table.play("7 12")
    table.stick.at[step] = table.stick.pull_out
    frame = table.choose("Save to stick")
    assert said(frame) == NO_STICK
    assert table.games() == [("7 12",)]
    assert leftovers(table) == set()


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (errno.ENOSPC, "The stick is full."),
        (errno.EIO, "This stick fails. Take another one."),
        (errno.EROFS, "This stick cannot be written. Is it locked?"),
    ],
)
def test_a_failing_stick_is_named_and_no_half_file_stays(
    table: Table, monkeypatch: pytest.MonkeyPatch, code: int, sentence: str
) -> None:
    real = os.fsync

    def fsync(handle: int) -> None:
        if table.stick.content.resolve() in path_of(handle).parents:
            failing(code)()
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    assert said(table.choose("Save to stick")) == sentence
    assert table.stick.files() == []
    assert table.stick.steps[-1] == "unmount"


def test_a_stick_that_is_pulled_out_while_it_is_written_is_no_fault_of_the_stick(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def fsync(handle: int) -> None:
        if path_of(handle).suffix == ".new":
            table.stick.pull_out()
            failing(errno.EIO)()
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    frame = table.choose("Save to stick")
    assert said(frame) == NO_STICK


def test_the_rest_of_a_file_that_was_cut_off_goes_with_the_next_saving(table: Table) -> None:
    (table.stick.content / "beisitzer.zip.new").write_bytes(b"half" * 100_000)
    (table.stick.content / "holiday.jpg").write_bytes(b"mine")
    table.choose("Save to stick")
    name, other = table.stick.files()
    assert name.endswith(".zip")
    assert other == "holiday.jpg"


def test_what_the_stick_does_not_give_back_is_not_called_saved(table: Table) -> None:
    table.stick.rots = True
    frame = table.choose("Save to stick")
    assert said(frame).startswith("This stick does not give back what was written.")
    assert table.stick.files() == []


def test_a_card_that_cannot_be_read_is_no_fault_of_the_stick(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Store, "files", failing(errno.EIO))
    frame = table.choose("Save to stick")
    assert said(frame) == "The card is full or cannot be written. Nothing was changed."
    assert table.stick.files() == []
    assert table.stick.steps[-1] == "unmount"


def test_no_key_leaves_while_the_stick_is_in_use(table: Table) -> None:
    table.pilot.choose("System", "USB stick", "Save to stick")
    assert said(table.pilot.key("<<")) == "Saving. Leave the stick in ..."
    assert said(table.settle()).startswith("Saved")


def test_the_machines_sticks_are_asked_of_roots_helper_in_its_own_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers: dict[str, dict[str, object]] = {
        "stick-list": {"sticks": [{"name": "sda1", "kind": "vfat"}]},
        "stick-mount": {"place": "/run/stick"},
    }
    asked: list[tuple[str, dict[str, object]]] = []

    def call(name: str, /, **values: object) -> dict[str, object]:
        asked.append((name, values))
        if name == "stick-unmount":
            raise HelperError("kind")
        return answers[name]

    monkeypatch.setattr(stick, "call", call)
    sticks = Sticks()
    assert sticks.plugged() == ["sda1"]
    assert sticks.mount("sda1", write=True) == Path("/run/stick")
    with pytest.raises(CardError, match="kind"):
        sticks.unmount()
    assert asked[1] == ("stick-mount", {"name": "sda1", "write": True})
    for name, values in asked:
        assert CALLS[name].arguments.keys() == values.keys()


# --- loading


def test_games_of_a_saved_state_are_added_and_settings_replaced_after_a_question(
    table: Table,
) -> None:
    saved_table(table)
    table.choose("Load from stick")
    frame = table.then(rows(table)[0])
    assert said(frame).startswith("2 games of")
    assert said(frame).endswith("Those that are not here are added.")
    assert table.games() == [("7 12", "8 9"), ("3",)]
    table.then("games and settings")
    assert leftovers(table) == set()
    quit_ = table.pilot.program.quit
    assert quit_ is not None
    assert quit_.power == "again"
    table.restart()
    assert table.games() == [("7 12", "8 9"), ("11",), ("3",)]
    assert table.settings.read_text() == 'language = "de"\n'
    assert table.pilot.ctx.store.game_on_table() == 3


def test_only_the_games_leaves_the_settings(table: Table) -> None:
    saved_table(table)
    table.load("only the games")
    table.restart()
    assert table.games() == [("7 12", "8 9"), ("11",), ("3",)]
    assert table.settings.read_text() == 'language = "en"\n'


def test_what_is_there_already_is_not_doubled_and_what_was_deleted_does_not_come_back(
    table: Table,
) -> None:
    saved_table(table)
    for _ in range(3):
        table.load("only the games")
        table.restart()
    table.pilot.ctx.store.delete(2)
    table.load("only the games")
    table.restart()
    assert table.games() == [("7 12", "8 9"), ("3",)]
    (deleted,) = table.pilot.ctx.store.deleted_games()
    table.pilot.ctx.store.bring_back(deleted)
    assert table.games() == [("7 12", "8 9"), ("11",), ("3",)]


def test_a_new_card_gets_everything_with_its_numbers_and_what_is_known_of_people(
    table: Table, tmp_path: Path
) -> None:
    table.pilot.ctx.store.remember("players", '[{"name": "Anna"}]')
    saved_table(table)
    other = Table(tmp_path / "other")
    other.stick = table.stick
    other.restart()
    other.load("only the games")
    other.restart()
    assert other.games() == [("7 12", "8 9"), ("11",)]
    assert other.pilot.ctx.store.recall("players") == '[{"name": "Anna"}]'
    other.pilot.ctx.store.close()


def test_a_game_that_goes_on_there_or_is_damaged_only_here_takes_the_place_of_that_here(
    table: Table,
) -> None:
    table.play("7 12", "8 9")
    table.play("11")
    table.choose("Save to stick")
    table.pilot.ctx.store.close()
    changes: dict[str, Callable[[bytes], bytes]] = {
        "0001-*": lambda data: data[: data.rindex(b"\n", 0, data.index(b"8 9")) + 1],
        "0002-*": lambda data: data.replace(b'"11"', b'"1"'),
    }
    for name, change in changes.items():
        (file,) = table.store.glob(name)
        file.write_bytes(change(file.read_bytes()))
    (table.store / "index.db").unlink(missing_ok=True)
    table.open()
    assert table.games() == [("7 12",), ()]
    table.load("only the games")
    table.restart()
    assert table.games() == [("7 12", "8 9"), ("11",)]


def test_no_changes_nothing(table: Table) -> None:
    saved_table(table)
    table.load("no")
    assert table.pilot.program.quit is None
    assert leftovers(table) == set()
    assert table.games() == [("7 12", "8 9"), ("3",)]


def test_a_stick_that_is_pulled_out_while_it_is_read_changes_nothing(table: Table) -> None:
    saved_table(table)
    table.choose("Load from stick")
    table.stick.at["mount sda1 ro"] = table.stick.pull_out
    frame = table.then(rows(table)[0])
    assert said(frame) == NO_STICK


def test_a_stick_without_archives_says_so(table: Table) -> None:
    (table.stick.content / "holiday.zip").write_bytes(b"no archive")
    assert said(table.choose("Load from stick")) == "No saved games are on this stick."


@pytest.mark.parametrize(
    "settings",
    ['language = "zz"\n', "no TOML", '[store]\npath = "/elsewhere/games"\n', "\udcff"],
)
def test_where_settings_do_not_fit_nothing_is_changed_but_by_only_the_games(
    table: Table, settings: str
) -> None:
    saved_table(table)
    table.settings.write_bytes(settings.encode(errors="surrogateescape"))
    table.choose("Save to stick")
    table.settings.write_text('language = "en"\n')
    frame = table.load("games and settings")
    assert said(frame) == "It has no settings that fit. Take only the games."
    assert table.games() == [("7 12", "8 9"), ("3",)]
    assert table.pilot.program.quit is None
    assert table.settings.read_text() == 'language = "en"\n'
    table.load("only the games", 1)
    table.restart()
    assert table.games() == [("7 12", "8 9"), ("11",), ("3",)]


# --- where it is offered


def test_the_stick_is_offered_only_where_the_helper_is(tmp_path: Path) -> None:
    pilot = Pilot(store=tmp_path / "games")
    stick = StickExtra(tmp_path / "helper")
    stick.attach(pilot.program, Start())
    assert pilot.ctx.system_items == []
    with socket.socket(socket.AF_UNIX) as helper:
        helper.bind(str(tmp_path / "helper"))
        stick.attach(pilot.program, Start())
    assert pilot.choose("System", "USB stick").header.title == "USB stick"


# --- archives


@pytest.fixture(name="packed")
def _packed(table: Table) -> bytes:
    """Return the bytes of an archive."""
    table.play("7 12")
    table.settings.write_text('language = "de"\n')
    table.choose("Save to stick")
    (name,) = table.stick.files()
    return (table.stick.content / name).read_bytes()


def opened(table: Table, data: bytes) -> str:
    """Return why an archive is refused; "" if it is taken."""
    file = table.folder / "tried.zip"
    file.write_bytes(data)
    try:
        read(file)
    except CardError as error:
        return error.code
    return ""


def test_another_archive_is_refused(table: Table, packed: bytes) -> None:
    def refused(change: Callable[[dict[str, bytes]], object]) -> str:
        return opened(table, repacked(packed, table.folder, change))

    assert refused(dict.copy) == ""
    assert refused(lambda files: files.update({"../evil": b""})) == "damaged"
    assert refused(lambda files: files.update({"games/../evil": b""})) == "damaged"
    assert refused(lambda files: files.update({"games/evil.sh": b""})) == "damaged"
    assert refused(lambda files: files.update({"games/settings.toml": b""})) == "damaged"


def test_every_flipped_bit_of_an_archive_is_noticed_or_changes_nothing(
    table: Table, packed: bytes
) -> None:
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        sound = {name: file.read(name) for name in file.namelist()}
    place = table.folder / "flipped.zip"
    for byte in range(len(packed)):
        data = bytearray(packed)
        data[byte] ^= 1 << byte % 8
        place.write_bytes(data)
        try:
            found = read(place)
        except CardError:
            continue
        assert all(sound[name] == content for name, content in found.items()), byte
