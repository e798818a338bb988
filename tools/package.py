"""`python -m tools.package [--version V] [FOLDER]` builds the Debian package, for cards too."""

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tools.installing import download

ROOT = Path(__file__).parents[1]
SYSTEMD = ROOT / "systemd"
MACHINE = SYSTEMD / "machine"
"""Files of every machine with the companion; each lies in its system at the same path as here."""
UNITS = MACHINE / "usr" / "lib" / "systemd" / "system"
DEBIAN = ROOT / "debian"
WHEELS = DEBIAN / "wheels"
NEEDED = ("dh", "dh_python3", "dpkg-deb")


def project_version() -> str:
    """Return the version of the checkout."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def last_change() -> int:
    """Return the time for files: SOURCE_DATE_EPOCH, or that of the last commit."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    log = ["sh", "-c", "git log -1 --format=%ct"]  # git may be missing
    done = subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603  # as listed
    return int(done.stdout) if done.returncode == 0 else 0


def fetch() -> None:
    """Download the wheels in `debian/vendored.txt` that are missing here."""
    listed = DEBIAN / "vendored.txt"
    stamp = WHEELS / "vendored.txt"
    if stamp.exists() and stamp.read_bytes() == listed.read_bytes():
        return
    shutil.rmtree(WHEELS, ignore_errors=True)
    pure = ["--only-binary=:all:", "--platform", "any", "--python-version", "3.11"]
    if not download(listed, WHEELS, *pure):
        raise SystemExit("package: the libraries could not be downloaded: is there a network?")
    shutil.copy(listed, stamp)


def build(folder: Path, version: str, sources: str = "") -> Path:
    """Build the package into this folder and return where it is.

    `sources` is its apt sources file for later versions.
    """
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    if missing:
        raise SystemExit("package: this needs: sudo apt-get install debhelper dh-python")
    fetch()
    folder.mkdir(parents=True, exist_ok=True)
    (listed := folder / "beisitzer.sources").write_text(sources)
    _rules("clean", "binary", f"VERSION={version}", f"SOURCES={listed if sources else ''}")
    listed.unlink()
    package = f"beisitzer_{version}_all.deb"
    if folder.resolve() != (ROOT / "dist").resolve():
        shutil.move(ROOT / "dist" / package, folder / package)
    return folder / package


def _rules(*words: str) -> None:
    when = {"SOURCE_DATE_EPOCH": str(last_change())}
    # puts Debian's Python, which its debhelper needs, before this environment's
    path = {"PATH": f"/usr/bin:{os.environ['PATH']}"}
    done = subprocess.run(  # noqa: S603  # our own
        [str(DEBIAN / "rules"), *words],
        cwd=ROOT, env={**os.environ, **path, **when}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"package: {done.stdout[-2000:]}{done.stderr[-2000:]}")


def main(words: list[str]) -> None:
    """Build the package and print its path."""
    parser = argparse.ArgumentParser(prog="python -m tools.package")
    parser.add_argument("--version", default=project_version())
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    chosen = parser.parse_args(words)
    sys.stdout.write(f"{build(chosen.folder, chosen.version)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
