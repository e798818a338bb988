"""A rig on a simulated GPIO chip under the real lgpio, for tests and measurements."""

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from hardware.framebuffer import Framebuffer
from hardware.oled.wire import DATA
from tools.simulation import SimulatedOled

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_name("chip.c")
CHIPS = {0: "pinctrl-bcm2835"}
"""The GPIO chips of a Raspberry Pi Zero 2 W by their numbers."""


class NoMachineError(Exception):
    """The chip cannot be simulated here; the text is one line that says why."""


def build(folder: Path) -> Path:
    """Compile the chip into this folder; NoMachineError without compiler, Linux or lgpio."""
    if sys.platform != "linux":
        raise NoMachineError("the simulated GPIO chip needs Linux")
    if importlib.util.find_spec("lgpio") is None:
        raise NoMachineError(
            "lgpio is not installed: the index has wheels of it up to Python 3.12,"
            " for newer ones only the system has a package"
        )
    compiler = shutil.which("cc")
    if compiler is None:
        raise NoMachineError("there is no C compiler to build the simulated GPIO chip")
    chip = folder / "chip.so"
    if not chip.exists():
        command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(chip), str(SOURCE)]
        process = subprocess.run(
            [*command, "-ldl", "-lpthread"], capture_output=True, text=True, check=False
        )
        if process.returncode:
            raise NoMachineError("the simulated GPIO chip could not be compiled")
    return chip


@dataclass(frozen=True)
class Load:
    """A process's load: wakeups and calls of the chip per second."""

    wakeups: float
    calls: float


class Machine:
    """A process with a whole rig on the chip: methods move fingers, keys arrive with times."""

    def __init__(self, folder: Path, *options: str, chips: Mapping[int, str] = CHIPS) -> None:
        """Start it; `options` are the words of `tools.gpio.rig`. Returns once all parts work.

        `chips` are the labels of the machine's GPIO chips by their numbers.
        """
        chip = build(folder)
        self._path = str(folder / f"fingers-{time.monotonic_ns()}")
        self._answers_path = f"{self._path}-answers"
        self._oled_log = Path(f"{self._path}-oled")
        """What the OLED was sent: of each message two bytes for its length, then the message."""
        devices = folder / f"dev-{time.monotonic_ns()}"
        devices.mkdir()
        for number in chips:
            (devices / f"gpiochip{number}").touch()
        environment = {
            **os.environ,
            "LD_PRELOAD": str(chip),
            "BEISITZER_GPIO": self._path,
            "BEISITZER_CHIPS": "".join(f"{number}={label} " for number, label in chips.items()),
            "BEISITZER_DEV": str(devices),
            "BEISITZER_I2C": str(self._oled_log),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tools.gpio.rig", *options],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stdin=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.heard: list[tuple[str, float]] = []
        """The keys that arrived, each with its time on the monotonic clock."""
        self._changed = threading.Condition()
        self._ready = threading.Event()
        self.said = ""
        """The words after `ready`: the working parts, or what is missing."""
        threading.Thread(target=self._listen, daemon=True).start()
        if not self._ready.wait(60):
            self.close()
            raise RuntimeError("the rig did not come up")
        self._fingers = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._fingers.bind(self._answers_path)
        self._fingers.connect(self._path)

    def _listen(self) -> None:
        assert self._process.stdout is not None  # noqa: S101  # it is a pipe
        for line in self._process.stdout:
            word, _, rest = line.strip().partition(" ")
            with self._changed:
                if word == "ready":
                    self.said = rest
                    self._ready.set()
                else:
                    self.heard.append((word, float(rest)))
                self._changed.notify_all()

    def wait_for(self, condition: Callable[[], bool], timeout_s: float = 20) -> bool:
        """Wait until the condition is true, checked at each key; return whether it became true."""
        with self._changed:
            return self._changed.wait_for(condition, timeout_s)

    def say(self, line: str) -> None:
        """Make the rig sound (`sound tick`) or shine (`light FF0000`)."""
        assert self._process.stdin is not None  # noqa: S101  # it is a pipe
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def finger(self, word: str, *lines: int) -> tuple[int, int]:
        """Move a finger: `low N`, `free N`, `join A B`, `part A B`, or only `look N`.

        `deaf 1` takes the OLED off its bus, `deaf 0` puts it back. Return the number of calls of
        the chip so far, and the level of the first line.
        """
        self._fingers.send(" ".join([word, *map(str, lines)]).encode())
        calls, level = self._fingers.recv(64).split()
        return int(calls), int(level)

    def glass(self) -> Framebuffer:
        """Return the picture of the OLED on the machine's own bus (`i2c`)."""
        oled = SimulatedOled()
        sent = self._oled_log.read_bytes() if self._oled_log.exists() else b""
        while sent:
            length = int.from_bytes(sent[:2], "little")
            control, *data = sent[2 : 2 + length]
            if control == DATA:
                oled.data(data)
            else:
                oled.command(data)
            sent = sent[2 + length :]
        return oled.visible_picture()

    def load(self, seconds: float) -> Load:
        """Measure the process for some seconds from now on."""
        start, before = time.monotonic(), self._usage()
        time.sleep(seconds)
        passed, after = time.monotonic() - start, self._usage()
        wakeups, calls = (after - before for before, after in zip(before, after, strict=True))
        return Load(wakeups / passed, calls / passed)

    def _usage(self) -> tuple[int, int]:
        """Return the process's wakeups and calls of the chip so far."""
        process = Path("/proc") / str(self._process.pid)
        wakeups = 0
        for status in process.glob("task/*/status"):
            lines = status.read_text().splitlines()
            # each voluntary switch is a thread that began to wait, and was woken later
            wakeups += sum(int(line.split()[1]) for line in lines if line.startswith("voluntary"))
        calls, _ = self.finger("look")
        return wakeups, calls

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait(10)
        for stream in (self._process.stdout, self._process.stdin):
            if stream is not None:
                stream.close()
        if hasattr(self, "_fingers"):  # it is missing if the rig did not start
            self._fingers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()
