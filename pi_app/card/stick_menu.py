"""The menu of the USB stick: save everything to it, load from it, and undo that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pi_app.card.archive import About, Fetched
from pi_app.card.machine_pages import WaitingScreen
from pi_app.card.stick import Plugged, StickError, Sticks, archives_on
from pi_app.card.transfer import Transfer
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
from pi_app.texts.language import Text
from pi_app.texts.printable import printable

T = TypeVar("T")

_SENTENCES = {
    "no-helper": Text("line", "Sticks cannot be used here: install Beisitzer anew."),
    "no-stick": Text("line", "No stick is plugged in."),
    "gone": Text("line", "The stick was pulled out too early. Nothing here was changed."),
    "kind": Text("line", "This stick has another file system. FAT or exFAT is needed."),
    "full": Text("line", "The stick is full."),
    "read-only": Text("line", "This stick cannot be written. Is it locked?"),
    "failing": Text("line", "This stick fails. Take another one."),
    "differs": Text("line", "This stick does not give back what was written. Take another one."),
    "none": Text("line", "No saved games are on this stick."),
    "damaged": Text("line", "This file is damaged. Nothing here was changed."),
    "newer": Text("line", "A newer Beisitzer saved this. Update this one first."),
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
        self._begin: Callable[[], Transfer] = lambda: Transfer(ctx, sticks, settings, store)

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        return (
            (tx("title", "Save to stick"), lambda: self._look(self._save)),
            (tx("title", "Load from stick"), lambda: self._look(self._list)),
        )

    def _look(self, use: Callable[[Plugged], Screen]) -> Action:
        """Go on with the one stick, or let people choose one of several."""

        def found(sticks: list[Plugged]) -> Action:
            if len(sticks) == 1:
                return Replace(screen=use(sticks[0]))
            if not sticks:
                raise StickError("no-stick")

            def choose(index: int) -> Action:
                return Replace(TICK, screen=use(sticks[index]))

            labels = tuple(_label(each) for each in sticks)
            return Replace(
                screen=ListScreen(self.ctx, self.tx("title", "Which one?"), labels, choose)
            )

        line = self.tx("line", "Looking for a stick ...")
        find = self._begin().sticks.plugged
        return Push(TICK, screen=WorkScreen(self.ctx, self.title, line, lambda _: find(), found))

    def _save(self, stick: Plugged) -> Screen:
        title, transfer = self.tx("title", "Save to stick"), self._begin()

        def saved(about: About) -> Action:
            games = self.tx.many("line", "{n} game is on it.", "{n} games are on it.", about.games)
            lines = (
                self.tx("line", "Saved and read back. You may pull the stick out."),
                games,
            )
            return Replace(OK, screen=PageScreen(self.ctx, title, lines))

        line = self.tx("line", "Saving. Leave the stick in ...")
        return WorkScreen(self.ctx, title, line, lambda job: transfer.save(job, stick.name), saved)

    def _list(self, stick: Plugged) -> Screen:
        title, sticks = self.tx("title", "Load from stick"), self._begin().sticks

        def listed(found: list[tuple[str, About]]) -> Action:
            return Replace(screen=Archives(self.ctx, self._begin, stick, found))

        line = self.tx("line", "Reading. Leave the stick in ...")
        return WorkScreen(self.ctx, title, line, lambda _: archives_on(sticks, stick.name), listed)


class Archives(ListScreen):
    """The saved states on a stick, to load one."""

    def __init__(
        self,
        ctx: Context,
        begin: Callable[[], Transfer],
        stick: Plugged,
        found: list[tuple[str, About]],
    ) -> None:
        tx = ctx.texts
        title = tx("title", "Load which?")
        # the time, and how many games
        labels = tuple(f"{_when(about)}: {about.games}" for _, about in found)
        super().__init__(ctx, title, labels, self._open)
        self._begin = begin
        self._stick = stick
        self._found = found

    def _open(self, index: int) -> Action:
        name, _ = self._found[index]
        transfer, stick = self._begin(), self._stick.name
        line = self.tx("line", "Reading. Leave the stick in ...")
        work = WorkScreen(
            self.ctx,
            self.title,
            line,
            lambda job: transfer.fetch(job, stick, name),
            lambda other: Replace(screen=AskScreen(self.ctx, self._begin, other)),
        )
        return Push(TICK, screen=work)


class AskScreen(ListScreen):
    """Asks whether to add what is on the stick; "no" comes first."""

    def __init__(self, ctx: Context, begin: Callable[[], Transfer], other: Fetched) -> None:
        tx = ctx.texts
        games, when = other.about.games, _when(other.about)
        lines = [
            tx.many("line", "{n} game of {when}.", "{n} games of {when}.", games, when=when),
            tx("line", "Those that are not here are added."),
        ]
        if other.unfit:  # an OLED has no room for three: time and number were in the list before
            lines = [
                tx("line", "Games not here are added."),
                tx("line", "Its settings do not fit: yours stay."),
            ]
        labels = [tx("item", "no"), tx("item", "only the games")]
        if other.settings is not None:
            labels.append(tx("item", "games and settings"))
        super().__init__(
            ctx,
            tx("title", "Load?"),
            tuple(labels),
            self._answer,
            lines=tuple(lines),
            leave=self._refuse,
        )
        self._begin = begin
        self._other = other

    def _answer(self, index: int) -> Action:
        if not index:
            return self._refuse()
        return Replace(TICK, screen=self._load(settings=index == 2))

    def _refuse(self) -> Action:
        self._begin().forget()
        return Pop(TICK)

    def _load(self, *, settings: bool) -> Screen:
        transfer = self._begin()

        def load(_: None) -> Action:
            transfer.take(self._other, settings=settings)
            return Quit(OK, "again")

        line = self.tx("line", "Loading. Beisitzer starts anew then ...")
        # in the loop, which writes the store: this screen is shown before
        return WorkScreen(self.ctx, self.title, line, lambda _: None, load, transfer.forget)


def _label(stick: Plugged) -> str:
    size = f"{stick.size / 1e9:.0f} GB" if stick.size >= 1e9 else f"{stick.size / 1e6:.0f} MB"
    return f"{printable(stick.label)[:16] or stick.name}, {size}"


def _when(about: About) -> str:
    return about.saved.astimezone().strftime("%Y-%m-%d %H:%M")
