"""Rejects pathological TOML and finds the line of a mistake or of a key."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

LONGEST_LINE = 4096
"""Limit of a line's length; it also bounds the digits of numbers."""
DOT_LIMIT = 100
"""A key with n dots costs tomllib n squared memory: 60 kB of dots take gigabytes."""
VALUE_LIMIT_LINES = 100
"""Limit of lines of one value; keys after a longer value are not found."""


def pathological_line(text: str) -> int | None:
    """Return the first line, from 1, that would cost tomllib too much time or memory."""
    for number, line in enumerate(text.split("\n"), 1):
        dots = line.count(".")  # dots in a comment are harmless
        if len(line) > LONGEST_LINE or (dots > DOT_LIMIT and not line.lstrip().startswith("#")):
            return number
    return None


def fault_line(error: Exception, text: str) -> int:
    """Return the line, from 1, that tomllib names in its error; the last one if it names none."""
    match = re.search(r"at line (\d+),", str(error))
    return int(match[1]) if match else text.removesuffix("\n").count("\n") + 1


def lines_of(text: str) -> dict[tuple[str, ...], int]:
    """Return the first line, from 1, of each key and of each table of a valid TOML text."""
    lines: dict[tuple[str, ...], int] = {}
    for line, value in _statements(text):
        waiting: list[tuple[tuple[str, ...], Any]] = [((), value)]
        while waiting:
            path, found = waiting.pop()
            lines.setdefault(path, line)
            if isinstance(found, dict):
                waiting += [((*path, name), inner) for name, inner in found.items()]
    return lines


def _statements(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield each header and each key with its value: its first line, and the tables it makes."""
    table: list[str] = []
    first, lines = 1, list[str]()
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        lines.append(line)
        if len(lines) > VALUE_LIMIT_LINES:
            return
        try:
            found: dict[str, Any] = tomllib.loads("\n".join(lines))
        except tomllib.TOMLDecodeError:
            continue  # the value continues in the next line
        if found and lines[0].lstrip().startswith("["):
            table = _names(found)
        elif found:
            for name in reversed(table):
                found = {name: found}
        yield first, found
        first, lines = number + 1, []


def _names(header: Any) -> list[str]:
    """Return the names in a header, of which [[name]] is a list with one table."""
    names: list[str] = []
    while header:
        if isinstance(header, list):
            header = header[0]
        else:
            ((name, header),) = header.items()
            names.append(name)
    return names
