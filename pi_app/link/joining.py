"""Joining a club at the table: the hub's address, comparing its fingerprint, the code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Protocol

from hardware.keys import Key
from pi_app.files.replace import PRIVATE, write_safely
from pi_app.link.hub_page import (
    CODE_DIGITS,
    MOST_HOST,
    PORT,
    HubAnswer,
    TableAccess,
    mark,
    place_of,
)
from pi_app.link.protocol import LinkStatus
from pi_app.screens.base import BAD, OK, TICK, Action, PageScreen, Pop, Push, Replace, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.keeping.changing import change, not_stored_page
from pi_app.screens.text_entry import ExactEntry
from pi_app.settings.schema import LINK_PASSWORD, value_of
from pi_app.texts.language import Text
from pi_app.view.frame import Body, Entry, Frame, Header, Tone, soft
from pi_app.view.keying import DIGITS, Wheel

AUTHORITY = "link-ca.pem"
"""The file next to the store that holds the authority of the club that was joined."""
PATIENCE_S = 45.0
"""How long an answer is waited for: the link's process may have to start first."""

_FAULTS = {
    "name": Text("line", "Nobody knows this address: check it, and the network."),
    "away": Text("line", "No hub answers there: check the address and the network."),
    "no-hub": Text("line", "What answers there is no club's hub: check the address."),
    "certificate": Text("line", "Another hub has answered than the one you compared: begin again."),
    "wrong": Text("line", "The code is wrong: key the one that the hub shows."),
    "closed": Text("line", "Too many wrong codes: wait a minute, then begin again."),
    "not-open": Text("line", "The hub lets no table join now: ask for a code."),
    "hub": Text("line", "The hub cannot let this table in now: begin again."),
    "no-link": Text("line", "The link does not run: start beisitzer link beside the companion."),
    "service": Text("line", "The link has not started: restart, then begin again."),
    "extra": Text("line", "The link is not installed: pip install 'beisitzer[link]'"),
}


class JoinView(Protocol):
    """The link, as these screens see it; `status` is None while its process is not there."""

    ctx: Context
    status: LinkStatus | None

    def ask_hub(self, host: str, port: int, authority: str = "", code: str = "") -> int:
        """Let the link's process ask a hub's page; return the question's number."""

    def hub_answer(self, number: int) -> HubAnswer | None:
        """Return the answer to a question; None while there is none."""


class OfJoining:
    """Marks a screen of joining: while there is one, the link's process is let in to ask."""


class _LinkScreen(Screen, OfJoining):
    """A screen of joining that asks the link."""

    def __init__(self, ctx: Context, link: JoinView) -> None:
        super().__init__(ctx)
        self.link = link


def join_screen(ctx: Context, link: JoinView) -> Screen:
    """Return the first screen of joining, or a page saying why this table cannot."""
    title = ctx.texts("title", "Join a club")
    if find_spec("paho") is None:
        return _fault_page(ctx, "extra")
    if ctx.store.path is None:
        return not_stored_page(ctx, title)
    return name_entry(ctx, link) if ctx.dials else AddressEntry(ctx, link)


def _fault_page(ctx: Context, fault: str) -> PageScreen:
    title = ctx.texts("title", "Join a club")
    return PageScreen(ctx, title, (ctx.texts.say(_FAULTS, fault),))


class AddressEntry(_LinkScreen):
    """The hub's address in numbers: digits, and STAR for each dot. MENU: a name in letters."""

    takes_digits = True

    def __init__(self, ctx: Context, link: JoinView) -> None:
        super().__init__(ctx, link)
        self.text = ""

    def frame(self) -> Frame:
        tx = self.tx
        lines = (
            tx("line", "The hub's address: * for each dot"),
            tx("line", "D: a name in letters"),
        )
        return Frame(
            Header(tx("title", "Join a club")),
            Body(entry=Entry(f"{self.text}_"), lines=lines),
            keys=soft(
                (Key.ENTER, tx("soft", "ok")),
                (Key.BACK, tx("soft", "delete") if self.text else tx("soft", "back")),
                (Key.MENU, tx("soft", "aA")),
            ),
        )

    def press(self, key: Key) -> Action:
        if key.digit is not None or key is Key.STAR:
            if len(self.text) >= len("255.255.255.255"):
                return Stay(BAD)
            self.text += "." if key is Key.STAR else str(key.digit)
            return Stay(TICK)
        if key is Key.BACK and self.text:
            self.text = self.text[:-1]
            return Stay(TICK)
        if key in (Key.BACK, Key.BACK_HELD):
            return Pop(TICK)
        if key is Key.MENU:
            return Replace(TICK, screen=name_entry(self.ctx, self.link))
        parts = self.text.split(".")
        if key is Key.ENTER and len(parts) == 4 and all(part and int(part) < 256 for part in parts):
            return Replace(OK, screen=ask_authority(self.ctx, self.link, self.text, PORT))
        return Stay(BAD)


class NameEntry(ExactEntry, OfJoining):
    """The hub's address in letters, with a port where it is another than the usual one."""


def name_entry(ctx: Context, link: JoinView) -> Screen:
    """Return the entry of the hub's address in letters."""

    def objection(text: str) -> str:
        return "" if not text or place_of(text) else ctx.texts("verdict", "no address of a hub")

    def done(text: str) -> Action:
        host, port = place_of(text) or ("", 0)
        return Push(TICK, screen=ask_authority(ctx, link, host, port))

    title = ctx.texts("title", "The hub's address")
    return NameEntry(ctx, title, "", MOST_HOST, objection, done)


class AskingScreen(_LinkScreen):
    """Waits for what the hub's page answers, and shows what `then` makes of it."""

    def __init__(
        self,
        ctx: Context,
        link: JoinView,
        host: str,
        number: int,
        then: Callable[[HubAnswer], Screen],
    ) -> None:
        super().__init__(ctx, link)
        self._host = host
        self._number = number
        self._then = then
        self._until = ctx.clock() + PATIENCE_S

    def frame(self) -> Frame:
        tx = self.tx
        lines: tuple[str, ...] = (tx("line", "Asking {host} ...", host=self._host),)
        if self.link.status is None and not self.ctx.appliance:
            lines = (tx.say(_FAULTS, "no-link"),)
        return Frame(
            Header(tx("title", "Join a club")),
            Body(lines=lines),
            keys=soft((Key.BACK, tx("soft", "back"))),
        )

    def press(self, key: Key) -> Action:
        return Pop(TICK) if key in (Key.BACK, Key.BACK_HELD) else Stay(BAD)

    def deadline(self) -> float | None:
        return 0.0 if self.link.hub_answer(self._number) else self._until

    def expire(self) -> Action:
        answer = self.link.hub_answer(self._number)
        if answer is not None:
            screen = self._then(answer)
            return Replace(BAD if answer.fault else OK, screen=screen)
        if self.link.status is not None:
            fault = "away"
        else:
            fault = "service" if self.ctx.appliance else "no-link"
        return Replace(BAD, screen=_fault_page(self.ctx, fault))


def ask_authority(ctx: Context, link: JoinView, host: str, port: int) -> Screen:
    """Return the screen that asks the hub who it is, and then lets people compare."""

    def then(answer: HubAnswer) -> Screen:
        if answer.fault or not answer.authority:
            return _fault_page(ctx, answer.fault or "no-hub")
        return CompareScreen(ctx, link, (host, port), answer.authority)

    return AskingScreen(ctx, link, host, link.ask_hub(host, port), then)


class CompareScreen(_LinkScreen):
    """The fingerprint of the hub that has answered: ENTER says that the hub shows the same."""

    def __init__(
        self, ctx: Context, link: JoinView, place: tuple[str, int], authority: str
    ) -> None:
        super().__init__(ctx, link)
        self._place = place
        self._authority = authority

    def frame(self) -> Frame:
        tx = self.tx
        groups = mark(self._authority).split()
        lines = (
            tx("line", "Does the hub show the same?"),
            " ".join(groups[:3]),
            " ".join(groups[3:]),
        )
        return Frame(
            Header(tx("title", "Compare")),
            Body(lines=lines),
            keys=soft((Key.ENTER, tx("soft", "same")), (Key.BACK, tx("soft", "no"))),
        )

    def press(self, key: Key) -> Action:
        if key is Key.ENTER:
            return Replace(OK, screen=CodeEntry(self.ctx, self.link, self._place, self._authority))
        return Pop(TICK) if key in (Key.BACK, Key.BACK_HELD) else Stay(BAD)


class CodeEntry(_LinkScreen):
    """The six digits that the hub shows; `why` says why those before were refused."""

    takes_digits = True

    def __init__(
        self,
        ctx: Context,
        link: JoinView,
        place: tuple[str, int],
        authority: str,
        why: str = "",
    ) -> None:
        super().__init__(ctx, link)
        self._place = place
        self._authority = authority
        self._why = why
        self.code = ""

    def frame(self) -> Frame:
        tx = self.tx
        line = self._why or tx("line", "The six digits that the hub shows")
        return Frame(
            Header(tx("title", "Code")),
            Body(
                entry=Entry(f"{self.code}_", "", Tone.BAD if self._why else Tone.PLAIN),
                lines=(line,),
            ),
            keys=soft(
                (Key.ENTER, tx("soft", "join")),
                (Key.BACK, tx("soft", "delete") if self.code else tx("soft", "back")),
            ),
        )

    def wheel(self) -> Wheel:
        return DIGITS

    def press(self, key: Key) -> Action:
        if key.digit is not None and len(self.code) < CODE_DIGITS:
            self._why = ""
            self.code += str(key.digit)
            return Stay(TICK)
        if key is Key.BACK and self.code:
            self.code = self.code[:-1]
            return Stay(TICK)
        if key in (Key.BACK, Key.BACK_HELD):
            return Pop(TICK)
        if key is not Key.ENTER or len(self.code) < CODE_DIGITS:
            return Stay(BAD)
        number = self.link.ask_hub(*self._place, self._authority, self.code)
        screen = AskingScreen(self.ctx, self.link, self._place[0], number, self._answered)
        return Replace(TICK, screen=screen)

    def _answered(self, answer: HubAnswer) -> Screen:
        ctx = self.ctx
        if answer.fault == "wrong":
            why = ctx.texts.say(_FAULTS, "wrong")
            return CodeEntry(ctx, self.link, self._place, self._authority, why)
        if answer.fault or answer.access is None:
            return _fault_page(ctx, answer.fault or "hub")
        return _joined(ctx, answer.access)


def _joined(ctx: Context, access: TableAccess) -> Screen:
    """Store the access, switch the link on, and say so."""
    tx = ctx.texts
    title = tx("title", "Join a club")
    if not keep(ctx, access):
        return not_stored_page(ctx, title)
    lines = (
        tx("line", "This table is {table} in the club now.", table=access.user),
        tx("line", "Its results go there by themselves."),
    )
    return PageScreen(ctx, title, lines)


def keep(ctx: Context, access: TableAccess) -> bool:
    """Write password, authority and settings, and switch the link on; whether all could be stored.

    The link is off meanwhile: it must not come to one club with the password of another.
    """
    store = ctx.store.path
    if store is None:
        return False
    password, authority = store.with_name(LINK_PASSWORD), store.with_name(AUTHORITY)
    wanted: Mapping[str, object] = {
        "host": access.host,
        "port": access.port,
        "user": access.user,
        "password_file": str(password),
        "ca": str(authority),
        "insecure": False,
        "enabled": True,
    }
    if ctx.settings.link.enabled and not change(ctx, "link.enabled", False):  # noqa: FBT003  # the setting's value
        return False
    try:
        write_safely(password, f"{access.password}\n".encode(), PRIVATE)
        write_safely(authority, f"{access.authority.rstrip()}\n".encode(), PRIVATE)
    except OSError:
        return False
    return all(
        value_of(ctx.settings, f"link.{name}") == value or change(ctx, f"link.{name}", value)
        for name, value in wanted.items()
    )
