"""Sends the table's wishes to the service for its own Wi-Fi, at the start and after a change."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from pi_app.card.helper import HelperError
from pi_app.network.pages import AskWifi, ask_wifi, country_of
from pi_app.network.settings import WifiSettings
from pi_app.phones.protocol import WebSettings
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.view.frame import Frame
from pi_app.view.output import Output

log = logging.getLogger(__name__)

AGAIN_S = 30.0
"""The time until a wish that failed to arrive is sent again."""


class WifiFollower(Output):
    """Sends the wish outside the loop; it shows nothing."""

    name = "wifi"
    dials = False

    def __init__(self, ctx: Context, ask: AskWifi = ask_wifi) -> None:
        self._ctx = ctx
        self._ask = ask
        self._told: Mapping[str, Any] = {}
        """What the service knows."""
        self._telling = False

    def show(self, frame: Frame) -> None:
        del frame
        if not self._told:
            self.poll()

    def configure(self, settings: Settings) -> None:
        del settings
        self.poll()

    def poll(self) -> None:
        if self._telling or wish_of(self._ctx) == self._told:
            return
        self._telling = True
        if self._ctx.worker.queue(lambda _: self._tell()) is None:
            self._telling = False

    def poll_every_s(self) -> float | None:
        return None if wish_of(self._ctx) == self._told else AGAIN_S

    def _tell(self) -> None:
        try:
            # the wish may change while it is sent
            while (wish := wish_of(self._ctx)) != self._told:
                self._ask("wish", **wish)
                self._told = wish
        except HelperError as error:
            log.warning("the table's own Wi-Fi: %s", error.code)
        finally:
            self._telling = False


def wish_of(ctx: Context) -> Mapping[str, Any]:
    """Return the wish in the settings."""
    wifi = ctx.settings.of(WifiSettings)
    return {
        "own": wifi.own,
        "phones": ctx.settings.of(WebSettings).enabled,
        "country": country_of(ctx.settings, ctx.texts),
        "channel": wifi.channel,
    }
