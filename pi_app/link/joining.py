"""Joining a club at the table: the hub's address, its code, and comparing its mark."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping

from hardware.keys import Key
from pi_app.link.contract import CODE_DIGITS, PORT
from pi_app.link.protocol import HOST_LIMIT, JoinOutcome
from pi_app.link.settings import HOST_PATTERN
from pi_app.link.table import LinkAtTable, OfJoining
from pi_app.screens.base import BAD, OK, TICK, Action, PageScreen, Pop, Push, Replace, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import change, not_stored_page
from pi_app.screens.text_entry import ExactEntry
from pi_app.texts.language import Text
from pi_app.view.frame import Body, Entry, Frame, Header, Tone, Viewers, soft
from pi_app.view.keying import DIGITS, Wheel

PATIENCE_S = 75.0
"""How long to wait for an answer: the link's process may have to start first."""

FAULTS = {
    "name": Text("line", "Nobody knows this address: check it, and the network."),
    "away": Text("line", "No hub answers there: check the address and the network."),
    "no-hub": Text("line", "What answers there is no club's hub: check the address."),
    "certificate": Text("line", "Another hub may have answered: begin again."),
    "code": Text("line", "The code is wrong or too old: key the one that the hub shows."),
    "closed": Text("line", "The hub lets no table join now: ask for a code."),
    "busy": Text("line", "The hub was asked too often: wait a minute, then begin again."),
    "disk": Text("line", "Nothing can be stored here: check the memory card."),
    "no-link": Text("line", "The link does not run: start beisitzer link beside the companion."),
    "service": Text("line", "The link has not started: restart, then begin again."),
}
_PLACE = re.compile(r"(?:https?://)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?/?")


def place_of(keyed: str) -> tuple[str, int] | None:
    """Return host and port of a keyed hub; None if it is no address."""
    found = _PLACE.fullmatch(keyed.strip().lower())
    if found is None:
        return None
    host, port = found[1].strip("[]"), int(found[2] or PORT)
    is_host = re.fullmatch(HOST_PATTERN, host) is not None
    return (host, port) if is_host and 0 < port < 65536 else None


class _LinkScreen(Screen, OfJoining):
    """A screen of joining that uses the link."""

    def __init__(self, ctx: Context, link: LinkAtTable) -> None:
        super().__init__(ctx)
        self.link = link


def join_screen(ctx: Context, link: LinkAtTable) -> Screen:
    """Return the first screen of joining, or a page saying why this table cannot."""
    if ctx.store.path is None:
        return not_stored_page(ctx, ctx.texts("title", "Join a club"))
    return name_entry(ctx, link) if ctx.dials else AddressEntry(ctx, link)


def _fault_page(ctx: Context, fault: str) -> PageScreen:
    title = ctx.texts("title", "Join a club")
    return PageScreen(ctx, title, (ctx.texts.say(FAULTS, fault),))


class _DigitsEntry(_LinkScreen):
    """Asks for digits: ENTER goes on, BACK deletes, MENU opens another screen if there is one."""

    takes_digits = True
    limit = CODE_DIGITS
    others: Mapping[Key, str] = {}
    """Keys other than digits, each with the sign that it writes."""
    why = ""
    """Why the previous entry was refused."""
    text = ""

    @abstractmethod
    def done(self) -> Screen | None:
        """Return the next screen, None while the text is incomplete."""

    def instead(self) -> Screen | None:
        """Return the screen for MENU."""
        return None

    def _framed(self, title: str, word: str, *lines: str) -> Frame:
        """Return the frame; `word` is that of ENTER."""
        tx, tone = self.tx, Tone.BAD if self.why else Tone.PLAIN
        return Frame(
            Header(title),
            Body(entry=Entry(f"{self.text}_", "", tone), lines=(self.why,) if self.why else lines),
            keys=soft(
                (Key.ENTER, word),
                (Key.BACK, tx("soft", "delete") if self.text else tx("soft", "back")),
                *(((Key.MENU, tx("soft", "aA")),) if self.others else ()),
            ),
        )

    def wheel(self) -> Wheel:
        return DIGITS

    def press(self, key: Key) -> Action:
        sign = str(key.digit) if key.digit is not None else self.others.get(key, "")
        if sign and len(self.text) < self.limit:
            self.why = ""
            self.text += sign
            return Stay(TICK)
        if key is Key.BACK and self.text:
            self.text = self.text[:-1]
            return Stay(TICK)
        if key in (Key.BACK, Key.BACK_HELD):
            return Pop(TICK)
        follows = {Key.MENU: self.instead, Key.ENTER: self.done}.get(key, lambda: None)()
        return Replace(follows, signals=OK) if follows else Stay(BAD)


class AddressEntry(_DigitsEntry):
    """The hub's address in numbers: digits, and STAR for each dot. MENU: a name in letters."""

    viewers = Viewers.ALL
    limit = len("255.255.255.255")
    others = {Key.STAR: "."}  # noqa: RUF012  # nobody changes it

    def frame(self) -> Frame:
        tx, title = self.tx, self.tx("title", "Join a club")
        dots = tx("line", "The hub's address: * for each dot")
        return self._framed(title, tx("soft", "ok"), dots, tx("line", "D: a name in letters"))

    def instead(self) -> Screen:
        return name_entry(self.ctx, self.link)

    def done(self) -> Screen | None:
        parts = self.text.split(".")
        is_whole = len(parts) == 4 and all(part and int(part) < 256 for part in parts)
        return CodeEntry(self.ctx, self.link, (self.text, PORT)) if is_whole else None


class NameEntry(ExactEntry, OfJoining):
    """The hub's address in letters, with a port if it is not the usual one."""

    viewers = Viewers.HOUSE


def name_entry(ctx: Context, link: LinkAtTable) -> Screen:
    """Return the entry of the hub's address in letters."""

    def objection(text: str) -> str:
        return "" if not text or place_of(text) else ctx.texts("verdict", "no address of a hub")

    def done(text: str) -> Action:
        return Push(CodeEntry(ctx, link, place_of(text) or ("", 0)))

    title = ctx.texts("title", "The hub's address")
    return NameEntry(ctx, title, "", HOST_LIMIT, objection, done)


class CodeEntry(_DigitsEntry):
    """The six digits that the hub shows."""

    def __init__(
        self, ctx: Context, link: LinkAtTable, place: tuple[str, int], why: str = ""
    ) -> None:
        super().__init__(ctx, link)
        self._place = place
        self.why = why

    def frame(self) -> Frame:
        tx = self.tx
        digits = tx("line", "The six digits that the hub shows")
        return self._framed(tx("title", "Code"), tx("soft", "join"), digits)

    def done(self) -> Screen | None:
        if len(self.text) < CODE_DIGITS:
            return None
        host, port = self._place
        number = self.link.ask_hub(host, port, self.text)
        return AskingScreen(self.ctx, self.link, host, number, self._then)

    def _then(self, outcome: JoinOutcome) -> Screen:
        ctx = self.ctx
        if outcome.fault == "code":
            return CodeEntry(ctx, self.link, self._place, ctx.texts.say(FAULTS, "code"))
        if outcome.fault:
            return _fault_page(ctx, outcome.fault)
        return CompareScreen(ctx, self.link, self._place, outcome)


class AskingScreen(_LinkScreen):
    """Waits for the link's answer, and shows the screen that `then` makes of it."""

    viewers = Viewers.ALL

    def __init__(
        self,
        ctx: Context,
        link: LinkAtTable,
        host: str,
        number: int,
        then: Callable[[JoinOutcome], Screen],
    ) -> None:
        super().__init__(ctx, link)
        self._host = host
        self._number = number
        self._then = then
        self._until = ctx.clock() + PATIENCE_S

    def frame(self) -> Frame:
        tx = self.tx
        lines: tuple[str, ...] = (tx("line", "Asking {host} ...", host=self._host),)
        if not self.link.is_there and not self.ctx.appliance:
            lines = (tx.say(FAULTS, "no-link"),)
        return Frame(
            Header(tx("title", "Join a club")),
            Body(lines=lines),
            keys=soft((Key.BACK, tx("soft", "back"))),
        )

    def press(self, key: Key) -> Action:
        return Pop(TICK) if key in (Key.BACK, Key.BACK_HELD) else Stay(BAD)

    def deadline(self) -> float | None:
        return 0.0 if self.link.outcome(self._number) else self._until

    def expire(self) -> Action:
        outcome = self.link.outcome(self._number)
        if outcome is not None:
            return Replace(self._then(outcome), signals=BAD if outcome.fault else OK)
        missing = "service" if self.ctx.appliance else "no-link"
        fault = "away" if self.link.is_there else missing
        return Replace(_fault_page(self.ctx, fault), signals=BAD)


class CompareScreen(_LinkScreen):
    """The mark of the answering hub: ENTER confirms that the hub shows the same."""

    viewers = Viewers.ALL

    def __init__(
        self, ctx: Context, link: LinkAtTable, place: tuple[str, int], outcome: JoinOutcome
    ) -> None:
        super().__init__(ctx, link)
        self._place = place
        self._outcome = outcome

    def frame(self) -> Frame:
        tx, groups = self.tx, self._outcome.mark.split()
        lines: tuple[str, ...] = (self._outcome.club, tx("line", "Is this your club?"))
        if groups:
            asked = tx("line", "Does the hub show the same?")
            lines = (asked, " ".join(groups[:3]), " ".join(groups[3:]))
        return Frame(
            Header(tx("title", "Compare")),
            Body(lines=lines),
            keys=soft((Key.ENTER, tx("soft", "same")), (Key.BACK, tx("soft", "no"))),
        )

    def press(self, key: Key) -> Action:
        if key is Key.ENTER:
            number = self._outcome.number
            self.link.keep_hub(number)
            screen = AskingScreen(self.ctx, self.link, self._place[0], number, self._kept)
            return Replace(screen, signals=OK)
        return Pop(TICK) if key in (Key.BACK, Key.BACK_HELD) else Stay(BAD)

    def _kept(self, kept: JoinOutcome) -> Screen:
        """Switch the club on, and say so."""
        ctx, tx = self.ctx, self.tx
        title = tx("title", "Join a club")
        if kept.fault:
            return _fault_page(ctx, kept.fault)
        host, port = self._place
        for name, value in (("host", host), ("port", port), ("enabled", True)):
            if not change(ctx, f"club.{name}", value):
                return not_stored_page(ctx, title)
        lines = (
            tx("line", "This table is {table} in the club now.", table=self._outcome.table),
            tx("line", "It begins when the organiser has confirmed it at the hub."),
            tx("line", "Its results go there by themselves."),
        )
        return PageScreen(ctx, title, lines)
