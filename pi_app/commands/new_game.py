"""`beisitzer new-game`: writes a small game as a start for your own."""

import keyword
import os
import re
import shlex
import sys
from importlib.metadata import distributions
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

import click

from engines.games import plugins
from pi_app.commands.console import refuse, why
from pi_app.texts.printable import shorten

NAME = re.compile("[a-z][a-z0-9]{1,15}")
"""Allowed names: a name is also that of a package, and must fit a display's title."""
WRITTEN_BY_PYTHON = "__pycache__"


@click.command()
@click.argument("name")
def new_game(name: str) -> None:
    """Write a small game as a start for your own.

    The new folder has its NAME. You can install, play and test it at once; its README
    says how.
    """
    folder = Path(name)
    _refuse_name(name, folder)
    try:
        _copy(files("beisitzer") / "template", folder, name)
    except OSError as error:
        refuse(f"{name} cannot be written ({why(error)})")
    click.echo(f"{name} holds a small game. What to do with it:")
    # this Python, which has the program: the first one on the PATH may be another
    python = shlex.quote(_path(sys.executable))
    for words in (
        f"pip install -e ./{name} {_program()}",
        f"pytest --pyargs beisitzer.testing --game {name}",
        f"pi_app play {name}",
        "pydoc beisitzer.plugin",
    ):
        click.echo(f"  {python} -m {words}")


def _path(path: str) -> str:
    """Return a relative path, or the absolute one if that is shorter."""
    return min(path, os.path.relpath(path), key=len)


def _program() -> str:
    """Return this program's requirement for pip with the tests' extra; a checkout's is a path."""
    program = "beisitzer"
    if not list(distributions(name=program)):
        program = _path(str(Path(__file__).parents[2]))
    return shlex.quote(f"{program}[testing]")


def _refuse_name(name: str, folder: Path) -> None:
    """End with status 2 if a game cannot have this name, or the folder exists."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        shown = shorten(name, 40)
        refuse(
            f"{shown} is no name for a game: take 2 to 16 small letters or digits, a letter first"
        )
    if name in plugins():
        refuse(f"there is a game called {name}: take another name")
    if folder.exists():
        refuse(f"{folder} is there already: take another name")
    if find_spec(name) is not None:
        refuse(f"Python has a module called {name}: take another name")


def _copy(source: Traversable, target: Path, name: str) -> None:
    """Copy a folder of the template, with the game's name in place of the template's."""
    target.mkdir()
    for item in source.iterdir():
        if item.name == WRITTEN_BY_PYTHON:
            continue
        copy = target / _put_name(item.name, name)
        if item.is_dir():
            _copy(item, copy, name)
        else:
            copy.write_text(_put_name(item.read_text("utf-8"), name), "utf-8")


def _put_name(text: str, name: str) -> str:
    return text.replace("newgame", name).replace("NewGame", name.capitalize())
