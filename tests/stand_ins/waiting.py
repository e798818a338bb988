"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 60.0
"""Nobody waits longer for anything; a busy machine needs some of it."""


def wait_for(found: Callable[[], Any], what: str = "it", patience_s: float = PATIENCE_S) -> Any:
    """Return what a function finds, once it finds something."""
    end = time.monotonic() + patience_s
    while True:
        value = found()
        if value:
            return value
        assert time.monotonic() < end, f"waited too long for {what}"
        time.sleep(0.002)
