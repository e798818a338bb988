"""Opening what must be a file: a pipe in its place would be waited for, a device never ends."""

import errno
import os
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO


class NotAFileError(OSError):
    """A pipe, a device or a socket is in a file's place; `filename` says where."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "this is a pipe or a device, not a file", str(path))


def check_regular(path: Path) -> None:
    """Raise NotAFileError where something else than a file is; a link to a file is one.

    Nothing at all, or a folder, is left to whoever opens it.
    """
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if not S_ISREG(mode) and not S_ISDIR(mode):
        raise NotAFileError(path)


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading in binary; OSError where it cannot be read, or is none."""
    check_regular(path)
    return open(path, "rb", opener=_without_waiting)  # Path.open takes no opener


def _without_waiting(path: str, flags: int) -> int:
    """Open a file such that a pipe that takes its place just now is not waited for either."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
