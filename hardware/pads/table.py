"""The table of keys of pads, window and terminal: the `Key` that each key or character sends.

Names and numbers are those of linux/input-event-codes.h; the names lack its `KEY_`.
"""

from collections.abc import Mapping
from typing import Final, Literal

from hardware.config import PadsConfig
from hardware.keys import Key

_RUNS = {
    1: "ESC 1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB Q W E R T Y U I O P LEFTBRACE"
    " RIGHTBRACE ENTER LEFTCTRL A S D F G H J K L SEMICOLON APOSTROPHE GRAVE LEFTSHIFT BACKSLASH"
    " Z X C V B N M COMMA DOT SLASH RIGHTSHIFT KPASTERISK LEFTALT SPACE CAPSLOCK"
    " F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NUMLOCK SCROLLLOCK"
    " KP7 KP8 KP9 KPMINUS KP4 KP5 KP6 KPPLUS KP1 KP2 KP3 KP0 KPDOT",
    86: "102ND F11 F12",
    96: "KPENTER RIGHTCTRL KPSLASH",
    102: "HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN INSERT DELETE",
    117: "KPEQUAL KPPLUSMINUS",
    121: "KPCOMMA",
    140: "CALC",
    179: "KPLEFTPAREN KPRIGHTPAREN",
}
"""The names of keys with consecutive numbers, by the first number."""

CODES: Final[Mapping[str, int]] = {
    name: number
    for first, names in _RUNS.items()
    for number, name in enumerate(names.split(), first)
}
"""The kernel's number of each key by its name."""

PRINTED: Final[Mapping[str, Key]] = {
    **{str(digit): Key(str(digit)) for digit in range(10)},
    **{f"KP{digit}": Key(str(digit)) for digit in range(10)},
    **{f"F{face}": Key(f"DIE{face}") for face in range(1, 7)},
    **dict.fromkeys(("KPENTER", "ENTER"), Key.ENTER),
    **dict.fromkeys(("KPPLUS", "KPASTERISK", "SPACE"), Key.STAR),
    **dict.fromkeys(("KPMINUS", "UP", "A"), Key.UP),
    **dict.fromkeys(("KPSLASH", "DOWN", "B"), Key.DOWN),
    **dict.fromkeys(("BACKSPACE", "DELETE", "ESC", "C"), Key.BACK),
    **dict.fromkeys(("KPDOT", "KPCOMMA", "NUMLOCK", "TAB", "D"), Key.MENU),
}
"""The key that each key of a pad sends unless the settings change it."""

_PAD_SIGNS = {
    sign: PRINTED[name]
    for name, sign in {"KPMINUS": "-", "KPSLASH": "/", "KPDOT": ".", "KPCOMMA": ","}.items()
}
_CHARACTERS = {
    **{name.lower(): key for name, key in PRINTED.items() if len(name) == 1},
    **dict.fromkeys(("+", "*", " "), PRINTED["KPPLUS"]),
    "#": Key.ENTER,
    "?": Key.MENU,
    "u": Key.BACK_HELD,
    "p": Key.MENU_HELD,
}


def key_of_character(character: str, *, typing: bool) -> Key | None:
    """Return the key for a printed character, wherever the keyboard's layout has it.

    While a name is `typing`, a pad's `-`, `/`, `.` and `,` are no keys: they belong to the name.
    """
    key = _CHARACTERS.get(character.lower())
    return key if key is not None or typing else _PAD_SIGNS.get(character)


Layout = Literal["de", "en"]

_LETTERS: Mapping[Layout, Mapping[str, str]] = {
    "en": {"MINUS": "-"},
    "de": {
        "Y": "z",
        "Z": "y",
        "LEFTBRACE": "ü",
        "SEMICOLON": "ö",
        "APOSTROPHE": "ä",
        "MINUS": "ß",
        "SLASH": "-",
    },
}
"""The keys that have another letter in a layout than in the kernel's name."""


def table_of(config: PadsConfig) -> dict[str, Key]:
    """Return the table with the changes in the settings; "F7=none" lets a key do nothing."""
    table = dict(PRINTED)
    # the text "printed" stands for no changes
    for change in () if config.keys == "printed" else config.keys:
        name, _, key = change.partition("=")
        table.pop(name, None)
        if key != "none":
            table[name] = Key(key)
    return table


def with_dice(table: Mapping[str, Key]) -> dict[str, Key]:
    """Return the table of a pad with digits 1 to 6 as die buttons."""
    # `digit` is None for a key that is no digit
    faces = {key: Key(f"DIE{key.digit}") for key in table.values() if 1 <= (key.digit or 0) <= 6}
    return {name: faces.get(key, key) for name, key in table.items()}


def letters_of(layout: Layout) -> dict[int, str]:
    """Return the letters that the keys of a keyboard have, and Esc, by the keys' numbers."""
    plain = {name: name.lower() for name in CODES if len(name) == 1 and name.isalpha()}
    letters = {**plain, "SPACE": " ", "DOT": ".", "ESC": "\x1b", **_LETTERS[layout]}
    return {CODES[name]: letter for name, letter in letters.items()}
