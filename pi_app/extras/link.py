"""Results for a club, and the link's place at the companion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from pi_app.extras.services import service_switch
from pi_app.run.extras import Extra, Start, add_menu
from pi_app.run.loop import Companion
from pi_app.screens.base import Screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings, value_of
from pi_app.texts.language import Text
from pi_app.view.output import DeferredOutput, Output


class ClubPart:
    """The club's part of a table, imported when it is needed."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._made: tuple[Any, Any] | None = None
        # before the first game; a club's game may be corrected even after the club was switched off
        if _is_on(ctx.settings, "club") or ctx.store.recall("club") is not None:
            self.parts()

    def parts(self) -> tuple[Any, Any]:
        """Return the outbox, which follows the store's games from now on, and the assignments."""
        if self._made is None:
            from pi_app.link.offer import Offers
            from pi_app.link.outbox import Outbox
            from pi_app.link.settings import ClubSettings

            ctx = self._ctx
            outbox = Outbox(
                ctx.store,
                lambda: ctx.settings.of(ClubSettings).enabled,
                lambda: ctx.settings.of(ClubSettings).names,
                lambda: offers.evening,
                ctx.now,
            )
            offers = Offers(ctx, outbox)
            ctx.store.notes_on_new_game = outbox.notes
            ctx.store.on_result = outbox.changed
            self._made = outbox, offers
        return self._made


class LinkExtra(Extra):
    """Lets the link's process in while the settings want it, and adds its menu."""

    def wanted(self, settings: Settings, start: Start) -> bool:
        return not start.ends  # a key script has no loop to answer the link

    def attach(self, program: Companion, start: Start) -> None:
        add_link(program, ClubPart(program.ctx), program.offered["phones"])


def add_link(program: Companion, club: ClubPart, phones: Callable[[], Any]) -> None:
    """Attach the link; `phones` returns the output that has the socket."""
    ctx = program.ctx
    switch = service_switch(ctx, "link")

    def make() -> Output:
        from pi_app.link.menu import notice
        from pi_app.link.table import LinkAtTable

        link = LinkAtTable(program, *club.parts(), phones, switch)
        ctx.notices.append(partial(notice, link))
        return link

    def menu() -> Screen:
        from pi_app.link.menu import LinkMenu

        return LinkMenu(ctx, later.make_now())

    def is_wanted() -> bool:
        return _is_on(ctx.settings, "club") or _is_on(ctx.settings, "home")

    if switch is not None and switch.is_on and not is_wanted():
        switch(on=False)
    later: DeferredOutput[Any] = DeferredOutput("link", is_wanted, make, dials=False)
    add_menu(ctx, Text("item", "Club and home"), menu)
    if is_wanted():
        later.make_now()  # before the first frame, which says how many results wait
    program.follow(later)


def _is_on(settings: Settings, table: str) -> bool:
    """Tell whether a table of settings is on, without importing its class if it is unset."""
    return table in settings.extras and bool(value_of(settings, f"{table}.enabled"))


LINK = LinkExtra()
