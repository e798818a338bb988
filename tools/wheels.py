"""Builds the wheel for a 64-bit Pi: `python -m tools.wheels [FOLDER]`.

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
GLIBC = (2, 28)
"""The oldest C library that the wheels run on; Raspberry Pi OS has had it since 2019."""
_ELF = b"\x7fELF"
"""How an ELF file begins."""
_BUILD = (
    "import sys; from setuptools import build_meta;"
    " build_meta.build_wheel(sys.argv[1], {'--build-option': ['--plat-name', sys.argv[2]]})"
)


_MACHINE, _ELF_MACHINE = "aarch64", 183
"""A 64-bit Pi, as Zig and wheels call it, and its number in ELF files."""
_TARGET = f"{_MACHINE}-linux-gnu.{GLIBC[0]}.{GLIBC[1]}"
_PLATFORM = f"manylinux_{GLIBC[0]}_{GLIBC[1]}_{_MACHINE}"


def build(folder: Path, source: Path = ROOT) -> Path:
    """Build the wheel into a folder and return its path; SystemExit with a sentence on failure."""
    if sys.platform != "linux" or struct.calcsize("P") != 8:
        raise SystemExit("wheels: this needs the headers of a Linux with 64 bits")
    if find_spec("ziglang") is None:
        raise SystemExit("wheels: ziglang is missing: pip install --group wheels")
    folder.mkdir(parents=True, exist_ok=True)
    compiler = shlex.join([sys.executable, "-m", "ziglang", "cc", "-target", _TARGET])
    environment = {
        **os.environ,
        "BEISITZER_STABLE": "1",
        "CC": compiler,
        "LDSHARED": f"{compiler} -shared -s",
        "_PYTHON_HOST_PLATFORM": f"linux-{_MACHINE}",
    }
    command = [sys.executable, "-c", _BUILD, str(folder.resolve()), _PLATFORM]
    process = subprocess.run(  # noqa: S603  # our own
        command, cwd=source, env=environment, capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise SystemExit(
            f"wheels: the build failed\n{process.stdout[-2000:]}{process.stderr[-2000:]}"
        )
    built = folder.glob(f"beisitzer-*-cp311-abi3-{_PLATFORM}.whl")
    wheel = max(built, key=os.path.getmtime)
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
            if head[:4] != _ELF or int.from_bytes(head[18:20], "little") != _ELF_MACHINE:
                raise SystemExit(f"wheels: {name} in {wheel.name} is not for a 64-bit Pi")


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1] if sys.argv[1:] else 'dist'))}\n")
