"""Pages for Wi-Fi, clock, time zone and the table's name.

When its work is done, each calls `done` for the screen below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import ClassVar, Generic, TypeVar
from zoneinfo import available_timezones

from hardware.keys import Key
from pi_app.card.helper import CardError
from pi_app.card.machine import Network, System
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
from pi_app.screens.text_entry import ExactEntry, PasswordEntry
from pi_app.system.worker import Job
from pi_app.texts.language import Text
from pi_app.view.frame import Body, Entry, Frame, Header, Tone, Viewers, soft

T = TypeVar("T")
GoOn = Callable[[], Action]

_SENTENCES = {
    "no-helper": Text("line", "This machine cannot do it: install Beisitzer anew."),
    "wrong-password": Text("line", "The password is wrong."),
    "no-address": Text("line", "The network gave no address."),
    "not-found": Text("line", "The network is out of reach."),
    "no-radio": Text("line", "There is no Wi-Fi here."),
    "password": Text("line", "This Wi-Fi needs a password."),
    "stays": Text("line", "The table keeps its own Wi-Fi: see System, Own Wi-Fi."),
    "": Text("line", "That did not work."),
}
NAME_LIMIT_LETTERS = 32
ZONES = {"de": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich"), "en": ("Europe/London", "UTC")}
"""The time zones that are offered first, by the language."""
_CLOCK = "%Y-%m-%d %H:%M"
_REGIONS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian",
            "Pacific")  # fmt: skip


class WaitingScreen(Screen, Generic[T]):
    """Waits for work outside the loop, then shows the screen that `then` makes of the answer.

    If either raises CardError, it calls `failed` and shows a sentence.
    """

    viewers = Viewers.ALL
    sentences: ClassVar[Mapping[str, Text]] = _SENTENCES
    """The sentence for each code; "" is for all others."""
    can_be_left = True

    def __init__(
        self,
        ctx: Context,
        title: str,
        line: str,
        work: Callable[[Job], T],
        then: Callable[[T], Action],
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(ctx)
        self.title = title
        self.line = line
        self._work = work
        self._then = then
        self._failed = failed
        self._fault = ""
        self._next: Action | None = None
        """What follows; None while it works."""
        if ctx.worker.begin(self._try, self._end) is None:
            self._end(None)

    def frame(self) -> Frame:
        frame = Frame(Header(self.title), Body(lines=(self.line,)))
        if not self.can_be_left:
            return frame
        return replace(frame, keys=soft((Key.BACK, self.tx("soft", "back"))))

    def press(self, key: Key) -> Action:
        return Pop(TICK) if self.can_be_left and key is Key.BACK else Stay(BAD)

    def deadline(self) -> float | None:
        return None if self._next is None else self.ctx.clock()

    def expire(self) -> Action:
        return self._next or Stay()

    def _try(self, job: Job) -> tuple[T] | None:
        try:
            return (self._work(job),)
        except CardError as error:
            self._fault = error.code
            return None

    def _end(self, answer: tuple[T] | None) -> None:
        try:
            if answer is not None:
                self._next = self._then(*answer)
                return
        except CardError as error:
            self._fault = error.code
        self._failed()
        code = self._fault if self._fault in self.sentences else ""
        line = self.tx.say(self.sentences, code)
        self._next = Replace(PageScreen(self.ctx, self.title, (line,)), signals=BAD)


def moment(ctx: Context, title: str, work: Callable[[], T], then: Callable[[T], Action]) -> Screen:
    """Return a screen that waits for short work, then calls `then` with its answer."""
    return WaitingScreen(ctx, title, ctx.texts("line", "A moment ..."), lambda _: work(), then)


def _do(ctx: Context, title: str, work: Callable[[], None], done: GoOn) -> Screen:
    """Return a screen that runs `work`, and closes."""
    return moment(ctx, title, work, lambda _: Pop(OK, done))


# --- Wi-Fi


def wifi_screen(ctx: Context, system: System, done: GoOn) -> Screen:
    """Return the screen that looks for Wi-Fi networks and offers them."""
    title, line = ctx.texts("title", "Wi-Fi"), ctx.texts("line", "Looking for networks ...")
    return WaitingScreen(
        ctx,
        title,
        line,
        lambda _: system.networks(),
        lambda found: Replace(NetworksScreen(ctx, system, found, done), signals=()),
    )


class NetworksScreen(ListScreen):
    """The Wi-Fi networks in reach; the first row goes on without one."""

    viewers = Viewers.ALL

    def __init__(self, ctx: Context, system: System, found: list[Network], done: GoOn) -> None:
        tx = ctx.texts
        networks = [network for network in found if network.kind != "other"]
        used = any(network.used for network in networks)
        first = tx("item", "Go on") if used else tx("item", "Without Wi-Fi")
        names = (f"{each.name}{' *' if each.used else ''}" for each in networks)
        super().__init__(ctx, tx("title", "Wi-Fi"), (first, *names), self._choose_network)
        self._system = system
        self._networks = networks
        self._done = done

    def _choose_network(self, index: int) -> Action:
        if index == 0:
            return Pop(TICK, self._done)
        network = self._networks[index - 1]
        if network.kind == "open":
            return Replace(self._joining(network, ""))
        tx = self.tx

        def objection(text: str) -> str:
            fits = re.fullmatch(r"[ -~]{8,63}", text) or not text
            return "" if fits else tx("verdict", "a password has 8 to 63 characters")

        def keyed(password: str) -> Action:
            return Replace(self._joining(network, password), signals=())

        title = tx("title", "Password")
        return Push(PasswordEntry(self.ctx, title, "", 63, objection, keyed))

    def _joining(self, network: Network, password: str) -> Screen:
        return _do(
            self.ctx,
            self.tx("title", "Wi-Fi"),
            lambda: self._system.join(network, password),
            self._done,
        )


# --- clock and time zone


def clock_line(ctx: Context, system: System) -> str:
    """Return date, time and time zone."""
    return f"{ctx.now().astimezone().strftime(_CLOCK)} {system.zone()}".strip()


def clock_items(ctx: Context, system: System) -> tuple[Item, ...]:
    """Return the lines of a menu that set clock and time zone."""
    tx, title = ctx.texts, ctx.texts("title", "Clock")

    def set_clock(now: datetime) -> Action:
        return Push(_do(ctx, title, lambda: system.set_clock(now), Stay), signals=())

    def set_zone(zone: str) -> Action:
        return Push(_do(ctx, title, lambda: system.set_zone(zone), Stay), signals=())

    return (
        (tx("item", "Set the clock"), lambda: Push(ClockEntry(ctx, set_clock))),
        (tx("title", "Time zone"), lambda: Push(zones(ctx, set_zone))),
    )


class ClockEntry(Screen):
    """Date and time as twelve digits."""

    viewers = Viewers.ALL

    def __init__(self, ctx: Context, done: Callable[[datetime], Action]) -> None:
        super().__init__(ctx)
        self.typed = ""
        self.done = done

    def _time(self) -> datetime | None:
        try:
            return datetime.strptime(self.typed, "%Y%m%d%H%M").astimezone()
        except ValueError:
            return None

    def frame(self) -> Frame:
        tx, typed = self.tx, self.typed
        signs = iter(typed)
        rest = "".join(sign if sign in "- :" else next(signs, "_") for sign in "____-__-__ __:__")
        wrong = len(typed) == 12 and self._time() is None
        verdict = tx("verdict", "There is no such time.") if wrong else ""
        return Frame(
            Header(tx("title", "Clock")),
            Body(
                entry=Entry(rest, verdict, Tone.BAD if wrong else Tone.PLAIN),
                lines=(tx("line", "Year, month, day, hour, minute"),),
            ),
            keys=soft((Key.ENTER, tx("soft", "ok")), (Key.BACK, tx("soft", "delete"))),
        )

    def press(self, key: Key) -> Action:
        if key.digit is not None and len(self.typed) < 12:
            self.typed += str(key.digit)
            return Stay(TICK)
        if key is Key.BACK and self.typed:
            self.typed = self.typed[:-1]
            return Stay(TICK)
        if key in (Key.BACK, Key.BACK_HELD):
            return Pop(TICK)
        now = self._time() if len(self.typed) == 12 else None
        if key is not Key.ENTER or now is None or now.year < 2020:
            return Stay(BAD)
        return Pop(OK, lambda: self.done(now))


def zones(ctx: Context, done: Callable[[str], Action]) -> Screen:
    """Return the list of time zones: the likely ones, then all by their regions."""
    tx, likely = ctx.texts, ZONES.get(ctx.texts.language, ZONES["en"])
    title = tx("title", "Time zone")

    def cities(region: str) -> Screen:
        names = sorted(zone for zone in available_timezones() if zone.startswith(f"{region}/"))
        labels = tuple(name.partition("/")[2].replace("_", " ") for name in names)

        def choose_city(index: int) -> Action:
            # both lists close
            return Pop(TICK, lambda: Pop(then=lambda: done(names[index])))

        return ListScreen(ctx, region, labels, choose_city)

    def choose(index: int) -> Action:
        if index < len(likely):
            return Pop(TICK, lambda: done(likely[index]))
        return Push(cities(_REGIONS[index - len(likely)]))

    return ListScreen(ctx, title, (*likely, *_REGIONS), choose)


# --- the name


def name_entry(ctx: Context, system: System, done: GoOn) -> Screen:
    """Return the entry for the table's name in the house."""
    tx = ctx.texts
    title = tx("title", "Name")

    def objection(text: str) -> str:
        fits = re.fullmatch(r"[a-z]([a-z0-9-]{0,30}[a-z0-9])?", text)
        return "" if fits or not text else tx("verdict", "small letters, digits and - only")

    def keyed(name: str) -> Action:
        return Push(_do(ctx, title, lambda: system.set_name(name), done), signals=())

    return ExactEntry(ctx, title, system.name(), NAME_LIMIT_LETTERS, objection, keyed)
