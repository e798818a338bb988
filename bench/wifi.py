"""Key to frame at a table with a Wi-Fi of its own and at one without, in one run.

The service that keeps the Wi-Fi is another process; it is not measured here.
"""

import time
from dataclasses import replace
from typing import Any

from bench.figure import Figure
from bench.keys import TURNS, program
from pi_app.network.follow import WifiFollower
from pi_app.run.loop import Companion
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings, WifiSettings
from pi_app.store.store import Store
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.key_script import read_keys
from pi_app.view.output import Output

ROUNDS = 40
GAME = "just4fun"


class _Shown(Output):
    """Notes when a frame is shown."""

    at = 0.0

    def show(self, frame: Frame) -> None:
        del frame
        self.at = time.perf_counter()


def _answer(_call: str, /, **_values: Any) -> dict[str, Any]:
    return {}


def _key_to_frame_ms(*, with_wifi: bool) -> float:
    """Return the mean time from a key to its frame, in ms."""
    settings = replace(Settings(), wifi=WifiSettings(own="needed"))
    ctx = Context(Texts("en"), settings, Store(":memory:"), lambda: 0.0)
    companion: Companion = program(GAME, ctx)
    shown = _Shown()
    companion.follow(shown)
    if with_wifi:
        companion.follow(WifiFollower(ctx, _answer))
    companion.show()
    spent = []
    for key in read_keys(TURNS[GAME][1]):
        begun = time.perf_counter()
        companion.press(key)
        if shown.at > begun:  # a key that changes nothing shows no frame
            spent.append(shown.at - begun)
    return 1e3 * sum(spent) / len(spent)


def figures() -> list[Figure]:
    """Return the time from a key to its frame with the own Wi-Fi; plain: without it."""
    with_wifi, without = [], []
    for _ in range(ROUNDS):  # in turns, so that both meet the same machine
        without.append(_key_to_frame_ms(with_wifi=False))
        with_wifi.append(_key_to_frame_ms(with_wifi=True))
    return [Figure(f"{GAME}: key to frame, own Wi-Fi", min(with_wifi), "ms", plain=min(without))]
