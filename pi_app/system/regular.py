"""Reads files safely: a pipe could make a reader wait for ever, and a device may never end."""

import errno
import os
from io import BufferedReader, FileIO
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from time import monotonic

from engines.notation import decode_text

PATIENCE_S = 5.0
LONGEST_S = 60.0
"""How long a pipe may send nothing, and how long it may take in all."""
_PART_BYTES = 1 << 16


class NotAFileError(OSError):
    """A path, `filename`, has a pipe, a device or a socket instead of a file (`errno` ENXIO).

    ELOOP: it is a link that leads to itself.
    """

    def __init__(self, path: Path, number: int = errno.ENXIO) -> None:
        what = "a link to itself" if number == errno.ELOOP else "a pipe or a device"
        super().__init__(number, f"this is {what}, not a file", str(path))


class TooLongError(ValueError):
    """A file is larger than any real file of its kind."""


def check_regular(path: Path) -> None:
    """Raise NotAFileError unless this is a file, a link to one, a folder or nothing.

    Opening a folder or a missing file raises the system's error.
    """
    try:
        mode = path.stat().st_mode
    except OSError as error:
        if error.errno == errno.ELOOP:  # `Path.resolve` would end in a RuntimeError
            raise NotAFileError(path, errno.ELOOP) from None
        return
    if not S_ISREG(mode) and not S_ISDIR(mode):
        raise NotAFileError(path)


class _RegularReader(BufferedReader):
    """Refuses files of the kernel that have nothing to read yet, such as /proc/kmsg."""

    def read(self, size: int | None = -1, /) -> bytes:
        data: bytes | None = super().read(size)
        if data is None:
            raise NotAFileError(Path(self.name))
        return data


def open_regular(path: Path) -> BufferedReader:
    """Open a file for reading in binary; OSError if it cannot be read or is no file."""
    check_regular(path)
    # Path.open takes no opener; `open` with O_NONBLOCK does not wait for a pipe that has just
    # replaced the file
    flag = getattr(os, "O_NONBLOCK", 0)
    file = FileIO(path, opener=lambda name, flags: os.open(name, flags | flag))
    return _RegularReader(file)


def read_file_or_pipe(path: Path, most_bytes: int) -> bytes:
    """Return at most so many bytes of a file, a pipe or a device named by the user.

    OSError if it cannot be read, or if a pipe does not end in time (ETIMEDOUT).
    """
    import select  # imported here for a faster start

    data, end = bytearray(), monotonic() + LONGEST_S
    flag = getattr(os, "O_NONBLOCK", 0)  # opening must not wait for a writer
    with open(
        path, "rb", buffering=0, opener=lambda name, flags: os.open(name, flags | flag)
    ) as file:
        waits = select.poll()
        waits.register(file, select.POLLIN)
        while len(data) < most_bytes:
            patience_s = min(PATIENCE_S, end - monotonic())
            if patience_s <= 0 or not waits.poll(patience_s * 1000):
                raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            part = file.read(min(_PART_BYTES, most_bytes - len(data)))
            if part == b"":
                break
            data += part or b""  # None: another reader took the data
    return bytes(data)


def read_text(path: Path, most_bytes: int) -> str:
    """Return a person's text file without its byte order mark, if it has one.

    OSError if it cannot be read or is no file, TooLongError, UnicodeDecodeError if it is not UTF-8,
    ValueError if the path has a NUL.
    """
    with open_regular(path) as file:
        data = file.read(most_bytes + 1)  # one byte more shows that the file is too long
    if len(data) > most_bytes:
        raise TooLongError(f"more than {most_bytes} bytes")
    return decode_text(data)
