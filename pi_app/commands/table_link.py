"""Results for a club, and the link's place at the companion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from pi_app.commands.phones import service_switch
from pi_app.run.extras import Extra, Later
from pi_app.run.loop import Companion
from pi_app.screens.base import TICK, Item, Push
from pi_app.screens.context import Context
from pi_app.store.database import Database
from pi_app.store.store import Follower


class Club:
    """The club's part of a table; nothing of it is imported before it is wanted."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._outbox: Follower | None = None
        # a game that began for a club may be corrected after the link was switched off
        used = ctx.store.recall("outbox") is not None or ctx.store.recall_under("link/")
        if ctx.settings.link.enabled or used:
            self.outbox()

    def outbox(self) -> Follower:
        """Return the outbox, which follows the store's games, from now on if it did not yet."""
        if self._outbox is None:
            self._outbox = self._ctx.store.follow(self._open)
        return self._outbox

    def _open(self, db: Database) -> Follower:
        from pi_app.link.outbox import Outbox, joined_by  # a table without a club does without

        ctx = self._ctx
        return Outbox(db, lambda: joined_by(ctx.settings.link), ctx.now)


class LaterLink(Later):
    """The companion's end of the link, made when it is switched on or its menu is opened."""

    name = "link"

    def poll(self) -> None:
        if self._made is not None:
            self._made.poll()

    def poll_every_s(self) -> float | None:
        return None if self._made is None else self._made.poll_every_s()


def add_link(program: Companion, club: Club, phones: Callable[[], Extra]) -> None:
    """Let the link's process in while the settings want it, and add its menu.

    `phones` returns the output that has the socket.
    """
    ctx = program.ctx
    switch = service_switch(ctx, "link")

    def make() -> Extra:
        from pi_app.link.outbox import Outbox  # a table without a club does without
        from pi_app.link.table import LinkAtTable
        from pi_app.phones.output import Phones

        outbox = cast(Outbox, club.outbox())
        return LinkAtTable(program, outbox, lambda: cast(Phones, phones()), switch)

    def items() -> Sequence[Item]:
        name = ctx.texts("item", "Club and home")
        return ((name, lambda: Push(TICK, screen=later.menu())),)

    if switch is not None and switch.is_on and not ctx.settings.link.enabled:
        switch(on=False)
    later = LaterLink(ctx.settings, lambda settings: settings.link.enabled, make)
    ctx.system_items.append(items)
    if ctx.settings.link.enabled:
        later.make_now()  # before the first frame, which says what waits
    program.follow(later)
