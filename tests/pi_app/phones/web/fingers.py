"""Devices as a child has them: what is on the page can be read, and it is touched, no more.

No script clicks, scrolls or types here. A finger goes only where the wanted button is in sight and
on top; what is out of sight is swiped there first.
"""

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.pi_app.phones.web.browsers import Device

PATIENCE_S = 60.0
"""Nothing takes so long, however busy the machine is."""

READ = """(query) => [...document.querySelectorAll(query)].map((each) => {
  const box = each.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const inside = x > 0 && y > 0 && x < innerWidth && y < innerHeight;
  const top = inside ? document.elementFromPoint(x, y) : null;
  return {
    text: each.textContent, label: each.getAttribute("aria-label") ?? "",
    data: {...each.dataset}, off: Boolean(each.disabled), x, y, wide: box.width, high: box.height,
    free: Boolean(top && (each.contains(top) || top.contains(each))),
    view: [innerWidth, innerHeight],
  };
})"""


@dataclass(frozen=True)
class Thing:
    """Something on a page: what it says, where its middle is, whether a finger reaches it."""

    text: str
    label: str
    data: dict[str, str]
    off: bool
    x: float
    y: float
    wide: float
    high: float
    free: bool
    view: tuple[int, int]


class Finger(ABC):
    """One device and who holds it."""

    name: str
    size: tuple[int, int]
    swipes = 0

    @abstractmethod
    def look(self, query: str) -> list[Thing]:
        """Return everything that a query finds."""

    @abstractmethod
    def touch(self, x: float, y: float) -> None:
        """Touch the glass."""

    @abstractmethod
    def swipe(self, x: float, y: float, by: float) -> None:
        """Move what is under the finger up by so many pixels, down where that is negative."""

    @abstractmethod
    def picture(self, path: Path) -> None:
        """Keep what is on the screen."""

    @abstractmethod
    def close(self) -> None:
        """Put the device away; AssertionError where its console said something."""

    def texts(self, query: str) -> list[str]:
        return [thing.text for thing in self.look(query)]

    def until(self, query: str, text: str = "") -> Thing:
        """Wait for something that says this, and return it."""
        ends = time.monotonic() + PATIENCE_S
        while True:
            found = [thing for thing in self.look(query) if text in thing.text and not thing.off]
            if found:
                return found[0]
            said = self.texts("main, header")
            assert time.monotonic() < ends, f"{self.name}: no {query} {text!r} in {said}"
            time.sleep(0.02)

    def gone(self, query: str) -> None:
        """Wait until a query finds nothing."""
        ends = time.monotonic() + PATIENCE_S
        while self.look(query):
            assert time.monotonic() < ends, f"{self.name}: {query} stays"
            time.sleep(0.02)

    def _still(self, query: str, text: str) -> Thing:
        """Return something once it moves no more: nobody aims at what moves."""
        before, thing = None, self.until(query, text)
        while before is None or (before.x, before.y) != (thing.x, thing.y):
            time.sleep(0.12)  # longer than a picture takes on a busy machine
            before, thing = thing, self.until(query, text)
        return thing

    def tap(self, query: str, text: str = "") -> Thing:
        """Touch the first thing that says this, once it is there, and return it.

        It is swiped into sight first.
        """
        ends = time.monotonic() + PATIENCE_S
        thing = self._still(query, text)
        while not thing.free:
            assert time.monotonic() < ends, f"{self.name}: {query} {text!r} cannot be reached"
            wide, high = thing.view
            middle = high / 2
            by = max(-0.4 * high, min(0.4 * high, thing.y - middle)) or 0.2 * high
            self.swipe(wide * 0.97 if wide < high else wide * 0.9, middle, by)
            self.swipes += 1
            thing = self._still(query, text)
        self.touch(thing.x, thing.y)
        return thing


class ChromiumFinger(Finger):
    """A device in Chromium; touches are those of `Input.dispatchTouchEvent`."""

    def __init__(
        self, browser: Browser, url: str, size: tuple[int, int], name: str, token: str
    ) -> None:
        self.name, self.size = name, size
        self._device = Device(browser, url, size, cookie=f"beisitzer={token}")
        self._page = self._device.page
        self._cdp = self._device.context.new_cdp_session(self._page)
        self._device.open("/hand")

    def look(self, query: str) -> list[Thing]:
        found: list[dict[str, Any]] = self._page.evaluate(READ, query)
        return [Thing(**each) for each in found]

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def touch(self, x: float, y: float) -> None:
        self._send("touchStart", (x, y))
        self._send("touchEnd")

    def swipe(self, x: float, y: float, by: float) -> None:
        self._send("touchStart", (x, y + by / 2))
        for step in range(1, 7):
            time.sleep(0.016)
            self._send("touchMove", (x, y + by / 2 - by * step / 6))
        self._send("touchEnd")

    def picture(self, path: Path) -> None:
        self._page.screenshot(path=path)

    def close(self) -> None:
        self._device.close()
