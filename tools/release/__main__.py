"""`make release VERSION=1.0.0 KEY=... URL=...`, or `python -m tools.release VERSION`.

Everything is built in a clone, in which the version has its commit and its tag. Only when all
parts are built and checked, the checkout gets both. Nothing is uploaded.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.release import checks, tagging
from tools.release.changelog import notes
from tools.release.packages import PARTS
from tools.release.tagging import ReleaseError

ROOT = Path(__file__).parents[2]


def release(root: Path, version: str, parts: Sequence[str], *, twice: bool = False) -> Path:
    """Make a version of a checkout and return the folder with its files, `dist/VERSION`.

    Built `twice`, the second time in another place, both must be equal. Raises ReleaseError; then
    the checkout is as it was.
    """
    _check_parts(parts)
    folder = root / "dist" / version
    with tempfile.TemporaryDirectory(prefix="release-") as temporary:
        clone = Path(temporary) / "first" / "beisitzer"
        tagging.begin(root, clone, version)
        built = Path(temporary) / "built"
        _build(clone, built, version, parts)
        if twice:
            other, again = Path(temporary) / "second" / "again", Path(temporary) / "rebuilt"
            tagging.copy(clone, other)
            _build(other, again, version, parts)
            checks.compare(built, again)
        checks.write_sums(built)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(built, folder)
        tagging.take_over(root, clone, version)
    return folder


def _check_parts(parts: Sequence[str]) -> None:
    for part in parts:
        if part not in PARTS:
            raise ReleaseError(f"PARTS are {', '.join(PARTS)}: there is no {part!r}")
    if "apt" in parts and not (os.environ.get("KEY") and os.environ.get("URL")):
        raise ReleaseError(
            "the apt repository needs KEY= and URL=; without it say PARTS='python site deb image'"
        )
    if "image" in parts and os.geteuid() != 0:
        raise ReleaseError("the image is built as root; without it say PARTS='python site deb apt'")


def _build(clone: Path, folder: Path, version: str, parts: Sequence[str]) -> None:
    folder.mkdir()
    for name, build in PARTS.items():
        if name not in parts:
            continue
        sys.stdout.write(f"  {name} ...\n")
        sys.stdout.flush()
        build(clone, folder, version)
        if name == "python":
            checks.check_libraries(clone)
            checks.check_python(clone, folder)
            checks.write_bill(clone, folder, version)
        elif name == "deb":
            checks.check_debian(clone, folder)
    changelog = (clone / "CHANGELOG.md").read_text("utf-8")
    (folder / "NOTES.md").write_text(f"{notes(changelog, version)}\n", "utf-8")


def main(words: list[str]) -> None:
    """Make the version, and say what was made and what is left to do."""
    parser = argparse.ArgumentParser(prog="python -m tools.release")
    parser.add_argument("version")
    parser.add_argument("--parts", default=os.environ.get("PARTS") or " ".join(PARTS))
    parser.add_argument("--twice", action="store_true", default=bool(os.environ.get("TWICE")))
    chosen = parser.parse_args(words)
    try:
        folder = release(ROOT, chosen.version, chosen.parts.split(), twice=chosen.twice)
    except ReleaseError as error:
        raise SystemExit(f"release: {error}") from None
    sys.stdout.write((folder / checks.SUMS).read_text())
    tag = tagging.tag_of(chosen.version)
    sys.stdout.write(
        f"{folder}: nothing was uploaded. Look at {tag}, then: git push origin {tag}\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
