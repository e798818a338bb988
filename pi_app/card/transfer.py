"""Saves the table's games and settings, and replaces them by others that were saved."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

from pi_app.card.archive import (
    About,
    ArchiveError,
    Unpacked,
    archives_in,
    on_card,
    pack,
    put,
    unpack,
)
from pi_app.card.stick import Sticks, save, using
from pi_app.files.regular import open_regular
from pi_app.files.replace import KEEPING, LOADING, SAVING, remove_workspace, workspace, write_safely
from pi_app.files.worker import Job
from pi_app.screens.context import Context

log = logging.getLogger(__name__)

MOST_KEPT = 3
"""How many states from before a loading are kept."""
MOST_SETTINGS = 1 << 20


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
        with on_card(), workspace(self._folder / SAVING) as folder:
            archive, about = self._pack(job, folder)
            save(self.sticks, stick, archive, self._ctx.now())
        fields = {"EVENT": "saved", "GAMES": about.games}
        log.info("%s games saved to a stick", about.games, extra={"journal": fields})
        return about

    def _pack(self, job: Job, folder: Path) -> tuple[Path, About]:
        return pack(self._opened, self._read_settings(), folder, self._ctx.now(), job.pause)

    def _read_settings(self) -> bytes | None:
        try:
            with open_regular(self._settings) as file:
                return file.read(MOST_SETTINGS)
        except FileNotFoundError:
            return None

    def fetch(self, job: Job, stick: str | None, name: str) -> Unpacked:
        """Unpack and check a saved state from a stick, or kept here (None); `forget` removes it."""
        with on_card(), workspace(self._folder / LOADING, keep=True) as folder:
            path = self._ctx.settings.store.path
            if stick is None:
                return unpack(self.kept_in / name, folder, path, job.pause)
            with using(self.sticks, stick, write=False) as place:
                return unpack(place / name, folder, path, job.pause)

    def forget(self) -> None:
        """Remove the unpacked state."""
        remove_workspace(self._folder / LOADING)

    @on_card()
    def keep(self, job: Job) -> None:
        """Save the present state on the card, so that it can be loaded again."""
        self.kept_in.mkdir(mode=0o700, exist_ok=True)
        with workspace(self._folder / KEEPING) as folder:
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
        with on_card():
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
        self.forget()
        fields = {"EVENT": "loaded", "GAMES": other.about.games}
        log.info("%s games loaded", other.about.games, extra={"journal": fields})
