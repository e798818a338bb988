"""The firmware under MicroPython on the far end of a pseudo-terminal."""

import os
import platform
import pty
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

ROOT = Path(__file__).parents[2]
WAIT_S = 120.0
"""Nothing takes so long, however busy the machine is."""


def micropython(program: str = "micropython") -> Path:
    """Return where MicroPython's Unix port is, or its compiler; skips where it cannot be had."""
    path = Path(sys.executable).with_name(program)
    if not path.exists() and platform.machine() != "x86_64":
        pytest.skip(f"the index has {program} for x86-64 only")
    return path


class Firmware:
    """Runs `firmware/unix.py`; `port` is where a host finds it, `lines` what it shows."""

    def __init__(self, folder: Path, keys: str = "", tap_ms: int = 30) -> None:
        self._script = folder / "keys.txt"
        self._script.write_text(keys)
        near, far = pty.openpty()
        self.port = os.ttyname(far)
        options = ["--tap", str(tap_ms), "--keys", str(self._script)]
        self.process = subprocess.Popen(
            [micropython(), "firmware/unix.py", "--show", *options],
            cwd=ROOT,
            stdin=near,
            stdout=near,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(near)
        # Kept open, or the line would hang up whenever no host is there.
        self._far = far
        self.lines: list[str] = []
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()

    def press(self, keys: str) -> None:
        """Append to the key script."""
        with self._script.open("a") as script:
            script.write(keys + "\n")

    def wait_for(self, condition: Callable[[list[str]], bool], timeout_s: float = WAIT_S) -> bool:
        """Wait until what was shown so far meets the condition; tell whether it did."""
        with self._changed:
            return self._changed.wait_for(lambda: condition(self.lines), timeout_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.kill()
        self.process.wait(60)
        self._reader.join(60)
        if self.process.stderr is not None:
            self.process.stderr.close()
        os.close(self._far)
