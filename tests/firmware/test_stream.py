"""The line under the real MicroPython: few bytes a step, nothing allocated, nothing waited for."""

import subprocess
import threading
from typing import IO

import pytest

from firmware.panel.session import ANSWERS
from hardware.serial_panel.protocol import LineReader, decode, encode
from tests.firmware.rig import ROOT, WAIT_S, micropython

SESSION = "0a1b2c3d"
HELLO = encode(f"HELLO 1 beisitzer {SESSION}")
LIMIT = 64
"""The most bytes that may be read between two scans of the keys."""
PIPE_BYTES = 4_096
PINGS = 2_000
"""Their answers are more than the pipe holds, though most are dropped."""


def _start(word: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [micropython(), "tests/firmware/far_end.py", word],
        cwd=ROOT,
        env={"MICROPYPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pipesize=PIPE_BYTES,
    )


def _most(line: bytes) -> list[int]:
    """Read what the panel tells: bytes read in a step, in all, and answers that waited."""
    word, *numbers = line.split()
    assert word == b"most", line
    return list(map(int, numbers))


@pytest.mark.parametrize("junk", [b"x" * 5_000, b"@" + b"A" * 5_000, b"@TEXT 0 A" * 600])
def test_a_burst_is_read_in_small_steps_that_allocate_nothing(junk: bytes) -> None:
    with _start("reads") as panel:
        _, told = panel.communicate(HELLO + junk, WAIT_S)
    assert panel.returncode == 0, told
    step, total, _ = _most(told)
    assert 0 < step <= LIMIT
    assert total == len(HELLO + junk)


def _send(pipe: IO[bytes], data: bytes) -> None:
    with pipe:
        pipe.write(data)


def test_a_host_that_does_not_read_neither_stops_the_scan_nor_fills_memory_nor_loses_a_key() -> (
    None
):
    pings = b"".join(encode(f"PING {number}") for number in range(PINGS))
    with _start("writes") as panel:
        assert panel.stdin is not None
        assert panel.stdout is not None
        assert panel.stderr is not None
        end = threading.Timer(WAIT_S, panel.kill)
        end.start()
        sender = threading.Thread(target=_send, args=(panel.stdin, HELLO + pings))
        sender.start()
        step, total, queued = _most(panel.stderr.readline())
        answers = [decode(line) for line in LineReader().feed(panel.stdout.read())]
        sender.join(WAIT_S)
        panel.wait(WAIT_S)
        end.cancel()
    assert (panel.returncode, step <= LIMIT) == (0, True)
    assert total == len(HELLO + pings)
    assert queued <= ANSWERS + LIMIT // len(b"@PING 1*0000\n")
    assert answers[0].startswith(f"HELLO 1 pico 1.0 session={SESSION} ")
    assert f"KEY {SESSION} 0 5 down" in answers
    assert f"PONG {PINGS - 1}" in answers[-2:]
    assert len(answers) < PINGS
