"""Asks the first start's questions on a flashed card, and offers them under System."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pi_app.files.host import urls
from pi_app.run.loop import Companion
from pi_app.screens.base import TICK, Item, Push, Screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings

CARD = Path("/etc/beisitzer-card")
HELPER = Path("/run/beisitzer-helper.sock")
SCREENS: Final = ("oled", "window")


def is_first_start(store: Path | None, *, card: Path = CARD) -> bool:
    """Tell whether this table, a flashed card, has not been asked yet what it has."""
    if store is None or not card.exists():
        return False
    from pi_app.card.first_start import DONE, read_progress  # for a card only

    return read_progress(store) != DONE


def show_everywhere(settings: Settings) -> Settings:
    """Return the settings with every display, because nobody has said yet which ones there are."""
    if settings.display.show != "auto":
        return settings
    return replace(settings, display=replace(settings.display, show=SCREENS))


def add_machine(
    program: Companion, *, first: bool, card: Path = CARD, helper: Path = HELPER
) -> None:
    """Add the machine's menu to the System menu; begin the `first` start if that is due."""
    ctx = program.ctx
    if ctx.store.path is None or not (card.exists() or helper.is_socket()):
        return
    if card.exists():
        ctx.urls = partial(urls, own_name=True)
    ctx.system_items.append(partial(_items, program, ctx.store.path))
    if first and ctx.store.game_on_table() is None:
        _begin(program, ctx.store.path)


def _items(program: Companion, store: Path) -> Sequence[Item]:
    def open_menu() -> Push:
        from pi_app.card.first_start import FirstStart, MachineMenu  # as above
        from pi_app.card.machine import HelpersSystem

        start = FirstStart(program.ctx, HelpersSystem(), store, serves_pages())
        return Push(TICK, screen=MachineMenu(start))

    return ((program.ctx.texts("item", "Machine"), open_menu),)


def serves_pages() -> bool:
    """Tell whether the library that serves pages for phones is installed."""
    return find_spec("uvicorn") is not None


def _begin(program: Companion, store: Path) -> None:
    """Show the first start instead of the first menu.

    Phones may join until its end, because there may be no other keys.
    """
    from pi_app.card.first_start import FirstStart  # for a card only
    from pi_app.card.machine import HelpersSystem

    ctx, pages = program.ctx, serves_pages()
    was_on = ctx.settings.web.enabled
    if pages:
        ctx.settings = _with_phones(ctx.settings, on=True)

    def finish() -> None:
        ctx.settings = _with_phones(ctx.settings, on=was_on)
        _keep(program, pages=pages)

    start = FirstStart(
        ctx,
        HelpersSystem(),
        store,
        pages,
        partial(_welcome, program) if pages else None,
        finish,
    )
    program.stack = [start.begin()]


def _with_phones(settings: Settings, *, on: bool) -> Settings:
    return replace(settings, web=replace(settings.web, enabled=on))


def _welcome(program: Companion) -> Screen:
    from pi_app.phones.menu import PairScreen, WelcomeScreen  # a table without phones does without

    page = program.invitation() if program.invitation is not None else None
    if not isinstance(page, PairScreen):
        raise TypeError("no phones can join")
    return WelcomeScreen(program.ctx, page.pairing)


def _keep(program: Companion, *, pages: bool) -> None:
    """Keep what the first start has shown to be there: phones, a screen."""
    from pi_app.phones.menu import PhoneMenu
    from pi_app.screens.keeping.changing import change

    ctx = program.ctx
    menu = program.phones() if pages else None
    if isinstance(menu, PhoneMenu) and menu.pairing.browsers:
        change(ctx, "web.enabled", value=True)
    if _has_screen(ctx):
        change(ctx, "display.show", SCREENS)


def _has_screen(ctx: Context) -> bool:
    """Tell whether a screen is plugged in that the settings do not know of."""
    connectors = Path("/sys/class/drm").glob("card*-*/status")
    plugged = any(path.read_text().strip() == "connected" for path in connectors)
    return plugged and ctx.settings.display.show == SCREENS
