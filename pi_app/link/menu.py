"""The menu "Club and home": the link's settings, how many wait and why, and what is assigned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Protocol

from engines.game import AnyPosition, Game, Result
from pi_app.files.replace import PRIVATE, write_safely
from pi_app.link.hub_page import HubAnswer
from pi_app.link.joining import join_screen
from pi_app.link.offer import Offers, OfferScreen
from pi_app.link.protocol import LinkStatus, OutboxState
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Greyed,
    Item,
    ListScreen,
    Open,
    PageScreen,
    Pop,
    Push,
    Stay,
    grey_if,
)
from pi_app.screens.context import Context
from pi_app.screens.keeping.changing import SettingsMenu, change, not_stored_page
from pi_app.screens.keeping.every_setting import setting_screen
from pi_app.screens.keeping.setting_words import describe
from pi_app.screens.text_entry import PasswordEntry
from pi_app.settings.schema import LINK_PASSWORD
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.texts.printable import shorten

MOST_PASSWORD = 128
SHOWN_ID = 16
"""Characters of an id that are shown: those of a store are as many."""
TIME = "time"
"""The reason of a game that ended because its round did."""
SHOWN = ("host", "port", "user", "ca", "insecure", "home_assistant", "names")
"""The settings of the menu, in its order."""


class Waiting(Protocol):
    """An outbox, as the menu sees it."""

    @property
    def waiting(self) -> int:
        """How many events wait."""

    def state(self) -> OutboxState:
        """Return where it stands."""


class LinkView(Protocol):
    """The link, as the menu sees it; `status` is None while its process is not there."""

    ctx: Context
    status: LinkStatus | None
    offers: Offers

    @property
    def outbox(self) -> Waiting:
        """What waits for the hub."""

    def call_for_help(self) -> None:
        """Tell the hub that somebody should come."""

    def round_game(self) -> Table | None:
        """Return the game on the table if it goes on and belongs to a round."""

    def begin_anew(self) -> None:
        """Let the link connect anew, because its password has changed."""

    def ask_hub(self, host: str, port: int, authority: str = "", code: str = "") -> int:
        """Let the link's process ask a hub's page; return the question's number."""

    def hub_answer(self, number: int) -> HubAnswer | None:
        """Return the answer to a question; None while there is none."""


class LinkMenu(SettingsMenu):
    """Everything about the link."""

    def __init__(self, ctx: Context, link: LinkView) -> None:
        super().__init__(ctx)
        self.link = link

    def heading(self) -> str:
        return self.tx("item", "Club and home")

    def entries(self) -> tuple[Item, ...]:
        tx, settings, offer = self.tx, self.ctx.settings.link, self.link.offers.assignment
        switch = tx("item", "Link: on") if settings.enabled else tx("item", "Link: off")
        no_name = "" if settings.user else tx("line", "Give the table its name first.")
        is_off = "" if settings.enabled else tx("line", "Switch the link on first.")
        no_round = tx("line", "Nothing is assigned to this table now.")
        no_game = tx("line", "No game of a round goes on here.")
        number = offer.round if offer else ""
        return (
            (switch, grey_if("" if settings.enabled else no_name, self._switch)),
            (tx("title", "Join a club"), self._join),
            (tx("item", "Waiting: {n}", n=self.link.outbox.waiting), self._status),
            (
                tx("title", "Round {n}", n=number).rstrip(),
                self._offer if offer else Greyed(no_round),
            ),
            (tx("item", "Call for help"), grey_if(is_off, self._help)),
            (tx("item", "Time is up"), self._end() or Greyed(no_game)),
            (tx("title", "Password"), self._password),
            *((describe(self.ctx, f"link.{name}"), partial(self._open, name)) for name in SHOWN),
        )

    def _switch(self) -> Action:
        return self._change("link.enabled", not self.ctx.settings.link.enabled)

    def _join(self) -> Action:
        return Push(TICK, screen=join_screen(self.ctx, self.link))

    def _status(self) -> Action:
        lines = status_lines(self.tx, self.ctx.settings.link.enabled, self.link)
        return Push(TICK, screen=PageScreen(self.ctx, self.heading(), lines))

    def _offer(self) -> Action:
        return Push(TICK, screen=OfferScreen(self.ctx, self.link.offers))

    def _end(self) -> Callable[[], Action] | None:
        """Return what asks before a round's game is settled as it stands; None without one."""
        table = self.link.round_game()
        if table is None:
            return None

        def answer(index: int) -> Action:
            if not index:  # "no"
                return Pop(TICK)
            self.ctx.store.end(table.id, time_result(table.game, table.position))
            return Open(OK)

        labels = (self.tx("item", "no"), self.tx("item", "yes"))
        title = self.tx("title", "End the game?")
        return lambda: Push(TICK, screen=ListScreen(self.ctx, title, labels, answer))

    def _help(self) -> Action:
        self.link.call_for_help()
        return Stay(OK)

    def _open(self, name: str) -> Action:
        return Push(TICK, screen=setting_screen(self.ctx, f"link.{name}"))

    def _password(self) -> Action:
        return Push(
            TICK,
            screen=PasswordEntry(
                self.ctx,
                self.tx("title", "Password"),
                "",
                MOST_PASSWORD,
                lambda text: "" if text.strip() else self.tx("verdict", "nothing keyed yet"),
                self._keep_password,
            ),
        )

    def _keep_password(self, password: str) -> Action:
        store = self.ctx.store.path
        if store is None:
            return Push(BAD, screen=not_stored_page(self.ctx, self.heading()))
        path = store.with_name(LINK_PASSWORD)
        try:
            write_safely(path, f"{password}\n".encode(), PRIVATE)
        except OSError:
            return Push(BAD, screen=not_stored_page(self.ctx, self.heading()))
        if self.ctx.settings.link.password_file == str(path):
            self.link.begin_anew()
            return Stay(OK)
        return self._change("link.password_file", str(path))

    def _change(self, key: str, value: object) -> Action:
        if change(self.ctx, key, value):
            return Stay(OK)
        return Push(BAD, screen=not_stored_page(self.ctx, self.heading()))


def time_result(game: Game, position: AnyPosition) -> Result:
    """Return how a game stands whose round has run out of time; a draw in a game without points."""
    if game.score is None:
        return Result((), TIME)
    return replace(game.score(position), reason=TIME)


_WHY: Mapping[str, Callable[[Texts], str]] = {
    "off": lambda tx: tx("line", "the link has ended"),
    "settings": lambda tx: tx("line", "name or password is missing"),
    "name": lambda tx: tx("line", "the broker's name is unknown"),
    "broker": lambda tx: tx("line", "the broker does not answer"),
    "certificate": lambda tx: tx("line", "the certificate is not the broker's"),
    "login": lambda tx: tx("line", "the broker refuses the password"),
    "version": lambda tx: tx("line", "the broker has no MQTT 5"),
    "rights": lambda tx: tx("line", "the broker forbids it"),
    "twice": lambda tx: tx("line", "the same card is in two machines"),
    "hub": lambda tx: tx("line", "another hub answers than before"),
    "waiting": lambda tx: tx("line", "no hub has answered yet"),
    "": lambda tx: tx("line", "connected"),
}


def why_words(tx: Texts, on: bool, status: LinkStatus | None) -> str:  # noqa: FBT001
    """Return why nothing goes up, or that the link is connected."""
    if not on:
        return tx("line", "the link is off")
    if status is None:
        return tx("line", "the link does not run")
    return _WHY[status.why](tx)


def status_lines(tx: Texts, on: bool, link: LinkView) -> tuple[str, ...]:  # noqa: FBT001
    """Return how many wait, why, and which store and hub this is, for those who compare."""
    state = link.outbox.state()
    why = why_words(tx, on, link.status)
    lines = [tx.many("line", "{n} result waits.", "{n} results wait.", state.waiting), why]
    if link.status is not None and link.status.detail:
        lines.append(link.status.detail)
    lines.append(tx("line", "Store {id}", id=state.store))
    if state.hub:
        lines.append(tx("line", "Hub {id}", id=shorten(state.hub, SHOWN_ID)))
    return tuple(lines)


def notice(link: LinkView) -> str:
    """Return how many wait and why, for the first screen; "" while nothing waits."""
    count = link.outbox.waiting
    is_fine = link.status is not None and link.status.connected and not link.status.why
    on = link.ctx.settings.link.enabled
    if not on or (is_fine and not count):
        return ""
    tx = link.ctx.texts
    why = why_words(tx, on, link.status)
    if not count:
        return tx("line", "Club: {why}", why=why)
    return tx("line", "{n} wait: {why}", n=count, why=why)
