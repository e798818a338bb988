"""The whole panel, on any pins and stream."""

from .keypad import Debouncer
from .session import Session
from .stream import Stream


class App:
    """Ties keys, session and stream together; `step` is called every few milliseconds.

    `quiet`: nothing arrived in the last step; `touched`: a key is down; `idle`: quiet, no key down.
    """

    def __init__(self, session: Session, stream: Stream) -> None:
        self.session = session
        self._stream = stream
        self._keypad = Debouncer()
        self._begun = False
        self.quiet = False
        self.idle = False
        self.touched = False

    def step(self, rows: list[int], buttons: int, now: int) -> None:
        """Do what is due; `rows` and `buttons` are a scan of the keys.

        Reading allocates no memory before a line is complete, so the garbage collector does not
        delay the scan.
        """
        if not self._begun:
            self._begun = True
            self._keypad.begin(rows, buttons)
        for name, down in self._keypad.sample(rows, buttons, now):
            if down:
                self.session.press(name, now)
            else:
                self.session.release(name, now)
        size = self._stream.read()
        if size:
            self.session.receive(self._stream.data, now, size)
        self._stream.write(self.session.tick(now, room=self._stream.clear))
        self.quiet = not size
        self.touched = not self._keypad.at_rest
        self.idle = self.quiet and not self.touched
