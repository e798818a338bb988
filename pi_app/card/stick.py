"""Archives on a USB stick: written, read back from the stick itself, and fetched."""

from __future__ import annotations

import errno
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from pi_app.card.archive import (
    About,
    archives_in,
    put,
    sha256,
)
from pi_app.card.helper import CardError, HelperError, call

log = logging.getLogger(__name__)

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""EFBIG: FAT takes no file of 4 GiB."""


class StickError(CardError):
    """The stick could not be used.

    `code` is one of: no-helper, gone (pulled out), kind (neither FAT nor exFAT), full, read-only,
    failing, differs (it does not give back what was written), none (no archive is on it).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Plugged:
    """A stick that is plugged in; `name` is its device."""

    name: str
    label: str
    size: int
    """In bytes."""


class Sticks(Protocol):
    """What can be done with sticks; StickError if it fails."""

    def plugged(self) -> list[Plugged]:
        """Return the sticks that are plugged in."""

    def mount(self, name: str, *, write: bool) -> Path:
        """Mount a stick and return the folder."""

    def unmount(self) -> None:
        """Unmount the stick: what was written is on it then."""


class HelpersSticks:
    """The machine's sticks, by root's helper."""

    def plugged(self) -> list[Plugged]:
        with _translated():
            rows = call("stick-list")["sticks"]
        found = rows if isinstance(rows, list) else []
        return [Plugged(row["name"], row["label"], int(row["bytes"])) for row in found]

    def mount(self, name: str, *, write: bool) -> Path:
        with _translated():
            return Path(str(call("stick-mount", name=name, write=write)["place"]))

    def unmount(self) -> None:
        with _translated():
            call("stick-unmount")


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except HelperError as error:
        log.warning("the helper refused: %s %s", error.code, error.facts)
        known = error.code in ("no-stick", "kind", "no-helper")
        raise StickError(error.code if known else "failing") from error


def save(sticks: Sticks, name: str, archive: Path, now: datetime) -> None:
    """Write an archive to a stick, unmount it, and compare what the stick gives back.

    StickError if the archive is not on it, whole.
    """
    digest = sha256(archive)
    with using(sticks, name, write=True) as folder:
        file = put(archive, folder, now)
    # mounted anew, the stick is read and not the memory of what was written
    with using(sticks, name, write=False) as folder:
        same = sha256(folder / file) == digest
    if not same:
        with suppress(StickError), using(sticks, name, write=True) as folder:
            (folder / file).unlink()
        raise StickError("differs")


def archives_on(sticks: Sticks, name: str) -> list[tuple[str, About]]:
    """Return the newest archives on a stick, the newest first; StickError if it has none."""
    with using(sticks, name, write=False) as folder:
        found = archives_in(folder)
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
    except OSError as error:
        log.warning("the stick failed: %s", error)
        raise StickError(_code_of(error, sticks, name)) from error
    except StickError as error:
        # it was there before
        code = "gone" if error.code == "no-stick" or _is_gone(sticks, name) else error.code
        raise StickError(code) from error


def _code_of(error: OSError, sticks: Sticks, name: str) -> str:
    if _is_gone(sticks, name):
        return "gone"
    if error.errno in _FULL:
        return "full"
    return "read-only" if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM) else "failing"


def _is_gone(sticks: Sticks, name: str) -> bool:
    try:
        return name not in {each.name for each in sticks.plugged()}
    except StickError:
        return False
