"""What a version consists of: each part is built in a clone of its tag, always with the same bytes.

Every time in them is that of the tag's commit, so that whoever builds the tag gets equal files.
"""

import gzip
import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

from tools import wheels
from tools.release.tagging import ReleaseError, git

_BUILD = "import sys; from setuptools import build_meta; build_meta.build_{}(sys.argv[1])"


def run(folder: Path, words: list[str], values: Mapping[str, str] | None = None) -> str:
    """Run a command in a folder and return what it printed; ReleaseError says how it ended."""
    environment = {**os.environ, **(values or {})}
    done = subprocess.run(  # noqa: S603  # our own
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        end = "\n".join(f"{done.stdout}\n{done.stderr}".strip().splitlines()[-25:])
        raise ReleaseError(f"{' '.join(words[:4])} failed:\n{end}")
    return done.stdout


def time_of(clone: Path) -> str:
    """Return the seconds since 1970 of a clone's last commit."""
    return git(clone, "log", "-1", "--format=%ct")


def build_python(clone: Path, folder: Path, version: str) -> None:
    """Build the source distribution and, from what it holds, the wheels: pure and compiled."""
    when = {"SOURCE_DATE_EPOCH": time_of(clone)}
    _setuptools(clone, "sdist", folder, when)
    source = folder / f"beisitzer-{version}.tar.gz"
    source.write_bytes(level(source.read_bytes(), int(when["SOURCE_DATE_EPOCH"])))
    unpacked = clone.with_name("unpacked")
    with tarfile.open(source) as archive:
        archive.extractall(unpacked, filter="data")
    tree = unpacked / f"beisitzer-{version}"
    _setuptools(tree, "wheel", folder, {**when, "BEISITZER_PLAIN": "1"})
    os.environ.update(when)
    for machine in (wheels.DESKTOP, wheels.PI):
        wheels.build(folder, machine, tree)


def _setuptools(tree: Path, kind: str, folder: Path, values: Mapping[str, str]) -> None:
    run(tree, [sys.executable, "-c", _BUILD.format(kind), str(folder.resolve())], values)


def level(packed: bytes, when: int) -> bytes:
    """Return a tar.gz with its files by name, each of nobody, of this time and a plain mode."""
    levelled = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(packed)) as archive,
        gzip.GzipFile("", "wb", fileobj=levelled, mtime=when) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as fresh,
    ):
        for entry in sorted(archive.getmembers(), key=lambda entry: entry.name):
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            entry.mtime = when
            entry.pax_headers = {}
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            fresh.addfile(entry, archive.extractfile(entry) if entry.isfile() else None)
    return levelled.getvalue()


def build_site(clone: Path, folder: Path, version: str) -> None:
    """Build the documentation's site, for reading without a network, as one archive."""
    name = f"beisitzer-site-{version}"
    site = clone.with_name(name)
    run(clone, [sys.executable, "-m", "tools.site", str(site)])
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(site, name)
    levelled = level(packed.getvalue(), int(time_of(clone)))
    (folder / f"{name}.tar.gz").write_bytes(levelled)


def build_debian(clone: Path, folder: Path, version: str) -> None:
    """Build the Debian package, checked by lintian."""
    _tool(clone, "deb", version, str(folder.resolve()))


def build_repository(clone: Path, folder: Path, version: str) -> None:
    """Build the signed apt repository with this version in it (KEY and URL in the environment)."""
    _tool(clone, "repository", version, str(folder.resolve() / "apt"))


def build_image(clone: Path, folder: Path, version: str) -> None:
    """Build the memory card's image."""
    _tool(clone, "image", version, str(folder.resolve()))


def _tool(clone: Path, name: str, version: str, folder: str) -> None:
    words = [sys.executable, "-m", f"tools.{name}", "--version", version, folder]
    run(clone, words, {"SOURCE_DATE_EPOCH": time_of(clone)})


PARTS: Mapping[str, Callable[[Path, Path, str], None]] = {
    "python": build_python,
    "site": build_site,
    "deb": build_debian,
    "apt": build_repository,
    "image": build_image,
}
"""What can be built, in this order."""
