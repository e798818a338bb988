"""Saves the table's games and settings, and adds others that were saved."""

from __future__ import annotations

import logging
from pathlib import Path

from pi_app.card.archive import (
    About,
    Fetched,
    fetch,
    on_card,
    pack,
)
from pi_app.card.stick import Sticks, save, using
from pi_app.screens.context import Context
from pi_app.system.regular import open_regular
from pi_app.system.replace import LOADING, SAVING, remove_workspace, workspace, write_safely
from pi_app.system.worker import Job

log = logging.getLogger(__name__)

MOST_SETTINGS = 1 << 20


class Transfer:
    """One saving or loading. What takes long is given a job of the worker, in its thread."""

    def __init__(self, ctx: Context, sticks: Sticks, settings: Path, store: Path) -> None:
        self._ctx = ctx
        self.sticks = sticks
        self._settings = settings
        self._folder = store.parent

    def save(self, job: Job, stick: str) -> About:
        """Save everything to a stick; return what is on it then."""
        with on_card(), workspace(self._folder / SAVING) as folder:
            now = self._ctx.now()
            archive, about = pack(self._ctx.store, self._read_settings(), folder, now, job.pause)
            save(self.sticks, stick, archive, self._ctx.now())
        fields = {"EVENT": "saved", "GAMES": about.games}
        log.info("%s games saved to a stick", about.games, extra={"journal": fields})
        return about

    def _read_settings(self) -> bytes | None:
        try:
            with open_regular(self._settings) as file:
                return file.read(MOST_SETTINGS)
        except FileNotFoundError:
            return None

    def fetch(self, job: Job, stick: str, name: str) -> Fetched:
        """Copy and check a saved state from a stick; `forget` removes it."""
        with on_card(), workspace(self._folder / LOADING, keep=True) as folder:
            path = self._ctx.settings.store.path
            with using(self.sticks, stick, write=False) as place:
                return fetch(place / name, folder, path, job.pause)

    def forget(self) -> None:
        """Remove the copy."""
        remove_workspace(self._folder / LOADING)

    def take(self, other: Fetched, *, settings: bool) -> None:
        """Add the games, and perhaps replace the settings; the program must begin anew then.

        ArchiveError if they cannot be written.
        """
        try:
            with on_card():
                count = self._ctx.store.add_files(other.games())
                if settings and other.settings is not None:
                    write_safely(self._settings, other.settings)
        finally:
            self.forget()
        fields = {"EVENT": "loaded", "GAMES": count}
        log.info("%s games loaded", count, extra={"journal": fields})
