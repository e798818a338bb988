"""Starts further processes of this program, which import the same modules from any folder."""

import os
import sys
from collections.abc import Mapping


def own_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of ours, without the current folder's modules (-P)."""
    return [sys.executable, "-P", "-m", module, *words]


def own_environment() -> Mapping[str, str]:
    """Return the environment for such a process: the same import path, in a source tree too."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
