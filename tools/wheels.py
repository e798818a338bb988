"""Builds the wheel for a 64-bit Pi: `make ai-wheels`, or `python -m tools.wheels [FOLDER]`.

A Pi that installs it needs no compiler. Zig's C compiler can compile for other machines; the
headers are those of this Python, whose stable interface is the same on every 64-bit Linux. One
file works with every Python from 3.11 on.
"""

import os
import shlex
import struct
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

from engines.games import SHIPPED

ROOT = Path(__file__).parents[1]
TARGET = "aarch64-linux-gnu.2.28"
PLATFORM = "manylinux_2_28_aarch64"
"""The wheel's platform: glibc 2.28, which Raspberry Pi OS has had since 2019."""
_ELF, _AARCH64 = b"\x7fELF", 183
"""How an ELF file begins, and its number for a 64-bit Pi's processor."""
_BUILD = (
    "import sys; from setuptools import build_meta;"
    " build_meta.build_wheel(sys.argv[1], {'--build-option': ['--plat-name', sys.argv[2]]})"
)


def build(folder: Path) -> Path:
    """Build the wheel into a folder and return its path; SystemExit with a sentence on failure."""
    if sys.platform != "linux" or struct.calcsize("P") != 8:
        raise SystemExit("wheels: this needs the headers of a Linux with 64 bits")
    if find_spec("ziglang") is None:
        raise SystemExit("wheels: ziglang is missing, make ai-wheels installs it")
    folder.mkdir(parents=True, exist_ok=True)
    compiler = shlex.join([sys.executable, "-m", "ziglang", "cc", "-target", TARGET])
    environment = {
        **os.environ,
        "BEISITZER_STABLE": "1",
        "CC": compiler,
        "LDSHARED": f"{compiler} -shared -s",
        "_PYTHON_HOST_PLATFORM": "linux-aarch64",
    }
    command = [sys.executable, "-c", _BUILD, str(folder.resolve()), PLATFORM]
    process = subprocess.run(  # noqa: S603  # our own
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise SystemExit(
            f"wheels: the build failed\n{process.stdout[-2000:]}{process.stderr[-2000:]}"
        )
    wheel = max(folder.glob(f"beisitzer-*-cp311-abi3-{PLATFORM}.whl"), key=os.path.getmtime)
    check(wheel)
    return wheel


def check(wheel: Path) -> None:
    """Raise SystemExit unless the wheel has every game's play-outs, compiled for a 64-bit Pi."""
    with zipfile.ZipFile(wheel) as file:
        for game in SHIPPED:
            name = f"ai/{game}/playouts.abi3.so"
            if name not in file.namelist():
                raise SystemExit(f"wheels: {wheel.name} has no {name}")
            head = file.read(name)[:20]  # ELF: bytes 18 and 19 name the machine
            if head[:4] != _ELF or int.from_bytes(head[18:20], "little") != _AARCH64:
                raise SystemExit(f"wheels: {name} in {wheel.name} is for another machine")


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1] if sys.argv[1:] else 'dist'))}\n")
