"""Folders next to the store in which saved games are packed and unpacked.

They are removed after their work, and at each start: a power cut may leave one, which takes the
room that moves need.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SAVING, LOADING, KEEPING = "saving", "loading", "keeping"
_FILES = ("archive", "games.db*", "settings.toml")
"""What is made in such a folder."""


def remove_workspaces(store: Path) -> None:
    """Remove what an interrupted run has left next to a store."""
    for name in (SAVING, LOADING, KEEPING):
        remove_workspace(store.with_name(name))


def remove_workspace(folder: Path) -> None:
    """Remove a folder and what is made in it; in somebody else's folder other files stay."""
    if not folder.is_dir():
        return
    with suppress(OSError):
        for pattern in _FILES:
            for file in folder.glob(pattern):
                file.unlink()
        folder.rmdir()


@contextmanager
def workspace(folder: Path, *, keep: bool = False) -> Iterator[Path]:
    """Give a folder without what an earlier block has left, and remove it afterwards.

    `keep` it unless the block fails. OSError if it cannot be made.
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
