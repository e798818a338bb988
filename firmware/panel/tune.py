"""Beeps as notes: (pitch in Hz, 0 for a pause; length in ms)."""

NOTES = {
    "ok": ((1760, 60),),
    "bad": ((220, 160), (0, 40), (220, 160)),
    "win": ((1047, 120), (1319, 120), (1568, 120), (2093, 300)),
    "tick": ((1200, 15),),
}


class Tune:
    """Plays one beep at a time without waiting; a new one replaces the old."""

    def __init__(self) -> None:
        self._notes: tuple[tuple[int, int], ...] = ()
        self._next = 0
        # When the note ends; -1 without a beep.
        self._until = -1

    def start(self, kind: str) -> None:
        """Play this beep from the next tick on."""
        self._notes = NOTES[kind]
        self._next = 0
        self._until = 0

    def tick(self, now: int) -> int:
        """Return the pitch to sound from now on, 0 for silence, -1 for no change."""
        if self._until < 0 or now < self._until:
            return -1
        if self._next == len(self._notes):
            self._until = -1
            return 0
        pitch, length = self._notes[self._next]
        self._next += 1
        self._until = now + length
        return pitch
