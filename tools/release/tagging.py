"""The commit and the tag of a version: made in a clone, taken over when everything is built."""

import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import tomlkit

from tools.release.changelog import ChangelogError, close


class ReleaseError(Exception):
    """The version cannot be made; the text is one line that says what to do."""


def git(folder: Path, *words: str) -> str:
    """Run git in a folder and return what it printed."""
    command = ["git", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603  # our own
    if done.returncode:
        raise ReleaseError(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def tag_of(version: str) -> str:
    """Return the tag's name."""
    return f"v{version}"


def version_of(project: str) -> str:
    """Return the version in the text of a pyproject.toml."""
    return str(tomlkit.parse(project)["project"]["version"])


def set_version(project: str, version: str) -> str:
    """Return the text of a pyproject.toml with another version and nothing else changed."""
    document = tomlkit.parse(project)
    document["project"]["version"] = version
    return tomlkit.dumps(document)


def check(root: Path, version: str) -> None:
    """Raise ReleaseError unless this version can be made of this checkout."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        raise ReleaseError(f"say the version as three numbers: VERSION=1.0.0, not {version!r}")
    if git(root, "status", "--porcelain"):
        raise ReleaseError("the checkout has changes: commit them, or put them away")
    if git(root, "tag", "--list", tag_of(version)):
        raise ReleaseError(f"there is a tag {tag_of(version)} already")
    before = version_of((root / "pyproject.toml").read_text("utf-8"))
    if _numbers(version) < _numbers(before):
        raise ReleaseError(f"the checkout is version {before}, which is newer than {version}")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def begin(root: Path, clone: Path, version: str) -> None:
    """Clone the checkout's last commit and make the version's commit and tag there.

    `root` is not changed. Raises ReleaseError with what is wrong.
    """
    check(root, version)
    copy(root, clone)
    for key in ("user.name", "user.email"):
        if name := git(root, "config", "--default", "", "--get", key):
            git(clone, "config", key, name)
    project, changelog = clone / "pyproject.toml", clone / "CHANGELOG.md"
    project.write_text(set_version(project.read_text("utf-8"), version), "utf-8")
    day = datetime.now(UTC).date().isoformat()
    try:
        changelog.write_text(close(changelog.read_text("utf-8"), version, day), "utf-8")
    except ChangelogError as error:
        raise ReleaseError(str(error)) from None
    git(clone, "commit", "--quiet", "--all", "--no-verify", "-m", f"Release version {version}")
    git(clone, "tag", "--annotate", "-m", f"Version {version}", tag_of(version))


def copy(source: Path, clone: Path) -> None:
    """Clone what a folder has checked out; both share nothing that later changes."""
    git(source, "clone", "--quiet", "--no-hardlinks", "--no-tags", str(source), str(clone))


def take_over(root: Path, clone: Path, version: str) -> None:
    """Bring the clone's commit and tag into the checkout, which must not have moved on."""
    tag = tag_of(version)
    git(root, "fetch", "--quiet", "--no-tags", str(clone), f"refs/tags/{tag}:refs/tags/{tag}")
    try:
        git(root, "merge", "--quiet", "--ff-only", tag)
    except ReleaseError:
        git(root, "tag", "--delete", tag)
        raise ReleaseError("the checkout has got other commits meanwhile: begin again") from None
