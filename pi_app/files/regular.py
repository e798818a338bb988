"""Opens regular files only: reading a pipe could wait for ever, a device may never end."""

import errno
import os
from io import BufferedReader
from pathlib import Path
from stat import S_ISDIR, S_ISREG


class NotAFileError(OSError):
    """There is a pipe, a device or a socket instead of a file; `filename` is its path."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "this is a pipe or a device, not a file", str(path))


def check_regular(path: Path) -> None:
    """Raise NotAFileError unless this is a file, a link to one, a folder or nothing.

    Whoever opens a folder or a missing file gets the system's error.
    """
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if not S_ISREG(mode) and not S_ISDIR(mode):
        raise NotAFileError(path)


def open_regular(path: Path) -> BufferedReader:
    """Open a file for reading in binary; OSError if it cannot be read or is no file."""
    check_regular(path)
    # Path.open takes no opener; this one does not wait for a pipe that has just replaced the file
    flag = getattr(os, "O_NONBLOCK", 0)
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | flag))
