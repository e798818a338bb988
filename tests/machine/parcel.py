"""What a machine is brought: the checkout and wheels, on a disk that is a tar archive."""

import io
import subprocess
import sys
import tarfile
from pathlib import Path

from tools.deb import ROOT, SYSTEMD

PANEL = '[panel]\nport = "/dev/ttyUSB0"\n'
SETTINGS = f'language = "en"\n\n{PANEL}'
TARGETS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")


def pack(folder: Path) -> Path:
    """Make the parcel in this folder: `beisitzer/`, `wheels/`, settings."""
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    fit = [f"--platform={each}" for each in TARGETS]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
    pip += ["--no-deps", "--require-hashes", "--only-binary=:all:", "--python-version=3.11", *fit]
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
        entry = tarfile.TarInfo("settings.toml")
        entry.size = len(SETTINGS.encode())
        tar.addfile(entry, io.BytesIO(SETTINGS.encode()))
    return parcel
