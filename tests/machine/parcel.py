"""What a machine is brought: the checkout, wheels and packages, on a disk that is a tar archive."""

import io
import re
import subprocess
import sys
import tarfile
from pathlib import Path

from tests.machine.image import SUITE
from tools.deb import ROOT, SYSTEMD, build

PANEL = '[panel]\nport = "/dev/ttyUSB0"\n'
SETTINGS = f'language = "en"\n\n{PANEL}'
OLDER = "0.0.1"
"""The version that this package is called by, where there is no release yet."""
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
TARGETS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")


def release() -> str:
    """Return the tag of the last release, "" before the first one."""
    words = ["git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def pack(folder: Path, version: str) -> Path:
    """Make the parcel in this folder: `beisitzer/`, `wheels/`, `new.deb`, `old.deb`, settings."""
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    fit = [f"--platform={each}" for each in TARGETS]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
    pip += [
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
        f"--python-version={PYTHONS[SUITE]}",
        *fit,
    ]
    pinned = SYSTEMD / "requirements.txt"
    subprocess.run([*pip, "-d", wheels, "-r", pinned], check=True, stderr=subprocess.DEVNULL)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    parcel = folder / "parcel.tar"
    with tarfile.open(parcel, "w") as tar:
        for name in filter(None, listed.stdout.decode().split("\0")):
            if (ROOT / name).exists() and not name.startswith(("docs/pictures", "tests/")):
                tar.add(ROOT / name, f"beisitzer/{name}")
        for wheel in sorted(wheels.iterdir()):
            tar.add(wheel, f"wheels/{wheel.name}")
        package = build(folder, version)
        tar.add(package, "new.deb")
        tar.add(_older(folder, package), "old.deb")
        entry = tarfile.TarInfo("settings.toml")
        entry.size = len(SETTINGS.encode())
        tar.addfile(entry, io.BytesIO(SETTINGS.encode()))
    return parcel


def _older(folder: Path, package: Path) -> Path:
    """Return the package of the last release, built from its tag; else this one, called older."""
    tag = release()
    tree = folder / "release"
    if not tag:
        subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(tree)], check=True)
        control = tree / "DEBIAN" / "control"
        text = re.sub(r"(?m)^Version: .*", f"Version: {OLDER}", control.read_text())
        control.write_text(text)
        older = folder / "older.deb"
        command = ["dpkg-deb", "--root-owner-group", "--build", str(tree), str(older)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return older
    subprocess.run(["git", "worktree", "add", "--detach", tree, tag], cwd=ROOT, check=True)
    try:
        made = [sys.executable, "-m", "tools.deb", str(folder / "older")]
        subprocess.run(made, cwd=tree, check=True, stdout=subprocess.DEVNULL)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)
    return next((folder / "older").glob("*.deb"))
