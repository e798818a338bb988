"""A session and the keys that are down in it: bytes in, keys out, on an injected clock.

A key is acknowledged when the program has taken it, not before. UP and DOWN repeat and a held
BACK acts only on proof that the key is still down: for a while the panel answered every PING
quickly, and in that time no `up` came, though the panel would have sent it thrice.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from hardware.keys import Key, Put
from hardware.presses import Presses
from hardware.serial_panel.protocol import KeyEvent
from hardware.serial_panel.session import Alive, Gone, HostSession, PanelEvent, Repeated

PROOF_S: Final = 0.3
"""The panel must have answered for so long without an `up`; it would have repeated it thrice."""
LATE_S: Final = 0.25
"""An answer that took longer proves nothing."""
MISSED: Final = 3
"""So many PINGs in a row may go unanswered on a noisy line."""
HURRY_S: Final = 0.5
"""So long before a held key acts the panel is asked more often whether it is still down."""


class _Proof:
    """Whether the line was well for long enough that an `up` would have come through it."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._last = 0

    def restart(self) -> None:
        """Begin anew: something may be under way."""
        self._since = None

    def note_answer(self, alive: Alive, now: float) -> bool:
        """Take an answer; tell whether what was down is still down."""
        gap = alive.number - self._last
        self._last = alive.number
        if now - alive.sent > LATE_S:
            self.restart()
            return False
        if self._since is None or not 0 < gap <= MISSED:
            self._since = alive.sent
        return alive.sent - self._since >= PROOF_S


class Listener:
    """Turns what arrives on a session into keys; keys held on a lost panel are forgotten.

    `put` takes each key and answers False when it cannot: then the panel keeps the key and
    sends it again.
    """

    def __init__(self, session: HostSession, put: Put | None = None) -> None:
        self.session = session
        self._put = put or (lambda _key: True)
        self._presses = Presses()
        self._proof = _Proof()
        self._heard: list[Key] = []

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The panel's keys that are down for so long that no finger can be on them."""
        return self._presses.stuck

    def open(self, now: float) -> None:
        """Begin on a port opened anew."""
        self.session.open(now)
        self._presses.reset()

    def hear(self, data: bytes, now: float) -> tuple[list[PanelEvent], list[Key]]:
        """Take what arrived by `now`, be it nothing; give what happened and the keys put."""
        self._heard = []
        events = self.session.receive(data, now, lambda key: self._take(key, now))
        for event in events:
            match event:
                case Gone():
                    self._presses.reset()
                    self._proof.restart()
                case Repeated():  # it has not got our ACK, so an `up` may wait behind it
                    self._proof.restart()
                case Alive(sent=sent) if self._proof.note_answer(event, now):
                    self._act(partial(Presses.note_held, until=sent))
        due = self._presses.due
        self.session.hurry(due if due is not None and due - now <= HURRY_S else None, now)
        return events, self._heard

    def _take(self, event: KeyEvent, now: float) -> bool:
        if event.ms is None:
            return self._act(partial(Presses.down, key=event.key, now=now))
        return self._act(partial(Presses.up, key=event.key, now=now, ms=event.ms))

    def _act(self, change: Callable[[Presses], list[Key]]) -> bool:
        """Let the presses go on if the keys that brings are taken; tell whether they were."""
        presses = self._presses.copy()
        for key in change(presses):
            if self._put(key) is False:
                return False
            self._heard.append(key)
        self._presses = presses
        return True

    def due(self, now: float) -> float:
        """Seconds until something is to be sent, or a held key is to be asked for more often."""
        asks, acts = self.session.due(now), self._presses.due
        if acts is None or (hurry := acts - HURRY_S - now) < 0:
            return asks
        return min(asks, hurry)
