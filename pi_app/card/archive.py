"""One file with all games and settings, and its check before anything is replaced by it.

The file is a ZIP archive with `about.json`, `games.db` and, unless all settings are the defaults,
`settings.toml`. `about.json` has the length and the SHA-256 of the others.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
import os
import re
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from io import BufferedReader
from itertools import islice
from pathlib import Path

from pi_app.card.helper import CardError
from pi_app.files.host import version
from pi_app.files.regular import open_regular
from pi_app.files.replace import sync_folder
from pi_app.settings.file import ENVIRONMENT, SettingsError, load
from pi_app.store.check import check, check_all, read_only
from pi_app.store.database import connect_to, no_progress, prepare
from pi_app.store.migrations import ERRORS, VersionError, newest_version

log = logging.getLogger(__name__)

NAME = re.compile(r"beisitzer-(\d{4}-\d\d-\d\d-\d{4})(?:-(\d{1,9}))?\.zip", re.ASCII)
"""The names of archives: the time, and a number if several are of one minute."""
FORMAT = 1
PART_BYTES = 1 << 16
"""How much is read at a time, and how long an archive's central directory may be: ours has 200."""
MOST_LISTED = 20
MOST_ABOUT = 10_000
MOST_GAMES = 1_000_000
RESERVE_BYTES = 4 << 20
"""Stays free on the card for some thousand moves, so that they remain durable."""
MOST_PACKED = 100
"""The highest compression ratio of a file above 1 MiB; games have ten."""
_ABOUT, _GAMES, _SETTINGS = "about.json", "games.db", "settings.toml"
_MOST = {_ABOUT: MOST_ABOUT, _GAMES: 1 << 32, _SETTINGS: 1 << 20}
"""The files of an archive, and the most bytes of each."""
_ZIP_ERRORS = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError,
    KeyError, TypeError, OverflowError,
)  # fmt: skip
"""What `zipfile` and `json` raise for junk."""
_NO_FILE = (errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.EINVAL)
"""Errors for something that is not a regular file, and for a position before its beginning."""


class ArchiveError(CardError):
    """An archive cannot be made or used.

    `code` is one of: store (the store itself is damaged), damaged (the archive is not what was
    written), newer (of a newer program), card (the machine's own card cannot be read or written).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@contextmanager
def on_card() -> Iterator[None]:
    """Turn errors of reading or writing the machine's own card into ArchiveErrors."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        log.warning("the card failed: %s", error)
        raise ArchiveError("card") from error


@dataclass(frozen=True, slots=True)
class About:
    """What an archive holds: the program that made it, when, and how many games."""

    version: str
    saved: datetime
    games: int


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The checked content of an archive, in files of its own."""

    about: About
    games: Path
    """A store of the newest version."""
    settings: bytes | None
    """The settings file; None if there is none, or this program does not take it."""
    unfit: bool = False
    """Whether there is one that this program does not take."""


def pack(
    opened: Callable[[], sqlite3.Connection],
    settings: bytes | None,
    folder: Path,
    now: datetime,
    pause: Callable[[], None],
) -> tuple[Path, About]:
    """Write an archive into an empty folder and return it.

    `opened` opens the store for reading: it is copied as it is at one moment, while play goes on.
    `pause` is called every few milliseconds.
    OSError or sqlite3.Error if it cannot be written or read, ArchiveError if the store is damaged.
    """
    copy = folder / _GAMES
    copy_store(opened, copy)
    check_store(copy, "store", pause)
    with closing(read_only(copy, immutable=True)) as db:
        games = int(db.execute("SELECT count(*) FROM game").fetchone()[0])
    if settings is not None:
        (folder / _SETTINGS).write_bytes(settings)
    about = About(version(), now, games)
    names = [name for name in (_GAMES, _SETTINGS) if (folder / name).exists()]
    parts = {
        name: {"bytes": (folder / name).stat().st_size, "sha256": sha256(folder / name)}
        for name in names
    }
    note = {
        "format": FORMAT,
        "version": about.version,
        "saved": about.saved.isoformat(timespec="seconds"),
        "games": about.games,
        "files": parts,
    }
    archive = folder / "archive"
    with zipfile.ZipFile(archive, "x", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(_ABOUT, json.dumps(note, indent=1) + "\n")
        for name in names:
            packed.write(folder / name, name)
    return archive, about


def check_room(folder: Path, needed: int) -> None:
    """Raise ArchiveError unless `needed` bytes can be written and RESERVE_BYTES stay free."""
    if shutil.disk_usage(folder).free < needed + RESERVE_BYTES:
        log.warning("%s has no room for %s bytes", folder, needed)
        raise ArchiveError("card")


def copy_store(opened: Callable[[], sqlite3.Connection], place: Path) -> None:
    """Copy a store into one new file, which is on the disk then."""
    with closing(opened()) as source:
        (pages,), (page_bytes,) = (
            source.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
        )
        check_room(place.parent, 2 * pages * page_bytes)  # the copy, and the archive made of it
        with closing(connect_to(str(place))) as copy:
            copy.execute("PRAGMA synchronous=OFF")  # it is synced as a whole
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # it is one file without a log
    with place.open("rb+") as file:
        os.fsync(file.fileno())


def check_store(path: Path, code: str, pause: Callable[[], None]) -> None:
    """Check a store's file completely; ArchiveError if it is not what was written."""
    try:
        version = check(path, no_progress)
        if not version:
            raise ArchiveError(code)
        if version < newest_version():  # it was checked completely, as it is to be migrated
            return
        with closing(read_only(path, immutable=True)) as db:
            check_all(db, pause)
    except VersionError as error:
        raise ArchiveError("newer" if error.newer else code) from error
    except ERRORS as error:
        log.warning("a copy of the games is not whole: %s", type(error).__name__)
        raise ArchiveError(code) from error


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
        if size is not None and size > PART_BYTES:
            raise zipfile.BadZipFile("the central directory is too long")
        return super().read(size)


@contextmanager
def _open(archive: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive; ArchiveError for all that `zipfile` raises in the block."""
    try:
        with _Archive(open_regular(archive).detach()) as file, zipfile.ZipFile(file) as packed:
            members = packed.infolist()
            names = [each.filename for each in members]
            if len(set(names)) != len(names) or not {_ABOUT, _GAMES} <= set(names) <= set(_MOST):
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
    longest = min(_MOST[member.filename], (1 << 20) + MOST_PACKED * member.compress_size)
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


def unpack(archive: Path, folder: Path, store: str, pause: Callable[[], None]) -> Unpacked:
    """Check an archive completely and unpack it into an empty folder.

    Settings that name another place for the store than `store` are left out.

    ArchiveError if the archive cannot be used or the folder cannot be written; OSError if the
    archive cannot be read.
    """
    with _open(archive) as packed:
        note = _note(packed)
        about = _about(note)
        parts = note["files"]
        if not isinstance(parts, dict) or {_ABOUT, *parts} != set(packed.namelist()):
            raise ArchiveError("damaged")
        check_room(folder, sum(each.file_size for each in packed.infolist()))
        for name, told in parts.items():
            _extract(packed, name, folder / name, told)
    games, settings = folder / _GAMES, folder / _SETTINGS
    with on_card():
        check_store(games, "damaged", pause)
        with closing(connect_to(str(games))) as db:
            prepare(db)
        fits = _SETTINGS in parts and _fit(settings, store)
        taken = settings.read_bytes() if fits else None
    return Unpacked(about, games, taken, unfit=_SETTINGS in parts and not fits)


def _extract(packed: zipfile.ZipFile, name: str, place: Path, told: dict[str, object]) -> None:
    """Unpack a file; ArchiveError unless it has the length and the checksum it should have."""
    left, digest = packed.getinfo(name).file_size, hashlib.sha256()
    if left != told["bytes"]:
        raise ArchiveError("damaged")
    with packed.open(name) as source:
        while left and (part := source.read(min(PART_BYTES, left))):
            with on_card(), place.open("ab") as target:  # not the errors of `source`
                target.write(part)
            digest.update(part)
            left -= len(part)
    if left or digest.hexdigest() != told["sha256"]:
        raise ArchiveError("damaged")


def _fit(settings: Path, store: str) -> bool:
    """Tell whether this program takes a settings file, with the games in the same place."""
    try:
        loaded = load({ENVIRONMENT: str(settings)})
    except SettingsError as error:
        log.warning("the settings in an archive do not fit: %s", error)
        return False
    return loaded.settings.store.path == store
