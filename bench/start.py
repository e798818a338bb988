"""From process start to the first frame: time, instructions, memory, imported libraries."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from operator import itemgetter
from pathlib import Path
from typing import Any

from bench.figure import Figure, Timed, measure_seconds
from bench.store import make_store

HEAVY = frozenset({"pygame", "rich", "textual", "numpy"})
"""Libraries that a rig must not import before its first frame."""
GAMES = 10_000
RUNS = 7


def _command(store: Path, kind: str) -> list[str]:
    return [sys.executable, "-m", "bench.first_frame", str(store), kind]


def _environment(byte_code: Path) -> dict[str, str]:
    """Return a service's environment, without a desktop; byte code goes to a folder."""
    left_out = {"PYTHONDONTWRITEBYTECODE", "DISPLAY", "WAYLAND_DISPLAY"}
    environment = {key: value for key, value in os.environ.items() if key not in left_out}
    return environment | {"PYTHONPYCACHEPREFIX": str(byte_code), "SDL_VIDEODRIVER": "dummy"}


def _start(store: Path, kind: str, environment: dict[str, str]) -> tuple[float, dict[str, Any]]:
    """Start a companion; return the seconds until it prints its facts, and these."""
    start = time.perf_counter()
    with subprocess.Popen(  # noqa: S603  # our own interpreter
        _command(store, kind), stdout=subprocess.PIPE, env=environment, text=True
    ) as process:
        line = process.stdout.readline() if process.stdout else ""
        taken = time.perf_counter() - start
        process.communicate()  # until it ends
    return taken, json.loads(line)


def _measure(store: Path, environment: dict[str, str]) -> Timed:
    """Measure the CPU time, which leaves out waiting for a busy machine's other processes."""
    _start(store, "rig", environment)  # makes byte code, and what a store of many games needs
    return measure_seconds(lambda: float(_start(store, "rig", environment)[1]["cpu_s"]), RUNS)


def _instructions(store: Path, environment: dict[str, str]) -> list[Figure]:
    """Return the instructions of a start without devices, if valgrind can count them."""
    if shutil.which("valgrind") is None:
        return []
    for _ in range(2):  # the first run makes byte code, and the game to continue
        _start(store, "bare", environment)
    counting = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}"]
    counted = subprocess.run(  # noqa: S603  # our own interpreter
        [*counting, *_command(store, "bare")],
        env=environment | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        check=True,
    )
    collected = re.search(rb"Collected : (\d+)", counted.stderr)
    if collected is None:
        raise RuntimeError("valgrind counted nothing")
    billions = int(collected[1]) / 1e9
    return [Figure("instructions to the first frame, no device", billions, "10^9", 0.8)]


def figures() -> list[Figure]:
    """Return the cost of a start on a rig, and what 10,000 stored games add to it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = _environment(folder / "warm")
        one = _measure(folder / "games", environment)
        starts = [_start(folder / "games", "rig", environment) for _ in range(RUNS)]
        elapsed_s, facts = min(starts, key=itemgetter(0))
        make_store(folder / "many.db", GAMES).close()
        many = _measure(folder / "many.db", environment)
        instructions = _instructions(folder / "bare.db", environment)
    loaded = {module.partition(".")[0] for module in facts["modules"]}
    more = Timed(many.seconds - one.seconds, one.slowness)
    return [
        Figure("process start to the first frame, OLED rig", 1e3 * elapsed_s, "ms"),
        one.figure_ms("of that CPU", 350),
        *instructions,
        Figure("heavy libraries imported by then", len(loaded & HEAVY), "", 0),
        Figure("memory, OLED rig", facts["peak_mib"], "MiB", 40),
        more.figure_ms(f"more CPU to the first frame with {GAMES:,} games", 15),
    ]
