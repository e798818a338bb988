"""Time and memory from process start to the first frame, on the OLED rig and without devices."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.figure import Figure, yard

HEAVY = frozenset({"pygame", "rich", "textual", "numpy"})
"""Libraries that a rig must not import before its first frame."""
_PLAIN = "import gpiozero, luma.core, luma.oled.device, sqlite3; print('{}', flush=True)"

_RULES = "import time, json; t = time.process_time(); import engines; " + (
    "print(json.dumps({'cpu_s': time.process_time() - t}), flush=True)"
)


def _until_line(command: list[str], environment: dict[str, str]) -> tuple[float, str]:
    """Start a process; return the seconds until it prints its first line, and the line."""
    start = time.perf_counter()
    with subprocess.Popen(  # noqa: S603  # our own interpreter
        command, stdout=subprocess.PIPE, env=environment, text=True
    ) as process:
        line = process.stdout.readline() if process.stdout else ""
        taken = time.perf_counter() - start
        process.communicate()  # until it ends
    return taken, line


def _times(command: list[str], environment: dict[str, str], runs: int) -> tuple[float, str]:
    """Return the median seconds until the first line, and the last run's line."""
    results = [_until_line(command, environment) for _ in range(runs)]
    _, last_line = results[-1]
    return median(seconds for seconds, _ in results), last_line


def _starting(command: list[str], environment: dict[str, str], runs: int) -> tuple[float, float]:
    """Return the median seconds to the first frame, and the yards of CPU time of the best run.

    CPU time leaves out waiting for other processes, which is not a cost of the start.
    """
    times, yards = [], []
    for _ in range(runs):
        before = yard()
        seconds, line = _until_line(command, environment)
        times.append(seconds)
        yards.append(json.loads(line)["cpu_s"] / min(before, yard()))
    return median(times), min(yards)


def _bare(store: Path, environment: dict[str, str]) -> list[Figure]:
    """Return the cost of a start without any device; instructions only if valgrind is installed."""
    command = [sys.executable, "-m", "bench.bare_start", str(store)]
    for _ in range(2):  # the first run makes byte code, and the game to continue
        _, line = _until_line(command, environment)
    figures = [
        Figure("resident memory, no device", json.loads(line)["peak_kib"] / 1024, "MiB", 32.0)
    ]
    if shutil.which("valgrind") is not None:
        counting = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", *command]
        counted = subprocess.run(  # noqa: S603  # our own interpreter
            counting, env=environment | {"PYTHONHASHSEED": "0"}, capture_output=True, check=True
        )
        collected = re.search(rb"Collected : (\d+)", counted.stderr)
        if collected is not None:
            billions = int(collected[1]) / 1e9
            figures.append(Figure("instructions to first frame, no device", billions, "10^9", 0.8))
    return figures


def _environment(byte_code: str) -> dict[str, str]:
    """Return a service's environment, without a desktop; byte code goes to a folder."""
    left_out = {"PYTHONDONTWRITEBYTECODE", "DISPLAY", "WAYLAND_DISPLAY"}
    environment = {key: value for key, value in os.environ.items() if key not in left_out}
    return environment | {"PYTHONPYCACHEPREFIX": byte_code, "SDL_VIDEODRIVER": "dummy"}


def figures() -> list[Figure]:
    """Return start-up with warm and cold byte code, memory, and the time of plain imports."""
    with tempfile.TemporaryDirectory() as name:
        environment = _environment(f"{name}/warm")
        command = [sys.executable, "-m", "bench.first_frame", str(Path(name, "games.db"))]
        plain = [sys.executable, "-c", _PLAIN]
        # the first runs make byte code
        _until_line(command, environment)
        _until_line(plain, environment)
        warm, yards = _starting(command, environment, 7)
        imports, _ = _times(plain, environment, 7)
        cold_starts = [_until_line(command, _environment(f"{name}/cold-{run}")) for run in range(3)]
        cold = min(seconds for seconds, _ in cold_starts)
        _, rig_line = _until_line(command, environment)
        rig = json.loads(rig_line)
        # the cost of a window, which an OLED rig must never open
        window_start, line = _times([*command, "window"], environment, 3)
        with_window = json.loads(line)
        rules = [sys.executable, "-c", _RULES]
        _, ruled = _starting(rules, environment, 7)
        best = min(json.loads(_until_line(rules, environment)[1])["cpu_s"] for _ in range(7))
        bare = _bare(Path(name, "bare.db"), environment)
    window = [
        Figure("start to first frame with a window beside", window_start, "s"),
        Figure("resident memory with a window beside", with_window["peak_kib"] / 1024, "MiB"),
    ]
    loaded = {module.partition(".")[0] for module in rig["modules"]}
    return [
        # the budget in yardsticks: 0.35 s if one takes 3.3 ms
        Figure("start to first frame, warm byte code", warm, "s", 105.0, imports, ratio=yards),
        Figure("start to first frame, cold byte code", cold, "s"),
        Figure("heavy libraries imported by then", len(loaded & HEAVY), "", 0),
        Figure("resident memory, OLED rig", rig["peak_kib"] / 1024, "MiB", 40.0),
        # the budget in yardsticks: 60 ms if one takes 3.3 ms
        Figure("import of the rules as a library", best * 1000, "ms", 18.0, ratio=ruled),
        *bare,
        *(window if "pygame" in with_window["modules"] else ()),
    ]
