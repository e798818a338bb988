"""A session and the keys that are down in it: bytes in, keys out, on an injected clock."""

from hardware.keys import Key
from hardware.panel.presses import Presses
from hardware.panel.session import Alive, Event, Gone, HostSession, Pressed


class Listener:
    """Turns what arrives on a session into keys; keys held on a lost panel are forgotten."""

    def __init__(self, session: HostSession) -> None:
        self.session = session
        self._presses = Presses()

    def open(self, now: float) -> None:
        """Begin on a port opened anew."""
        self.session.open(now)
        self._presses.reset()

    def hear(self, data: bytes, now: float) -> tuple[list[Event], list[Key]]:
        """Take what arrived by `now`, be it nothing; give what happened and the keys of it."""
        events = self.session.receive(data, now)
        keys: list[Key] = []
        for event in events:
            match event:
                case Gone():
                    self._presses.reset()
                case Alive(sent):
                    self._presses.alive(sent, now)
                case Pressed(press) if press.ms is None:
                    keys += self._presses.down(press.key, now)
                case Pressed(press):
                    keys += self._presses.up(press.key, press.ms or 0)
        return events, keys + self._presses.tick(now)

    def due(self, now: float) -> float:
        """Seconds until something is to be sent, or a held key repeats."""
        repeat = self._presses.due(now)
        due = self.session.due(now)
        return due if repeat is None else min(due, repeat)
