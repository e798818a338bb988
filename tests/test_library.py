"""Twelve lines are enough: the examples of docs/records.md run, and the page shows them."""

import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
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
    page = (ROOT / "docs/records.md").read_text("utf-8")
    functions = [each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)]
    assert len(functions) == 4
    for each in functions:
        text = ast.get_source_segment(source, each) or ""
        assert len(text.splitlines()) <= 12, each.name
        shown = "\n".join(f"    {line}" if line else "" for line in text.splitlines())
        assert shown in page, each.name
