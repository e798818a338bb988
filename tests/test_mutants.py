"""Small faults that are made on purpose: a test that notices one kills it, others are listed."""

import ast
import os
import sys
from pathlib import Path

import pytest

from tests.ran import ran
from tools.mutants import ROOMS, ROOT, change_of

SMALL = """
from functools import cache

class Scale:
    @cache
    def less(self, one, other):
        return one < other

def steps(count):
    return sum(step for step in range(count + 1))

def never():
    return True
"""
TESTS = """
from small import Scale, steps

def test_less():
    assert Scale().less(1, 2)
    assert not Scale().less(2, 1)

def test_steps():
    assert steps(3) == 6
"""
TRY = """
from pathlib import Path
from tools import mutants
mutants.ROOT = Path.cwd()
mutants.ROOMS = {"small": (["small.py"], ["test_small.py"])}
mutants.tried("small", 99, 1)
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a < b", "a <= b"),
        ("a == b", "a != b"),
        ("a in b", "a not in b"),
        ("a and b", "a or b"),
        ("a + b", "a - b"),
        ("7", "8"),
        ("True", "False"),
        ("a if b else c", "a if not b else c"),
    ],
)
def test_a_mutant_is_one_change(before: str, after: str) -> None:
    tree = ast.parse(before)
    (line,) = tree.body
    assert isinstance(line, ast.Expr)
    change = change_of(line.value)
    assert change is not None
    change.make()
    assert ast.unparse(tree) == after


def test_what_no_test_notices_is_listed_and_all_else_counts_as_killed(tmp_path: Path) -> None:
    (tmp_path / "small.py").write_text(SMALL)
    (tmp_path / "test_small.py").write_text(TESTS)
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    done = ran([sys.executable, "-c", TRY], cwd=tmp_path, env=environ, timeout=240)
    assert done.returncode == 0, done.stderr
    survived = [line.partition(": ")[2] for line in done.stdout.splitlines() if "  small" in line]
    assert survived == ["one < other -> LtE", "return True -> return None", "True -> False"]
    assert done.stdout.splitlines()[-1] == "small: 4 of 7 killed (57 %)"


def test_every_room_and_its_tests_are_there() -> None:
    paths = [path for sources, tests in ROOMS.values() for path in (*sources, *tests)]
    assert not [path for path in paths if not (ROOT / path).exists()]
