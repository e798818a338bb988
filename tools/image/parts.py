"""Compiles what Debian has no package of: lgpio, which speaks to the header's pins."""

import hashlib
import shutil
import tempfile
from pathlib import Path

from tools.image.base import WHEN, NoImageError, alone, cache
from tools.image.system import run_inside, unpack
from tools.installing import download

LGPIO = Path(__file__).parent / "lgpio.txt"
"""Its pinned version, with the hashes of the index."""
COMPILERS = "gcc libc6-dev python3-dev python3-setuptools swig"
PACKAGES = "usr/lib/python3/dist-packages"


SCRIPT = f"""\
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends {COMPILERS}
cd /srv
tar -xf lgpio-*.tar.gz
cd lgpio-*/
# PYPI: its C library, which Debian lacks too, becomes a part of it
PYPI=1 CFLAGS='-g0 -O2 -ffile-prefix-map=/srv=.' python3 setup.py build --build-lib /srv/made
strip --strip-unneeded /srv/made/*.so
"""


def compile_lgpio(base: Path) -> Path:
    """Return a folder with lgpio's modules; compiled once, in a copy of the card's system."""
    text = SCRIPT + LGPIO.read_text() + base.parent.name
    folder = cache() / f"lgpio-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    with alone(folder):
        if not (folder / "made").exists():
            _compile(base, folder)
    return folder / "made"


def _compile(base: Path, folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        root = Path(temporary) / "root"
        unpack(base, root)
        if not download(LGPIO, root / "srv", "--no-binary=:all:", "--no-build-isolation"):
            raise NoImageError("lgpio could not be downloaded: is there a network?")
        (root / "etc" / "resolv.conf").unlink(missing_ok=True)
        shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        run_inside(root, SCRIPT, WHEN)
        (root / "srv" / "made").rename(folder / "made")
