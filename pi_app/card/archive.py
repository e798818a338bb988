"""Saved states on a stick: each is a ZIP of the store's folder (`games/`) and `settings.toml`."""

from __future__ import annotations

import errno
import itertools
import logging
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from io import BufferedReader
from pathlib import Path

from pi_app.card.helper import CardError
from pi_app.settings.file import SettingsError, parse
from pi_app.store import PEOPLE_FILE, is_stored_name
from pi_app.system.regular import open_regular
from pi_app.system.replace import sync_folder

log = logging.getLogger(__name__)

NAME = re.compile(r"beisitzer-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(-\d{1,9})?\.zip", re.ASCII)
"""The names of archives: the time, and a number if several are of one minute."""
GAMES, SETTINGS = "games/", "settings.toml"
LISTING_LIMIT_BYTES = 16 << 20
"""Limit of an archive's central directory: ours has 100 bytes a game."""
ARCHIVE_LIMIT_BYTES = 1 << 27
"""Limit of an archive's content, which is checked in memory. A game has some thousand bytes."""
RATIO_LIMIT = 100
"""The highest compression ratio of a file above 1 MiB; games have ten."""
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
               ValueError, KeyError, TypeError, OverflowError)  # fmt: skip
"""The errors of `zipfile` for junk."""
_NO_FILE = (errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.EINVAL, errno.ENOENT)
"""Errors for anything but a regular file, and for a position before its beginning."""


def write(
    folder: Path, files: Iterable[tuple[str, bytes]], now: datetime, pause: Callable[[], None]
) -> tuple[str, list[str]]:
    """Write an archive into a folder, onto the disk; return its name and the files'."""
    stamp = now.astimezone().strftime("beisitzer-%Y-%m-%d-%H%M")
    names = (f"{stamp}{-number if number > 1 else ''}.zip" for number in itertools.count(1))
    name = next(each for each in names if not (folder / each).exists())
    temporary = folder / "beisitzer.zip.new"  # one that was cut off makes room for the next
    try:
        with temporary.open("wb") as target:
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


def saved_in(folder: Path) -> list[str]:
    """Return the archives' names, the newest first, even damaged ones; CardError without any."""
    found = [match for path in folder.iterdir() if (match := NAME.fullmatch(path.name))]
    found.sort(key=lambda each: (*each.group(1, 2, 3), -int(each[4] or -1)), reverse=True)
    if not found:
        raise CardError("none")
    return [match[0] for match in found]


def time_of(name: str) -> str:
    """Return an archive's time, by its name; several of one minute are numbered."""
    return NAME.sub(r"\1 \2:\3\4", name)


def fitting_settings(files: Mapping[str, bytes], store: str) -> bytes:
    """Return an archive's settings; CardError unless this program takes them with this store."""
    try:
        data = files[SETTINGS]
        path = parse({Path(SETTINGS): data.decode()}).settings.store.path
    except (KeyError, SettingsError, ValueError) as error:
        log.warning("the settings in an archive do not fit: %s", error)
        raise CardError("settings") from error
    if path != store:
        raise CardError("settings")
    return data


class _Archive(BufferedReader):
    """An archive's file that limits a read; `zipfile` would read any length the file claims."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LISTING_LIMIT_BYTES:
            raise zipfile.BadZipFile("the central directory is too long")
        return super().read(size)


def read(archive: Path, pause: Callable[[], None] = lambda: None) -> dict[str, bytes]:
    """Return an archive's files by their names; CardError (damaged) unless it is whole."""
    files = {}
    try:
        with _Archive(open_regular(archive).detach()) as file, zipfile.ZipFile(file) as packed:
            members = packed.infolist()
            if not (
                all(map(_is_sane, members))
                and sum(each.file_size for each in members) <= ARCHIVE_LIMIT_BYTES
                and sum(each.compress_size for each in members) <= archive.stat().st_size
            ):
                raise CardError("damaged")
            for name in packed.namelist():
                files[name] = packed.read(name)  # `zipfile` compares its checksum
                pause()
    except _ZIP_ERRORS as error:
        raise CardError("damaged") from error
    except OSError as error:
        if error.errno not in _NO_FILE:
            raise
        raise CardError("damaged") from error
    return files


def _is_sane(member: zipfile.ZipInfo) -> bool:
    """Tell whether a file is packed our way; another one could unpack without a limit."""
    name = member.filename
    ours = name == SETTINGS or (name.startswith(GAMES) and is_stored_name(name.removeprefix(GAMES)))
    known = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return ours and known and member.file_size <= (1 << 20) + RATIO_LIMIT * member.compress_size
