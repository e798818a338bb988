"""Rejects pathological TOML and finds the line of a key."""

import re
import tomllib
from collections.abc import Iterator

_PIECE = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|[\n=\[\]{}]"
    r"|[^\n=\[\]{}\"'\#]+",
    re.DOTALL,
)
"""A string of any kind, a comment, a sign that matters, or other text."""


LONGEST_LINE = 4096
MOST_DOTS = 100
"""A key with n dots costs tomllib memory for n squared names: 60 kB of them are gigabytes."""


def pathological_line(text: str) -> int | None:
    """Return the first line, from 1, that would cost tomllib too much time or memory."""
    for number, line in enumerate(text.split("\n"), 1):
        dots = line.count(".")  # in a comment they cost nothing
        if len(line) > LONGEST_LINE or (dots > MOST_DOTS and not line.lstrip().startswith("#")):
            return number
    return None


def statements(text: str) -> Iterator[tuple[int, tuple[str, ...], bool]]:
    """Yield each statement of a valid TOML text: its line from 1, its path, whether it has a value.

    A table's header has none; its path is part of the path of the keys below it.
    """
    table: tuple[str, ...] = ()
    for line, head, has_value in _heads(text):
        if has_value:
            yield line, table + _path(f"{head} = 0"), True
        else:
            table = _path(head)
            yield line, table, False


def _path(statement: str) -> tuple[str, ...]:
    """Return the names in a header, or in a key with a number as its value."""
    path: list[str] = []
    value: object = tomllib.loads(statement)
    while isinstance(value, dict | list) and value:
        if isinstance(value, list):
            # a header [[name]] gives a list with one table
            value = value[0]
            continue
        name, value = next(iter(value.items()))
        path.append(name)
    return tuple(path)


def _heads(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield line and text of each header and of each key, and whether it has a value."""
    line = first_line = 1
    depth = 0
    head, has_value = "", False
    # the added line end completes the last statement
    for piece in _PIECE.findall(text.replace("\r\n", "\n") + "\n"):
        if piece == "\n" and depth == 0:
            if head.strip():
                yield first_line, head.strip(), has_value
            head, has_value = "", False
        elif not has_value and piece == "=":
            has_value = True
        elif has_value:
            # a value ends with its line only outside of brackets
            if piece in ("[", "{"):
                depth += 1
            elif piece in ("]", "}"):
                depth -= 1
        elif not piece.startswith("#"):
            # a statement begins where its first text is, after empty lines and comments
            first_line = first_line if head.strip() else line
            head += piece
        line += piece.count("\n")
