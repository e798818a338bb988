"""Results for a club, and the link's place at the companion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pi_app.commands.phones import service_switch
from pi_app.run.extras import Extra, LaterExtra, add_menu
from pi_app.run.loop import Companion
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.texts.language import Text


class ClubPart:
    """The club's part of a table; nothing of it is imported before it is wanted."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._made: tuple[Any, Any] | None = None
        # before the first game; one of a club may also be corrected after the club was switched off
        if ctx.settings.club.enabled or ctx.store.recall("club") is not None:
            self.parts()

    def parts(self) -> tuple[Any, Any]:
        """Return the outbox, which follows the store's games from now on, and what is assigned."""
        if self._made is None:
            from pi_app.link.offer import Offers  # a table without a club does without
            from pi_app.link.outbox import Outbox

            ctx = self._ctx
            outbox = Outbox(
                ctx.store,
                lambda: ctx.settings.club.enabled,
                lambda: ctx.settings.club.names,
                lambda: offers.evening,
                ctx.now,
            )
            offers = Offers(ctx, outbox)
            ctx.store.follow(outbox)
            self._made = outbox, offers
        return self._made


def add_link(program: Companion, club: ClubPart, phones: Callable[[], Any]) -> None:
    """Let the link's process in while the settings want it, and add its menu.

    `phones` returns the output that has the socket.
    """
    ctx = program.ctx
    switch = service_switch(ctx, "link")

    def make() -> Extra:
        from pi_app.link.table import LinkAtTable  # a table without a club does without

        return LinkAtTable(program, *club.parts(), phones, switch)

    if switch is not None and switch.is_on and not is_wanted(ctx.settings):
        switch(on=False)
    later = LaterExtra(ctx.settings, is_wanted, make)
    later.name = "link"
    add_menu(ctx, Text("item", "Club and home"), later.menu)
    if is_wanted(ctx.settings):
        later.make_now()  # before the first frame, which says what waits
    program.follow(later)


def is_wanted(settings: Settings) -> bool:
    """Tell whether the settings want a link: to a club, or to a smart home."""
    return settings.club.enabled or settings.home.enabled
