"""Settings that have another name now: the old one counts for one minor version, with a warning."""

import logging
from collections.abc import Mapping
from pathlib import Path

log = logging.getLogger(__name__)

RENAMED: Mapping[str, str] = {}
"""The dotted key of each renamed setting, and its present key (docs/promises.md)."""


def present_keys(keys: tuple[str, ...], path: Path) -> tuple[str, ...]:
    """Return under which keys a value of a settings file counts; warn of an old name."""
    old = ".".join(keys)
    new = RENAMED.get(old)
    if new is None:
        return keys
    log.warning("%s: %s is called %s now; the next version will not know %s", path, old, new, old)
    return tuple(new.split("."))
