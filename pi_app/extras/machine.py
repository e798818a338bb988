"""Extras of a machine of its own: stick, updates, Wi-Fi, the first start's questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from pi_app.extras.services import serves_pages
from pi_app.run.extras import Extra, Start, add_menu
from pi_app.run.loop import Companion
from pi_app.screens.base import Screen
from pi_app.screens.context import Context
from pi_app.settings.file import user_file
from pi_app.settings.schema import Settings, value_of, with_value
from pi_app.system.host import CARD, HELPER_SOCKET, WIFI_SOCKET, urls, version
from pi_app.texts.language import Text
from pi_app.view.output import DeferredOutput, Output

SCREENS: Final = ("oled", "window")
UPDATES_FOLDER = Path("/var/lib/beisitzer-update")
"""The folder of root's updater (`systemd/update.py`)."""


class StickExtra(Extra):
    """The stick's menu under System, if this machine has the helper."""

    def __init__(self, helper: Path = HELPER_SOCKET) -> None:
        self._helper = helper

    def attach(self, program: Companion, start: Start) -> None:
        ctx, store = program.ctx, program.ctx.store.path
        if store is None or not self._helper.is_socket():
            return

        def menu() -> Screen:
            from pi_app.card.stick import Sticks
            from pi_app.card.stick_menu import StickMenu

            return StickMenu(ctx, Sticks(), user_file(), store)

        add_menu(ctx, Text("title", "USB stick"), menu)


class UpdatesExtra(Extra):
    """Watches for newer versions, if root's updater is installed and games are stored."""

    def __init__(self, folder: Path = UPDATES_FOLDER, helper: Path = HELPER_SOCKET) -> None:
        self._folder, self._helper = folder, helper

    def attach(self, program: Companion, start: Start) -> None:
        ctx = program.ctx
        if ctx.store.path is None or not (self._folder.is_dir() and self._helper.exists()):
            return
        from pi_app.card.updates import Updates, UpdateWatch, system_items

        updates = Updates(self._folder, version())
        ctx.system_items.append(partial(system_items, ctx, updates))
        program.follow(UpdateWatch(program, updates))


# --- a Wi-Fi of its own


class WifiExtra(Extra):
    """The menu of the own Wi-Fi; sends the settings to its service."""

    def __init__(self, at: Path = WIFI_SOCKET) -> None:
        self._at = at

    def wanted(self, settings: Settings, start: Start) -> bool:
        return not start.scripted and has_wifi_service(self._at)

    def attach(self, program: Companion, start: Start) -> None:
        ctx = program.ctx

        def follow() -> Output:
            from pi_app.network.follow import WifiFollower

            return WifiFollower(ctx)

        def menu() -> Screen:
            from pi_app.network.pages import OwnWifiMenu

            return OwnWifiMenu(ctx)

        program.follow(DeferredOutput("wifi", lambda: _wants_wifi(ctx), follow))
        add_menu(ctx, Text("title", "Own Wi-Fi"), menu)


def _wants_wifi(ctx: Context) -> bool:
    """Tell whether the settings want the own Wi-Fi."""
    return "wifi" in ctx.settings.extras and value_of(ctx.settings, "wifi.own") != "never"


def has_wifi_service(at: Path = WIFI_SOCKET) -> bool:
    """Tell whether this machine has the service for a Wi-Fi of its own."""
    return at.is_socket()


def before_pairing(ctx: Context, pair: Callable[[], Screen]) -> Screen:
    """Return the screen that pairs a phone, after the own Wi-Fi's code if that is open."""
    if not _wants_wifi(ctx):
        return pair()
    from pi_app.network.pages import before_pairing as show_code

    return show_code(ctx, pair)


def ask_network(ctx: Context, asked: Any) -> Mapping[str, Any]:
    """Answer a phone's request about the Wi-Fi; called outside the loop."""
    from pi_app.network.phone import answer_phone

    return answer_phone(ctx, asked)


# --- the first start's questions


class FirstStartExtra(Extra):
    """The first start of a flashed card that has not been set up."""

    def __init__(self, card: Path = CARD) -> None:
        self._card = card

    def attach(self, program: Companion, start: Start) -> None:
        ctx, store = program.ctx, program.ctx.store.path
        if store is None or not start.fresh or not is_first_start(store, card=self._card):
            return
        ctx.settings = show_everywhere(ctx.settings)
        program.offered["first-start"] = True
        if ctx.store.game_on_table() is None:
            program.beginning.append(partial(_begin, program, store))


class MachineExtra(Extra):
    """The machine's menu under System; on a card it also sets up the header."""

    def __init__(self, card: Path = CARD, helper: Path = HELPER_SOCKET) -> None:
        self._card, self._helper = card, helper

    def attach(self, program: Companion, start: Start) -> None:
        ctx, store, is_card = program.ctx, program.ctx.store.path, self._card.exists()
        if store is None or not (is_card or self._helper.is_socket()):
            return
        if is_card:
            from pi_app.card.machine import HeaderCheck, System  # for a card only

            ctx.urls = partial(urls, own_name=True)
            first = "first-start" in program.offered
            program.follow(HeaderCheck(program, System(), first=first))

        def menu() -> Screen:
            from pi_app.card.first_start import MachineMenu

            return MachineMenu(_questions(ctx, store))

        add_menu(ctx, Text("title", "Machine"), menu)


def is_first_start(store: Path, *, card: Path = CARD) -> bool:
    """Tell whether this table is a flashed card that has not been set up."""
    if not card.exists():
        return False
    from pi_app.card.first_start import DONE, read_progress  # for a card only

    return read_progress(store) != DONE


def show_everywhere(settings: Settings) -> Settings:
    """Return the settings with every display, because nobody has chosen any yet."""
    if settings.display.show != "auto":
        return settings
    return replace(settings, display=replace(settings.display, show=SCREENS))


def _begin(program: Companion, store: Path) -> None:
    """Show the first start instead of the first menu."""
    ctx = program.ctx
    invite = partial(_welcome, program) if serves_pages() else None
    has_rig, finish = partial(_has_rig, program), partial(_keep_screen, ctx)
    opens = partial(_let_in, ctx, phones=True, own="needed") if has_wifi_service() else None
    questions = _questions(
        ctx, store, invite=invite, finish=finish, has_parts=has_rig, open_wifi=opens
    )
    program.stack = [questions.begin()]


def _questions(ctx: Context, store: Path, **facts: Any) -> Any:
    """Return the questions about the machine."""
    from pi_app.card.first_start import FirstStart
    from pi_app.card.machine import System

    return FirstStart(ctx, System(), store, serves_pages(), **facts)


def _has_rig(program: Companion) -> bool:
    return any(output.name == "rig" for output in program.outputs)


def _let_in(ctx: Context, *, phones: bool, own: object) -> None:
    """Let phones in until the next start, by the own Wi-Fi if needed."""
    ctx.settings = with_value(ctx.settings, "web.enabled", value=phones)
    ctx.settings = with_value(ctx.settings, "wifi.own", value=own)


def _welcome(program: Companion) -> Screen:
    """Return the page that shows how a phone joins; phones are let in while it is on show."""
    from pi_app.network.pages import welcome
    from pi_app.phones.menu import PairScreen  # only needed with phones
    from pi_app.screens.players_and_settings.changing import change

    ctx = program.ctx
    page = program.invitation() if program.invitation is not None else None
    if not isinstance(page, PairScreen):
        raise TypeError("no phones can join")
    own = value_of(ctx.settings, "wifi.own")

    def end(joined: bool) -> None:  # a name of the page's callback
        if joined:  # keeps this phone, and the way it came
            change(ctx, "web.enabled", value=True)
            if own != "never":
                change(ctx, "wifi.own", own)
        else:
            _let_in(ctx, phones=False, own=own)

    _let_in(ctx, phones=True, own=own)
    return welcome(ctx, page.pairing, end)


def _keep_screen(ctx: Context) -> None:
    """Note the plugged-in screen in the settings, which choose it without a desktop."""
    if ctx.settings.display.show == SCREENS and _has_screen():
        from pi_app.screens.players_and_settings.changing import change

        change(ctx, "display.show", SCREENS)


def _has_screen() -> bool:
    """Tell whether a screen is plugged in."""
    connectors = Path("/sys/class/drm").glob("card*-*/status")
    return any(path.read_text().strip() == "connected" for path in connectors)


STICK, UPDATES, WIFI = StickExtra(), UpdatesExtra(), WifiExtra()
FIRST_START, MACHINE = FirstStartExtra(), MachineExtra()
