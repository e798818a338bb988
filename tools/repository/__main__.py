"""`make apt-repository KEY=... URL=...`, or `python -m tools.repository [FOLDER]`."""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tools import package
from tools.repository import card, index
from tools.repository.signing import RepositoryError, SigningKeys, opened, sources

SOURCES = "beisitzer.sources"


def publish(repository: Path, suite: str, version: str, url: str, keys: SigningKeys) -> None:
    """Add this version's packages to a suite, and sign the lists of every suite that changes."""
    text = sources(url, suite, keys.public())
    changed = index.suites_of(suite)
    with tempfile.TemporaryDirectory(prefix="packages-") as temporary:
        for file in _packages(repository, Path(temporary), version, text):
            for each in changed:
                card.copy(file, index.pool(repository, each))
    for each in changed:
        index.write(repository, each, keys)
    (repository / SOURCES).write_text(text)


def _packages(repository: Path, work: Path, version: str, text: str) -> list[Path]:
    """Return the packages of a version: a version that was published never changes."""
    there = index.pool(repository, index.TESTING)
    found = sorted(there.glob(f"beisitzer*_{version}_*.deb"))
    if found:
        return found
    return [
        card.build(work, version, package.libraries(), text, package.last_change()),
        package.build(work, version),
    ]


def main(words: list[str]) -> None:
    """Publish this checkout's version, and print where."""
    parser = argparse.ArgumentParser(prog="python -m tools.repository")
    parser.add_argument("--version", default=package.project_version())
    parser.add_argument("--suite", default=os.environ.get("SUITE") or index.STABLE)
    parser.add_argument("--key", default=os.environ.get("KEY") or "")
    parser.add_argument("--url", default=os.environ.get("URL") or "")
    parser.add_argument("folder", nargs="?", type=Path, default=package.ROOT / "dist" / "apt")
    chosen = parser.parse_args(words)
    if shutil.which("dpkg-deb") is None:
        raise SystemExit("apt-repository: this needs dpkg-deb: sudo apt-get install dpkg")
    try:
        with opened(chosen.key.split()) as keys:
            publish(chosen.folder, chosen.suite, chosen.version, chosen.url, keys)
    except RepositoryError as error:
        raise SystemExit(f"apt-repository: {error}") from None
    sys.stdout.write(f"{chosen.folder}: copy it to {chosen.url}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
