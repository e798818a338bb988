"""What a machine is brought: two packages and settings, on a disk that is a tar archive."""

import io
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from tests.ran import ran
from tools.package import ROOT, build

PANEL = '[panel]\nport = "/dev/ttyUSB0"\n'
SETTINGS = f'language = "en"\n\n{PANEL}'
OLDER = "0.0.1"
"""The version that this package is called by, where there is no release yet."""


def release() -> str:
    """Return the tag of the last release, "" before the first one."""
    words = ["git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"]
    done = ran(words, cwd=ROOT)
    return done.stdout.strip()


def pack(folder: Path, version: str) -> Path:
    """Make the parcel in this folder: `new.deb`, `old.deb`, `settings.toml`."""
    folder.mkdir(parents=True, exist_ok=True)
    parcel = folder / "parcel.tar"
    with tarfile.open(parcel, "w") as tar:
        package = build(folder, version)
        tar.add(package, "new.deb")
        tar.add(_older(folder, package), "old.deb")
        entry = tarfile.TarInfo("settings.toml")
        entry.size = len(SETTINGS.encode())
        tar.addfile(entry, io.BytesIO(SETTINGS.encode()))
    return parcel


def renamed(package: Path, folder: Path, version: str, command: str = "") -> Path:
    """Build the package anew under another version, perhaps with another command."""
    tree, built = folder / "tree", folder / f"beisitzer_{version}_all.deb"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: .*", f"Version: {version}", control.read_text()))
    if command:
        (tree / "usr/bin/beisitzer").write_text(command)
    words = ["dpkg-deb", "--nocheck", "--root-owner-group", "-Zgzip", "-z1", "--build"]
    subprocess.run([*words, tree, built], check=True, stdout=subprocess.DEVNULL)
    return built


def _older(folder: Path, package: Path) -> Path:
    """Return the package of the last release, built from its tag; else this one, called older."""
    tag = release()
    if not tag:
        return renamed(package, folder, OLDER)
    tree = folder / "release"
    subprocess.run(["git", "worktree", "add", "--detach", tree, tag], cwd=ROOT, check=True)
    try:
        made = [sys.executable, "-m", "tools.package", str(folder / "older")]
        subprocess.run(made, cwd=tree, check=True, stdout=subprocess.DEVNULL)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)
    return next((folder / "older").glob("*.deb"))
