"""The kernel's own interface to a chip's lines (GPIO character device, version 2).

Inputs do not use lgpio, because its thread wakes 2,000 times a second while it watches a single
edge. The kernel wakes a thread that waits for a file descriptor, and each event contains the line's
level, which need not be read later.
"""

import fcntl
import os
import struct
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Final

# Requests and structures of `linux/gpio.h`: gpio_v2_line_request, _line_info, _line_values and
# _line_event, gpiochip_info.
_GET_CHIP_INFO: Final = 0x8044B401
_GET_LINE: Final = 0xC250B407
_GET_LINE_INFO: Final = 0xC100B405
_GET_VALUES: Final = 0xC010B40E
_SET_VALUES: Final = 0xC010B40F

_USED: Final = 1 << 0
_INPUT: Final = 1 << 2
_OUTPUT: Final = 1 << 3
_BOTH_EDGES: Final = 1 << 4 | 1 << 5
_OPEN_DRAIN: Final = 1 << 6
_PULL_UP: Final = 1 << 8

_LINES_MAX: Final = 64
_REQUEST: Final = struct.Struct("=64I 32s Q I 5I I I Q Q 216s I I 5I i")
_INFO: Final = struct.Struct("=32s 32s I I Q 176s")
_VALUES: Final = struct.Struct("=Q Q")
_EVENT: Final = struct.Struct("=Q I I I I 6I")
_CHIP: Final = struct.Struct("=32s 32s I")
_OUTPUT_VALUES: Final = 2
_FALLING: Final = 2
_QUEUED_EVENTS: Final = 1024
"""The most that the kernel allows: an encoder may turn while the machine stalls."""

CONSUMER: Final = b"beisitzer"


def chip_path(chip: int) -> str:
    """Return the device file of a chip."""
    return f"/dev/gpiochip{chip}"


def chip_label(path: Path) -> str:
    """Return the label that a driver gives its chip; the number differs from kernel to kernel."""
    about = bytearray(_CHIP.size)
    with path.open("rb", buffering=0) as chip:
        fcntl.ioctl(chip, _GET_CHIP_INFO, about)
    _name, label, _lines = _CHIP.unpack(about)
    return bytes(label).rstrip(b"\0").decode("utf-8", "replace")


def _request(path: str, numbers: Sequence[int], flags: int, values: int = 0) -> int:
    """Request lines; return their file descriptor. OSError EBUSY if a line is in use."""
    all_lines = (1 << len(numbers)) - 1
    outputs = (1, _OUTPUT_VALUES, values, all_lines) if flags & _OUTPUT else (0, 0, 0, 0)
    count, attribute, output_values, mask = outputs
    padded = (*numbers, *[0] * (_LINES_MAX - len(numbers)))
    events = _QUEUED_EVENTS if flags & _BOTH_EDGES else 0
    request = bytearray(
        _REQUEST.pack(
            *padded,
            CONSUMER,
            flags,
            count,
            *[0] * 5,
            attribute,
            0,
            output_values,
            mask,
            b"",
            len(numbers),
            events,
            *[0] * 5,
            -1,
        )
    )
    chip = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.ioctl(chip, _GET_LINE, request)
    finally:
        os.close(chip)
    # the kernel replaced the -1 at the end by the descriptor
    fd: int = _REQUEST.unpack(request)[-1]
    return fd


def holder(path: str, number: int) -> str | None:
    """Return the name of a line's user in the kernel; None if it is free or cannot be read."""
    # the kernel fills in everything but the number
    info = bytearray(_INFO.pack(b"", b"", number, 0, 0, b""))
    try:
        chip = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.ioctl(chip, _GET_LINE_INFO, info)
    except OSError:
        return None
    finally:
        os.close(chip)
    _name, consumer, _number, _attributes, flags, *_padding = _INFO.unpack(info)
    if not flags & _USED:
        return None
    # only the kernel's own users may have no name
    return consumer.rstrip(b"\0").decode("utf-8", "replace") or "kernel"


def holders(path: str, numbers: Collection[int]) -> dict[int, str]:
    """Return by BCM number the users of those lines of a chip that are in use."""
    names = {number: holder(path, number) for number in numbers}
    return {number: name for number, name in names.items() if name is not None}


class _Lines:
    """Lines requested from the kernel with these flags; `close` calls `release`.

    `_index` holds each line's place by its BCM number; `_mask` has a bit for every place.
    """

    flags: int

    def __init__(
        self, path: str, numbers: Sequence[int], release: Callable[[], None] = lambda: None
    ) -> None:
        self._release = release
        self._index = {number: index for index, number in enumerate(numbers)}
        self._mask = (1 << len(numbers)) - 1
        # outputs begin high: an open-drain line then floats
        self._fd = _request(path, numbers, self.flags, self._mask if self.flags & _OUTPUT else 0)
        # `edges` reads until no event is left, and must not wait for the next one
        os.set_blocking(self._fd, False)

    def close(self) -> None:
        """Give the lines back."""
        os.close(self._fd)
        self._release()


class ChipInputs(_Lines):
    """Lines with pull-ups; their contacts close to ground."""

    flags = _INPUT | _PULL_UP | _BOTH_EDGES
    every_s = None

    def fileno(self) -> int:
        """Return the file descriptor that becomes readable with an edge."""
        return self._fd

    def read_closed(self) -> list[bool]:
        """Return for each contact whether it is closed now, by one system call."""
        values = bytearray(_VALUES.pack(0, self._mask))
        fcntl.ioctl(self._fd, _GET_VALUES, values)
        bits, _ = _VALUES.unpack(values)
        # a closed contact pulls its line low
        return [not bits >> index & 1 for index in range(len(self._index))]

    def edges(self) -> list[tuple[int, bool]]:
        """Return (contact, closed) for the edges since the last call, the oldest first."""
        edges: list[tuple[int, bool]] = []
        while True:
            try:
                data = os.read(self._fd, 64 * _EVENT.size)  # up to 64 events at once
            except BlockingIOError:
                return edges
            for _time, edge, number, *_ in _EVENT.iter_unpack(data):
                edges.append((self._index[number], edge == _FALLING))
            # nothing more will come from a descriptor at its end
            if len(data) < _EVENT.size:
                return edges


class ChipRows(_Lines):
    """Lines that are pulled low or float, all set by one system call."""

    flags = _OUTPUT | _OPEN_DRAIN

    def pull(self, rows: Collection[int]) -> None:
        """Pull these rows low, counted from 0, and let the others float."""
        # a line of value 1 floats, as it is an open drain
        low = sum(1 << row for row in rows)
        fcntl.ioctl(self._fd, _SET_VALUES, bytearray(_VALUES.pack(self._mask & ~low, self._mask)))
