"""The card's program as a Debian package: a folder by the name of its version, and no script."""

import os
import re
import shutil
import subprocess
import tempfile
from math import ceil
from pathlib import Path

from systemd.update import CARD, INSIDE, PACKAGE
from tools import package
from tools.image import program

OLDEST_CARD = "0.1.0"
"""The oldest card on which this program runs: raise it when it needs more of the card's system,
such as another call of root's helper. Older cards then say that they must be flashed anew."""
CONTROL = """\
Package: {package}
Version: {version}
Architecture: arm64
Maintainer: {maintainer}
Installed-Size: {size}
Section: misc
Priority: optional
Depends: {depends}
Description: Beisitzer for a flashed memory card
 A card's system is never written to: root's updater on it unpacks this into a folder on the
 data partition and lets the companion start from there. On other machines install the package
 beisitzer.
"""


def depends() -> str:
    """Return what a card must have: those of the other package's needs that its libraries are."""
    control = (package.DEBIAN / "control").read_text()
    (line,) = re.findall(r"^Depends: (.*)$", control, re.M)
    libraries = [each for each in line.split(", ") if each.startswith("python3")]
    return ", ".join([f"{CARD} (>= {OLDEST_CARD})", *libraries])


def maintainer() -> str:
    """Return who the packages name."""
    (line,) = re.findall(r"^Maintainer: (.*)$", (package.DEBIAN / "control").read_text(), re.M)
    return str(line)


def build(folder: Path, version: str, libraries: Path, sources: str, when: int) -> Path:
    """Build `beisitzer-program_VERSION_arm64.deb` into this folder and return where it is."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".package-") as temporary:
        root = Path(temporary)
        program.lay_out(root / INSIDE, version, libraries, sources)
        return pack(root, folder, version, when)


def pack(root: Path, folder: Path, version: str, when: int) -> Path:
    """Pack a tree that holds the folder of a version; the same tree gives the same bytes."""
    built = folder / f"{PACKAGE}_{version}_arm64.deb"
    size = sum(ceil(path.stat().st_size / 1024) for path in root.rglob("*") if path.is_file())
    control = CONTROL.format(
        package=PACKAGE, version=version, maintainer=maintainer(), size=size, depends=depends()
    )
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(control)
    for path in (root, *root.rglob("*")):
        executable = path.is_dir() or path.stat().st_mode & 0o100
        path.chmod(0o755 if executable else 0o644)
        os.utime(path, (when, when))
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(built)]
    # the archive's own times
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(when)}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # as listed
    return built


def copy(package: Path, folder: Path) -> None:
    """Put a package into a folder, whole or not at all; one that is there already stays."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / package.name).exists():
        new = folder / f".{package.name}.new"
        shutil.copy(package, new)
        new.replace(folder / package.name)
