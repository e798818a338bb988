"""Checkouts whose AIs play: a folder, or a commit that is unpacked and compiled in a cache."""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from bench.strength import StrengthError

CACHE = Path("build/strength/checkouts")
PACKAGES = ("ai", "engines")
"""What decides how a checkout plays."""
UNUSED = {".c", ".pyc", ".pxd"}


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder with an AI, its commit ("" if unknown), and a digest of what a game plays by."""

    folder: Path
    commit: str
    content: str

    @property
    def name(self) -> str:
        """The commit and the digest, short."""
        return f"{self.commit[:12] or 'unknown'} ({self.content})"


def prepare(word: str, game: str, repository: Path = Path()) -> Checkout:
    """Return the checkout that a word means, to play a game: a folder, or a commit of this one.

    A commit is unpacked and compiled once. StrengthError if the word is neither.
    """
    folder = Path(word)
    if (folder / "ai").is_dir():
        return Checkout(folder, _commit(folder, "HEAD"), digest(folder, game))
    commit = _commit(repository, word)
    if not commit:
        raise StrengthError(f"{word} is neither a folder with an AI nor a commit: name one of them")
    kept = (repository / CACHE / commit).resolve()
    if not kept.exists():
        _make(commit, repository, kept)
    return Checkout(kept, commit, digest(kept, game))


def digest(folder: Path, game: str) -> str:
    """Return 12 hex digits that change with a game's AI, its rules or its opponents in tests/."""
    paths = [folder / "tests" / "ai" / "opponents" / f"{game}.py"]
    for part in PACKAGES:
        paths += [*(folder / part).glob("*"), *(folder / part / game).rglob("*")]
    hashed = hashlib.sha256()
    for path in sorted(paths):
        if path.is_file() and path.suffix not in UNUSED:
            hashed.update(path.relative_to(folder).as_posix().encode())
            hashed.update(hashlib.sha256(path.read_bytes()).digest())
    return hashed.hexdigest()[:12]


def _commit(repository: Path, word: str) -> str:
    """Return the whole name of a commit, "" if there is none."""
    command = ["git", "-C", str(repository), "rev-parse", "--verify", "-q", f"{word}^{{commit}}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _make(commit: str, repository: Path, kept: Path) -> None:
    """Unpack a commit and compile its play-outs; the folder is there only once it is whole."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as temporary:
        folder = Path(temporary, "checkout")
        archive = _run(["git", "-C", str(repository), "archive", commit], "git archive")
        with tarfile.open(fileobj=BytesIO(archive)) as packed:
            packed.extractall(folder, filter="data")
        _run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], "compiling", folder)
        shutil.rmtree(folder / "build", ignore_errors=True)
        folder.rename(kept)


def _run(command: list[str], what: str, folder: Path | None = None) -> bytes:
    done = subprocess.run(command, capture_output=True, check=False, cwd=folder)  # noqa: S603
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason"]
        raise StrengthError(f"{what} failed: {said[-1]}")
    return done.stdout
