"""The phones' menu at the table: switch phones on, pair one with a code, forget one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from hardware.keys import Key
from pi_app.phones.pairing import Browser, Pairing
from pi_app.phones.protocol import WebSettings
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Item,
    ListScreen,
    MenuScreen,
    Pop,
    Push,
    Screen,
    Stay,
    Uncover,
    grey_if,
)
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import change, not_stored_page
from pi_app.texts.common import day_words
from pi_app.view.frame import Board, Body, Extras, Frame, Header, Viewers, soft

LOOK_S = 0.2
"""Seconds between two checks whether the pages are served."""
OFFER_S = 3600.0
"""How long the first start offers pairing, in seconds."""


def pages_port(ctx: Context) -> int:
    """Return the port on which pages are served: the system's on an appliance."""
    return 80 if ctx.appliance else ctx.settings.of(WebSettings).port


class PhoneMenu(MenuScreen):
    """Switches phones on or off, lets phones in, lists the paired ones."""

    viewers = Viewers.ALL

    def __init__(self, ctx: Context, pairing: Pairing, invite: Callable[[], Screen]) -> None:
        super().__init__(ctx, ctx.texts("title", "Phone"))
        self.pairing = pairing
        self._invite = invite

    def entries(self) -> tuple[Item, ...]:
        tx, on = self.tx, self.ctx.settings.of(WebSettings).enabled
        state = tx("item", "Phones: on") if on else tx("item", "Phones: off")
        off = "" if on else tx("line", "Switch phones on first.")
        pair = grey_if(off, lambda: Push(self._invite()))
        count = len(self.pairing.browsers)
        none = "" if count else tx("line", "No phone is paired.")
        paired = grey_if(none, lambda: Push(PhoneList(self.ctx, self.pairing)))
        return (
            (state, self._switch),
            (tx("item", "Let everybody in"), pair),
            (tx("item", "Paired phones: {count}", count=count), paired),
        )

    def _switch(self) -> Action:
        if change(self.ctx, "web.enabled", not self.ctx.settings.of(WebSettings).enabled):
            return Stay(OK)
        return Push(not_stored_page(self.ctx, self.title), signals=BAD)


class PhoneList(MenuScreen):
    """The paired phones; choosing one asks whether to forget it. No phone shows this list."""

    def __init__(self, ctx: Context, pairing: Pairing) -> None:
        super().__init__(ctx, ctx.texts("title", "Phone"))
        self.pairing = pairing

    def entries(self) -> tuple[Item, ...]:
        return tuple(
            (browser.name, partial(self._confirm_forgetting, browser))
            for browser in self.pairing.browsers
        )

    def _confirm_forgetting(self, browser: Browser) -> Action:
        return Push(ForgetScreen(self.ctx, self.pairing, browser))


class ForgetScreen(ListScreen):
    """Asks before a browser is forgotten; "no" is the first answer."""

    def __init__(self, ctx: Context, pairing: Pairing, browser: Browser) -> None:
        tx = ctx.texts
        day = tx("line", "Let in: {day}", day=day_words(tx, browser.since))
        labels = (tx("item", "no"), tx("item", "yes"))
        title = tx("title", "Forget it?")
        super().__init__(ctx, title, labels, self._forget, lines=(browser.name, day))
        self.pairing = pairing
        self.browser = browser

    def _forget(self, index: int) -> Action:
        if index == 0:  # "no"
            return Pop(TICK)
        self.pairing.forget(self.browser.mark)
        # without a phone left, the list below closes too
        return Pop(OK, None if self.pairing.browsers else Pop)


class PairScreen(Screen):
    """Shows the address and one code for everybody, as text and as a QR code, and counts phones.

    The code appears as soon as a phone could use it. When it expires, the game appears again.
    Closing the screen by a key makes it invalid.
    """

    takes_held_menu = True

    def __init__(self, ctx: Context, pairing: Pairing) -> None:
        super().__init__(ctx)
        self.pairing = pairing
        self._look_at: float | None = ctx.clock()
        """When to check again whether the pages are served; None once the code was shown."""
        self._show_code()

    def _show_code(self) -> None:
        """Show the code if a phone could use it."""
        if self.pairing.is_served():
            self.pairing.invite()
            self._look_at = None
        else:
            self._look_at = self.ctx.clock() + LOOK_S

    def frame(self) -> Frame:
        tx, digits = self.tx, self.pairing.code
        urls = self.ctx.urls(pages_port(self.ctx))
        address = urls[0].removeprefix("http://") if urls else tx("line", "No network.")
        waits = bool(urls) and self._look_at is not None
        lines = [tx("line", "A moment ...") if waits else address]
        if count := self.pairing.joined:
            lines.append(tx.many("line", "{n} is in", "{n} are in", count))
        return Frame(
            Header(tx("title", "Phone")),
            Body(big=f"{digits[:3]} {digits[3:]}".strip(), lines=tuple(lines)),
            board=Board(
                code=matrix(f"{urls[0]}/pair#{digits}") if urls and digits else (), close_up=True
            ),
            extras=Extras(details=tuple(url.removeprefix("http://") for url in urls[1:])),
            keys=soft((Key.BACK, tx("soft", "back"))),
        )

    def press(self, key: Key) -> Action:
        if key in (Key.BACK, Key.BACK_HELD, Key.MENU, Key.MENU_HELD):
            self.pairing.hide_code()
            return Pop(TICK)
        return Stay(BAD)

    def deadline(self) -> float:
        if self._look_at is not None:
            return self._look_at
        return self.pairing.until if self.pairing.code else 0.0  # 0: at once

    def expire(self) -> Action:
        if self._look_at is None:
            return Uncover()
        self._show_code()
        return Stay()


class WelcomeScreen(PairScreen):
    """Shows how a phone joins until one has or a key is pressed; each code is followed by another.

    It ends after an hour, or after as many wrong guesses as one code allows. `end` is called with
    whether a phone was paired.
    """

    def __init__(self, ctx: Context, pairing: Pairing, end: Callable[[bool], None]) -> None:
        super().__init__(ctx, pairing)
        pairing.welcomes = True
        self._end = end
        self._until = ctx.clock() + OFFER_S

    def _leave(self, *, joined: bool) -> None:
        self.pairing.welcomes = False
        self._end(joined)

    def press(self, key: Key) -> Action:
        del key
        self.pairing.hide_code()
        self._leave(joined=False)
        return Pop(TICK)

    def deadline(self) -> float:
        return 0.0 if self.pairing.joined else super().deadline()

    def expire(self) -> Action:
        if self.pairing.joined:
            self._leave(joined=True)
            return Pop(OK)
        if self._look_at is not None:
            return super().expire()
        self.pairing.next_code()
        if self.ctx.clock() >= self._until or not self.pairing.code:
            self.pairing.hide_code()
            self._leave(joined=False)
            return Pop(TICK)
        return Stay()


@lru_cache(maxsize=1)
def matrix(text: str) -> tuple[str, ...]:
    """Return a text as the smallest QR code: rows of modules, "#" for a dark one."""
    import segno  # only this screen needs it

    # least error correction: the smallest code; phones do not read Micro QR codes
    code = segno.make(text, error="l", micro=False, boost_error=False)
    return tuple("".join("#" if module else " " for module in row) for row in code.matrix)
