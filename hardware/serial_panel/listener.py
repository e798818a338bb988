"""A session and the keys that are down in it: bytes in, keys out; times are arguments.

A key is acknowledged only when the program has taken it. UP and DOWN repeat and a held BACK is
sent only on proof that the key is still down: for some time the panel answered every PING quickly
and sent no `up`, which it would have sent three times.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from hardware.keys import Key, Put
from hardware.presses import Presses
from hardware.serial_panel.protocol import KeyEvent
from hardware.serial_panel.session import Alive, Gone, HostSession, PanelEvent, Repeated

PROOF_S: Final = 0.3
"""The panel must have answered for this time without an `up`, enough to send it three times."""
LATE_S: Final = 0.25
"""An answer that takes longer proves nothing."""
MISSED: Final = 3
"""This many PINGs in a row may go unanswered on a noisy line."""
HURRY_S: Final = 0.5
"""PINGs become more frequent this long before a held key is sent."""


class _Proof:
    """Proof that the line has worked long enough for an `up` to arrive."""

    def __init__(self) -> None:
        self._since: float | None = None
        """When the first PING of an unbroken series of answers was sent."""
        self._last = 0
        """The number of the last PING that was answered."""

    def restart(self) -> None:
        """Begin again: an `up` may be on its way."""
        self._since = None

    def note_answer(self, alive: Alive, now: float) -> bool:
        """Note an answer; tell whether keys that were down are certainly still down."""
        gap = alive.number - self._last
        self._last = alive.number
        if now - alive.sent > LATE_S:
            self.restart()
            return False
        # the first answer, or too many PINGs without one: the series begins here
        if self._since is None or not 0 < gap <= MISSED:
            self._since = alive.sent
        return alive.sent - self._since >= PROOF_S


class Listener:
    """Turns the bytes of a session into keys; keys held on a lost panel are forgotten.

    `put` takes each key and returns False if it cannot: then the panel sends the key again.
    """

    def __init__(self, session: HostSession, put: Put | None = None) -> None:
        self.session = session
        self._put = put or (lambda _key: True)
        self._presses = Presses()
        self._proof = _Proof()
        self._keys: list[Key] = []

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The panel's keys that have been down too long to be held by a finger."""
        return self._presses.stuck

    def open(self, now: float) -> None:
        """Begin a session on a newly opened port."""
        self.session.open(now)
        self._presses.reset()

    def hear(self, data: bytes, now: float) -> tuple[list[PanelEvent], list[Key]]:
        """Take the bytes that arrived by `now`, if any; return the events and the keys put."""
        self._keys = []
        events = self.session.receive(data, now, lambda key: self._accept_event(key, now))
        for event in events:
            match event:
                case Gone():
                    self._presses.reset()
                    self._proof.restart()
                case Repeated():  # our ACK is lost, so an `up` may wait behind it
                    self._proof.restart()
                case Alive(sent=sent) if self._proof.note_answer(event, now):
                    self._act(partial(Presses.note_held, until=sent))
        # a long press or a repeat that comes soon needs its proof on time
        due = self._presses.due
        is_soon = due is not None and due - now <= HURRY_S
        self.session.hurry(due if is_soon else None, now)
        return events, self._keys

    def _accept_event(self, event: KeyEvent, now: float) -> bool:
        if event.ms is None:
            return self._act(partial(Presses.down, key=event.key, now=now))
        return self._act(partial(Presses.up, key=event.key, now=now, ms=event.ms))

    def _act(self, change: Callable[[Presses], list[Key]]) -> bool:
        """Change the presses if `put` takes the keys of that change; tell whether it does."""
        # a copy, which is forgotten if `put` refuses: the panel sends the key again
        presses = self._presses.copy()
        for key in change(presses):
            if self._put(key) is False:
                return False
            self._keys.append(key)
        self._presses = presses
        return True

    def due(self, now: float) -> float:
        """Return the seconds until something is due: a line to send, or more frequent PINGs."""
        session_s, press_at = self.session.due(now), self._presses.due
        # once PINGs are more frequent, the session is due often enough
        if press_at is None or press_at - HURRY_S < now:
            return session_s
        return min(session_s, press_at - HURRY_S - now)
