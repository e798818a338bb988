"""The firmware runs on the oldest MicroPython that its README promises, and so on later ones."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests.firmware.rig import ROOT, micropython
from tests.ran import ran

FILES = sorted((ROOT / "firmware").rglob("*.py"))

# What the firmware uses of MicroPython itself. Each was looked up: built-in functions, methods and
# modules with `dir` in a 1.22 made for browsers, the Pico's pins in the documentation.
# Look up what is not here before you add it: 1.22 has no str.removeprefix and no str.ljust, no
# int.bit_length, no enum and no dataclasses.
MODULES = {"gc", "machine", "micropython", "neopixel", "select", "sys", "termios", "time"}
TIMES = {"sleep_ms", "sleep_us", "ticks_diff", "ticks_ms"}
BUILTINS = """
AttributeError ImportError OSError UnicodeError ValueError
bool bytearray bytes dict int len list max min open ord property range str tuple
"""
MEMBERS = """
I2C IN NeoPixel OUT PULL_UP PWM Pin WDT duty_u16 fill freq init value writevto
POLLIN POLLOUT argv buffer collect exit fileno ipoll kbd_intr poll register setraw
read readfrom_into readinto stderr stdin stdout write
append clear decode encode find get index join lower partition pop rsplit split
"""


def _compile(file: Path) -> subprocess.CompletedProcess[str]:
    return ran([micropython("mpy-cross"), "-o", "/dev/null", file], timeout=60)


def test_the_compiler_is_the_one_of_the_oldest_version_that_the_readme_promises() -> None:
    promised = re.search(r"version ([\d.]+) or later", (ROOT / "docs/build.md").read_text())
    version = ran([micropython("mpy-cross"), "--version"], timeout=60, check=True)
    assert promised is not None
    assert f"v{promised[1]}.0 " in version.stdout


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_oldest_compiler_reads_it(file: Path) -> None:
    run = _compile(file)
    assert (run.returncode, run.stdout + run.stderr) == (0, "")


@pytest.mark.parametrize(
    "source", ['a = f"{1}" f"{2}"\n', "def f(a, /): pass\n", "match 1:\n    case 1: pass\n"]
)
def test_the_oldest_compiler_refuses_what_it_cannot_read(source: str, tmp_path: Path) -> None:
    file = tmp_path / "newer.py"
    file.write_text(source)
    assert "SyntaxError" in _compile(file).stderr


def _made_here(trees: list[ast.Module]) -> set[str]:
    """Return every name that the firmware itself gives to something."""
    made = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                made.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                made.add(name)
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                made.add(name)
            case ast.alias(name=name, asname=other):
                made.add(other or name)
    return made


def _strangers(sources: list[str]) -> set[str]:
    """Return what the firmware uses of MicroPython and nobody looked up."""
    trees = [ast.parse(source) for source in sources]
    made, found = _made_here(trees), set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        match node:
            case ast.Import(names=names):
                found |= {name.name for name in names} - MODULES
            case ast.ImportFrom(module="time", names=names):
                found |= {name.name for name in names} - TIMES
            case ast.ImportFrom(module=str(module), level=0) if module.split(".")[0] != "panel":
                found |= {module} - {"typing"}  # for type checkers only
            case ast.Name(id=name, ctx=ast.Load()) if name not in made:
                found |= {name} - set(BUILTINS.split())
            case ast.Attribute(attr=name, ctx=ast.Load()) if name not in made:
                found |= {name} - set(MEMBERS.split())
    return found


def test_the_firmware_uses_nothing_that_the_oldest_version_may_lack() -> None:
    assert _strangers([file.read_text() for file in FILES]) == set()


@pytest.mark.parametrize(
    ("source", "stranger"),
    [
        ('"ab".removeprefix("a")', "removeprefix"),
        ("import enum", "enum"),
        ("from dataclasses import dataclass", "dataclasses"),
        ("from time import monotonic", "monotonic"),
        ("enumerate([])", "enumerate"),
    ],
)
def test_what_nobody_looked_up_is_found(source: str, stranger: str) -> None:
    assert _strangers([source]) == {stranger}
