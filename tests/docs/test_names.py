"""Paths, modules and names that a page mentions exist in the code."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import resolve_name

import pytest

from tests.docs.pages import ROOT, Page, page, pages

IMPORTED = ("engines", "hardware", "pi_app", "ai", "club")
ROOMS = (*IMPORTED, "bench", "examples", "firmware", "systemd", "tests", "tools")
FOR_BUILDERS = ("docs/architecture.md", "docs/ai.md", "docs/remote.md", "CONTRIBUTING.md")

PLACEHOLDERS = {
    "GAME": "just4fun",
    "NAME": "nine",
    "halma": "newgame",
    "fr": "de",
    "turn_light": "lamp",
    "pedal": "keypad",
    "test_own": "test_rig",
    "headline": "plain",
    "headline_entry": "plain",
    "mine": "loop",
}
"""What a page writes for anybody's file, and an example of the same kind that is here."""

_PATH = re.compile(r"[\w.-]+(/[\w.-]+)*/?")
_CLASS = re.compile(r"([A-Z]\w*[a-z]\w*)(?:\.([a-z_]\w*))?(?:\(.*\))?")
_DOTTED = re.compile(rf"(?:{'|'.join(IMPORTED)})(?:\.\w+)+(?:\(.*\))?")
_PLUGIN = re.compile(r"PLUGIN = Plugin\(([^)]+)\)")


@cache
def places() -> list[str]:
    """Return every file and folder of the code, folders with a slash, each after a slash."""
    # a page's `beisitzer/` may also be the folder of somebody's settings
    rooms = [ROOT / room for room in (*ROOMS, "beisitzer")]
    found = [path for room in rooms for path in (room, *room.rglob("*"))]
    return [
        f"/{path.relative_to(ROOT)}{'/' if path.is_dir() else ''}"
        for path in found
        if "__pycache__" not in path.parts
    ]


@cache
def classes() -> dict[str, set[str]]:
    """Return the names in each class of the code, with those of its bases."""
    nodes = [
        node
        for room in (*IMPORTED, "tools", "tests")
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    names: dict[str, set[str]] = {}
    bases: dict[str, set[str]] = {}
    for node in nodes:
        names.setdefault(node.name, set()).update(_names_in(node))
        bases.setdefault(node.name, set()).update(
            base.id for base in map(_unsubscripted, node.bases) if isinstance(base, ast.Name)
        )

    def inherited(name: str) -> set[str]:
        own = names.get(name, set())
        return own.union(*map(inherited, bases.get(name, set()) - {name}))

    return {name: inherited(name) for name in names}


def _unsubscripted(base: ast.expr) -> ast.expr:
    return base.value if isinstance(base, ast.Subscript) else base


def _names_in(node: ast.ClassDef) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            yield part.name
        elif isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Store):
            yield part.id if isinstance(part, ast.Name) else part.attr


def is_path_of_the_code(span: str) -> bool:
    """Tell whether a span is meant as a file or folder of this repository."""
    if not _PATH.fullmatch(span) or span.startswith("."):
        return False
    return span.endswith((".py", ".pxd", ".po")) or span.partition("/")[0] in {*ROOMS, "halma"}


def exists(path: str) -> bool:
    for written, example in PLACEHOLDERS.items():
        path = re.sub(rf"\b{written}\b", example, path)
    return any(place.endswith((f"/{path}", f"/{path}/")) for place in places())


def plugin(text: str) -> list[str]:
    """Return what the plug-in in a text is made of, the game's name replaced by GAME."""
    [found] = _PLUGIN.findall(text)
    parts = re.findall(r'"([^"]+)"', found)
    return [re.sub(rf"^{parts[0]}\b", "GAME", part) for part in parts]


@pytest.mark.parametrize("each", pages(), ids=str)
def test_files_and_folders_that_a_page_names_exist(each: Page) -> None:
    named = [span for span in each.spans if is_path_of_the_code(span)]
    assert [span for span in named if not exists(span)] == []


@pytest.mark.parametrize("each", pages(), ids=str)
def test_modules_that_a_page_names_can_be_imported(each: Page) -> None:
    settings = import_module("pi_app.settings.schema").tables_of_settings()
    for span in each.spans:
        if _DOTTED.fullmatch(span) and span.partition(".")[0] not in settings:
            resolve_name(span.partition("(")[0])


@pytest.mark.parametrize("name", FOR_BUILDERS)
def test_classes_and_their_parts_that_a_page_names_exist(name: str) -> None:
    for span in page(name).spans:
        if named := _CLASS.fullmatch(span):
            assert named[1] in classes(), span
            assert named[2] is None or named[2] in classes()[named[1]], span


@pytest.mark.parametrize("path", ["beisitzer/plugin/__init__.py", "engines/games.py"])
def test_the_plug_in_described_is_made_like_the_one_in_the_example(path: str) -> None:
    example = (ROOT / "examples/muehle/muehle/__init__.py").read_text("utf-8")
    assert plugin((ROOT / path).read_text("utf-8")) == plugin(example)


@pytest.mark.parametrize(
    ("span", "there"),
    [
        ("pi_app/run/loop.py", True),
        ("pi_app/run/loops.py", False),
        ("halma/rules.py", True),
        ("halma/screens.py", False),
        ("loop.py", True),
        ("oop.py", False),
    ],
)
def test_a_path_is_looked_for_with_whole_names(*, span: str, there: bool) -> None:
    assert is_path_of_the_code(span)
    assert exists(span) is there


def test_a_class_has_the_names_of_its_bases() -> None:
    assert {"play", "legal"} <= classes()["Position"]
    assert "no_such_part" not in classes()["Position"]
