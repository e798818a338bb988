"""Printed boards as data: TOML tables, those shipped here and those people write."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any


class BoardError(ValueError):
    """A board with a mistake: `key` names where (empty: the file as a whole), `reason` what."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}" if key else reason)
        self.key = key
        self.reason = reason


def read_table(text: str) -> Mapping[str, Any]:
    """Read a board file's TOML text; BoardError if it is none or lacks `game` or `name`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BoardError("", f"not readable as TOML: {error}") from error
    for key in ("game", "name"):
        value = table.get(key)
        if not isinstance(value, str) or not value:
            raise BoardError(key, "must be a text that is not empty")
    return table


@cache
def shipped(game: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the boards that come with the program for a game: tables by name."""
    found = {}
    for entry in sorted(resources.files("engines").joinpath("boards").iterdir(), key=str):
        if entry.name.startswith(f"{game}-") and entry.name.endswith(".toml"):
            table = read_table(entry.read_text("utf-8"))
            found[table["name"]] = table
    return found
