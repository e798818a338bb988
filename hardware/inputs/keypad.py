"""The 4x4 matrix keypad on gpiozero pins. It only calls `put` with a Key."""

from hardware.config import KeypadConfig
from hardware.device import Device, Site
from hardware.inputs.contacts import Cross, Matrix
from hardware.inputs.lines import Inputs, open_inputs, open_rows
from hardware.keys import Key, Times
from hardware.presses import Presses

PRINTED = {key.sign: key for key in Key if len(key.sign) == 1}
"""The keys by the characters printed on a keypad."""


def keys_of(config: KeypadConfig) -> dict[Cross, Key]:
    """Return the key at each crossing."""
    return {
        (row, column): PRINTED[char]
        for row, line in enumerate(config.layout)
        for column, char in enumerate(line)
    }


_READS_A_SCAN = 4
"""A held key hides others in its column, so all rows are scanned after this many reads."""


class Keypad(Device):
    """The 4x4 matrix.

    While no key is down all rows are low and any key pulls its column low, so one read of the
    columns is enough. In a scan one row at a time is low and the others float. As long as the
    same columns are low as in the last scan, only the columns are read.
    """

    name = "keypad"

    def __init__(self, site: Site) -> None:
        config, factory = site.config.keypad, site.pins()
        self._put = site.put
        times = Times(
            repeat_after_s=config.repeat_after_ms / 1000,
            repeat_every_s=config.repeat_every_ms / 1000,
        )
        self._matrix = Matrix(keys_of(config), config.debounce_ms / 1000, Presses(times))
        self._all = range(len(config.rows))
        self._low: list[bool] = []
        """Whether each column was low in the last scan; empty: the next key needs a scan."""
        self._closed: set[Cross] = set()
        """What the last scan found."""
        self._reads = 0
        """The reads of the columns since the last scan."""
        self._rows = open_rows(factory, config.rows)
        try:
            self._columns = open_inputs(factory, config.columns, site.wake)
            self._rows.pull(self._all)
        except BaseException:
            self._rows.close()
            raise

    @property
    def stuck(self) -> tuple[Key, ...]:
        """The keys that have been down too long to be held by a finger."""
        return self._matrix.presses.stuck

    def sources(self) -> list[Inputs]:
        """Return the inputs that it watches for edges."""
        return [self._columns]

    def _conducting(self) -> set[Cross]:
        """Return the closed crossings, of the last scan if no new one is needed."""
        low = self._columns.read_closed()  # all rows are low between two scans
        if not any(low):
            self._low = []
            return set()
        self._reads += 1
        if low != self._low or self._reads >= _READS_A_SCAN:
            self._low, self._reads = low, 0
            self._closed = set()
            for row in self._all:
                self._rows.pull((row,))
                columns = enumerate(self._columns.read_closed())
                self._closed |= {(row, column) for column, closed in columns if closed}
            self._rows.pull(self._all)
        return self._closed

    def poll(self, now: float) -> bool:
        """Read the keys once; tell whether to read again soon."""
        # unread edges would wake the thread again and again; the columns are read below
        self._columns.edges()
        for key in self._matrix.scan(self._conducting(), now):
            self._put(key)
        return self._matrix.busy

    def close(self) -> None:
        """Release the pins."""
        self._columns.close()
        self._rows.close()
