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
        self.closed = False

    def read(self) -> bytes:
        """Give what has arrived, at most 256 bytes, so that keys are scanned meanwhile."""
        data = bytearray()
        while len(data) < _MOST:
            ready = self._poll.poll(0)
            if not ready:
                break
            byte = self._source.read(1) if ready[0][1] & select.POLLIN else b""
            if not byte:
                self.closed = True
                break
            data += byte
        return bytes(data)

    def write(self, data: bytes) -> None:
        """Send to the host; a host that went away is noticed by its silence."""
        if data:
            try:
                self._sink.write(data)
            except OSError:
                self.closed = True
