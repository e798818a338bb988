"""Prints the libraries that the companion and some of its extras need.

`python -m tools.needed EXTRA,EXTRA,...` prints a requirement a line. It needs the standard library
only.
"""

import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def needed(extras: Iterable[str]) -> list[str]:
    """Return the requirements of the package and of these extras."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(each for name in extras for each in optional[name])]


if __name__ == "__main__":
    sys.stdout.writelines(f"{each}\n" for each in needed(sys.argv[1].split(",")))
