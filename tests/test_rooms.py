"""The companion's rooms: few modules in each, and one sentence that says what lives there."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from engines.games import SHIPPED

ROOT = Path(__file__).parent.parent / "pi_app"
ROOMS = sorted(path.parent for path in ROOT.rglob("__init__.py"))
NAMES = [[name] for name in SHIPPED]
MOST = 10
LARGER = {"commands", "displays/window"}
"""A verb is a module of its own, and the window is one thing."""
CODE = ("bench", "engines", "firmware", "hardware", "pi_app", "tools", "ai", "club")
EACH_GAMES = {"Board", "Hand", "Keyed", "Layout", "Piles", "Terms", "Weights"}
"""What each game has its own of, in its own package."""
AT_BOTH_ENDS = {"LineReader"}
"""The panel's line is cut alike at both ends, and the Pico can import nothing of ours."""


def name_of(room: Path) -> str:
    return room.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("room", ROOMS, ids=name_of)
def test_a_room_has_at_most_ten_modules(room: Path) -> None:
    modules = [path for path in room.glob("*.py") if path.name != "__init__.py"]
    assert len(modules) <= MOST or name_of(room) in LARGER


@pytest.mark.parametrize("room", ROOMS, ids=name_of)
def test_a_room_says_in_one_sentence_what_lives_there(room: Path) -> None:
    said = ast.get_docstring(ast.parse((room / "__init__.py").read_text("utf-8"))) or ""
    assert said.splitlines()[:1], "no docstring"
    assert said.endswith(".")
    assert said.count(". ") <= 1, said


def test_only_the_store_knows_how_a_file_is_damaged() -> None:
    """Others get the number of the first lost move: no class, checksum or database of it."""
    words = {"Damage", "FactLines", "crc32", "sqlite3"}
    found = {
        path.relative_to(ROOT).parts[0]
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if {getattr(node, key, None) for key in ("id", "attr", "name")} & words
    }
    assert found - {"system"} == {"store"}  # the note on a start has a checksum, too


def test_nothing_of_ours_is_hidden_from_the_import_contracts() -> None:
    """A name needed only for a type comes from a lower room, so nobody has to hide it."""
    hidden = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
        for line in node.body
        if isinstance(line, ast.ImportFrom) and (line.module or "").startswith("pi_app")
    ]
    assert not hidden


def _asked_of(tree: ast.Module) -> Iterator[tuple[ModuleType, str, int]]:
    """Yield each name that is asked of an imported module of Python's by text, and the line."""
    modules = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name.partition(".")[0] in sys.stdlib_module_names
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name("hasattr" | "getattr"),
                args=[ast.Name(id=name), ast.Constant(value=str(attribute)), *_],
            ) if name in modules:
                yield import_module(modules[name]), attribute, node.lineno


@pytest.mark.skipif(sys.platform != "linux", reason="a name may be Linux's own")
def test_what_is_asked_of_a_module_by_its_name_in_a_text_is_there() -> None:
    """A misspelt one would be missing for ever, and what depends on it would be left out."""
    top = ROOT.parent
    files = [
        path for name in (*CODE, "beisitzer", "systemd") for path in (top / name).rglob("*.py")
    ]
    asked = [(path, *each) for path in files for each in _asked_of(ast.parse(path.read_text()))]
    assert len(asked) >= 2, "nothing is looked at"
    assert not [
        f"{path.relative_to(top)}:{line}: {module.__name__}.{attribute}"
        for path, module, attribute, line in asked
        if not hasattr(module, attribute)
    ]


def test_the_tests_of_a_room_lie_in_a_room_of_its_name() -> None:
    tests = Path(__file__).parent / "pi_app"
    folders = {path.parent.relative_to(tests).as_posix() for path in tests.rglob("test_*.py")}
    assert folders - {"whole_program"} <= {name_of(room) for room in ROOMS} - {"."}


def _defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names of classes, and of types that a module gives a name to."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name
    for line in tree.body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            name = line.targets[0].id
            if name[0].isupper() and not name.isupper():
                yield name


def test_a_class_name_means_one_thing() -> None:
    defined: dict[str, list[str]] = defaultdict(list)
    for path in (path for top in CODE for path in (ROOT.parent / top).rglob("*.py")):
        for name in _defined(ast.parse(path.read_text("utf-8"))):
            if name not in (EACH_GAMES if path.parent.name in SHIPPED else AT_BOTH_ENDS):
                defined[name].append(str(path.relative_to(ROOT.parent)))
    assert {name: files for name, files in defined.items() if len(files) > 1} == {}


def _names_a_game(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=str(word)):
            return word in SHIPPED
        case ast.ImportFrom(module=str(module)):
            return module.split(".")[0] == "engines" and module.split(".")[1:2] in NAMES
        case _:
            return False


def test_no_shared_module_names_a_game() -> None:
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno}"  # type: ignore[attr-defined]
        for path in ROOT.rglob("*.py")
        if ROOT / "games" not in path.parents
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if _names_a_game(node)
    ]
    assert not named
