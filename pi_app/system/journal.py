"""Sends log records to systemd's journal with fields of their own, by its native protocol.

A datagram of lines NAME=value (systemd.io/JOURNAL_NATIVE_PROTOCOL); a value of several lines has
its length before it. `extra={"journal": {"EVENT": "saved"}}` of a record becomes the field
BEISITZER_EVENT.
"""

import logging
import socket
from collections.abc import Iterator
from pathlib import Path

SOCKET = Path("/run/systemd/journal/socket")
TEXT_LIMIT_BYTES = 60_000
"""A longer text is cut: a datagram must fit its socket."""


class JournalHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Sends each record to the journal, or to standard error, which goes there too."""

    def __init__(self, at: Path = SOCKET) -> None:
        super().__init__()
        self._at = str(at)
        self._channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._channel.sendto(datagram(record, self.format(record)), self._at)
        except OSError:
            super().emit(record)

    def close(self) -> None:
        self._channel.close()
        super().close()


def datagram(record: logging.LogRecord, lines: str) -> bytes:
    """Return a record in the journal's protocol; `lines` are its text, each with its priority."""
    return b"".join(_line(name, value) for name, value in _fields(record, lines))


def _fields(record: logging.LogRecord, lines: str) -> Iterator[tuple[str, str]]:
    # drops the first line's <4>, which only standard error needs
    yield "PRIORITY", lines[1:2]
    yield "MESSAGE", "\n".join(line[3:] for line in lines.splitlines())
    yield "SYSLOG_IDENTIFIER", "beisitzer"
    yield "CODE_FUNC", f"{record.name}.{record.funcName}"
    yield "CODE_LINE", str(record.lineno)
    if record.exc_info and record.exc_info[0] is not None:
        yield "BEISITZER_ERROR", record.exc_info[0].__name__
    for name, value in getattr(record, "journal", {}).items():
        yield f"BEISITZER_{name}", str(value)


def _line(name: str, value: str) -> bytes:
    data = value.encode("utf-8", "replace")[:TEXT_LIMIT_BYTES]
    if b"\n" in data:
        return name.encode() + b"\n" + len(data).to_bytes(8, "little") + data + b"\n"
    return name.encode() + b"=" + data + b"\n"
