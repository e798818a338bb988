"""What systemd hears, what is noted of a run, where the log goes."""

import logging
import os
import re
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_app.run.systemd import ServiceOutput
from pi_app.store import StoreInUseError, StoreLock
from pi_app.system import log as logs
from pi_app.system.journal import JournalHandler
from pi_app.system.starts import RunState
from pi_app.view.frame import Frame, Header
from pi_app.view.output import FaultTolerantOutput
from tests.pi_app.pilot import Clock, Pilot


@pytest.fixture(name="manager")
def _manager() -> Iterator[socket.socket]:
    with (
        tempfile.TemporaryDirectory() as folder,  # a socket's path must be short
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel,
    ):
        channel.bind(str(Path(folder) / "notify"))
        channel.setblocking(False)
        yield channel


def heard(manager: socket.socket) -> list[str]:
    found = []
    try:
        while True:
            found.append(manager.recv(100).decode())
    except BlockingIOError:
        return found


def test_ready_comes_once_after_the_first_frame_and_the_loop_feeds_the_watchdog(
    manager: socket.socket,
) -> None:
    environ = {"NOTIFY_SOCKET": str(manager.getsockname()), "WATCHDOG_USEC": "9000000"}
    pilot = Pilot.game("just4fun")
    ready: list[int] = []
    service = ServiceOutput(lambda: ready.append(1), pilot.clock, environ)
    pilot.program.outputs = [*pilot.program.outputs, FaultTolerantOutput(service, pilot.clock)]
    pilot.program.frame = None
    assert heard(manager) == []
    pilot.program.show()
    assert heard(manager) == ["READY=1"]
    pilot.key("5")
    pilot.program.step(0)
    assert heard(manager) == []
    assert pilot.program._longest_wait() == pytest.approx(3.0)
    pilot.clock.now += 3.1
    assert heard(manager) == [], "only the loop feeds it"
    pilot.program.step(0)
    assert heard(manager) == ["WATCHDOG=1"]
    service.close()
    assert heard(manager) == ["STOPPING=1"]
    assert ready == [1]


def test_without_systemd_nothing_is_said_and_the_table_starts() -> None:
    ready: list[int] = []
    service = ServiceOutput(lambda: ready.append(1), Clock(), {})
    service.show(Frame(Header("x")))
    service.poll()
    service.close()
    assert (ready, service.poll_every_s()) == ([1], None)


def test_runs_are_noted_as_clean_cut_off_or_failed(tmp_path: Path) -> None:
    store = tmp_path / "t.db"
    run = RunState(store)
    assert run.begin().clean is None
    run.note_ready()
    assert run.begin().clean is False
    run.note_ready()
    run.end()
    before = run.begin()
    assert (before.clean, before.failed) == (True, 0)
    assert [RunState(store).begin().safe_mode for _ in range(3)] == [False, True, True]
    run.note_ready()
    assert RunState(store).begin().failed == 0


def test_starts_that_failed_with_other_settings_do_not_count(tmp_path: Path) -> None:
    store = tmp_path / "t.db"
    for _ in range(3):
        RunState(store, "no panel").begin()
    assert RunState(store, "no panel").begin().safe_mode
    mended = RunState(store, "a panel").begin()
    assert (mended.clean, mended.failed) == (False, 0)
    assert RunState(store, "a panel").begin().failed == 1


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"phase": 1}',
        b'{"phase":"x","failed":"y"}',
        b'{"phase":"x","failed":Infinity}',
        b'{"phase":"x","failed":NaN}',
        b'{"phase":"x","failed":-7}',
        b"[" * 100_000,
        b'{"phase":' + b"[" * 900,
    ],
)
def test_a_damaged_note_is_an_unclean_end_and_nothing_more(tmp_path: Path, junk: bytes) -> None:
    (tmp_path / "t.db.run").write_bytes(junk)
    before = RunState(tmp_path / "t.db").begin()
    assert (before.clean, before.failed) == (False, 0)


def test_a_lock_is_one_persons_and_free_again_when_released(tmp_path: Path) -> None:
    lock = StoreLock(tmp_path / "t.db")
    with pytest.raises(StoreInUseError):
        StoreLock(tmp_path / "t.db")
    StoreLock(tmp_path / "other.db").close()
    lock.close()
    StoreLock(tmp_path / "t.db").close()


def test_a_store_with_two_names_is_still_one_store(tmp_path: Path) -> None:
    lock = StoreLock(tmp_path / "t.db")
    second = tmp_path / "second.db"
    second.symlink_to(tmp_path / "t.db")
    with pytest.raises(StoreInUseError):
        StoreLock(second)
    lock.close()


@pytest.mark.parametrize("junk", [b"", b"junk" * 99])
def test_a_file_that_somebody_left_beside_the_store_opens_no_door(
    tmp_path: Path, junk: bytes
) -> None:
    (tmp_path / "t.db.lock").write_bytes(junk)
    (tmp_path / "t.db.lock").chmod(0)
    lock = StoreLock(tmp_path / "t.db")
    with pytest.raises(StoreInUseError):
        StoreLock(tmp_path / "t.db")
    lock.close()


@pytest.fixture(name="root")
def _root() -> Iterator[logging.Logger]:
    root = logging.getLogger()
    before, level, loud = root.handlers[:], root.level, logging.raiseExceptions
    yield root
    for handler in root.handlers[:]:
        if handler not in before:
            root.removeHandler(handler)
            handler.close()
    root.setLevel(level)
    logging.raiseExceptions = loud


def test_the_log_file_is_kept_small_and_never_erased_at_a_start(
    tmp_path: Path, root: logging.Logger
) -> None:
    path = tmp_path / "beisitzer.log"
    path.write_text("from the last run\n")
    logs.set_up(path, {})
    root.info("this run")
    assert path.read_text("utf-8").startswith("from the last run\n")
    for number in range(20_000):
        root.info("a fault that repeats, number %s, with some more words to it", number)
    files = list(tmp_path.iterdir())
    assert len(files) == logs.FILES + 1
    assert sum(file.stat().st_size for file in files) <= logs.BYTES * (logs.FILES + 1)
    assert "number 19999" in path.read_text("utf-8")


def test_under_systemd_the_journal_gets_lines_with_their_priority(
    root: logging.Logger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JournalHandler.__init__, "__defaults__", (tmp_path / "no journal",))
    with (tmp_path / "journal").open("w", encoding="utf-8") as journal:
        monkeypatch.setattr(sys, "stderr", journal)
        stat = os.fstat(journal.fileno())
        logs.set_up(tmp_path / "log", {"JOURNAL_STREAM": f"{stat.st_dev}:{stat.st_ino}"})
        root.warning("one\ntwo")
        root.error("three")
    text = re.sub(r"(?<=root:)\d+", "LINE", (tmp_path / "journal").read_text("utf-8"))
    assert text.splitlines() == [
        "<4>root:LINE: one",
        "<4>two",
        "<3>root:LINE: three",
    ]
    assert not (tmp_path / "log").exists()


def test_the_journal_gets_a_record_with_its_fields(tmp_path: Path, root: logging.Logger) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal:
        journal.bind(str(tmp_path / "socket"))
        handler = JournalHandler(tmp_path / "socket")
        handler.setFormatter(logs.JournalFormatter("%(message)s"))
        root.addHandler(handler)
        fields = {"journal": {"EVENT": "failed", "GAMES": 3}}
        root.error("it\nfailed", exc_info=ValueError("halma"), extra=fields)
        root.removeHandler(handler)
        handler.close()
        data = journal.recv(100_000)
    assert data.startswith(b"PRIORITY=3\nMESSAGE\n")
    length = int.from_bytes(data[19:27], "little")
    text, rest = data[27 : 27 + length], data[27 + length :]
    assert re.match(rb"root:\d+: it\nfailed\n", text)
    assert text.endswith(b"ValueError: halma")
    assert rest.startswith(b"\nSYSLOG_IDENTIFIER=beisitzer\n")
    assert rest.endswith(
        b"\nBEISITZER_ERROR=ValueError\nBEISITZER_EVENT=failed\nBEISITZER_GAMES=3\n"
    )


def test_a_log_that_cannot_be_written_is_no_trouble(tmp_path: Path, root: logging.Logger) -> None:
    (tmp_path / "file").write_text("")
    logs.set_up(tmp_path / "file" / "log", {})
    root.error("nobody hears this")
