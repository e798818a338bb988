"""Saved states on a stick: each is a ZIP of the store's folder (`games/`) and `settings.toml`."""

from __future__ import annotations

import errno
import logging
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from io import BufferedReader
from pathlib import Path

from pi_app.card.helper import CardError
from pi_app.settings.file import SettingsError, parse
from pi_app.store import PEOPLE_FILE, is_stored_name
from pi_app.system.regular import open_regular
from pi_app.system.replace import sync_folder

log = logging.getLogger(__name__)

NAME = re.compile(r"beisitzer-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(?:-(\d{1,9}))?\.zip", re.ASCII)
"""The names of archives: the time, and a number if several are of one minute."""
GAMES, SETTINGS, ABOUT = "games/", "settings.toml", "about.json"
"""The last one lies in archives of an earlier form, and is not read."""
MOST_LISTING = 16 << 20
"""How long an archive's central directory may be: ours has 100 bytes a game."""
MOST_LISTED = 20
MOST_BYTES = 1 << 27
"""How much an archive may hold: it is checked in memory. A game has some thousand bytes."""
MOST_PACKED = 100
"""The highest compression ratio of a file above 1 MiB; games have ten."""
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
               ValueError, KeyError, TypeError, OverflowError)  # fmt: skip
"""What `zipfile` raises for junk."""
_NO_FILE = (errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.EINVAL)
"""Errors for something that is not a regular file, and for a position before its beginning."""


class ArchiveError(CardError):
    """An archive cannot be used: `code` is damaged, or card (this machine's own card failed)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Saved:
    """An archive by its name, when it was made, and how many games it holds."""

    name: str
    when: str
    games: int


def write(
    folder: Path, files: Iterable[tuple[str, bytes]], now: datetime, pause: Callable[[], None]
) -> tuple[str, list[str]]:
    """Write an archive into a folder, onto the disk; return its name and the files'."""
    for old in folder.glob("beisitzer-*.zip.new"):  # cut off by the power, or pulled out
        with suppress(OSError):  # a folder of that name is not ours
            old.unlink()
    stamp = now.astimezone().strftime("beisitzer-%Y-%m-%d-%H%M")
    count, name = 1, f"{stamp}.zip"
    while (folder / name).exists():
        count += 1
        name = f"{stamp}-{count}.zip"
    temporary = folder / f"{name}.new"
    try:
        with temporary.open("xb") as target:
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
                for each, data in files:
                    packed.writestr(each, data)
                    pause()
            target.flush()
            os.fsync(target.fileno())
        temporary.rename(folder / name)
    except (OSError, CardError):
        with suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(folder)
    return name, packed.namelist()


def count_games(names: Iterable[str]) -> int:
    """Return how many of an archive's files are games."""
    return sum(each.startswith(GAMES) and each != GAMES + PEOPLE_FILE for each in names)


def saved_in(folder: Path) -> list[Saved]:
    """Return the newest archives in a folder, the newest first.

    Damaged and unreadable ones are skipped; OSError if only unreadable ones are there.
    """
    found: list[Saved] = []
    unread: list[OSError] = []
    matches = [match for path in folder.iterdir() if (match := NAME.fullmatch(path.name))]
    for match in sorted(matches, key=lambda each: (*each.group(1, 2, 3), int(each[4] or 1)))[::-1]:
        try:
            with _open(folder / match[0]) as packed:
                games = count_games(packed.namelist())
        except OSError as error:
            unread.append(error)
        except ArchiveError:
            continue
        else:
            found.append(Saved(match[0], f"{match[1]} {match[2]}:{match[3]}", games))
            if len(found) == MOST_LISTED:
                break
    if unread and not found:
        raise unread[0]
    return found


def read(archive: Path, pause: Callable[[], None] = lambda: None) -> dict[str, bytes]:
    """Return the files of an archive by their names; ArchiveError unless all of it is whole."""
    files = {}
    with _open(archive) as packed:
        for name in packed.namelist():
            files[name] = packed.read(name)  # `zipfile` compares its checksum
            pause()
    return files


def fitting_settings(files: Mapping[str, bytes], store: str) -> bytes | None:
    """Return an archive's settings, if this program takes them with the games in this place."""
    data = files.get(SETTINGS)
    try:
        fits = (
            data is not None and parse({Path(SETTINGS): data.decode()}).settings.store.path == store
        )
    except (SettingsError, ValueError) as error:
        log.warning("the settings in an archive do not fit: %s", error)
        return None
    return data if fits else None


class _Archive(BufferedReader):
    """An archive's file that limits a read; `zipfile` would read any length the file claims."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MOST_LISTING:
            raise zipfile.BadZipFile("the central directory is too long")
        return super().read(size)


@contextmanager
def _open(archive: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive; ArchiveError for all that `zipfile` raises in the block."""
    try:
        with _Archive(open_regular(archive).detach()) as file, zipfile.ZipFile(file) as packed:
            members = packed.infolist()
            if len({each.filename for each in members}) != len(members) or not (
                all(map(_is_sane, members))
                and sum(each.file_size for each in members) <= MOST_BYTES
                and sum(each.compress_size for each in members) <= archive.stat().st_size
            ):
                raise ArchiveError("damaged")
            yield packed
    except _ZIP_ERRORS as error:
        raise ArchiveError("damaged") from error
    except OSError as error:
        if error.errno not in _NO_FILE:
            raise
        raise ArchiveError("damaged") from error


def _is_sane(member: zipfile.ZipInfo) -> bool:
    """Tell whether a file is packed as we pack it; another one could unpack without a limit."""
    name = member.filename
    ours = name in (SETTINGS, ABOUT) or (
        name.startswith(GAMES) and is_stored_name(name.removeprefix(GAMES))
    )
    known = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return ours and known and member.file_size <= (1 << 20) + MOST_PACKED * member.compress_size
