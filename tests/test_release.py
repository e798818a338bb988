"""A version is made whole or not at all: its changelog, its tag in a clone, equal packages."""

import gzip
import io
import re
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest

from tools.release import __main__ as command
from tools.release import checks, tagging
from tools.release.changelog import PARTS, ChangelogError, close, in_order, notes
from tools.release.packages import level
from tools.release.tagging import ReleaseError

ROOT = Path(__file__).parents[1]
HEAD = "# Changelog\n\nAll changes.\n\n"
NEW = "## [Unreleased]\n\n### Fixed\n\n- d\n\n### Added\n\n#### Table\n\n- c\n\n#### Games\n\n- b\n"
OLD = "## [0.9.0] - 2026-01-01\n\n### Added\n\n- a\n"


# --- the changelog


def test_what_is_unreleased_becomes_a_version_in_the_usual_order() -> None:
    closed = close(f"{HEAD}{NEW}\n{OLD}", "1.0.0", "2026-12-01")
    assert closed == (
        f"{HEAD}## [Unreleased]\n\n## [1.0.0] - 2026-12-01\n\n"
        "### Added\n\n#### Games\n\n- b\n\n#### Table\n\n- c\n\n### Fixed\n\n- d\n\n" + OLD
    )
    assert notes(closed, "1.0.0").startswith("### Added\n\n#### Games")
    assert notes(closed, "0.9.0") == "### Added\n\n- a"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{HEAD}## [Unreleased]\n\n{OLD}", "nothing under"),
        (f"{HEAD}{NEW}## [1.0.0] - 2026-01-01\n", "a version 1.0.0 already"),
        (f"{HEAD}## [Unreleased]\n\n### New\n\n- a\n", 'a part "New"'),
        (f"{HEAD}## [Unreleased]\n\n- a\n", "before the first part"),
        (f"{HEAD}{OLD}", "no part"),
    ],
)
def test_a_changelog_that_cannot_be_closed_says_why(text: str, why: str) -> None:
    with pytest.raises(ChangelogError, match=re.escape(why)):
        close(text, "1.0.0", "2026-12-01")


def test_no_entry_is_lost_and_order_is_a_fixed_point() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    unreleased = notes(text, "Unreleased")
    if not unreleased:
        pytest.skip("everything is released")
    ordered = in_order(unreleased)
    assert in_order(ordered) == ordered
    entries = [line for line in unreleased.splitlines() if line and not line.startswith("#")]
    kept = [line for line in ordered.splitlines() if line and not line.startswith("#")]
    assert sorted(kept) == sorted(entries)
    found = re.findall(r"^### (.*)$", ordered, re.MULTILINE)
    assert found == [part for part in PARTS if part in found]


# --- commit and tag


@pytest.fixture(name="checkout")
def _checkout(tmp_path: Path) -> Path:
    """Return a checkout with what a version needs."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"))
    (folder / "CHANGELOG.md").write_text(HEAD + NEW)
    tagging.git(folder, "init", "--quiet")
    for key, value in (("user.name", "Anna"), ("user.email", "anna@example.invalid")):
        tagging.git(folder, "config", key, value)
    tagging.git(folder, "add", ".")
    tagging.git(folder, "commit", "--quiet", "-m", "Begin")
    return folder


def test_the_tag_is_made_in_a_clone_and_taken_over_at_the_end(
    checkout: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    before = tagging.git(checkout, "rev-parse", "HEAD")
    tagging.begin(checkout, clone, "1.0.0")
    assert tagging.git(checkout, "rev-parse", "HEAD") == before
    assert not tagging.git(checkout, "tag", "--list")
    assert tagging.git(clone, "describe", "--exact-match") == "v1.0.0"
    tagging.take_over(checkout, clone, "1.0.0")
    assert tagging.git(checkout, "describe", "--exact-match") == "v1.0.0"
    assert tagging.git(checkout, "cat-file", "-t", "v1.0.0") == "tag"
    project = tomllib.loads((checkout / "pyproject.toml").read_text())
    assert project["project"]["version"] == "1.0.0"
    assert "## [1.0.0] - 20" in (checkout / "CHANGELOG.md").read_text()
    with pytest.raises(ReleaseError, match=r"a tag v1\.0\.0 already"):
        tagging.check(checkout, "1.0.0")
    with pytest.raises(ReleaseError, match="newer than"):
        tagging.check(checkout, "0.9.9")


def test_a_checkout_that_moved_on_meanwhile_gets_neither(checkout: Path, tmp_path: Path) -> None:
    tagging.begin(checkout, tmp_path / "clone", "1.0.0")
    tagging.git(checkout, "commit", "--quiet", "--allow-empty", "-m", "Go on")
    with pytest.raises(ReleaseError, match="begin again"):
        tagging.take_over(checkout, tmp_path / "clone", "1.0.0")
    assert not tagging.git(checkout, "tag", "--list")


@pytest.mark.parametrize("version", ["1.0", "v1.0.0", "1.0.0rc1", "01.0.0", "", "--help"])
def test_a_version_has_three_numbers(checkout: Path, version: str) -> None:
    with pytest.raises(ReleaseError, match="three numbers"):
        tagging.check(checkout, version)


def test_a_checkout_with_changes_is_refused(checkout: Path) -> None:
    (checkout / "new.txt").touch()
    with pytest.raises(ReleaseError, match="has changes"):
        tagging.check(checkout, "1.0.0")


def test_only_the_line_of_the_version_changes() -> None:
    before = (ROOT / "pyproject.toml").read_text("utf-8")
    after = tagging.set_version(before, "7.8.9")
    different = [
        new for old, new in zip(before.splitlines(), after.splitlines(), strict=True) if old != new
    ]
    assert different == ['version = "7.8.9"']
    assert tagging.version_of(after) == "7.8.9"


# --- the command


def test_what_cannot_be_built_is_refused_before_anything_is_made(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEY", raising=False)
    for parts, why in (("python wheel", "no 'wheel'"), ("python apt", "needs KEY= and URL=")):
        with pytest.raises(ReleaseError, match=why):
            command.release(checkout, "1.0.0", parts.split())
    assert not (checkout / "dist").exists()
    assert not tagging.git(checkout, "tag", "--list")


def fill(folder: Path, content: str) -> None:
    (folder / "apt/dists").mkdir(parents=True)
    (folder / "one").write_text(content)
    (folder / "apt/dists/Release").write_text(f"Date: {folder.name}\n")


@pytest.fixture(name="quick")
def _quick(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Build files without a compiler; each build writes the next of these words."""
    words = ["same", "same"]

    def build(clone: Path, folder: Path, version: str) -> None:
        assert tagging.version_of((clone / "pyproject.toml").read_text()) == version
        (folder / "one").write_text(words.pop(0))

    monkeypatch.setattr(command, "PARTS", {"image": build})
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return words


def test_a_version_that_was_built_twice_has_its_files_sums_notes_and_tag(
    checkout: Path, quick: list[str]
) -> None:
    folder = command.release(checkout, "1.0.0", ["image"], twice=True)
    assert not quick
    assert folder == checkout / "dist/1.0.0"
    assert (folder / "NOTES.md").read_text().startswith("### Added")
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    assert tagging.git(checkout, "describe", "--exact-match") == "v1.0.0"


def test_builds_that_differ_leave_the_checkout_as_it_was(checkout: Path, quick: list[str]) -> None:
    quick[1] = "other"
    before = tagging.git(checkout, "rev-parse", "HEAD")
    with pytest.raises(ReleaseError, match="these differ: one"):
        command.release(checkout, "1.0.0", ["image"], twice=True)
    assert tagging.git(checkout, "rev-parse", "HEAD") == before
    assert not tagging.git(checkout, "tag", "--list")
    assert not (checkout / "dist/1.0.0").exists()


# --- equal files


def test_builds_are_compared_by_name_and_byte_but_for_signed_lists(tmp_path: Path) -> None:
    for name, content in (("a", "x"), ("b", "x"), ("c", "y")):
        fill(tmp_path / name, content)
    checks.compare(tmp_path / "a", tmp_path / "b")
    with pytest.raises(ReleaseError, match=r"these differ: one$"):
        checks.compare(tmp_path / "a", tmp_path / "c")
    (tmp_path / "b/two").touch()
    with pytest.raises(ReleaseError, match=r"these differ: two$"):
        checks.compare(tmp_path / "a", tmp_path / "b")


def packed(names: list[str], when: int, user: str) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.uname, entry.mode = len(name), when, user, 0o664
            archive.addfile(entry, io.BytesIO(name.encode()))
    return made.getvalue()


def test_a_source_distribution_says_nothing_of_where_and_when_it_was_built() -> None:
    first = level(packed(["a/one", "a/two"], 1, "anna"), 1_700_000_000)
    assert first == level(packed(["a/two", "a/one"], 2, "ben"), 1_700_000_000)
    with tarfile.open(fileobj=io.BytesIO(first)) as archive:
        assert [(entry.name, entry.mode) for entry in archive] == [
            ("a/one", 0o644),
            ("a/two", 0o644),
        ]
        member = archive.extractfile("a/two")
        assert member is not None
        assert member.read() == b"a/two"
    assert gzip.decompress(first).count(b"anna") == 0
