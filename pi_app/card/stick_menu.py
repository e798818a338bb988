"""The menu of the USB stick: save everything to it, and add games and settings from it."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from pi_app.card import archive
from pi_app.card.helper import CardError
from pi_app.card.machine_pages import T, WaitingScreen
from pi_app.card.stick import Sticks, save, using
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
from pi_app.system.replace import write_safely
from pi_app.system.worker import Job
from pi_app.texts.language import Text
from pi_app.view.frame import Viewers

log = logging.getLogger(__name__)

RESERVE_BYTES = 4 << 20
"""Must stay free on the card, for some thousand moves."""
_SENTENCES = {
    "no-helper": Text("line", "Sticks cannot be used here: install Beisitzer anew."),
    "no-stick": Text("line", "No stick is plugged in, or it was pulled out too early."),
    "several": Text("line", "Several sticks are plugged in. Leave one."),
    "kind": Text("line", "This stick has another file system. FAT or exFAT is needed."),
    "full": Text("line", "The stick is full."),
    "read-only": Text("line", "This stick cannot be written. Is it locked?"),
    "failed": Text("line", "This stick fails. Take another one."),
    "differs": Text("line", "This stick does not give back what was written. Take another one."),
    "none": Text("line", "No saved games are on this stick."),
    "damaged": Text("line", "This file is damaged. Nothing here was changed."),
    "settings": Text("line", "It has no settings that fit. Take only the games."),
    "card": Text("line", "The card is full or cannot be written. Nothing was changed."),
    "": Text("line", "That failed. Nothing here was changed."),
}


class WorkScreen(WaitingScreen[T]):
    """Waits for work with the stick; keys cannot leave it, as the stick must stay plugged in."""

    viewers = Viewers.ALL
    sentences = _SENTENCES
    can_be_left = False


class StickMenu(MenuScreen):
    """Saves and loads all games and settings."""

    viewers = Viewers.ALL

    def __init__(self, ctx: Context, sticks: Sticks, settings: Path, store: Path) -> None:
        super().__init__(ctx, ctx.texts("title", "USB stick"))
        self._sticks = sticks
        self._settings = settings
        self._store = store

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        return (
            (tx("title", "Save to stick"), lambda: Push(self._save())),
            (tx("title", "Load from stick"), lambda: Push(self._list())),
        )

    # --- saving

    def _save(self) -> Screen:
        tx, title = self.tx, self.tx("title", "Save to stick")

        def work(job: Job) -> int:
            count = save(self._sticks, self._files(), self.ctx.now(), job.pause)
            fields = {"EVENT": "saved", "GAMES": count}
            log.info("%s games saved to a stick", count, extra={"journal": fields})
            return count

        def saved(count: int) -> Action:
            lines = (
                tx("line", "Saved and read back. You may pull the stick out."),
                tx.many("line", "{n} game is on it.", "{n} games are on it.", count),
            )
            return Replace(PageScreen(self.ctx, title, lines), signals=OK)

        line = tx("line", "Saving. Leave the stick in ...")
        return WorkScreen(self.ctx, title, line, work, saved)

    def _files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files of an archive; CardError if the card cannot be read."""
        try:
            for name, data in self.ctx.store.files():
                yield archive.GAMES + name, data
            if self._settings.exists():
                yield archive.SETTINGS, self._settings.read_bytes()
        except OSError as error:
            log.warning("the card failed: %s", error)
            raise CardError("card") from error

    # --- loading

    def _list(self) -> Screen:
        title = self.tx("title", "Load which?")

        def find(_: Job) -> list[str]:
            with using(self._sticks, write=False) as folder:
                return archive.saved_in(folder)

        def listed(found: list[str]) -> Action:
            def choose(index: int) -> Action:
                return Push(self._read(found[index]))

            labels = tuple(map(archive.time_of, found))
            return Replace(ListScreen(self.ctx, title, labels, choose), signals=())

        line = self.tx("line", "Reading. Leave the stick in ...")
        return WorkScreen(self.ctx, title, line, find, listed)

    def _read(self, name: str) -> Screen:
        def work(job: Job) -> dict[str, bytes]:
            with using(self._sticks, write=False) as folder:
                return archive.read(folder / name, job.pause)

        def found(files: dict[str, bytes]) -> Action:
            return Replace(self._confirm_loading(name, files), signals=())

        line = self.tx("line", "Reading. Leave the stick in ...")
        return WorkScreen(self.ctx, self.title, line, work, found)

    def _confirm_loading(self, name: str, files: Mapping[str, bytes]) -> Screen:
        """Return the question whether to add the stick's content; "no" comes first."""
        tx = self.tx
        lines = (
            tx.many(
                "line", "{n} game of {when}.", "{n} games of {when}.", archive.count_games(files),
                when=archive.time_of(name),
            ),
            tx("line", "Those that are not here are added."),
        )  # fmt: skip
        items = (tx("item", "no"), tx("item", "only the games"), tx("item", "games and settings"))

        def load_if_confirmed(index: int) -> Action:
            if not index:
                return Pop(TICK)
            return Replace(self._load(files, with_settings=index == 2))

        return ListScreen(self.ctx, tx("title", "Load?"), items, load_if_confirmed, lines=lines)

    def _load(self, files: Mapping[str, bytes], *, with_settings: bool) -> Screen:
        games = {
            name.removeprefix(archive.GAMES): data
            for name, data in files.items()
            if name.startswith(archive.GAMES)
        }
        needed = sum(map(len, games.values())) + RESERVE_BYTES

        def load(_: None) -> Action:
            store = self.ctx.settings.store.path
            settings = archive.fitting_settings(files, store) if with_settings else None
            try:
                if shutil.disk_usage(self._store.parent).free < needed:
                    raise CardError("card")
                count = self.ctx.store.add_files(games.items())["added"]
                if settings is not None:
                    write_safely(self._settings, settings)
            except OSError as error:
                log.warning("the card failed: %s", error)
                raise CardError("card") from error
            fields = {"EVENT": "loaded", "GAMES": count}
            log.info("%s games loaded", count, extra={"journal": fields})
            return Quit(OK, "again")

        line = self.tx("line", "Loading. Beisitzer starts anew then ...")
        # runs in the loop, which writes the store; this screen is shown first
        return WorkScreen(self.ctx, self.tx("title", "Load?"), line, lambda _: None, load)
