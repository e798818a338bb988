"""The panel's side of a session: bytes, keys and the clock in, bytes out.

`now` is any steadily rising number of milliseconds. Rules are numbered as in the protocol's
section "Session".
"""

from . import VERSION
from .line import LineReader, encode, parse

HELLO_MS = 1000
RESEND_MS = 100
# A session ends when nothing was heard of the host for so long.
SILENCE_MS = 10000
# A press that waited so long is dropped: it would surprise the table.
STALE_MS = 8000
# How many events can wait for the host, and how many sequence numbers there are.
ROOM = 32
SEQUENCES = 10000
NO_SESSION = "-"
# The most answers that wait for a host that does not read; it will ask again.
ANSWERS = 8


class Outputs:
    """The outputs of a panel; a board overrides the ones that it has."""

    keys = 22
    lamps = 6
    buzzer = 1
    rows = 4
    columns = 20

    def lamp(self, index: int, colour: int) -> None:
        """Light lamp `index`, or all of them for -1, in 0xRRGGBB."""

    def beep(self, kind: str) -> None:
        """Sound `ok`, `bad`, `win` or `tick`."""

    def text(self, row: int, text: str) -> None:
        """Show a row of text, the rest of it blank."""

    def begin_session(self, session: str) -> None:
        """Note that a host has begun a session; it will send its whole state."""

    def show_waiting(self) -> None:
        """Show that no host is there and that the state is unknown."""


class WaitingKey:
    """A key event that waits to be sent, since `since`.

    `ms` is how long a key that came up was down, -1 for a key that went down.
    """

    def __init__(self, name: str, ms: int, since: int) -> None:
        self.name = name
        self.ms = ms
        self.since = since


class Session:
    """One panel on one line."""

    def __init__(self, outputs: Outputs, name: str = "pico") -> None:
        self.session = NO_SESSION
        self._outputs = outputs
        self._name = name
        self._reader = LineReader()
        self._bad_bodies = 0
        # Bodies of the lines to send next.
        self._out: list[str] = []
        self._events: list[WaitingKey] = []
        # The keys that are down, and since when.
        self._down: dict[str, int] = {}
        # The number of the first event, and when it was sent last; -1: not yet.
        self._sequence = 0
        self._sent_at = -1
        self._hello_at = 0
        self._heard_at = 0
        self._rows_announced = outputs.rows

    @property
    def dropped(self) -> int:
        """The number of dropped lines."""
        return self._reader.dropped + self._bad_bodies

    @property
    def room(self) -> int:
        """How many more events have room, with room reserved for the `up` of held keys."""
        return ROOM - len(self._events) - len(self._down)

    @property
    def idle(self) -> bool:
        """Whether the host has taken every event and no key is down."""
        return self.room == ROOM

    def press(self, name: str, now: int) -> None:
        """Accept a key that went down, or beep `bad` if there is no room for it (rule 5).

        Room for its `up` is reserved at once, so that a press is sent or dropped as a whole.
        """
        if self.session == NO_SESSION or self.room < 2:
            self._outputs.beep("bad")
            return
        self._events.append(WaitingKey(name, -1, now))
        self._down[name] = now

    def release(self, name: str, now: int) -> None:
        """Accept a key that came up, unless its press was dropped."""
        since = self._down.pop(name, None)
        if since is not None:
            self._events.append(WaitingKey(name, now - since, now))

    def receive(self, data: bytes | bytearray, now: int, size: int = -1) -> None:
        """Accept bytes from the host, the first `size` or all.

        Silence before these bytes counts first (rule 6).
        """
        self._expire(now)
        for body in self._reader.feed(data, size):
            message = parse(body, self._outputs.lamps, self._outputs.rows)
            if message is None:
                self._bad_bodies += 1
            elif message[0] != "ECHO":  # the panel's own line sent back proves no host
                self._heard_at = now
                self._obey(message[0], message[1], message[2], now)

    def _obey(self, word: str, number: int, text: str, now: int) -> None:
        if word == "HELLO":
            if text != self.session:
                self._enter(text, now)
                self._outputs.begin_session(text)
            self._out.append(self._hello())
        elif word == "ACK":
            if self._sent_at >= 0 and text == self.session and number == self._sequence:
                self._events.pop(0)
                self._sequence = (number + 1) % SEQUENCES
                self._sent_at = -1
        elif word == "PING":
            self._out.append("PONG " + text)
        elif word == "LAMP":
            self._outputs.lamp(number, int(text, 16))
        elif word == "BEEP":
            self._outputs.beep(text)
        elif word == "TEXT":
            # a host that sends texts knows of the display
            self._rows_announced = self._outputs.rows
            self._outputs.text(number, text[: self._outputs.columns])

    def _enter(self, session: str, now: int) -> None:
        """Begin a session or, with `-`, end it; keys that are down now belong to no session."""
        self.session = session
        self._events.clear()
        self._down.clear()
        self._sequence = 0
        self._sent_at = -1
        self._hello_at = now
        self._rows_announced = self._outputs.rows

    def _hello(self) -> str:
        outputs = self._outputs
        counts = (
            f" lamps={outputs.lamps} buzzer={outputs.buzzer} text={outputs.rows}x{outputs.columns}"
        )
        return f"HELLO 1 {self._name} {VERSION} session={self.session} keys={outputs.keys}" + counts

    def _expire(self, now: int) -> None:
        """End the session if nothing was heard of the host for 10 s (rule 6)."""
        if self.session != NO_SESSION and now - self._heard_at >= SILENCE_MS:
            self._enter(NO_SESSION, now)
            self._outputs.show_waiting()

    def _drop_stale(self, now: int) -> None:
        """Drop presses that waited over 8 s and were never sent (rule 5).

        An event that was sent once may have arrived, with its ACK lost: it stays with its number,
        and so does the `up` of a press whose `down` was sent.
        """
        i = 1 if self._sent_at >= 0 else 0  # the first event was sent, and stays
        while i < len(self._events) and now - self._events[i].since > STALE_MS:
            if self._events[i].ms < 0:
                self._drop_up(self._events.pop(i).name, i)
                self._outputs.beep("bad")
            else:
                i += 1

    def _drop_up(self, name: str, start: int) -> None:
        """Drop the `up` of a dropped press, which waits from `start` on or is still to come."""
        for i in range(start, len(self._events)):
            if self._events[i].name == name:
                self._events.pop(i)
                return
        self._down.pop(name, None)

    def tick(self, now: int, *, room: bool = True) -> bytes:
        """Return the bytes to send now; call it every few milliseconds.

        Without `room` on the line nothing is sent: keys wait as if they were never sent, and only
        the latest answers wait.
        """
        self._expire(now)
        self._drop_stale(now)
        if not room:
            if len(self._out) > ANSWERS:
                self._out = self._out[-ANSWERS:]
            return b""
        if self._greets() and now >= self._hello_at:
            self._hello_at = now + HELLO_MS
            self._out.append(self._hello())
        if self._events and (self._sent_at < 0 or now - self._sent_at >= RESEND_MS):
            self._sent_at = now
            event = self._events[0]
            change = "down" if event.ms < 0 else f"up {event.ms}"
            self._out.append(f"KEY {self.session} {self._sequence} {event.name} {change}")
        if not self._out:
            return b""
        out = b"".join([encode(body) for body in self._out])
        self._out.clear()
        return out

    def _greets(self) -> bool:
        """Tell whether to send HELLO every second, until the host reacts.

        It has to begin a session (rule 2), or to send its texts to a display that was found only
        after that: it sends the whole state after each HELLO (rule 7).
        """
        return self.session == NO_SESSION or self._rows_announced != self._outputs.rows
