"""Processes of this program: they import what this one does, wherever they are started."""

import os
import sys
from collections.abc import Mapping


def own_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of ours, without the current folder's modules (-P)."""
    return [sys.executable, "-P", "-m", module, *words]


def own_environment() -> Mapping[str, str]:
    """Return the environment for such a process: it finds what we find, in a source tree too."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
