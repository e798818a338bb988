"""Compiles lgpio, which drives the header's pins: Debian has no package of it."""

import hashlib
import tempfile
from pathlib import Path

from tools.image.base import Archive, NoImageError, alone, cache, run, strap
from tools.installing import download

LGPIO = Path(__file__).parent / "lgpio.txt"
"""Its pinned version, with the hashes of the index."""
PACKAGES = "usr/lib/python3/dist-packages"
NEEDED = ("aarch64-linux-gnu-gcc", "swig")
SCRIPT = """\
cd "$1"
own=include/aarch64-linux-gnu
mkdir -p $own made
cp -r usr/include/python3.*/. include
cp -r usr/$own/python3.* $own
tar -xf lgpio-*.tar.gz
cd lgpio-*/
swig -python lgpio.i
set -- "-ffile-prefix-map=$1=." -Isrc -I../include src/lg*.c src/rgpiod.c
aarch64-linux-gnu-gcc -shared -fPIC -O2 -g0 -s -pthread -o ../made/_lgpio.so lgpio_wrap.c "$@"
cp lgpio.py ../made
"""
"""Its C library, which Debian lacks too, is linked into it."""


def compile_lgpio(archive: Archive) -> Path:
    """Return a folder with lgpio's modules; compiled once, by this machine's own processor."""
    text = repr(archive) + SCRIPT + LGPIO.read_text()
    folder = cache() / f"lgpio-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    with alone(folder):
        if not (folder / "made").exists():
            _compile(archive, folder)
    return folder / "made"


def _compile(archive: Archive, folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        work = Path(temporary)
        # how the card's Python is spoken to
        strap(archive, work, "libpython3-dev", "--variant=extract", "--format=dir")
        if not download(LGPIO, work, "--no-binary=:all:", "--no-build-isolation"):
            raise NoImageError("lgpio could not be downloaded: is there a network?")
        run("sh", "-euc", SCRIPT, "sh", work)
        (work / "made").rename(folder / "made")
