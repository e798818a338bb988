"""One file with all games and settings, and its check before anything is replaced by it.

The file is a ZIP archive with `about.json`, the files of the store's folder below `games/` and,
unless all settings are the defaults, `settings.toml`.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
import os
import re
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from io import BufferedReader
from itertools import islice
from pathlib import Path

from pi_app.card.helper import CardError
from pi_app.settings.file import ENVIRONMENT, SettingsError, load
from pi_app.store import PEOPLE_FILE, Store, is_stored_name
from pi_app.system.host import version
from pi_app.system.regular import open_regular
from pi_app.system.replace import sync_folder

log = logging.getLogger(__name__)

NAME = re.compile(r"beisitzer-(\d{4}-\d\d-\d\d-\d{4})(?:-(\d{1,9}))?\.zip", re.ASCII)
"""The names of archives: the time, and a number if several are of one minute."""
FORMAT = 2
PART_BYTES = 1 << 16
"""How much is read at a time."""
MOST_LISTING = 16 << 20
"""How long an archive's central directory may be: ours has 100 bytes a game."""
MOST_LISTED = 20
MOST_ABOUT = 10_000
MOST_GAMES = 1_000_000
RESERVE_BYTES = 4 << 20
"""Stays free on the card for some thousand moves, so that they remain durable."""
MOST_PACKED = 100
"""The highest compression ratio of a file above 1 MiB; games have ten."""
_ABOUT, _GAMES, _SETTINGS = "about.json", "games/", "settings.toml"
_MOST = {_ABOUT: MOST_ABOUT, _SETTINGS: 1 << 20}
"""The most bytes of the files of an archive; each of a store's files has at most MOST_FILE."""
MOST_FILE = 1 << 26
_ZIP_ERRORS = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError,
    KeyError, TypeError, OverflowError,
)  # fmt: skip
"""What `zipfile` and `json` raise for junk."""
_NO_FILE = (errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.EINVAL)
"""Errors for something that is not a regular file, and for a position before its beginning."""


class ArchiveError(CardError):
    """An archive cannot be made or used.

    `code` is one of: damaged (the archive is not what was written), newer (of a newer program),
    card (the machine's own card cannot be read or written).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@contextmanager
def on_card() -> Iterator[None]:
    """Turn errors of reading or writing the machine's own card into ArchiveErrors."""
    try:
        yield
    except OSError as error:
        log.warning("the card failed: %s", error)
        raise ArchiveError("card") from error


@dataclass(frozen=True, slots=True)
class About:
    """What an archive holds: the program that made it, when, and how many games."""

    version: str
    saved: datetime
    games: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """A checked archive, copied onto the card."""

    about: About
    archive: Path
    settings: bytes | None
    """The settings file; None if there is none, or this program does not take it."""
    unfit: bool = False
    """Whether there is one that this program does not take."""

    def games(self) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of the store's files."""
        with _open(self.archive) as packed:
            for name in packed.namelist():
                if name.startswith(_GAMES):
                    yield name.removeprefix(_GAMES), packed.read(name)


def pack(
    store: Store, settings: bytes | None, folder: Path, now: datetime, pause: Callable[[], None]
) -> tuple[Path, About]:
    """Write an archive into an empty folder and return it; play goes on meanwhile.

    `pause` is called every few milliseconds. OSError if it cannot be written or read.
    """
    archive, games = folder / "archive", 0
    check_room(folder, sum(len(data) for _, data in store.files()))
    with zipfile.ZipFile(archive, "x", zipfile.ZIP_DEFLATED) as packed:
        for name, data in store.files():
            packed.writestr(_GAMES + name, data)
            games += name != PEOPLE_FILE
            pause()
        if settings is not None:
            packed.writestr(_SETTINGS, settings)
        about = About(version(), now, games)
        note = {
            "format": FORMAT,
            "version": about.version,
            "saved": about.saved.isoformat(timespec="seconds"),
            "games": about.games,
        }
        packed.writestr(_ABOUT, json.dumps(note, indent=1) + "\n")
    return archive, about


def check_room(folder: Path, needed: int) -> None:
    """Raise ArchiveError unless `needed` bytes can be written and RESERVE_BYTES stay free."""
    if shutil.disk_usage(folder).free < needed + RESERVE_BYTES:
        log.warning("%s has no room for %s bytes", folder, needed)
        raise ArchiveError("card")


def put(archive: Path, folder: Path, now: datetime) -> str:
    """Copy an archive into a folder, onto the disk, under a name with the time; return the name."""
    for old in folder.glob(
        "beisitzer-*.zip.new"
    ):  # incomplete after a power cut, or a stick pulled out
        with suppress(OSError):  # a folder of that name is not ours
            old.unlink()
    stamp = now.astimezone().strftime("beisitzer-%Y-%m-%d-%H%M")
    count, name = 1, f"{stamp}.zip"
    while (folder / name).exists():
        count += 1
        name = f"{stamp}-{count}.zip"
    temporary = folder / f"{name}.new"
    try:
        with archive.open("rb") as source, temporary.open("xb") as target:
            while part := source.read(PART_BYTES):
                target.write(part)
            target.flush()
            os.fsync(target.fileno())
        temporary.rename(folder / name)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(folder)
    return name


def _matches(folder: Path) -> Iterator[re.Match[str]]:
    """Yield the names of archives in a folder."""
    for each in folder.iterdir():
        if match := NAME.fullmatch(each.name):
            yield match


def archives_in(folder: Path) -> list[tuple[str, About]]:
    """Return the newest archives in a folder with their contents, the newest first.

    Damaged and unreadable ones are skipped; OSError if only unreadable ones are there.
    """
    unread: list[OSError] = []

    def readable() -> Iterator[tuple[str, About]]:
        names = [(match[1], int(match[2] or 1), match[0]) for match in _matches(folder)]
        for _, _, name in sorted(names, reverse=True):
            try:
                yield name, read_about(folder / name)
            except OSError as error:
                unread.append(error)
            except ArchiveError:
                continue

    found = list(islice(readable(), MOST_LISTED))
    if unread and not found:
        raise unread[0]
    return found


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_about(archive: Path) -> About:
    """Return what an archive says about itself; ArchiveError if it is none, OSError as it comes."""
    with _open(archive) as packed:
        return _about(_note(packed))


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
            names = [each.filename for each in members]
            if len(set(names)) != len(names) or _ABOUT not in names:
                raise ArchiveError("damaged")
            if not all(map(_is_sane, members)):
                raise ArchiveError("damaged")
            if sum(each.compress_size for each in members) > archive.stat().st_size:
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
    if name not in _MOST and not is_stored_name(name.removeprefix(_GAMES)):
        return False
    longest = min(_MOST.get(name, MOST_FILE), (1 << 20) + MOST_PACKED * member.compress_size)
    known = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return known and member.file_size <= longest


def _note(packed: zipfile.ZipFile) -> dict[str, object]:
    with packed.open(_ABOUT) as file:
        note = json.loads(file.read(MOST_ABOUT))
    if note["format"] != FORMAT:
        raise ArchiveError("newer")
    return dict(note)


def _about(note: dict[str, object]) -> About:
    games = int(str(note["games"]))
    # a time at the edge of the calendar has no local time: OverflowError, as for other junk
    saved = datetime.fromisoformat(str(note["saved"])).astimezone()
    if not 0 <= games <= MOST_GAMES:
        raise ArchiveError("damaged")
    return About(str(note["version"]), saved, games)


def fetch(archive: Path, folder: Path, store: str, pause: Callable[[], None]) -> Fetched:
    """Copy an archive into an empty folder, and check it there completely.

    Settings that name another place for the store than `store` are left out.

    ArchiveError if the archive cannot be used or the folder cannot be written; OSError if the
    archive cannot be read.
    """
    with _open(archive) as packed:
        check_room(folder, 2 * sum(each.file_size for each in packed.infolist()))
    copy, settings = folder / "archive", folder / _SETTINGS
    with open_regular(archive) as source, on_card(), copy.open("xb") as target:
        shutil.copyfileobj(source, target, PART_BYTES)
    with _open(copy) as packed:
        about = _about(_note(packed))
        for name in packed.namelist():
            packed.read(name)  # `zipfile` compares its checksum
            pause()
        has_settings = _SETTINGS in packed.namelist()
        if has_settings:
            with on_card():
                settings.write_bytes(packed.read(_SETTINGS))
    with on_card():
        taken = settings.read_bytes() if has_settings and _fit(settings, store) else None
    return Fetched(about, copy, taken, unfit=has_settings and taken is None)


def _fit(settings: Path, store: str) -> bool:
    """Tell whether this program takes a settings file, with the games in the same place."""
    try:
        loaded = load({ENVIRONMENT: str(settings)})
    except SettingsError as error:
        log.warning("the settings in an archive do not fit: %s", error)
        return False
    return loaded.settings.store.path == store
