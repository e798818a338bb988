"""What 1.x keeps: nothing that golden/promises.txt lists is lost, and each promise has its test."""

import inspect
import re
from enum import EnumType
from importlib import import_module
from pathlib import Path

import click
import pytest

from engines.games import GAMES, SHIPPED
from pi_app.settings.schema import entries
from tests.docs.test_commands import command, names
from tests.options import Options

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests/golden/promises.txt"
PARTS = ("rules", "presentation", "screens", "ai")
PUBLIC = (
    "engines",
    "beisitzer.plugin",
    *(f"beisitzer.plugin.{part}" for part in PARTS),
    "beisitzer.testing.samples",
    "beisitzer.testing.pilot",
)


def _parameters(value: object) -> str:
    """Return the parameters that a function or class demands, in their order."""
    if not callable(value) or isinstance(value, EnumType):
        return ""  # what calling an enumeration takes is Python's
    try:
        found = inspect.signature(value).parameters.values()
    except ValueError:  # an exception without a constructor of its own
        return ""
    many = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return " ".join(
        each.name for each in found if each.default is each.empty and each.kind not in many
    )


def _is_own(value: object, module: str) -> bool:
    """Tell a module's own classes and functions from those that it imports or keeps to itself."""
    name = getattr(value, "__name__", "_")
    return getattr(value, "__module__", "") == module and not name.startswith("_")


def promised() -> set[str]:
    """Return a line for each setting, option, house rule and public name."""
    lines = {f"setting {entry.key}" for entry in entries()}
    for words in names():
        called, name = command(*words), " ".join(words)
        params = called.get_params(click.Context(called))
        lines |= {f"command {name} {opt}" for each in params for opt in each.opts}
        demanded = sorted(each.name or "" for each in params if each.required)
        lines.add(f"command {name} demands {' '.join(demanded)}".rstrip())
    for game in SHIPPED:
        for rule in GAMES[game].house_rules:
            values = rule.choices or (f"{rule.least} to {rule.most}",)
            lines |= {f"rule {game} {rule.key}={value}" for value in values}
    for module in PUBLIC:
        held = import_module(module)
        own = [key for key, value in vars(held).items() if _is_own(value, module)]
        for name in getattr(held, "__all__", own):
            lines.add(f"name {module}.{name}({_parameters(getattr(held, name))})")
    return lines


def test_nothing_that_was_promised_is_lost(options: Options) -> None:
    if options.golden == "write":
        LIST.write_text("".join(f"{line}\n" for line in sorted(promised())), "utf-8")
        pytest.fail(f"{LIST.name} was written again: no line may go once 1.0 is out")
    listed = set(LIST.read_text("utf-8").splitlines())
    assert listed - promised() == set(), "before 1.0: --golden write"


def test_each_promise_names_a_test_that_is_there() -> None:
    page = (ROOT / "docs/promises.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")][1:]
    named = re.findall(r"`(\S+\.py)::(test_\w+)` \|$", page, re.M)
    assert len(named) == len(rows) > 5
    for file, name in named:
        assert f"def {name}(" in (ROOT / file).read_text("utf-8"), name
