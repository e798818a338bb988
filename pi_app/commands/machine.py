"""Asks the first start's questions on a flashed card, and offers them under System."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from pi_app.commands.own_wifi import has_service
from pi_app.run.loop import Companion
from pi_app.screens.base import TICK, Item, Push, Screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.system.host import CARD, HELPER_SOCKET, urls

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
    program: Companion, *, first: bool, card: Path = CARD, helper: Path = HELPER_SOCKET
) -> None:
    """Add the machine's menu to the System menu; begin the `first` start if that is due."""
    ctx = program.ctx
    if ctx.store.path is None or not (card.exists() or helper.is_socket()):
        return
    if card.exists():
        from pi_app.card.machine import HeaderCheck, HelpersSystem  # for a card only

        ctx.urls = partial(urls, own_name=True)
        program.follow(HeaderCheck(program, HelpersSystem(), first=first))
    ctx.system_items.append(partial(_items, program, ctx.store.path))
    if first and ctx.store.game_on_table() is None:
        _begin(program, ctx.store.path)


def _items(program: Companion, store: Path) -> Sequence[Item]:
    def open_menu() -> Push:
        from pi_app.card.first_start import FirstStart, MachineMenu  # as above
        from pi_app.card.machine import HelpersSystem

        start = FirstStart(
            program.ctx, HelpersSystem(), store, serves_pages(), own_wifi=_own_wifi()
        )
        return Push(TICK, screen=MachineMenu(start))

    return ((program.ctx.texts("title", "Machine"), open_menu),)


def serves_pages() -> bool:
    """Tell whether the library that serves pages for phones is installed."""
    return find_spec("uvicorn") is not None


def _begin(program: Companion, store: Path) -> None:
    """Show the first start instead of the first menu."""
    from pi_app.card.first_start import FirstStart  # for a card only
    from pi_app.card.machine import HelpersSystem

    ctx, pages = program.ctx, serves_pages()
    invite = partial(_welcome, program) if pages else None
    finish = partial(_keep_screen, ctx)
    start = FirstStart(
        ctx, HelpersSystem(), store, pages, invite, finish, _own_wifi(), partial(_has_rig, program)
    )
    program.stack = [start.begin()]


def _has_rig(program: Companion) -> bool:
    return any(output.name == "rig" for output in program.outputs)


def _own_wifi() -> Callable[[Any], Screen] | None:
    """Return what makes the question about the own Wi-Fi, where the machine has its service."""
    if not has_service():
        return None
    from pi_app.network.pages import OwnWifiQuestion  # as above

    return OwnWifiQuestion


def _welcome(program: Companion) -> Screen:
    """Return the page that shows how a phone joins; phones are let in while it is on show."""
    from pi_app.phones.menu import PairScreen, WelcomeScreen  # a table without phones does without
    from pi_app.screens.players_and_settings.changing import change

    ctx = program.ctx
    page = program.invitation() if program.invitation is not None else None
    if not isinstance(page, PairScreen):
        raise TypeError("no phones can join")

    def let_in(*, on: bool) -> None:
        ctx.settings = replace(ctx.settings, web=replace(ctx.settings.web, enabled=on))

    def end(joined: bool) -> None:  # the page calls it so
        if joined:  # this one stays
            change(ctx, "web.enabled", value=True)
        else:
            let_in(on=False)

    let_in(on=True)
    return WelcomeScreen(ctx, page.pairing, end)


def _keep_screen(ctx: Context) -> None:
    """Keep the screen that is plugged in: without a desktop only the settings tell of it."""
    if ctx.settings.display.show == SCREENS and _has_screen():
        from pi_app.screens.players_and_settings.changing import change

        change(ctx, "display.show", SCREENS)


def _has_screen() -> bool:
    """Tell whether a screen is plugged in."""
    connectors = Path("/sys/class/drm").glob("card*-*/status")
    return any(path.read_text().strip() == "connected" for path in connectors)
