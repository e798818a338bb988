"""Fingers on phones: each plays from "My hand" what its page offers, by touches alone.

No script clicks, scrolls or types here. A finger goes only where the wanted button is in sight and
on top; what is out of sight is swiped there first. The deck, the hands and the die are here, beside
the companion, as on a real table.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

from playwright.sync_api import Browser, Page

from ai import AI
from engines.game import Refusal
from engines.record import setup_of
from hardware.keys import Key
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
LIT = ", ".join(
    f'[data-tap][aria-label*="{said}"]'
    for said in ("can be played", "can be touched", "spielbar", "antippbar")
)
"""A field that can be played, or that is offered where nobody says what is legal."""
SUITS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}
SUITS |= {"Pik": "S", "Herz": "H", "Karo": "D", "Kreuz": "C"}
SPOKEN = re.compile(r"(?<=[*\dAJQKBD])[^\W\d]{3}.*$")
TAKEN_BACK = 0.75
"""The share of the moves that are taken back once, and played anew."""
TROUBLE = 0.12
"""The share of the moves before which a page is loaded again, sleeps, or loses its network."""
DEAD_S = 30.0

MOVE_LIMIT = 200
READ = """(query) => [...document.querySelectorAll(query)]
.filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }))
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

    def tap_two(self, query: str) -> None:
        """Touch two things at once, as a hand that rests on the page does."""
        free = [each for each in self.look(query) if each["free"]]
        if len(free) > 1:
            self._send("touchStart", *((each["x"], each["y"]) for each in (free[0], free[-1])))
            self._send("touchEnd")

    def settled(self) -> None:
        """Wait until what was touched was answered."""
        self._device.settled()

    def trouble(self, chance: Random) -> None:
        """Load the page again, let it sleep, or take its network away for a while."""
        kind = chance.choice(("reload", "sleep", "dead"))
        if kind == "reload":
            self.page.reload()
        elif kind == "sleep":
            self._device.freeze()
            time.sleep(3)
            self._device.wake()
        else:
            self._device.context.set_offline(True)
            time.sleep(DEAD_S)
            self._device.context.set_offline(False)
        self._device.live()

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

    def __init__(self, folder: Path, game: str, seed: int, language: str = "en") -> None:
        self.game = game
        self.chance = Random(seed)
        seats = [f"{name} {colour}" for name, colour in zip(NAMES[:2], COLOURS[game], strict=False)]
        tags = {"Game": game, "Players": ", ".join(seats)}
        tags |= {"Open": "24"} if game == "einmaleins" else {}
        self.deal: Any = AI[game].deal(setup_of(tags)[1], self.chance)
        store = Store(folder / "games")
        save_players(store, [KnownPlayer(name, help=HelpLevel.LEGAL) for name in NAMES[:2]])
        store.close()
        self.table = Table(folder, tags, language=language)
        self.played = 0
        self._over = Event()

    @contextmanager
    def meddled(self) -> Iterator[None]:
        """Let somebody at the table open and close menus all the time."""
        program = self.table.program

        def meddle() -> None:
            while not self._over.wait(0.4):
                key = Key.MENU if len(program.stack) == 1 else Key.BACK
                self.table.keys.put(key)

        thread = Thread(target=meddle, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join(PATIENCE_S)

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
            assert self.played < MOVE_LIMIT
            for seat, finger in enumerate(fingers):
                if self.game != "numeri":
                    # its cards do not tell: one that was drawn may be like the one that was laid
                    finger.until(f'main[data-moves="{self.played}"]')
                    self._fill(seat, finger)
            mover = fingers[self.deal.position.seat]
            if self.chance.random() < TROUBLE:
                self.chance.choice(fingers).trouble(self.chance)
            self._turn(mover)
            if self.chance.random() < TAKEN_BACK:
                self._take_back(mover)
                self._turn(mover)
            self._follow()
        for finger in fingers:
            finger.until(".verdict.win")

    def _fill(self, seat: int, finger: Finger) -> None:
        """Tap the cards that came to the hand."""
        missing, shown = self._dealt(seat), self._shown(finger)
        for card in shown:
            assert card in missing, (card, shown, self._dealt(seat), self._told())
            missing.remove(card)
        for count, card in enumerate(missing, len(shown)):
            if self.game == "sequence":
                finger.tap(f'[data-rank="{card[:-1]}"]')
                finger.tap(f'[data-suit="{card[-1]}"]')
            else:
                finger.tap(f'[data-add="{card}"]')
            finger.until(f'[data-pick="{count}"]')

    def _turn(self, finger: Finger) -> None:
        finger.until(".to-do.mine")
        if self.game == "numeri":
            finger.tap(f'[data-roll="{self.deal.given()}"]')
            until(lambda: self._stored() or finger.look(f"{OFFERED}, {LIT}"), self._told)
        if not self._stored():
            self._choose(finger)
        until(self._stored, self._told)
        assert len(self.table.tokens()) == self.played + 1, self._told()

    def _take_back(self, finger: Finger) -> None:
        """Take the move back; then the hand is that of before."""
        until(lambda: self._touched_back(finger), self._told)
        finger.until(".to-do.mine")
        if self.game != "numeri":
            seat = self.deal.position.seat
            finger.until(f'main[data-moves="{self.played}"]')
            until(lambda: self._shown(finger) == self._dealt(seat), self._told)

    def _touched_back(self, finger: Finger) -> bool:
        """Touch the button once; a browser that still scrolls takes a touch for its end."""
        if self._stored() and finger.look("[data-undo]"):
            finger.tap("[data-undo]")
        ends = time.monotonic() + 5
        while self._stored() and time.monotonic() < ends:
            time.sleep(0.05)
        return not self._stored()

    def _shown(self, finger: Finger) -> list[str]:
        """Return the cards on a page; a screen reader's words follow the rank and the star."""
        shown = [each["text"] for each in finger.look("[data-pick]")]
        return sorted(SPOKEN.sub(lambda word: SUITS.get(word[0], ""), card) for card in shown)

    def _dealt(self, seat: int) -> list[str]:
        return sorted(str(card) for card in self.deal.hands()[seat])

    def _follow(self) -> None:
        """Play the move that is stored in the deal, too."""
        move = self.deal.position.parse(self.table.tokens()[self.played])
        assert not isinstance(move, Refusal)
        self.deal.play(move)
        self.played += 1

    def _choose(self, finger: Finger) -> None:
        """Touch a field that is lit; what it can be reached by, or no field, is chosen from."""
        finger.until(f"{OFFERED}, {LIT}")
        finger.tap_two(f"{OFFERED}, {LIT}")
        finger.settled()
        if self._stored():
            return
        if lit := [each["data"]["tap"] for each in finger.look(LIT)]:
            finger.tap(f'[data-tap="{self.chance.choice(lit)}"]')
            until(lambda: self._stored() or finger.look(OFFERED), self._told)
        for _ in range(2):  # one that is touched may have to be told apart
            offered = [each["data"].get("play", "") for each in finger.look(OFFERED)]
            if self._stored() or not offered:
                return
            # who draws though a card fits, or lays anywhere, comes to no end
            token = self.chance.choice([each for each in offered if each != "d"] or offered)
            finger.tap(f'[data-play="{token}"]' if token else "[data-apart]")
            finger.settled()

    def _stored(self) -> bool:
        return len(self.table.tokens()) > self.played

    def _told(self) -> object:
        return self.game, self.table.tokens()
