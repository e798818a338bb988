"""Pauses between attempts, which get longer until something succeeds."""

import random

RETRIES_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 24.0)
"""The last one repeats."""
JITTER = 0.25
"""The largest random addition to a pause, as a share: so twenty tables come back one by one."""


class Retries:
    """Counts failed attempts."""

    def __init__(self) -> None:
        self._tries = 0

    def reset(self) -> None:
        self._tries = 0

    def pause_s(self, most: float = RETRIES_S[-1]) -> float:
        """Return the next pause, at most `most` and a quarter."""
        pause = min(RETRIES_S[min(self._tries, len(RETRIES_S) - 1)], most)
        self._tries += 1
        return pause * (1 + random.uniform(0, JITTER))  # noqa: S311  # no secret
