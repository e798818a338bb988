"""Replaces files whole or not at all."""

import errno
import os
from pathlib import Path

from pi_app.system.regular import check_regular

PRIVATE = 0o600
"""The mode of a file with a secret."""


def write_safely(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace a file by a new one that was flushed to the disk before.

    Without a mode the file keeps its own; with one, nobody else can read it at any moment. OSError
    if that fails, NotAFileError if a device or a pipe has the file's name.
    """
    # a link stays and its target is replaced; but a secret never follows a link
    check_regular(path)
    target = path.resolve() if mode is None else path.absolute()
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.new")
    if mode is None:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
    temporary.unlink(missing_ok=True)
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, if the file system can."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems for FAT cannot
            raise
    finally:
        os.close(handle)
