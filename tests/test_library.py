"""Twelve lines are enough: the examples of docs/library.md run, and the page shows them."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
UNUSED = {
    "asyncio", "email", "hashlib", "importlib.metadata", "json", "logging", "pathlib", "pkgutil",
    "random", "socket", "subprocess", "threading", "tomllib", "urllib", "zipfile",
}  # fmt: skip
"""Modules that cost milliseconds, and that referee no game: boards and other people's need some."""
EXAMPLE = ROOT / "examples" / "library.py"


@pytest.fixture(scope="module", name="library")
def _library() -> ModuleType:
    spec = importlib.util.spec_from_file_location("library_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_examples_do_what_the_page_says(library: ModuleType) -> None:
    assert library.referee() == ["5+11+13: placed", "40 is refused: unknown-card", "7+8: placed"]
    assert library.count_legal_moves() == 14
    record = (ROOT / "tests/records/einmaleins-out.txt").read_text("utf-8")
    assert library.replay_record(record) == "Anna by out"
    assert (
        library.replay_record('[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n') == "not over"
    )
    token, chance = library.advise()
    assert token in ("3", "5", "11", "13") or "+" in token
    assert 0 <= chance <= 1


def test_each_example_has_twelve_lines_at_most_and_is_on_the_page() -> None:
    source = EXAMPLE.read_text("utf-8")
    page = (ROOT / "docs/library.md").read_text("utf-8")
    functions = [each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)]
    assert len(functions) == 4
    for each in functions:
        text = ast.get_source_segment(source, each) or ""
        assert len(text.splitlines()) <= 12, each.name
        shown = "\n".join(f"    {line}" if line else "" for line in text.splitlines())
        assert shown in page, each.name


def test_the_rules_import_nothing_that_no_game_needs() -> None:
    # -S: what an installation's .pth files import is not the rules'
    look = "import sys; sys.path.insert(0, sys.argv[1]); import engines; print(*sys.modules)"
    words = [sys.executable, "-S", "-c", look, str(ROOT)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "engines.game" in loaded
    assert loaded & UNUSED == set()
