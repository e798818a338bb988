"""Time on MicroPython: its tick counter wraps after some days."""

# The type checker knows only CPython's `time`.
from time import (  # type: ignore[attr-defined]
    sleep_ms,
    sleep_us,
    ticks_diff,
    ticks_ms,
)

__all__ = ["Clock", "sleep_ms", "sleep_us"]


class Clock:
    """Counts milliseconds, which rise for ever if `now` is called at least once a day."""

    def __init__(self) -> None:
        self._now = 0
        self._last = ticks_ms()

    def now(self) -> int:
        """Return the milliseconds since the clock was made."""
        ticks = ticks_ms()
        self._now += ticks_diff(ticks, self._last)
        self._last = ticks
        return self._now
