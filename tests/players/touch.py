"""Fingers on phones: each plays from "My hand" what its page offers, by touches alone.

No script clicks, scrolls or types here. A finger goes only where the wanted button is in sight and
on top; what is out of sight is swiped there first. The deck, the hands and the die are here, beside
the companion, as on a real table.
"""

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page

from ai import AI
from engines.game import Refusal
from engines.record import setup_of
from pi_app.settings.schema import HelpLevel
from pi_app.store import Store
from pi_app.table.players import KnownPlayer, save_players
from tests.pi_app.phones.client import Table
from tests.pi_app.phones.web.browsers import Device
from tests.stand_ins.waiting import PATIENCE_S

NAMES = ("Anna", "Ben", "Cleo")
COLOURS = {
    "just4fun": ("yellow", "red", "white"),
    "numeri": ("yellow", "red", "green"),
    "sequence": ("blue", "green", "red"),
    "einmaleins": ("yellow", "red", "green"),
}
OFFERED = ".options ul:not(.tips) [data-play], .options [data-apart]"
LIT = '[data-tap][aria-label*="can be played"]'
SHOWN = '[data-tap][aria-label*="last move"]'
"""A field that is lit where nobody says what is legal: in numeri whatever is offered is."""

MOST_MOVES = 200
READ = """(query) => [...document.querySelectorAll(query)].filter((each) => !each.disabled)
.map((each) => {
  const box = each.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const inside = x > 0 && y > 0 && x < innerWidth && y < innerHeight;
  const top = inside ? document.elementFromPoint(x, y) : null;
  return {
    text: each.textContent, data: {...each.dataset}, x, y,
    free: Boolean(top && (each.contains(top) || top.contains(each))),
  };
})"""
Thing = dict[str, Any]


def until(done: Callable[[], Any], what: Callable[[], object]) -> Any:
    """Return what is found, once something is."""
    ends = time.monotonic() + PATIENCE_S
    while not (found := done()):
        assert time.monotonic() < ends, what()
        time.sleep(0.02)
    return found


class Finger:
    """One device in Chromium; touches are those of `Input.dispatchTouchEvent`."""

    def __init__(self, browser: Browser, url: str, size: tuple[int, int], token: str) -> None:
        self.size = size
        self._device = Device(browser, url, size, cookie=f"beisitzer={token}")
        self._cdp = self._device.context.new_cdp_session(self._device.page)
        self._device.open("/play")

    @property
    def page(self) -> Page:
        return self._device.page

    def close(self) -> None:
        self._device.close()

    def look(self, query: str, text: str = "") -> list[Thing]:
        found: list[Thing] = self._device.page.evaluate(READ, query)
        return [each for each in found if text in each["text"]]

    def until(self, query: str, text: str = "") -> Thing:
        """Wait for something that says this, and return it."""
        found = until(
            lambda: self.look(query, text), lambda: (query, text, self.look("main, header"))
        )
        thing: Thing = found[0]
        return thing

    def tap(self, query: str, text: str = "") -> Thing:
        """Touch the first thing that says this, once it is there and still, in sight and free."""
        thing = self._still(query, text)
        for _ in range(20):
            if thing["free"]:
                self._send("touchStart", (thing["x"], thing["y"]))
                self._send("touchEnd")
                return thing
            self._swipe(thing["y"])
            thing = self._still(query, text)
        raise AssertionError(f"{query} {text!r} cannot be reached")

    def _still(self, query: str, text: str) -> Thing:
        """Return something once it moves no more: nobody aims at what moves."""
        before, thing = None, self.until(query, text)
        while before is None or (before["x"], before["y"]) != (thing["x"], thing["y"]):
            time.sleep(0.12)  # longer than a picture takes on a busy machine
            before, thing = thing, self.until(query, text)
        return thing

    def _swipe(self, y: float) -> None:
        wide, high = self.size
        middle = high / 2
        by = max(-0.4 * high, min(0.4 * high, y - middle)) or 0.2 * high
        self._send("touchStart", (wide * 0.97, middle + by / 2))
        for step in range(1, 7):
            time.sleep(0.016)
            self._send("touchMove", (wide * 0.97, middle + by / 2 - by * step / 6))
        self._send("touchEnd")

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


class Match:
    """A game whose cards are dealt here; everybody is told what can be played."""

    def __init__(self, folder: Path, game: str, seed: int) -> None:
        self.game = game
        self.chance = Random(seed)
        seats = [f"{name} {colour}" for name, colour in zip(NAMES[:2], COLOURS[game], strict=False)]
        tags = {"Game": game, "Players": ", ".join(seats)}
        tags |= {"Open": "24"} if game == "einmaleins" else {}
        self.deal: Any = AI[game].deal(setup_of(tags)[1], self.chance)
        store = Store(folder / "games")
        save_players(store, [KnownPlayer(name, help=HelpLevel.LEGAL) for name in NAMES[:2]])
        store.close()
        self.table = Table(folder, tags)
        self.played = 0

    def token(self, name: str) -> str:
        """Pair a phone; return what it is known by."""
        token = self.table.pairing.pair(self.table.pairing.show_code(), name)
        assert isinstance(token, str)
        return token

    def play(self, fingers: list[Finger]) -> None:
        """Let everybody sit down and play until the end; every page says it."""
        for name, finger in zip(NAMES, fingers, strict=False):
            finger.tap("[data-claim]", name)
            finger.until("h1", name)
        while self.deal.position.result is None:
            assert self.played < MOST_MOVES
            for seat, finger in enumerate(fingers):
                if self.game != "numeri":
                    # its cards do not tell: one that was drawn may be like the one that was laid
                    finger.until(f'main[data-moves="{self.played}"]')
                    self._fill(seat, finger)
            self._turn(fingers[self.deal.position.seat])
        for finger in fingers:
            finger.until(".verdict.win")

    def _fill(self, seat: int, finger: Finger) -> None:
        """Tap the cards that came to the hand."""
        missing = [str(card) for card in self.deal.hands()[seat]]
        shown = [each["text"] for each in finger.look("[data-pick]")]
        for card in shown:
            missing.remove("*" if card.startswith("*") else card)
        for count, card in enumerate(missing, len(shown)):
            finger.tap(f'[data-add="{card}"]')
            finger.until(f'[data-pick="{count}"]')

    def _turn(self, finger: Finger) -> None:
        finger.until(".to-do.mine")
        if self.game == "numeri":
            finger.tap(f'[data-roll="{self.deal.given()}"]')
            until(lambda: self._stored() or finger.look(f"{OFFERED}, {SHOWN}"), self._told)
            if not self._stored():
                self._choose(finger, SHOWN)
        else:
            self._choose(finger)
        until(self._stored, self._told)
        move = self.deal.position.parse(self.table.tokens()[self.played])
        assert not isinstance(move, Refusal)
        self.deal.play(move)
        self.played += 1

    def _choose(self, finger: Finger, field: str = LIT) -> None:
        """Touch a field that is lit; what it can be reached by, or no field, is chosen from."""
        finger.until(f"{OFFERED}, {field}")
        if lit := [each["data"]["tap"] for each in finger.look(field)]:
            finger.tap(f'[data-tap="{self.chance.choice(lit)}"]')
            until(lambda: self._stored() or finger.look(OFFERED), self._told)
        for _ in range(2):  # one that is touched may have to be told apart
            offered = [each["data"].get("play", "") for each in finger.look(OFFERED)]
            if self._stored() or not offered:
                return
            # who draws though a card fits, or lays anywhere, comes to no end
            token = self.chance.choice([each for each in offered if each != "d"] or offered)
            finger.tap(f'[data-play="{token}"]' if token else "[data-apart]")

    def _stored(self) -> bool:
        return len(self.table.tokens()) > self.played

    def _told(self) -> object:
        return self.game, self.table.tokens()
