"""Makes texts by others safe to show: removes characters that a terminal or display obeys.

Control characters (ESC, the C1 controls), marks of writing direction and line separators may be in
any name, tag or file. They are removed from everything that a frame may show when it is read:
records (`engines.record`), the store, the command line's players, phones and catalogues. A keyed
name has the keypad's letters only; settings' texts reach no frame, and unreadable ones are
shortened here. Other output (the command line's streams, the log, the history for phones) is
cleaned when it is written.
"""

import json
from collections.abc import Mapping
from typing import Any

from engines.notation import printable, printable_lines

__all__ = ["printable", "printable_data", "printable_json", "printable_lines", "shorten"]


def printable_json(text: str) -> Any:
    """Return the value of a JSON text with all texts in it printable; ValueError if invalid."""
    return _printable_value(json.loads(text))


def shorten(text: str, most: int = 60) -> str:
    """Return the text as one line of at most `most` characters."""
    # cut first: a huge text must cost nothing
    short = text if len(text) <= most else f"{text[: most - 1]}…"
    return printable(short)


def printable_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON object with all texts in it printable."""
    return {printable(name): _printable_value(value) for name, value in data.items()}


def _printable_value(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list | tuple):
        return [_printable_value(part) for part in value]
    return printable_data(value) if isinstance(value, Mapping) else value
