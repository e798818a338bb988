"""USB sticks: which are plugged in, mounting by root's helper, saving to one and reading back."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from pi_app.card import archive
from pi_app.card.archive import ArchiveError, Saved
from pi_app.card.helper import CardError, HelperError, call

log = logging.getLogger(__name__)

_CODES = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EFBIG: "full", errno.EROFS: "read-only",
          errno.EACCES: "read-only", errno.EPERM: "read-only"}  # fmt: skip
"""EFBIG: FAT takes no file of 4 GiB."""


class StickError(CardError):
    """The stick could not be used.

    `code` is one of: no-helper, no-stick, several (are plugged in), gone (pulled out), kind
    (neither FAT nor exFAT), full, read-only, failing, differs (it does not give back what was
    written), none (no archive is on it).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Sticks:
    """The machine's sticks, by root's helper; StickError if it fails."""

    def plugged(self) -> list[str]:
        """Return the devices of the sticks that are plugged in."""
        rows = _ask("stick-list")["sticks"]
        return [row["name"] for row in rows] if isinstance(rows, list) else []

    def mount(self, name: str, *, write: bool) -> Path:
        """Mount a stick and return the folder."""
        return Path(str(_ask("stick-mount", name=name, write=write)["place"]))

    def unmount(self) -> None:
        """Unmount the stick: what was written is on it then."""
        _ask("stick-unmount")


def _ask(name: str, /, **values: Any) -> dict[str, object]:
    try:
        return call(name, **values)
    except HelperError as error:
        log.warning("the helper refused: %s %s", error.code, error.facts)
        known = error.code in ("no-stick", "kind", "no-helper")
        raise StickError(error.code if known else "failing") from error


def save(
    sticks: Sticks,
    name: str,
    files: Iterable[tuple[str, bytes]],
    now: datetime,
    pause: Callable[[], None],
) -> int:
    """Save files to a stick, unmount it, and compare what it gives back; return how many games.

    StickError if the archive is not on it, whole.
    """
    with using(sticks, name, write=True) as folder:
        file, names = archive.write(folder, files, now, pause)
    # mounted anew, the stick is read and not the memory of what was written
    with using(sticks, name, write=False) as folder:
        try:
            same = list(archive.read(folder / file)) == names
        except ArchiveError:
            same = False
    if not same:
        with suppress(StickError), using(sticks, name, write=True) as folder:
            (folder / file).unlink()
        raise StickError("differs")
    return archive.count_games(names)


def saved_on(sticks: Sticks, name: str) -> list[Saved]:
    """Return the newest archives on a stick, the newest first; StickError if it has none."""
    with using(sticks, name, write=False) as folder:
        found = archive.saved_in(folder)
    if not found:
        raise StickError("none")
    return found


@contextmanager
def using(sticks: Sticks, name: str, *, write: bool) -> Iterator[Path]:
    """Mount a stick for the block and unmount it afterwards; its errors become StickErrors."""
    try:
        folder = sticks.mount(name, write=write)
        try:
            yield folder
        except BaseException:
            with suppress(StickError):
                sticks.unmount()
            raise
        sticks.unmount()
    except (OSError, StickError) as error:
        log.warning("the stick failed: %s", error)
        code = (
            error.code if isinstance(error, StickError) else _CODES.get(error.errno or 0, "failing")
        )
        # it was there before
        gone = code == "no-stick" or _is_gone(sticks, name)
        raise StickError("gone" if gone else code) from error


def _is_gone(sticks: Sticks, name: str) -> bool:
    try:
        return name not in sticks.plugged()
    except StickError:
        return False
