"""What must hold of a version's files before it gets its tag: others' checks, and checksums."""

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from tools.release.packages import run, time_of
from tools.release.tagging import ReleaseError

SUMS = "SHA256SUMS"
EXTRAS = "club,gpio,link,oled,pads,web,wifi,window"
"""What the bill of materials lists besides what everybody installs."""
_MOVING = re.compile(r"apt/dists/")
"""The apt repository's signed lists say when they were signed; what they list is compared."""


def check_libraries(clone: Path) -> None:
    """Look the libraries up for known vulnerabilities; where no service answers, say so."""
    sys.stdout.write(run(clone, [sys.executable, "-m", "tools.audit", "--where-possible"]))


def check_python(clone: Path, folder: Path) -> None:
    """Check the wheels and the source distribution by twine and check-wheel-contents."""
    built = [str(path.resolve()) for path in sorted(folder.glob("*.whl"))]
    (source,) = folder.glob("*.tar.gz")
    run(clone, [sys.executable, "-m", "twine", "check", "--strict", *built, str(source.resolve())])
    run(clone, [sys.executable, "-m", "check_wheel_contents", *built])


def check_debian(clone: Path, folder: Path) -> None:
    """Check the package by lintian, warnings too; ReleaseError also where lintian is missing."""
    if shutil.which("lintian") is None:
        raise ReleaseError("this needs lintian: sudo apt-get install lintian")
    root = ["--allow-root"] if os.geteuid() == 0 else []
    for package in sorted(folder.glob("*.deb")):
        run(clone, ["lintian", *root, "--fail-on", "error,warning", str(package.resolve())])


def write_bill(clone: Path, folder: Path, version: str) -> Path:
    """Write the bill of materials (CycloneDX): what an installation with all extras brings.

    It is made from an installation of the pure wheel with the versions of constraints.txt.
    """
    environment = clone.with_name("installed")
    run(clone, [sys.executable, "-m", "venv", "--without-pip", str(environment)])
    python = str(environment / "bin" / "python")
    wheel = (folder / f"beisitzer-{version}-py3-none-any.whl").resolve()
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    install = ["--python", python, "install", "-c", "constraints.txt", f"{wheel}[{EXTRAS}]"]
    run(clone, [sys.executable, "-m", "tools.installing", *pip, *install])
    for origin in environment.rglob("beisitzer-*.dist-info/direct_url.json"):
        origin.unlink()  # the place of this build
    bill = folder / f"beisitzer-{version}.cdx.json"
    words = ["environment", "--output-reproducible", "--pyproject", "pyproject.toml", "-o"]
    command = [sys.executable, "-m", "cyclonedx_py", *words, str(bill.resolve()), python]
    run(clone, command, {"SOURCE_DATE_EPOCH": time_of(clone)})
    return bill


def files(folder: Path) -> list[Path]:
    """Return a version's files, by name."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)


def write_sums(folder: Path) -> Path:
    """Write the checksums, which `sha256sum -c` reads, and return the file."""
    sums = folder / SUMS
    sums.write_text("".join(f"{_sum(path)}  {_name(folder, path)}\n" for path in files(folder)))
    return sums


def compare(folder: Path, again: Path) -> None:
    """Raise ReleaseError unless two builds of a version are equal, byte by byte."""
    first, second = _sums(folder, files(folder)), _sums(again, files(again))
    different = sorted(
        name for name in first.keys() | second.keys() if first.get(name) != second.get(name)
    )
    if different:
        raise ReleaseError(f"built twice, these differ: {', '.join(different)}")


def _sums(folder: Path, paths: Iterable[Path]) -> dict[str, str]:
    named = ((_name(folder, path), path) for path in paths)
    return {name: _sum(path) for name, path in named if not _MOVING.match(name)}


def _name(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
