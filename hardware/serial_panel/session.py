"""The host's side of a panel session: bytes and the clock in, events and bytes out.

The module reads no clock and no port: `now` is any steadily rising number of seconds. Rules
are numbered as in the protocol's section "Session".
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.serial_panel.protocol import (
    SEQUENCES,
    BadLineError,
    BeepKind,
    HostHello,
    KeyEvent,
    LineFault,
    LineReader,
    PanelHello,
    PanelMessage,
    Pong,
    decode,
    encode,
    lamp_bodies,
    lamp_body,
    parse,
    text_body,
)

HELLO_S: Final = 0.5
PING_S: Final = 1.0
HURRIED_PING_S: Final = 0.075
"""The time between PINGs while a key is held, so that its long press comes on time."""
STATE_S: Final = 5.0
"""The time after which each line of the state is sent again."""
SILENCE_S: Final = 10.0
"""The panel counts as gone after this time without a readable line."""
_PING_LIMIT: Final = 10
"""This many unanswered PINGs are remembered."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A panel has joined our session; also after a repeated HELLO."""

    hello: PanelHello


@dataclass(frozen=True, slots=True)
class Gone:
    """The panel restarted or fell silent; no key counts as down any more."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key event, each once and in order."""

    event: KeyEvent


@dataclass(frozen=True, slots=True)
class Repeated:
    """The last event came once more: the panel has not received its ACK."""


@dataclass(frozen=True, slots=True)
class Alive:
    """The panel answered the PING that was sent at `sent`; the numbers of PINGs only rise."""

    number: int
    sent: float


PanelEvent = Joined | Gone | Pressed | Repeated | Alive
KeyTaker = Callable[[KeyEvent], bool]
"""Passes a key event to the program; returns False if it cannot take it now."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A line that arrived, for debugging: with its message, or why it was dropped."""

    line: bytes
    message: PanelMessage | None
    fault: LineFault | None


def new_session() -> str:
    """Return eight random lower-case hex digits."""
    return os.urandom(4).hex()


class HostSession:
    """One host on one line. `watch`, if given, is called with every line that arrives."""

    def __init__(
        self,
        new_session: Callable[[], str] = new_session,
        watch: Callable[[Heard], None] | None = None,
    ) -> None:
        self._new_session = new_session
        self._watch = watch
        self.dropped = 0
        self.hello: PanelHello | None = None
        self._rows: list[str] = []
        self._lamps: list[int] = []
        self._ping = 0
        """The number of the last PING; on the line it wraps at SEQUENCES."""
        self._pings: dict[str, Alive] = {}
        """The unanswered PINGs by the digits on the line."""
        self._press_at: float | None = None
        """When the next long press or repeat of a held key is due."""
        self.open(0.0)

    def open(self, now: float) -> None:
        """Begin a new session on a newly opened port (rule 1)."""
        self._reader = LineReader()
        self._out: list[str] = []
        self._leave(now)

    def _leave(self, now: float) -> None:
        self.session = self._new_session()
        self.joined = False
        self._hello_due = now
        self._state_asked = False
        """Whether the panel needs every row and lamp: it has just said HELLO."""
        self._taken: int | None = None
        """The sequence number of the last key event that the program took."""
        self._refreshed = 0
        """How many lines `_refresh` has sent since the panel got the whole state."""
        self._heard_at = now
        self._out.clear()

    @property
    def heard_at(self) -> float:
        """The time of the last readable line, or of the beginning of the session."""
        return self._heard_at

    def receive(
        self, data: bytes, now: float, take: KeyTaker = lambda _event: True
    ) -> list[PanelEvent]:
        """Take bytes; return their events, after those of the silence before them (rule 6).

        A key event that `take` refuses is not acknowledged, so the panel repeats it.
        """
        events = self.expire(now)
        for line in self._reader.feed(data):
            message, fault = None, None
            try:
                message = parse(decode(line))
            except BadLineError as bad:
                self.dropped += 1
                fault = bad.fault
            if self._watch is not None:
                self._watch(Heard(line, message, fault))
            if message is not None and not isinstance(message, HostHello):
                self._heard_at = now
                events += self._answer_message(message, now, take)
        return events

    def expire(self, now: float) -> list[PanelEvent]:
        """Count the panel as gone after ten silent seconds (rule 6)."""
        if not self.joined or now - self._heard_at < SILENCE_S:
            return []
        self._leave(now)
        return [Gone()]

    def _answer_message(
        self, message: PanelMessage, now: float, take: KeyTaker
    ) -> list[PanelEvent]:
        match message:
            case PanelHello():
                return self._on_hello(message, now)
            case KeyEvent(session=session) if self.joined and session == self.session:
                return self._on_key(message, take)
            case Pong(number) if number in self._pings:
                return [self._pings.pop(number)]
        return []

    def _on_hello(self, hello: PanelHello, now: float) -> list[PanelEvent]:
        self.hello = hello
        if hello.session == self.session:
            if not self.joined:
                self.joined = True
                self._ping_due = now
            self._state_asked = True
            return [Joined(hello)]
        if not self.joined:
            return []
        # it restarted and forgot our session
        self._leave(now)
        return [Gone()]

    def _on_key(self, event: KeyEvent, take: KeyTaker) -> list[PanelEvent]:
        following = 0 if self._taken is None else (self._taken + 1) % SEQUENCES
        if event.sequence == following:
            if not take(event):
                return []
            self._taken = following
            self._out.append(f"ACK {self.session} {following}")
            return [Pressed(event)]
        if event.sequence == self._taken:
            self._out.append(f"ACK {self.session} {self._taken}")
            return [Repeated()]
        return []  # any other number: the panel repeats an event until its own ACK arrives

    def tick(self, now: float) -> bytes:
        """Return the bytes to send now; call it after `receive`, and when `due` says so."""
        if not self.joined:
            self._out.clear()  # lines for a panel that is gone
            if now >= self._hello_due:
                self._hello_due = now + HELLO_S
                self._out.append(f"HELLO 1 beisitzer {self.session}")
        else:
            if self._state_asked:
                self._state_asked = False
                self._out += lamp_bodies(self._lamp_colours())
                self._out += self._row_lines(range(self._text_rows))
                self._refresh_due, self._refreshed = now + STATE_S, 0
            elif now >= self._refresh_due:
                self._refresh(now)
            if now >= self._ping_due:
                self._out.append(self._next_ping(now))
        out = b"".join(map(encode, self._out))
        self._out.clear()
        return out

    def _refresh(self, now: float) -> None:
        """Send one line of the state, the rows first; each is sent every 5 s (rule 7).

        All lines at once would occupy the panel for a tenth of a second.
        """
        lamps, rows = self._lamp_colours(), self._text_rows
        lines = max(1, len(lamps) + rows)
        turn = self._refreshed % lines  # the line to send: first the rows, then the lamps
        self._refreshed += 1
        interval_s = STATE_S / lines
        # counted from when this line was due, so that lines stay on time; after a pause from now
        self._refresh_due = max(self._refresh_due, now - interval_s) + interval_s
        if turn < rows:
            self._out += self._row_lines([turn])
        elif lamps:
            self._out.append(lamp_body(turn - rows, lamps[turn - rows]))

    def due(self, now: float) -> float:
        """Return the seconds until `tick` has something to send."""
        if self._out or self._state_asked:
            return 0.0
        if not self.joined:
            return max(0.0, self._hello_due - now)
        ends = self._heard_at + SILENCE_S  # when the panel will count as gone
        return max(0.0, min(self._refresh_due, self._ping_due, ends) - now)

    def _next_ping(self, now: float) -> str:
        self._ping += 1
        number = str(self._ping % SEQUENCES)
        self._pings[number] = Alive(self._ping, now)
        for digits in list(self._pings)[:-_PING_LIMIT]:  # the dictionary keeps them in order
            del self._pings[digits]
        self._ping_due = now + PING_S
        self._plan_ping(now)
        return f"PING {number}"

    def hurry(self, press_at: float | None, now: float) -> None:
        """Send PINGs more often while a key is held, and one just when its long press is due."""
        if press_at != self._press_at:
            self._press_at = press_at
            self._plan_ping(now)

    def _plan_ping(self, now: float) -> None:
        # `_press_at` is None while no key is held: then a PING each second is enough
        if self._press_at is not None and self.joined:
            ping_at = now + HURRIED_PING_S
            if self._press_at > now:
                ping_at = min(ping_at, self._press_at)
            self._ping_due = min(self._ping_due, ping_at)

    def set_rows(self, rows: Sequence[str]) -> None:
        """Show these rows of text; the rest of the display is blank."""
        old, new = self._rows, list(rows)
        self._rows = new
        if self.joined:
            changed = [row for row in range(self._text_rows) if _row(old, row) != _row(new, row)]
            self._out += self._row_lines(changed)

    def set_lamps(self, lamps: Sequence[int]) -> None:
        """Light the lamps, 0xRRGGBB each, counted from 0; those not named are dark."""
        old = self._lamp_colours()
        self._lamps = list(lamps)
        if self.joined and old != (new := self._lamp_colours()):
            # one line for all, as they are alike
            if len(set(new)) == 1:
                self._out += lamp_bodies(new)
            else:
                lines = lamp_bodies(new)
                self._out += [lines[i] for i in range(len(new)) if new[i] != old[i]]

    def set_lamp(self, index: int, colour: int) -> None:
        """Light one lamp, counted from 0, in 0xRRGGBB; the others stay as they are."""
        lamps = self._lamps + [0] * (index + 1 - len(self._lamps))
        lamps[index] = colour
        self.set_lamps(lamps)

    def beep(self, kind: BeepKind) -> None:
        """Sound once, now; nothing happens without a panel."""
        if self.joined and self.hello is not None and self.hello.buzzer:
            self._out.append(f"BEEP {kind.value}")

    @property
    def _text_rows(self) -> int:
        return 0 if self.hello is None else self.hello.rows

    def _lamp_colours(self) -> list[int]:
        count = 0 if self.hello is None else self.hello.lamps
        return (self._lamps + [0] * count)[:count]

    def _row_lines(self, rows: Sequence[int]) -> list[str]:
        columns = 0 if self.hello is None else self.hello.columns
        return [text_body(row, _row(self._rows, row), columns) for row in rows]


def _row(rows: Sequence[str], row: int) -> str:
    return rows[row] if row < len(rows) else ""
