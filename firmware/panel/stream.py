"""The line to the host, read and written without ever waiting for it."""

import select

TYPE_CHECKING = False  # MicroPython has no typing module; a type checker takes this as True
if TYPE_CHECKING:
    from typing import BinaryIO

# A byte takes a Pico up to 0.4 ms, and a press of 60 ms must be seen in two scans at least 20 ms
# apart: a step with all its bytes must take less than 30 ms.
READ_LIMIT_BYTES = 40
WRITE_LIMIT_BYTES = 16


class Stream:
    """Two ends of a byte stream: USB on a Pico, a terminal or pipes on a desktop.

    Bytes go one by one: MicroPython reports only for one byte whether it can be read or written
    without waiting. `data` holds the bytes read last; `hung_up` is set if the other end was gone
    at the last read.
    """

    def __init__(self, source: "BinaryIO", sink: "BinaryIO") -> None:
        self.data = bytearray(READ_LIMIT_BYTES)
        self.hung_up = False
        self._source = source
        self._sink = sink
        self._byte = bytearray(1)
        self._out = b""
        self._sent = 0
        self._readable = select.poll()
        self._readable.register(source, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sink, select.POLLOUT)

    @property
    def clear(self) -> bool:
        """Whether everything has been written."""
        return self._sent == len(self._out)

    def read(self) -> int:
        """Read the bytes that have arrived into `data`; return how many, at most 40.

        Nothing is allocated.
        """
        self.hung_up = False
        byte = self._byte
        size = 0
        try:
            while size < READ_LIMIT_BYTES:
                events = 0  # inline: a function call for each byte takes a Pico too long
                for ready in self._readable.ipoll(0):  # type: ignore[attr-defined]
                    events = ready[1]  # of (stream, events)
                if events:
                    # a line that hung up has another event, or nothing to read
                    received = events & select.POLLIN and self._source.readinto(byte)  # type: ignore[attr-defined]
                    self.hung_up = not received
                if not events or self.hung_up:
                    break
                self.data[size] = byte[0]
                size += 1
        except OSError:
            self.hung_up = True
        return size

    def write(self, data: bytes) -> None:
        """Send at most 16 bytes without waiting; the rest is sent by the next calls.

        `data` must be empty unless the stream is clear, so that a host that does not read fills
        no memory.
        """
        if data:
            self._out = data
            self._sent = 0
        most = min(len(self._out), self._sent + WRITE_LIMIT_BYTES)
        while self._sent < most and _events(self._writable) & select.POLLOUT:
            self._byte[0] = self._out[self._sent]
            try:
                self._sent += self._sink.write(self._byte) or 0  # None: not taken
            except OSError:
                self.hung_up = True
                self._sent = most = len(self._out)  # nobody is there to take the rest


def _events(poll: select.poll) -> int:
    """Return the events that the poll's only stream is ready for."""
    for ready in poll.ipoll(0):  # type: ignore[attr-defined]  # MicroPython's, allocates nothing
        return ready[1]  # type: ignore[no-any-return]
    return 0
