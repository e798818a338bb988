"""What others wrote, fit to be shown: nothing in it that a terminal or a display would obey.

Control characters (ESC, the C1 controls), marks of writing direction and line separators may
stand in any name, tag, setting or file. `Frame`, the command line's streams, the log and the
history for phones pass all texts through here.
"""

from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from operator import is_
from typing import Any

_INSTEAD = "?"


def printable(text: str) -> str:
    """Return the text as one line; what is not printable is a question mark, blanks are spaces."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else " " if char.isspace() else _INSTEAD for char in text
    )


def printable_lines(text: str) -> str:
    """Return the text with its line feeds, and nothing else that is not printable."""
    if "\n" not in text:
        return printable(text)
    return "\n".join(map(printable, text.split("\n")))


def shortened(text: str, most: int = 60) -> str:
    """Return the text as one line of at most so many characters."""
    # what is cut off must cost nothing, however much it is
    short = text if len(text) <= most else f"{text[: most - 1]}…"
    return printable(short)


def printable_parts(value: Any) -> Any:
    """Return a text, a tuple or a dataclass with all texts in it printable."""
    if isinstance(value, str):
        return value if value.isprintable() else printable(value)
    if isinstance(value, tuple) or (is_dataclass(value) and isinstance(value, Hashable)):
        return _clean(value)
    return value


def printable_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is to be a JSON object with all texts in it printable; its keys are our own."""
    return {name: _printable_value(value) for name, value in data.items()}


def _printable_value(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list | tuple):
        return [_printable_value(part) for part in value]
    return printable_data(value) if isinstance(value, Mapping) else value


@lru_cache(maxsize=512)
def _clean(value: Any) -> Any:
    """Return the parts of a frame printable; kept, as a key changes few of them."""
    if isinstance(value, tuple):
        parts = tuple(map(printable_parts, value))
        return value if all(map(is_, parts, value)) else parts
    changed = {
        name: clean
        for name in _names(value.__class__)
        if (clean := printable_parts(part := getattr(value, name))) is not part
    }
    return replace(value, **changed) if changed else value


@cache
def _names(dataclass: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(dataclass))
