"""What games of other people stand on."""

import ast
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("rules", "presentation", "screens", "ai")
GAMES = [ROOT / "examples/muehle/muehle", ROOT / "beisitzer/template/newgame"]


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    found = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return found | {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }


@pytest.mark.parametrize("package", GAMES, ids=lambda path: path.name)
def test_a_game_takes_names_from_the_public_modules_only(package: Path) -> None:
    public = {"beisitzer.plugin", "beisitzer.testing.samples"}
    public |= {f"beisitzer.plugin.{part}" for part in PARTS}
    for path in package.rglob("*.py"):
        others = {name for name in imported(path) if name.partition(".")[0] != package.name}
        assert {
            name for name in others if name.partition(".")[0] not in sys.stdlib_module_names
        } <= public


@pytest.mark.parametrize("part", PARTS)
def test_each_public_name_has_a_meaning_and_is_in_one_module(part: str) -> None:
    module = import_module(f"beisitzer.plugin.{part}")
    assert len(set(module.__all__)) == len(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
    others = [import_module(f"beisitzer.plugin.{other}") for other in PARTS if other != part]
    assert not [name for other in others for name in {*other.__all__} & {*module.__all__}]
