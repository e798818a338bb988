"""The line to the host, read without ever waiting for it."""

import select

TYPE_CHECKING = False  # MicroPython has no typing module; a type checker takes this as True
if TYPE_CHECKING:
    from typing import BinaryIO

_MOST = 256


class Stream:
    """Two ends of a byte stream: USB on a Pico, a terminal or pipes on a desk."""

    def __init__(self, source: "BinaryIO", sink: "BinaryIO") -> None:
        self._source = source
        self._sink = sink
        self._poll = select.poll()
        self._poll.register(source, select.POLLIN)
        self.hung_up = False

    def read(self) -> bytes:
        """Give what has arrived, at most 256 bytes, so that keys are scanned meanwhile.

        `hung_up` tells whether the other end was gone when last looked.
        """
        data = bytearray()
        self.hung_up = False
        while len(data) < _MOST and not self.hung_up:
            ready = self._poll.poll(0)
            if not ready:
                break
            byte = self._byte() if ready[0][1] & select.POLLIN else b""
            self.hung_up = not byte
            data += byte
        return bytes(data)

    def _byte(self) -> bytes:
        try:
            return self._source.read(1)
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        """Send to the host; one that went away is noticed by its silence."""
        if data:
            try:
                self._sink.write(data)
            except OSError:
                self.hung_up = True
