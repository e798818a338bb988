"""The companion as a folder that needs no installation: `VERSION`, `bin/beisitzer`, `lib/`."""

import shutil
from pathlib import Path

START = Path(__file__).parent / "start"


def lay_out(programs: Path, version: str, libraries: Path, sources: str = "") -> Path:
    """Make the folder of one version below `programs` and return it.

    `libraries` is the folder of its modules. `sources` says to apt where later versions are, and
    by which keys they are signed.
    """
    made = programs / version
    shutil.copytree(libraries, made / "lib")
    (made / "bin").mkdir()
    shutil.copy(START, made / "bin" / "beisitzer")
    (made / "bin" / "beisitzer").chmod(0o755)
    (made / "VERSION").write_text(f"{version}\n")
    if sources:
        (made / "beisitzer.sources").write_text(sources)
    return made
