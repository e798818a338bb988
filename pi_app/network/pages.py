"""The table's pages about its own Wi-Fi: when it opens, the QR code, country, channel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from hardware.keys import Key
from pi_app.card.helper import call
from pi_app.card.machine_pages import moment
from pi_app.network.names import join_code
from pi_app.network.settings import WifiSettings
from pi_app.phones.menu import WelcomeScreen, matrix
from pi_app.phones.pairing import Pairing
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Item,
    ListScreen,
    PageScreen,
    Pop,
    Push,
    Replace,
    Screen,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import SettingsMenu, change, not_stored_page
from pi_app.screens.players_and_settings.setting_words import describe, value_words
from pi_app.settings.schema import Settings, value_of
from pi_app.system.host import OWN_WIFI, WIFI_SOCKET, addresses
from pi_app.texts.language import Text, Texts
from pi_app.view.frame import Board, Body, Frame, Header, Viewers, soft

COUNTRIES = (
    "DE", "AT", "CH", "GB", "IE", "US", "CA", "AU", "NZ", "FR", "NL", "BE", "DK", "PL", "CZ", "IT",
    "ES", "SE", "NO", "FI",
)  # fmt: skip
"""The offered countries, German and English first; All settings takes any country."""
_BY_LANGUAGE = {"de": "DE", "en": "GB"}
CHANNELS = (0, 1, 6, 11)
TURN_S = 15.0
"""How long each of the two codes of a first start is shown."""
MODES = ("never", "needed", "always")
AskWifi = Callable[..., dict[str, Any]]

REASONS = {
    "wrong-password": Text("line", "{name}: the password is wrong."),
    "no-address": Text("line", "{name} gave no address within a minute."),
    "not-found": Text("line", "{name} is out of reach."),
    "gone": Text("line", "{name} has gone."),
    "failed": Text("line", "{name} could not be joined."),
    "own-failed": Text("line", "The own Wi-Fi cannot be opened here."),
    "nothing-known": Text("line", "No known Wi-Fi is in reach."),
}
"""Why the table is in its own Wi-Fi, or in none."""


def ask_wifi(call_name: str, /, **values: Any) -> dict[str, Any]:
    """Call the service for the Wi-Fi; HelperError if it refuses."""
    return call(call_name, at=WIFI_SOCKET, **values)


def country_of(settings: Settings, tx: Texts) -> str:
    """Return the country that sets the radio's rules, in two letters."""
    country = settings.of(WifiSettings).country
    return _BY_LANGUAGE.get(tx.language, "GB") if country == "auto" else country


def reason_line(tx: Texts, status: dict[str, Any]) -> str:
    """Say why the table is in its own Wi-Fi, or in none; "" without a reason to say."""
    text = REASONS.get(str(status.get("reason")))
    if text is None:
        return ""
    return tx(text.slot, text.english, name=str(status.get("about", "")))


def is_open(own: Callable[[], tuple[str, ...]] = addresses) -> bool:
    """Tell whether the own Wi-Fi is open now."""
    return OWN_WIFI in own()


def before_pairing(ctx: Context, pair: Callable[[], Screen], ask: AskWifi = ask_wifi) -> Screen:
    """Return the screen that pairs a phone, after the code of the own Wi-Fi if that is open."""
    if not is_open():
        return pair()
    return code_screen(ctx, ask, pair)


def code_screen(
    ctx: Context, ask: AskWifi, following: Callable[[], Screen] | None = None
) -> Screen:
    """Return the screen with the QR code of the own Wi-Fi."""
    return _with_code(ctx, ask, partial(CodeScreen, ctx, following=following))


def _with_code(ctx: Context, ask: AskWifi, show: Callable[..., Screen]) -> Screen:
    """Return a screen that fetches the own Wi-Fi's name and password, then shows them by `show`."""
    title = ctx.texts("title", "Own Wi-Fi")
    return moment(ctx, title, lambda: ask("code"), lambda code: Replace(show(**code), signals=()))


class CodeScreen(Screen):
    """Shows name, password and QR code of the own Wi-Fi; ENTER shows the next screen."""

    takes_held_menu = True

    def __init__(
        self,
        ctx: Context,
        name: str,
        password: str,
        following: Callable[[], Screen] | None = None,
    ) -> None:
        super().__init__(ctx)
        self._name = name
        self._password = password
        self._following = following

    def frame(self) -> Frame:
        tx = self.tx
        # an OLED has room for one line beside the code
        key = (Key.ENTER, tx("soft", "ok")) if self._following else (Key.BACK, tx("soft", "back"))
        return Frame(
            Header(tx("title", "Own Wi-Fi")),
            Body(lines=(self._name, self._password)),
            board=Board(code=matrix(join_code(self._name, self._password)), close_up=True),
            keys=soft(key),
        )

    def press(self, key: Key) -> Action:
        if key is Key.ENTER and self._following is not None:
            return Replace(self._following())
        if key in (Key.BACK, Key.BACK_HELD, Key.MENU, Key.MENU_HELD):
            return Pop(TICK)
        return Stay(BAD)


class OwnWifiMenu(SettingsMenu):
    """Under System: when the own Wi-Fi opens, its code, country, channel and password."""

    viewers = Viewers.ALL

    def __init__(self, ctx: Context, ask: AskWifi = ask_wifi) -> None:
        super().__init__(ctx)
        self._ask = ask

    def heading(self) -> str:
        return self.tx("title", "Own Wi-Fi")

    def entries(self) -> tuple[Item, ...]:
        tx, ctx = self.tx, self.ctx
        mode: Item = (describe(ctx, "wifi.own"), lambda: self._offer("wifi.own", MODES))
        if ctx.settings.of(WifiSettings).own == "never":
            return (mode,)
        return (
            mode,
            (tx("item", "Its code"), lambda: Push(code_screen(ctx, self._ask))),
            (tx("item", "How it is"), self._status),
            (
                f"{tx('item', 'Country')}: {country_of(ctx.settings, tx)}",
                lambda: self._offer("wifi.country", COUNTRIES),
            ),
            (describe(ctx, "wifi.channel"), lambda: self._offer("wifi.channel", CHANNELS)),
            (tx("item", "New password"), self._new_password),
        )

    def _offer(self, key: str, values: tuple[object, ...]) -> Action:
        def choose(index: int) -> Action:
            if change(self.ctx, key, values[index]):
                return Pop(then=lambda: Stay(OK))
            return Pop(then=lambda: Push(not_stored_page(self.ctx, self.heading()), signals=BAD))

        return Push(_values(self.ctx, self.heading(), key, values, choose))

    def _status(self) -> Action:
        tx = self.tx

        def then(status: dict[str, Any]) -> Action:
            lines = (status_line(tx, status), reason_line(tx, status))
            page = PageScreen(self.ctx, self.heading(), tuple(line for line in lines if line))
            return Replace(page, signals=())

        return Push(moment(self.ctx, self.heading(), lambda: self._ask("status"), then))

    def _new_password(self) -> Action:
        """Confirm first, because phones with the old password are locked out."""

        def replace_if_confirmed(index: int) -> Action:
            if index == 0:  # "no"
                return Pop(TICK)
            work = partial(self._ask, "password")
            return Replace(moment(self.ctx, self.heading(), work, shown), signals=())

        def shown(_: object) -> Action:
            return Replace(code_screen(self.ctx, self._ask), signals=OK)

        tx = self.tx
        line = tx("line", "Phones have to join anew.")
        labels = (tx("item", "no"), tx("item", "yes"))
        title = tx("title", "New password?")
        return Push(ListScreen(self.ctx, title, labels, replace_if_confirmed, lines=(line,)))


def status_line(tx: Texts, status: dict[str, Any]) -> str:
    """Say which Wi-Fi the table is in."""
    match status["link"]:
        case "joined":
            return tx("line", "The table is in {name}.", name=status["name"])
        case "joining":
            return tx("line", "The table joins {name}.", name=status["name"])
        case "own":
            return tx("line", "The table is in its own Wi-Fi, {name}.", name=status["own"])
    if not status["radio"]:
        return tx("line", "There is no radio here that can open a Wi-Fi.")
    return tx("line", "The table is in no Wi-Fi.")


def _values(
    ctx: Context,
    title: str,
    key: str,
    values: tuple[object, ...],
    choose: Callable[[int], Action],
) -> Screen:
    """Return the list of a setting's values, with the current one marked."""
    is_country = key == "wifi.country"
    now = country_of(ctx.settings, ctx.texts) if is_country else value_of(ctx.settings, key)
    labels = tuple(value_words(ctx.texts, key, value) for value in values)
    selected = values.index(now) if now in values else 0
    return ListScreen(ctx, title, labels, choose, selected=selected)


class OwnWifiWelcome(WelcomeScreen):
    """The first start's welcome in the own Wi-Fi: shows its code and the table's in turn."""

    def __init__(
        self, ctx: Context, pairing: Pairing, end: Callable[[bool], None], name: str, password: str
    ) -> None:
        super().__init__(ctx, pairing, end)
        self._wifi = CodeScreen(ctx, name, password)
        self._shows_wifi = True
        self._turn_at = ctx.clock() + TURN_S

    def frame(self) -> Frame:
        frame = self._wifi.frame() if self._shows_wifi else super().frame()
        # a television has room for both
        steps = (
            self.tx("line", "1: join this Wi-Fi with a phone."),
            self.tx("line", "2: key the code there."),
        )
        return replace(frame, extras=replace(frame.extras, details=(*frame.extras.details, *steps)))

    def deadline(self) -> float:
        return min(self._turn_at, super().deadline())

    def expire(self) -> Action:
        if self.ctx.clock() >= super().deadline():
            return super().expire()
        self._shows_wifi = not self._shows_wifi
        self._turn_at = self.ctx.clock() + TURN_S
        return Stay()


def welcome(
    ctx: Context, pairing: Pairing, end: Callable[[bool], None], ask: AskWifi = ask_wifi
) -> Screen:
    """Return the first start's welcome, with the own Wi-Fi's code if that is open."""
    if not is_open():
        return WelcomeScreen(ctx, pairing, end)
    return _with_code(ctx, ask, partial(OwnWifiWelcome, ctx, pairing, end))
