"""One pad's events over time: key events in, `Key`s out. It reads no clock and no device."""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from hardware.keys import TIMES, Key
from hardware.pads.table import CODES
from hardware.presses import Presses

EV_SYN, EV_KEY, EV_MSC = 0, 1, 4
SYN_REPORT, SYN_DROPPED = 0, 3
MSC_SCAN = 4
KEY_UNKNOWN = 240
ZEROS: Final = {0x700B0: 2, 0x700B1: 3}
"""The keys "00" and "000" by the code of the USB standard; the kernel has no number for them."""
TAP_S: Final = 0.025
"""A shorter press of NumLock is no finger's: some pads send it around their digits."""

_REPEATED = 2
"""The value of a key event that the kernel repeats."""
_BY_THE_KERNEL = 1
"""The value of a report that the kernel made itself, as when it releases the keys of a device that
is pulled out."""
_NUM_LOCK = CODES["NUMLOCK"]

Letters = Callable[[str], tuple[Key, ...]]
"""Returns the keys that write a letter now; () if nobody types."""


class PadEvent(Protocol):
    """An event as python-evdev has it."""

    @property
    def type(self) -> int: ...
    @property
    def code(self) -> int: ...
    @property
    def value(self) -> int: ...
    def timestamp(self) -> float:
        """Return when it happened, in seconds of the kernel's monotonic clock."""


class PadReader:
    """Turns one pad's events into keys, by its table and the press times of all inputs.

    A report counts as a whole. After the kernel dropped events nothing is known of the keys that
    were down: they send nothing, and `lost` is true until it is set to False.
    """

    def __init__(
        self, table: Mapping[str, Key], letters: Mapping[int, str], write: Letters
    ) -> None:
        self._table = {CODES[name]: key for name, key in table.items()}
        self._zero = Key.D0 if Key.D0 in table.values() else None
        self._letters = letters
        self._write = write
        self._report: list[tuple[int, bool]] = []
        """The keys of the report that is not complete yet, and whether each goes down."""
        self._scan = 0
        """The USB code of the key whose event comes next."""
        self._skipping = False
        """Whether the kernel dropped events of this report."""
        self._num_lock_since = 0.0
        """When NumLock went down."""
        self.presses = Presses(TIMES)
        self.lost = False

    def hear(self, event: PadEvent) -> list[Key]:
        """Take the next event; return the keys to send."""
        if event.type == EV_KEY and event.value != _REPEATED:
            code = self._scan if event.code == KEY_UNKNOWN else event.code
            self._report.append((code, bool(event.value)))
        elif event.type == EV_MSC and event.code == MSC_SCAN:
            self._scan = event.value
        elif event.type == EV_SYN and event.code == SYN_DROPPED:
            self._skipping = self.lost = True
        elif event.type == EV_SYN and event.code == SYN_REPORT:
            report, self._report = self._report, []
            if self._skipping or (report and event.value == _BY_THE_KERNEL):
                self._skipping = False
                self.presses.reset()
                return []
            now = event.timestamp()
            return [key for code, down in report for key in self._change(code, now, down=down)]
        return []

    def _change(self, code: int, now: float, *, down: bool) -> list[Key]:
        if code in ZEROS and self._zero is not None:
            return [self._zero] * ZEROS[code] if down else []
        key = self._table.get(code)
        # while somebody types, a key with a letter writes it instead of what the table says
        if down and (letter := self._letters.get(code)) and (keys := self._write(letter)):
            return list(keys)
        if key is None:
            return []
        if code == _NUM_LOCK and down:
            self._num_lock_since = now
        if down:
            return self.presses.down(key, now)
        # always noted, so that the key does not count as held
        released = self.presses.up(key, now)
        # a pad that presses NumLock itself must not send the key that NumLock stands for
        by_pad_itself = code == _NUM_LOCK and now - self._num_lock_since < TAP_S
        return [] if by_pad_itself else released
