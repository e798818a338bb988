"""The panel as a whole, on whatever pins and stream it is given."""

from .keypad import Debouncer
from .session import Session
from .stream import Stream


class App:
    """Ties keys, session and stream together; `step` is called every few milliseconds."""

    def __init__(self, session: Session, stream: Stream) -> None:
        self.session = session
        self._stream = stream
        self._keypad = Debouncer()

    def step(self, rows: list[int], buttons: int, now: int) -> None:
        """Do what is to be done now; `rows` and `buttons` are a scan of the keys."""
        for name, down in self._keypad.sample(rows, buttons, now):
            if down:
                self.session.press(name, now)
            else:
                self.session.release(name, now)
        data = self._stream.read()
        self.session.receive(data, now)
        self._stream.write(self.session.tick(now))
