"""A serial line that does its worst, and the two ends of it, on one simulated clock.

Times are whole milliseconds. Everything is decided by the seed.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware.panel.session import Outputs, Session, WaitingKey
from hardware.keys import DIAL_KEYS, HELD_KEYS, TIMES, Key
from hardware.serial_panel.listener import Listener
from hardware.serial_panel.session import HostSession

STEP_MS = 10
KEYS = [key for key in Key if key not in HELD_KEYS | DIAL_KEYS]
"""Those that a finger can press."""


@dataclass
class Line:
    """One direction. Of its lines `damage` suffer; during an outage none arrives."""

    chance: random.Random
    damage: float
    outages: list[tuple[int, int]] = field(default_factory=list)
    sent: int = 0
    damaged: int = 0
    _chunks: list[bytes] = field(default_factory=list)
    _late: list[tuple[int, bytes]] = field(default_factory=list)

    def dead(self, now: int) -> bool:
        return any(start <= now < end for start, end in self.outages)

    def send(self, data: bytes, now: int) -> None:
        for line in data.splitlines(keepends=True):
            self.sent += 1
            if self.dead(now):
                continue
            if self.chance.random() < self.damage:
                self.damaged += 1
                self._hurt(line, now)
            else:
                self._chunks.append(line)

    def _hurt(self, line: bytes, now: int) -> None:
        chance = self.chance
        match chance.choice(("drop", "double", "swap", "late", "garble", "cut", "bytes")):
            case "double":
                self._chunks += [line] * chance.randint(2, 4)
            case "swap":
                middle = chance.randrange(1, len(line))
                self._chunks[-1:] = [line[middle:], line[:middle], *self._chunks[-1:]]
            case "late":
                self._late.append((now + chance.randint(20, 400), line))
            case "garble":
                spoilt = bytearray(line)
                for _ in range(chance.randint(1, 6)):
                    spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
                self._chunks.append(bytes(spoilt))
            case "cut":
                self._chunks.append(line[: chance.randrange(len(line))])
            case "bytes":
                self._chunks += [chance.randbytes(chance.randint(1, 300)), line]

    def arrive(self, now: int) -> bytes:
        """Give what comes out at the other end; lines that were held up come first."""
        for late in [late for late in self._late if late[0] <= now]:
            self._late.remove(late)
            self._chunks.insert(0, late[1])
        data, self._chunks = b"".join(self._chunks), []
        return data


class Buzzer(Outputs):
    """Counts the bad beeps: presses that the panel said it would not keep."""

    def __init__(self) -> None:
        self.bad = 0

    def beep(self, kind: str) -> None:
        self.bad += kind == "bad"


@dataclass(frozen=True)
class Press:
    """A key that a finger pressed, or that the loop heard, at `at`."""

    key: Key
    at: int
    session: str
    event: WaitingKey | None = None
    """The panel's event by which the key counts: down, or up where it may be held."""


class Table:
    """A panel and a host on one line. Fingers press, the loop hears."""

    def __init__(self, seed: int, damage: float = 0.05) -> None:
        self.chance = random.Random(seed)
        self.now = 0
        self.up = Line(self.chance, damage)
        self.down = Line(self.chance, damage)
        self.pressed: list[Press] = []
        self.heard: list[Press] = []
        self.sessions: list[str] = []
        self.dropped: list[WaitingKey] = []
        """Events of presses that the panel dropped later, each press with a bad beep."""
        self.died: list[WaitingKey] = []
        """Events that waited on the panel when their session ended."""
        self.held: set[Key] = set()
        self._pending: list[tuple[int, Callable[[], None]]] = []
        self.panel = Session(Outputs())
        self.start_panel()
        self.start_host()

    def start_panel(self) -> None:
        """Put power on the panel; what it knew is lost."""
        self.buzzer = Buzzer()
        self.died += self.panel._events
        self.panel = Session(self.buzzer)
        self._panel_start = self.now
        self._pending.clear()
        self.held.clear()

    def start_host(self) -> None:
        """Start the companion; the one before was killed."""
        self.host = HostSession(lambda: f"{self.chance.getrandbits(32):08x}")
        self.listener = Listener(self.host)
        self.listener.open(self.now / 1000)

    def replug(self) -> None:
        """Let the host lose the port and open it again; the panel goes on."""
        self.listener.open(self.now / 1000)

    def outage(self, length: int) -> None:
        """Cut both directions from now on, for so many milliseconds."""
        self.up.outages = self.down.outages = [(self.now, self.now + length)]

    @property
    def joined(self) -> bool:
        return self.host.joined and self.panel.session == self.host.session

    def press(self, key: Key, held: int) -> None:
        """Press a key for so long; a press that the panel keeps is noted when it counts."""
        now, panel, bad = self.now, self.panel, self.buzzer.bad
        panel.press(key.value, now - self._panel_start)
        kept = self.buzzer.bad == bad
        session = panel.session

        def note(counts: Key) -> None:
            if kept and session == panel.session:
                self.pressed.append(Press(counts, self.now, session, panel._events[-1]))

        def release() -> None:
            self.held.discard(key)
            waiting = len(panel._events)
            panel.release(key.value, self.now - self._panel_start)
            if key.held is not None and len(panel._events) > waiting:
                note(key.held if held >= TIMES.hold_s * 1000 else key)

        if key.held is None:
            note(key)
        self.held.add(key)
        self._pending.append((now + held, release))

    def tap(self) -> None:
        """Press a key as people do; now and then a long press, which acts before it is over."""
        key = self.chance.choice([key for key in KEYS if key not in self.held])
        if key.held is not None and not self.held and self.chance.random() < 0.3:
            length = self.chance.randint(650, 900)
            self.press(key, length)
            self.run(length + 2 * STEP_MS)
        else:
            self.press(key, self.chance.randint(30, 150))

    def run(self, length: int) -> None:
        """Let so many milliseconds pass."""
        for _ in range(length // STEP_MS):
            self.now += STEP_MS
            for due in [due for due in self._pending if due[0] <= self.now]:
                self._pending.remove(due)
                due[1]()
            self._exchange()

    def _exchange(self) -> None:
        now, panel_now = self.now / 1000, self.now - self._panel_start
        session, waiting = self.panel.session, list(self.panel._events)
        self.panel.receive(self.down.arrive(self.now), panel_now)
        if self.panel.session == session:
            waiting, bad = list(self.panel._events), self.buzzer.bad
            self.up.send(self.panel.tick(panel_now), self.now)
            if self.panel.session == session:
                gone = [event for event in waiting if event not in self.panel._events]
                self.dropped += gone
                assert self.buzzer.bad - bad == sum(event.ms < 0 for event in gone)
        if self.panel.session != session:
            self.died += waiting
            self.up.send(self.panel.tick(panel_now), self.now)
        session = self.host.session
        _, keys = self.listener.hear(self.up.arrive(self.now), now)
        self.heard += [Press(key, self.now, session) for key in keys]
        self.down.send(self.host.tick(now), self.now)
        if self.joined and self.sessions[-1:] != [session]:
            self.sessions.append(session)

    def settle(self, limit: int = 30_000) -> None:
        """Run until both are in one session and nothing waits; AssertionError if they never are."""
        for _ in range(limit // STEP_MS):
            if self.joined and self.panel.idle and not self._pending:
                return
            self.run(STEP_MS)
        raise AssertionError(f"not settled: {self.panel.session} {self.host.session}")
