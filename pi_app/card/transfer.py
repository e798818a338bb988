"""Saves the table's games and settings, and replaces them by others that were saved."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree

from pi_app.card.archive import (
    About,
    ArchiveError,
    Unpacked,
    archives_in,
    fresh,
    pack,
    put,
    unpack,
    workspace,
)
from pi_app.card.stick import Sticks, fetch, save
from pi_app.files.regular import open_regular
from pi_app.files.replace import write_safely
from pi_app.files.worker import Job
from pi_app.screens.context import Context

log = logging.getLogger(__name__)

MOST_KEPT = 3
"""How many states from before a loading are kept."""
MOST_SETTINGS = 1 << 20


@contextmanager
def _on_card() -> Iterator[None]:
    """Turn errors of the machine's own card into ArchiveErrors."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        log.warning("the card failed: %s", error)
        raise ArchiveError("card") from error


class Transfer:
    """One saving or loading. What takes long is given a job of the worker, in its thread."""

    def __init__(self, ctx: Context, sticks: Sticks, settings: Path, store: Path) -> None:
        self._ctx = ctx
        self.sticks = sticks
        self._settings = settings
        self._folder = store.parent
        self._opened = ctx.store.for_another_thread()
        self._stamp = ctx.store.stamp
        """What was stored when this began."""

    @property
    def kept_in(self) -> Path:
        """The folder of the states from before a loading."""
        return self._folder / "before-loading"

    def kept(self) -> list[tuple[str, About]]:
        """Return the states from before a loading, the newest first."""
        try:
            return archives_in(self.kept_in)
        except OSError:
            return []

    def save(self, job: Job, stick: str) -> About:
        """Save everything to a stick; return what is on it then."""
        with _on_card():
            folder = fresh(self._folder / "saving")
        try:
            archive, about = self._pack(job, folder)
            save(self.sticks, stick, archive, self._ctx.now())
            fields = {"EVENT": "saved", "GAMES": about.games}
            log.info("%s games saved to a stick", about.games, extra={"journal": fields})
        finally:
            rmtree(folder, ignore_errors=True)
        return about

    def _pack(self, job: Job, folder: Path) -> tuple[Path, About]:
        with _on_card():
            return pack(self._opened, self._read_settings(), folder, self._ctx.now(), job.pause)

    def _read_settings(self) -> bytes | None:
        try:
            with open_regular(self._settings) as file:
                return file.read(MOST_SETTINGS)
        except FileNotFoundError:
            return None

    def fetch(self, job: Job, stick: str | None, name: str) -> Unpacked:
        """Get a saved state from a stick, or one that is kept here (None), and check it."""
        with _on_card():
            folder = fresh(self._folder / "loading")
        archive = self.kept_in / name
        if stick is not None:
            archive = folder / "archive"
            fetch(self.sticks, stick, name, archive)
        with _on_card():
            return unpack(archive, folder, self._ctx.settings.store.path, job.pause)

    def forget(self, other: Unpacked) -> None:
        """Remove what was fetched and not taken."""
        rmtree(other.games.parent, ignore_errors=True)

    def keep(self, job: Job) -> None:
        """Keep the present state, to be taken back some day."""
        with _on_card():
            self.kept_in.mkdir(mode=0o700, exist_ok=True)
            with workspace(self._folder / "keeping") as folder:
                archive, _ = self._pack(job, folder)
                new = put(archive, self.kept_in, self._ctx.now())
            # a clock without a battery may call the newest one the oldest
            others = [name for name, _ in archives_in(self.kept_in) if name != new]
            for name in others[MOST_KEPT - 1 :]:
                (self.kept_in / name).unlink()

    def take(self, other: Unpacked, *, settings: bool) -> None:
        """Replace the games, and perhaps the settings; the program must begin anew then.

        ArchiveError if something was stored since this began, or if it cannot be written: then
        nothing has changed.
        """
        if self._ctx.store.stamp != self._stamp:
            raise ArchiveError("changed")
        with _on_card():
            before = self._read_settings() or b""
            new = other.settings if settings else None
            if new is not None:
                write_safely(self._settings, new)
            try:
                self._ctx.store.replace_all(other.games)
            except (OSError, sqlite3.Error):
                if new is not None:
                    write_safely(self._settings, before)
                raise
        self.forget(other)
        fields = {"EVENT": "loaded", "GAMES": other.about.games}
        log.info("%s games loaded", other.about.games, extra={"journal": fields})
