"""Runs pip with its output in a log and shows the package or module that it is working on.

`tools/installing.py` calls it, when only the standard library is installed.
"""

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

_AT = re.compile(
    r"\s*(?:Collecting ([\w.-]+)|Processing \S*?([^/\\\s]+?)-\d|.*Cythonizing (\S+)"
    r"|building '(\S+)' extension)"
)
"""The lines of pip and setuptools that name the package or module they begin with."""
_ERASE = "\r\x1b[K"
"""Takes a terminal to the start of the line and erases it."""
_FAILED = 128
"""A shell adds this to the number of the signal that ended a command."""


def work_of(line: str) -> str:
    """Return the package or module that a line of output says is begun, else ""."""
    match = _AT.match(line)
    # only the group of the alternative that matched is not None
    return next(filter(None, match.groups()), "") if match else ""


def run(
    log: Path, command: Sequence[str], out: TextIO, variables: Mapping[str, str] | None = None
) -> int:
    """Run a command with its output in `log`, perhaps with other variables; return its status.

    Each package or module that it begins is written to `out`: on a terminal in one line, which is
    erased at the end, else in a line of its own.
    """
    terminal = out.isatty()
    with (
        log.open("w", encoding="utf-8") as file,
        subprocess.Popen(  # noqa: S603  # the caller's command
            command,
            env=None if variables is None else dict(variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        for line in process.stdout or ():
            file.write(line)
            if name := work_of(line):
                out.write(f"{_ERASE}    {name}" if terminal else f"    {name}\n")
                out.flush()
    if terminal:
        out.write(_ERASE)
        out.flush()
    status = process.returncode
    return status if status >= 0 else _FAILED - status
