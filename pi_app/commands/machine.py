"""What `beisitzer play` offers on a machine of its own: first start, Wi-Fi, sticks, updates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from pi_app.run.extras import Later, add_menu
from pi_app.run.loop import Companion
from pi_app.screens.base import Screen
from pi_app.screens.context import Context
from pi_app.settings.file import user_file
from pi_app.settings.schema import Settings
from pi_app.system.host import CARD, HELPER_SOCKET, WIFI_SOCKET, urls, version
from pi_app.texts.language import Text
from pi_app.view.output import Output

SCREENS: Final = ("oled", "window")
UPDATES = Path("/var/lib/beisitzer-update")
"""Where root's updater says how far it has come (`systemd/update.py`)."""


# --- a USB stick, a newer version


def add_stick(ctx: Context, helper: Path = HELPER_SOCKET) -> None:
    """Add the stick's menu to the System menu, if this machine has the helper."""
    store = ctx.store.path
    if store is None or not helper.is_socket():
        return

    def menu() -> Screen:
        from pi_app.card.stick import HelpersSticks  # a table without sticks does without
        from pi_app.card.stick_menu import StickMenu

        return StickMenu(ctx, HelpersSticks(), user_file(), store)

    add_menu(ctx, Text("title", "USB stick"), menu)


def add_updates(program: Companion, folder: Path = UPDATES, helper: Path = HELPER_SOCKET) -> None:
    """Watch for newer versions, where root's updater is installed and the games are kept."""
    if not (folder.is_dir() and helper.exists()) or program.ctx.store.path is None:
        return
    from pi_app.card.updates import Updates, UpdateWatch, system_items  # rarely needed

    updates = Updates(folder, version())
    program.ctx.system_items.append(partial(system_items, program.ctx, updates))
    program.follow(UpdateWatch(program, updates))


# --- a Wi-Fi of its own


def has_wifi_service(at: Path = WIFI_SOCKET) -> bool:
    """Tell whether this machine has the service for a Wi-Fi of its own."""
    return at.is_socket()


def add_own_wifi(program: Companion, *, scripted: bool, at: Path = WIFI_SOCKET) -> None:
    """Add the menu of the own Wi-Fi, and tell its service what the settings want."""
    if scripted or not has_wifi_service(at):
        return
    ctx = program.ctx

    def make() -> Output:
        from pi_app.network.follow import WifiFollower  # a table without it does without

        return WifiFollower(ctx)

    def menu() -> Screen:
        from pi_app.network.pages import OwnWifiMenu  # as above

        return OwnWifiMenu(ctx)

    # from the first time on that it is wanted
    program.follow(Later(ctx.settings, lambda settings: settings.wifi.own != "never", make))
    add_menu(ctx, Text("title", "Own Wi-Fi"), menu)


def before_pairing(ctx: Context, pair: Callable[[], Screen]) -> Screen:
    """Return what lets a phone in: the way into the own Wi-Fi first, if it is open."""
    if ctx.settings.wifi.own == "never":
        return pair()
    from pi_app.network.pages import before_pairing as show_code

    return show_code(ctx, pair)


def ask_network(ctx: Context, asked: Any) -> Mapping[str, Any]:
    """Answer what a phone asks about the Wi-Fi; called outside the loop."""
    from pi_app.network.phone import answer

    return answer(ctx, asked)


# --- the first start's questions


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
    ctx, store, pages = program.ctx, program.ctx.store.path, serves_pages()
    if store is None or not (card.exists() or helper.is_socket()):
        return
    if card.exists():
        from pi_app.card.machine import HeaderCheck, HelpersSystem  # for a card only

        ctx.urls = partial(urls, own_name=True)
        program.follow(HeaderCheck(program, HelpersSystem(), first=first))

    def start(**facts: Any) -> Any:
        from pi_app.card.first_start import FirstStart  # as above
        from pi_app.card.machine import HelpersSystem

        return FirstStart(ctx, HelpersSystem(), store, pages, own_wifi=_own_wifi(), **facts)

    def menu() -> Screen:
        from pi_app.card.first_start import MachineMenu  # as above

        return MachineMenu(start())

    add_menu(ctx, Text("title", "Machine"), menu)
    if first and ctx.store.game_on_table() is None:
        invite = partial(_welcome, program) if pages else None
        has_rig = partial(_has_rig, program)
        questions = start(invite=invite, finish=partial(_keep_screen, ctx), has_parts=has_rig)
        program.stack = [questions.begin()]


def serves_pages() -> bool:
    """Tell whether the library that serves pages for phones is installed."""
    return find_spec("uvicorn") is not None


def _has_rig(program: Companion) -> bool:
    return any(output.name == "rig" for output in program.outputs)


def _own_wifi() -> Callable[[Any], Screen] | None:
    """Return what makes the question about the own Wi-Fi, where the machine has its service."""
    if not has_wifi_service():
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
