"""One file with all games and settings, and its check before anything is replaced by it.

The file is a ZIP archive with `about.json`, `games.db` and, unless all settings are the defaults,
`settings.toml`. `about.json` has the length and the SHA-256 of the others.
"""

from __future__ import annotations

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
PART_BYTES = 1 << 18
MOST_LISTED = 20
MOST_ABOUT = 10_000
_ABOUT, _GAMES, _SETTINGS = "about.json", "games.db", "settings.toml"
_MOST = {_ABOUT: MOST_ABOUT, _GAMES: 1 << 32, _SETTINGS: 1 << 20}
"""The files of an archive, and the most bytes of each."""
_ZIP_ERRORS = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError,
    KeyError, TypeError, OverflowError,
)  # fmt: skip
"""What `zipfile` and `json` raise for junk."""


class ArchiveError(CardError):
    """An archive cannot be made or used.

    `code` is one of: store (the store itself is damaged), damaged (the archive is not what was
    written), newer (of a newer program), card (the machine's own card cannot be read or written).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


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


def fresh(folder: Path) -> Path:
    """Make a folder new and empty, whatever a power cut left of it; return it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    return folder


@contextmanager
def workspace(folder: Path) -> Iterator[Path]:
    """Give a new folder for the block."""
    try:
        yield fresh(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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


def copy_store(opened: Callable[[], sqlite3.Connection], place: Path) -> None:
    """Copy a store into one new file, which is on the disk then."""
    with closing(opened()) as source, closing(connect_to(str(place))) as copy:
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
    for old in folder.glob("beisitzer-*.zip.new"):  # cut off: a stick pulled out, a power cut
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
    """Return the newest archives in a folder with what they hold, the newest first."""
    found = []
    names = [(match[1], int(match[2] or 1), match[0]) for match in _matches(folder)]
    for _, _, name in sorted(names, reverse=True)[:MOST_LISTED]:
        with suppress(ArchiveError):
            found.append((name, read_about(folder / name)))
    return found


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_about(archive: Path) -> About:
    """Return what an archive says about itself; ArchiveError if it is none, OSError as it comes."""
    with _open(archive) as packed:
        return _about(_note(packed))


@contextmanager
def _open(archive: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive; ArchiveError for all that `zipfile` raises in the block."""
    try:
        with open_regular(archive) as file, zipfile.ZipFile(file) as packed:
            names = [each.filename for each in packed.infolist()]
            if len(set(names)) != len(names) or not {_ABOUT, _GAMES} <= set(names) <= set(_MOST):
                raise ArchiveError("damaged")
            yield packed
    except _ZIP_ERRORS as error:
        raise ArchiveError("damaged") from error


def _note(packed: zipfile.ZipFile) -> dict[str, object]:
    with packed.open(_ABOUT) as file:
        note = json.loads(file.read(MOST_ABOUT))
    if note["format"] != FORMAT:
        raise ArchiveError("newer")
    return dict(note)


def _about(note: dict[str, object]) -> About:
    saved = datetime.fromisoformat(str(note["saved"]))
    return About(str(note["version"]), saved, int(str(note["games"])))


def unpack(archive: Path, folder: Path, store: str, pause: Callable[[], None]) -> Unpacked:
    """Check an archive completely and unpack it into an empty folder.

    Settings that name another place for the store than `store` are left out.

    ArchiveError says why it cannot be used. OSError if the folder cannot be written.
    """
    with _open(archive) as packed:
        note = _note(packed)
        about = _about(note)
        parts = note["files"]
        if not isinstance(parts, dict) or {_ABOUT, *parts} != set(packed.namelist()):
            raise ArchiveError("damaged")
        for name, told in parts.items():
            _extract(packed, name, folder / name, told)
    games = folder / _GAMES
    check_store(games, "damaged", pause)
    with closing(connect_to(str(games))) as db:
        prepare(db)
    has_settings = _SETTINGS in parts
    fits = has_settings and _fit(folder / _SETTINGS, store)
    settings = (folder / _SETTINGS).read_bytes() if fits else None
    return Unpacked(about, games, settings, unfit=has_settings and not fits)


def _extract(packed: zipfile.ZipFile, name: str, place: Path, told: dict[str, object]) -> None:
    """Unpack a file; ArchiveError unless it has the length and the checksum it should have."""
    length = packed.getinfo(name).file_size
    if length > _MOST[name] or length != told["bytes"]:
        raise ArchiveError("damaged")
    with packed.open(name) as source, place.open("xb") as target:
        left = length
        while left and (part := source.read(min(PART_BYTES, left))):
            target.write(part)
            left -= len(part)
    if left or sha256(place) != told["sha256"]:
        raise ArchiveError("damaged")


def _fit(settings: Path, store: str) -> bool:
    """Tell whether this program takes a settings file, with the games in the same place."""
    try:
        loaded = load({ENVIRONMENT: str(settings)})
    except SettingsError as error:
        log.warning("the settings in an archive do not fit: %s", error)
        return False
    return loaded.settings.store.path == store
