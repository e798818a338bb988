"""The companion as a folder that needs no installation: `VERSION`, `bin/beisitzer`, `lib/`."""

import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tools import deb, wheels

START = Path(__file__).parent / "start"


def gather(folder: Path) -> list[Path]:
    """Fetch the libraries that Debian lacks and build our own wheel for a 64-bit Pi."""
    folder.mkdir()
    deb.download(folder)
    wheels.build(folder)
    return sorted(folder.glob("*.whl"))


def lay_out(programs: Path, version: str, wheel_files: Iterable[Path], sources: str = "") -> Path:
    """Make the folder of one version below `programs` and return it.

    `sources` says to apt where later versions are, and by which keys they are signed.
    """
    made = programs / version
    for wheel in wheel_files:
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(made / "lib")
    shutil.rmtree(made / "lib" / "bin", ignore_errors=True)  # commands of the libraries
    for record in (made / "lib").glob("*.dist-info/RECORD"):
        record.unlink()
    (made / "bin").mkdir()
    shutil.copy(START, made / "bin" / "beisitzer")
    (made / "bin" / "beisitzer").chmod(0o755)
    (made / "VERSION").write_text(f"{version}\n")
    if sources:
        (made / "beisitzer.sources").write_text(sources)
    return made
