"""What `beisitzer play` offers where the machine has a service for a Wi-Fi of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pi_app.run.loop import Companion
from pi_app.screens.base import TICK, Item, Push, Screen
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.system.host import WIFI_SOCKET
from pi_app.view.output import DeferredOutput, Output


class _Wish(DeferredOutput[Output]):
    """Tells the service what is wanted, from the first time on that the own Wi-Fi is."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(self._follow)
        self._ctx = ctx

    def _follow(self) -> Output:
        from pi_app.network.follow import WifiFollower  # a table without it does without

        return WifiFollower(self._ctx)

    def is_wanted(self) -> bool:
        return self._ctx.settings.wifi.own != "never"

    def configure(self, settings: Settings) -> None:
        if self._made is not None:
            self._made.configure(settings)
        else:
            self.make_if_wanted()

    def poll(self) -> None:
        if self._made is not None:
            self._made.poll()

    def poll_every_s(self) -> float | None:
        return None if self._made is None else self._made.poll_every_s()


def has_service(at: Path = WIFI_SOCKET) -> bool:
    """Tell whether this machine has the service."""
    return at.is_socket()


def add_own_wifi(program: Companion, *, scripted: bool, at: Path = WIFI_SOCKET) -> None:
    """Add the menu of the own Wi-Fi, and tell its service what the settings want."""
    if scripted or not has_service(at):
        return
    program.follow(_Wish(program.ctx))
    program.ctx.system_items.append(partial(_items, program.ctx))


def _items(ctx: Context) -> Sequence[Item]:
    def open_menu() -> Push:
        from pi_app.network.pages import OwnWifiMenu  # as above

        return Push(TICK, screen=OwnWifiMenu(ctx))

    return ((ctx.texts("title", "Own Wi-Fi"), open_menu),)


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
