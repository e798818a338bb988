"""The panel as a device on pseudo-terminals: found, lost, found again, never in the way."""

import os
import pty
import select
import threading
import time
import tty
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hardware.config import PanelConfig
from hardware.keys import Key
from hardware.serial_panel import PanelStatus, PortProblem, SerialPanel, port, probe
from hardware.serial_panel.protocol import LineReader, decode, encode

AUTO = PanelConfig()
HELLO = "HELLO 1 pico 1.0 session={} keys=22 lamps=6 buzzer=1 text=4x20"


class FarEnd:
    """A panel of few words: answers HELLO, and sends what a test tells it."""

    def __init__(self) -> None:
        self._near, self._far = pty.openpty()
        tty.setraw(self._far)
        self.path = os.ttyname(self._far)
        self.bodies: list[str] = []
        self._reader = LineReader()

    def read(self, until: Callable[[list[str]], bool], timeout_s: float = 60) -> bool:
        """Read and answer HELLO until the lines heard so far satisfy `until`."""
        end = time.monotonic() + timeout_s
        while not until(self.bodies):
            ready, _, _ = select.select([self._near], [], [], end - time.monotonic())
            if not ready:
                return False
            for line in self._reader.feed(os.read(self._near, 4096)):
                self.bodies.append(decode(line))
                if self.bodies[-1].startswith("HELLO"):
                    self.say(HELLO.format(self.session))
        return True

    @property
    def session(self) -> str:
        return [body for body in self.bodies if body.startswith("HELLO")][-1].split(" ")[3]

    def say(self, body: str) -> None:
        os.write(self._near, encode(body))

    def junk(self, data: bytes) -> None:
        os.write(self._near, data)

    def unplug(self) -> None:
        os.close(self._near)
        os.close(self._far)


class Bench:
    """A Panel that finds the ports a test offers; waits for what it tells."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.keys: list[Key] = []
        self.faults: list[Exception] = []
        self.full = False
        self.statuses: list[PanelStatus] = []
        self._changed = threading.Condition()
        self.panel = SerialPanel(
            AUTO, self._key, changed=self._status, find=lambda _: list(self.paths)
        )

    def _key(self, key: Key) -> bool:
        with self._changed:
            if self.faults:
                raise self.faults.pop()
            if not self.full:
                self.keys.append(key)
                self._changed.notify_all()
            return not self.full

    def _status(self, status: PanelStatus) -> None:
        with self._changed:
            self.statuses.append(status)
            self._changed.notify_all()

    def join(self, far: FarEnd) -> None:
        """Start with this panel, and wait for its session."""
        self.paths = [far.path]
        self.panel.start()
        assert far.read(_joined)

    def wait_for(self, condition: Callable[[], bool], timeout_s: float = 60) -> bool:
        with self._changed:
            return self._changed.wait_for(condition, timeout_s)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.panel.close()


@pytest.fixture
def far() -> Iterator[FarEnd]:
    made = FarEnd()
    yield made
    made.unplug()


def _joined(bodies: list[str]) -> bool:
    return any(body.startswith("PING") for body in bodies)


def test_keys_arrive_and_are_acknowledged(bench: Bench, far: FarEnd) -> None:
    bench.join(far)
    far.say(f"KEY {far.session} 0 5 down")
    assert far.read(lambda bodies: f"ACK {far.session} 0" in bodies)
    assert bench.keys == [Key.D5]
    assert bench.panel.status.session == far.session
    assert (bench.panel.text_rows, bench.panel.text_columns, bench.panel.lamps) == (4, 20, 6)


def test_a_key_that_the_program_cannot_take_yet_is_kept_by_the_panel(
    bench: Bench, far: FarEnd
) -> None:
    bench.full = True
    bench.join(far)
    far.say(f"KEY {far.session} 0 5 down")
    far.say("PING 1")  # dropped: what follows shows that the key was read before
    pings = sum(body.startswith("PING") for body in far.bodies)
    assert far.read(lambda bodies: sum(b.startswith("PING") for b in bodies) > pings)
    assert not any(body.startswith("ACK") for body in far.bodies)
    bench.full = False
    far.say(f"KEY {far.session} 0 5 down")
    assert far.read(lambda bodies: f"ACK {far.session} 0" in bodies)
    assert bench.keys == [Key.D5]


def test_a_fault_in_the_thread_is_logged_and_the_panel_goes_on(
    bench: Bench, far: FarEnd, caplog: pytest.LogCaptureFixture
) -> None:
    bench.faults = [ZeroDivisionError("a fault of ours")]
    bench.join(far)
    far.say(f"KEY {far.session} 0 5 down")
    far.bodies.clear()
    assert far.read(_joined)
    far.say(f"KEY {far.session} 0 5 down")
    assert far.read(lambda bodies: f"ACK {far.session} 0" in bodies)
    assert bench.keys == [Key.D5]
    assert "a fault of ours" in caplog.text


def test_usb_is_searched_only_when_something_was_plugged_in(tmp_path: Path) -> None:
    looks: list[int] = []
    now = 1_000_000_000_000
    os.utime(tmp_path, ns=(now, now))

    def find(_config: PanelConfig) -> list[str]:
        looks.append(1)
        return sorted(str(path) for path in tmp_path.iterdir())

    lookout = port.Lookout(find, tmp_path, lambda: now)
    assert lookout(AUTO) == lookout(AUTO) == []
    assert len(looks) == 2  # the folder changed a moment ago: it may change again unseen
    now += 5_000_000_000
    assert [lookout(AUTO) for _ in range(50)] == [[]] * 50
    assert len(looks) == 3
    (tmp_path / "ttyACM0").touch()
    os.utime(tmp_path, ns=(now, now))
    now += 5_000_000_000
    assert [lookout(AUTO) for _ in range(50)] == [[str(tmp_path / "ttyACM0")]] * 50
    assert len(looks) == 4


def test_what_is_shown_is_sent_at_once_and_beeps_too(bench: Bench, far: FarEnd) -> None:
    bench.paths = [far.path]
    bench.panel.show_rows(["eins"])
    bench.panel.start()
    assert far.read(lambda bodies: "TEXT 0 eins" in bodies)
    bench.panel.show_rows(["eins", "zw*i"])
    bench.panel.lamp(2, 0x00FF00)
    assert far.read(lambda bodies: "TEXT 1 zw\\si" in bodies and "LAMP 2 00FF00" in bodies)


def test_an_unplugged_panel_is_found_again_within_three_seconds(bench: Bench) -> None:
    first, second = FarEnd(), FarEnd()
    bench.paths = [first.path]
    bench.panel.start()
    assert first.read(_joined)
    bench.paths = []
    first.unplug()
    assert bench.wait_for(lambda: bench.statuses[-1].problem is PortProblem.ABSENT)
    bench.paths = [second.path]
    plugged_in = time.monotonic()
    assert second.read(_joined)
    assert time.monotonic() - plugged_in < 3
    bench.panel.close()
    second.unplug()


def test_a_silent_port_gives_way_to_one_that_answers(bench: Bench, far: FarEnd) -> None:
    mute = FarEnd()
    bench.paths = [mute.path, far.path]
    bench.panel.start()
    assert far.read(_joined)
    assert bench.panel.status.port == far.path
    mute.unplug()


def test_junk_of_any_kind_does_not_stop_it(bench: Bench, far: FarEnd) -> None:
    bench.join(far)
    far.junk(bytes(range(256)) * 8 + b"@" * 100 + b"\n@KEY\xff*0000\n")
    far.say(f"KEY {far.session} 0 DIE3 down")
    assert bench.wait_for(lambda: bench.keys == [Key.DIE3])
    assert bench.panel.status.dropped > 0


def test_a_panel_that_does_not_read_holds_up_nobody(bench: Bench, far: FarEnd) -> None:
    bench.join(far)
    for number in range(3_000):
        bench.panel.show_rows([f"row {number}"] * 4)
    far.say(f"KEY {far.session} 0 7 down")
    assert bench.wait_for(lambda: bench.keys == [Key.D7])
    bench.panel.show_rows(["last"])
    assert far.read(lambda bodies: "TEXT 0 last" in bodies, 8)


def test_a_port_in_use_is_reported_and_taken_when_free(bench: Bench, far: FarEnd) -> None:
    other = port.Port(far.path)
    bench.paths = [far.path]
    bench.panel.start()
    assert bench.wait_for(lambda: bool(bench.statuses))
    assert bench.statuses[-1].problem is PortProblem.BUSY
    other.close()
    assert far.read(_joined)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (Path.exists, PortProblem.ABSENT),
        (lambda path: path.write_text("x"), PortProblem.NOT_SERIAL),
        (Path.mkdir, PortProblem.NOT_SERIAL),
        (os.mkfifo, PortProblem.NOT_SERIAL),
    ],
    ids=["absent", "file", "folder", "pipe"],
)
def test_what_is_no_port_is_said_so(
    tmp_path: Path, make: Callable[[Path], object], problem: PortProblem
) -> None:
    path = tmp_path / "port"
    make(path)
    (found,) = probe(replace(AUTO, port=str(path)))
    assert (found.port, found.problem, found.hello) == (str(path), problem, None)


def test_a_probe_finds_the_panel_and_says_what_it_is(far: FarEnd) -> None:
    answering = threading.Thread(
        target=far.read, args=(lambda bodies: any(b.startswith("HELLO") for b in bodies),)
    )
    answering.start()
    (found,) = probe(replace(AUTO, port=far.path))
    answering.join(5)
    assert found.problem is None
    assert found.hello is not None
    assert (found.hello.name, found.hello.firmware) == ("pico", "1.0")


def test_a_probe_of_a_silent_port_ends(far: FarEnd) -> None:
    (found,) = probe(replace(AUTO, port=far.path), 0.2)
    assert (found.problem, found.hello) == (None, None)


def test_only_raspberry_pis_devices_are_spoken_to_unasked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    printer = SimpleNamespace(device="/dev/ttyUSB0", vid=0x1A86)
    built_in = SimpleNamespace(device="/dev/ttyS0", vid=None)
    pico = SimpleNamespace(device=str(tmp_path / "ttyACM0"), vid=port.RASPBERRY_PI_VENDOR)
    other = SimpleNamespace(device=str(tmp_path / "ttyACM1"), vid=port.RASPBERRY_PI_VENDOR)
    monkeypatch.setattr(
        "serial.tools.list_ports.comports", lambda: [built_in, printer, pico, other]
    )
    assert port.candidates(AUTO) == [pico.device, other.device]
    Path(other.device).touch()
    (tmp_path / "stable").symlink_to(other.device)
    monkeypatch.setattr(port, "STABLE_PORT", str(tmp_path / "stable"))
    assert port.candidates(AUTO) == [str(tmp_path / "stable"), pico.device]
    assert port.candidates(replace(AUTO, port="/dev/ttyUSB0")) == ["/dev/ttyUSB0"]


def test_a_closed_panel_takes_wishes_without_complaint() -> None:
    bench = Bench()
    bench.panel.start()
    bench.panel.close()
    bench.panel.show_rows(["late"])
    bench.panel.close()
    never_started = Bench()
    never_started.panel.close()
