"""The menu of the USB stick: save everything to it, and add games and settings from it."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from pi_app.card.archive import GAMES, SETTINGS, ArchiveError, Saved, fitting_settings, read
from pi_app.card.machine_pages import WaitingScreen
from pi_app.card.stick import StickError, Sticks, save, saved_on, using
from pi_app.screens.base import (
    OK,
    TICK,
    Action,
    Item,
    ListScreen,
    MenuScreen,
    PageScreen,
    Pop,
    Push,
    Quit,
    Replace,
    Screen,
)
from pi_app.screens.context import Context
from pi_app.system.regular import open_regular
from pi_app.system.replace import write_safely
from pi_app.system.worker import Job
from pi_app.texts.language import Text

log = logging.getLogger(__name__)
T = TypeVar("T")

MOST_SETTINGS = 1 << 20
RESERVE_BYTES = 4 << 20
"""Stays free on the card for some thousand moves, so that they remain durable."""
_SENTENCES = {
    "no-helper": Text("line", "Sticks cannot be used here: install Beisitzer anew."),
    "no-stick": Text("line", "No stick is plugged in."),
    "several": Text("line", "Several sticks are plugged in. Leave one."),
    "gone": Text("line", "The stick was pulled out too early. Nothing here was changed."),
    "kind": Text("line", "This stick has another file system. FAT or exFAT is needed."),
    "full": Text("line", "The stick is full."),
    "read-only": Text("line", "This stick cannot be written. Is it locked?"),
    "failing": Text("line", "This stick fails. Take another one."),
    "differs": Text("line", "This stick does not give back what was written. Take another one."),
    "none": Text("line", "No saved games are on this stick."),
    "damaged": Text("line", "This file is damaged. Nothing here was changed."),
    "card": Text("line", "The card is full or cannot be written. Nothing was changed."),
    "": Text("line", "That failed. Nothing here was changed."),
}


class WorkScreen(WaitingScreen[T]):
    """Waits for work with the stick: no key leaves it, as nobody may pull the stick out before."""

    sentences = _SENTENCES
    can_be_left = False


class StickMenu(MenuScreen):
    """Saves and loads all games and settings."""

    def __init__(self, ctx: Context, sticks: Sticks, settings: Path, store: Path) -> None:
        super().__init__(ctx, ctx.texts("title", "USB stick"))
        self._sticks = sticks
        self._settings = settings
        self._store = store

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        return (
            (tx("title", "Save to stick"), lambda: self._find(self._save)),
            (tx("title", "Load from stick"), lambda: self._find(self._list)),
        )

    def _find(self, use: Callable[[str], Screen]) -> Action:
        """Go on with the one stick that is plugged in."""

        def found(sticks: list[str]) -> Action:
            if len(sticks) != 1:
                raise StickError("several" if sticks else "no-stick")
            return Replace(screen=use(sticks[0]))

        line = self.tx("line", "Looking for a stick ...")
        plugged = self._sticks.plugged
        return Push(TICK, screen=WorkScreen(self.ctx, self.title, line, lambda _: plugged(), found))

    # --- saving

    def _save(self, stick: str) -> Screen:
        tx, title = self.tx, self.tx("title", "Save to stick")

        def work(job: Job) -> int:
            count = save(self._sticks, stick, self._files(), self.ctx.now(), job.pause)
            fields = {"EVENT": "saved", "GAMES": count}
            log.info("%s games saved to a stick", count, extra={"journal": fields})
            return count

        def saved(count: int) -> Action:
            lines = (
                tx("line", "Saved and read back. You may pull the stick out."),
                tx.many("line", "{n} game is on it.", "{n} games are on it.", count),
            )
            return Replace(OK, screen=PageScreen(self.ctx, title, lines))

        return WorkScreen(
            self.ctx, title, tx("line", "Saving. Leave the stick in ..."), work, saved
        )

    def _files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files of an archive; ArchiveError if the card cannot be read."""
        try:
            for name, data in self.ctx.store.files():
                yield GAMES + name, data
            if self._settings.exists():
                with open_regular(self._settings) as file:
                    yield SETTINGS, file.read(MOST_SETTINGS)
        except OSError as error:
            log.warning("the card failed: %s", error)
            raise ArchiveError("card") from error

    # --- loading

    def _list(self, stick: str) -> Screen:
        title = self.tx("title", "Load which?")

        def listed(found: list[Saved]) -> Action:
            def choose(index: int) -> Action:
                return Push(TICK, screen=self._read(stick, found[index]))

            # the time, and how many games
            labels = tuple(f"{each.when}: {each.games}" for each in found)
            return Replace(screen=ListScreen(self.ctx, title, labels, choose))

        line = self.tx("line", "Reading. Leave the stick in ...")
        work = partial(saved_on, self._sticks, stick)
        return WorkScreen(self.ctx, title, line, lambda _: work(), listed)

    def _read(self, stick: str, saved: Saved) -> Screen:
        def work(job: Job) -> dict[str, bytes]:
            with using(self._sticks, stick, write=False) as folder:
                return read(folder / saved.name, job.pause)

        line = self.tx("line", "Reading. Leave the stick in ...")
        ask = partial(self._ask, saved)
        return WorkScreen(
            self.ctx, self.title, line, work, lambda files: Replace(screen=ask(files))
        )

    def _ask(self, saved: Saved, files: Mapping[str, bytes]) -> Screen:
        """Return the question whether to add what is on the stick; "no" comes first."""
        tx = self.tx
        settings = fitting_settings(files, self.ctx.settings.store.path)
        lines = (
            tx.many(
                "line", "{n} game of {when}.", "{n} games of {when}.", saved.games, when=saved.when
            ),
            tx("line", "Those that are not here are added."),
        )
        if settings is None and SETTINGS in files:
            # an OLED has no room for three: time and number were in the list before
            lines = (
                tx("line", "Games not here are added."),
                tx("line", "Its settings do not fit: yours stay."),
            )
        items: tuple[str, ...] = (tx("item", "no"), tx("item", "only the games"))
        if settings is not None:
            items = (*items, tx("item", "games and settings"))

        def answer(index: int) -> Action:
            if not index:
                return Pop(TICK)
            return Replace(TICK, screen=self._load(files, settings if index == 2 else None))

        return ListScreen(self.ctx, tx("title", "Load?"), items, answer, lines=lines)

    def _load(self, files: Mapping[str, bytes], settings: bytes | None) -> Screen:
        games = {name: data for name, data in files.items() if name.startswith(GAMES)}

        def load(_: None) -> Action:
            needed = sum(map(len, games.values())) + RESERVE_BYTES
            stored = ((name.removeprefix(GAMES), data) for name, data in games.items())
            try:
                if shutil.disk_usage(self._store.parent).free < needed:
                    log.warning("the card has no room for %s bytes", needed)
                    raise ArchiveError("card")
                count = len(self.ctx.store.add_files(stored).games)
                if settings is not None:
                    write_safely(self._settings, settings)
            except OSError as error:
                log.warning("the card failed: %s", error)
                raise ArchiveError("card") from error
            fields = {"EVENT": "loaded", "GAMES": count}
            log.info("%s games loaded", count, extra={"journal": fields})
            return Quit(OK, "again")

        line = self.tx("line", "Loading. Beisitzer starts anew then ...")
        # in the loop, which writes the store: this screen is shown before
        return WorkScreen(self.ctx, self.tx("title", "Load?"), line, lambda _: None, load)
