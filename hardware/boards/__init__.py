"""Boards that are pushed onto the header: one file of settings each, with the maker.

A board's file has the tables of a settings file, and `[about]` with its `name`, a short `label`,
its `source` (the maker's page with the pins) and its `price`. Parts that it does not name are not
there.
"""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from hardware.config import Devices

D = TypeVar("D", bound=Devices)

FOLDER = Path(__file__).parent
ABOUT = "about"
"""The table of a board's file that holds no settings."""


@dataclass(frozen=True)
class HeaderBoard:
    """A board: its word in the settings, and the table `[about]` of its file."""

    word: str
    name: str
    label: str
    """The name, short enough for a small display."""
    source: str
    price: str
    bus: str
    """The bus of its display, i2c or spi."""


def board_words() -> tuple[str, ...]:
    """Return the word of every board that comes with the program, as in `rig.board`."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def board_path(word: str) -> Path | None:
    """Return the file of a board's word, or an own board's path; None if it is missing."""
    if word.endswith(".toml"):
        return Path(word).expanduser()
    return FOLDER / f"{word}.toml" if word in board_words() else None


def known_boards() -> tuple[HeaderBoard, ...]:
    """Return every board that comes with the program."""
    boards = []
    for word in board_words():
        table = tomllib.loads((FOLDER / f"{word}.toml").read_text("utf-8"))
        boards.append(HeaderBoard(word, **table[ABOUT], bus=table["oled"]["bus"]))
    return tuple(boards)


def without_parts(devices: D) -> D:
    """Return the settings with every part of the header switched off, as a board's file begins."""
    parts = ("keypad", "die_buttons", "joystick", "encoder", "lamp", "buzzer", "oled")
    off = {part: replace(getattr(devices, part), enabled=False) for part in parts}
    return replace(devices, **off, power_button=replace(devices.power_button, enabled=False))
