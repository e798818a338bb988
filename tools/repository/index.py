"""The repository on the disk: `pool` with each suite's packages, `dists` with the signed lists."""

import shutil
import subprocess
from pathlib import Path

from systemd.update import SUITES
from tools.repository.signing import RepositoryError, SigningKeys

ARCHITECTURES = ("amd64", "arm64", "armhf")
"""Machines for which there is a list; the package `beisitzer` is for all of them."""
STABLE, TESTING = SUITES


def pool(repository: Path, suite: str) -> Path:
    """Return the folder of a suite's packages."""
    return repository / "pool" / suite


def suites_of(suite: str) -> tuple[str, ...]:
    """Return where a package belongs: what is stable is in testing too, which is never older."""
    if suite not in SUITES:
        raise RepositoryError(f"SUITE is {STABLE} or {TESTING}")
    return (STABLE, TESTING) if suite == STABLE else (TESTING,)


def write(repository: Path, suite: str, keys: SigningKeys) -> None:
    """Write and sign a suite's lists of what is in its pool.

    Lists are found by their hashes too, and the signature is replaced last: who fetches meanwhile
    gets the old state or the new one.
    """
    if shutil.which("apt-ftparchive") is None:
        raise RepositoryError("this needs apt-ftparchive: sudo apt-get install apt-utils")
    place = f"dists/{suite}"
    pool(repository, suite).mkdir(parents=True, exist_ok=True)
    for architecture in ARCHITECTURES:
        folder = repository / place / "main" / f"binary-{architecture}"
        folder.mkdir(parents=True, exist_ok=True)
        words = ("--arch", architecture, "packages", f"pool/{suite}")
        (folder / "Packages").write_text(_ftparchive(repository, *words))
    about = {
        "Origin": "Beisitzer", "Label": "Beisitzer", "Suite": suite, "Codename": suite,
        "Components": "main", "Architectures": " ".join(ARCHITECTURES), "Acquire-By-Hash": "yes",
    }  # fmt: skip
    options = [
        word
        for name, value in about.items()
        for word in ("-o", f"APT::FTPArchive::Release::{name}={value}")
    ]
    for name in ("MD5", "SHA1"):
        options += ["-o", f"APT::FTPArchive::{name}=false"]
    options += ["-o", "APT::FTPArchive::DoByHash=true"]
    release = repository / place / "Release"
    for old in ("Release", "Release.new"):
        (repository / place / old).unlink(missing_ok=True)
    text = _ftparchive(repository, *options, "release", place)
    release.write_text(text)
    keys.sign(release)


def _ftparchive(repository: Path, *words: str) -> str:
    command = ["apt-ftparchive", *words]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)  # noqa: S603  # our own
    if done.returncode:
        raise RepositoryError(f"apt-ftparchive: {done.stderr.strip()[-300:]}")
    return done.stdout
