"""USB sticks: lists, mounts and unmounts them by root's helper, and saves to one."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from pi_app.card import archive
from pi_app.card.helper import CardError, call

log = logging.getLogger(__name__)

_CODES = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EFBIG: "full", errno.EROFS: "read-only",
          errno.EACCES: "read-only", errno.EPERM: "read-only"}  # fmt: skip
"""Codes for the system's errors on a stick; EFBIG: FAT has no files of 4 GiB."""


class Sticks:
    """The machine's sticks, by root's helper; CardError if it fails."""

    def plugged(self) -> list[str]:
        """Return the devices of the sticks that are plugged in."""
        rows = call("stick-list")["sticks"]
        return [row["name"] for row in rows] if isinstance(rows, list) else []

    def mount(self, name: str, *, write: bool) -> Path:
        """Mount a stick and return the folder."""
        return Path(str(call("stick-mount", name=name, write=write)["place"]))

    def unmount(self) -> None:
        """Unmount the stick, which finishes all writing."""
        call("stick-unmount")


def save(
    sticks: Sticks, files: Iterable[tuple[str, bytes]], now: datetime, pause: Callable[[], None]
) -> int:
    """Save files to the stick, unmount it, and compare its copy; return how many games.

    CardError if the archive is not complete on it: "differs" if the copy differs.
    """
    with using(sticks, write=True) as folder:
        name, names = archive.write(folder, files, now, pause)
    # mounting again makes it read the stick, not the system's cache
    same = False
    with using(sticks, write=False) as folder, suppress(CardError):
        same = list(archive.read(folder / name)) == names
    if not same:
        with suppress(CardError), using(sticks, write=True) as folder:
            (folder / name).unlink()
        raise CardError("differs")
    return archive.count_games(names)


@contextmanager
def using(sticks: Sticks, *, write: bool) -> Iterator[Path]:
    """Mount the one stick that is plugged in for the block, and unmount it afterwards.

    Every failure is a CardError: the helper's (no-helper, no-stick, kind: neither FAT nor exFAT),
    several (are plugged in), full, read-only, failed, or the block's own.
    """
    names = sticks.plugged()
    if len(names) != 1:
        raise CardError("several" if names else "no-stick")
    try:
        folder = sticks.mount(names[0], write=write)
        try:
            yield folder
        except BaseException:
            with suppress(CardError):
                sticks.unmount()
            raise
        sticks.unmount()
    except (OSError, CardError) as error:
        log.warning("the stick failed: %s", error)
        if names[0] not in sticks.plugged():
            raise CardError("no-stick") from error
        if isinstance(error, OSError):
            raise CardError(_CODES.get(error.errno or 0, "failed")) from error
        raise
