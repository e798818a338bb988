"""Replaces files whole or not at all, and provides workspaces: folders for temporary files.

Saved games are packed and unpacked in workspaces next to the store. They are removed after use and
at each start: one that a power cut left behind would occupy the room that moves need.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pi_app.system.regular import check_regular

PRIVATE = 0o600
"""The mode of a file with a secret."""
SAVING, LOADING = "saving", "loading"
_FILES = ("archive", "settings.toml")
"""The files that are made in a workspace."""


def write_safely(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace a file by a new one that was flushed to the disk before.

    Without a mode the file keeps its own; with one, no moment lets anybody else read it. OSError if
    that fails, NotAFileError if a device or a pipe has the file's name.
    """
    # a link stays a link, and the file behind it is replaced; but no secret goes where a link leads
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
    """Wait until the names in a folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_workspaces(store: Path) -> None:
    """Remove the workspaces that an interrupted run left next to a store."""
    for name in (SAVING, LOADING):
        remove_workspace(store.with_name(name))


def remove_workspace(folder: Path) -> None:
    """Remove a workspace; if it is somebody else's folder of that name, other files stay."""
    if not folder.is_dir():
        return
    with suppress(OSError):
        for pattern in _FILES:
            for file in folder.glob(pattern):
                file.unlink()
        folder.rmdir()


@contextmanager
def workspace(folder: Path, *, keep: bool = False) -> Iterator[Path]:
    """Provide an empty workspace for the block, and remove it afterwards.

    With `keep` it is removed only if the block fails. OSError if it cannot be made.
    """
    remove_workspace(folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        yield folder
    except BaseException:
        remove_workspace(folder)
        raise
    if not keep:
        remove_workspace(folder)
