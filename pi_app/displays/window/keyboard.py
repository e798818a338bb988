"""The keys of a keyboard in the window, by the same table as those of pads."""

import pygame

from hardware.keys import Key
from hardware.pads.table import PRINTED, key_of_character

_NAMES = {
    "ENTER": "RETURN",
    "ESC": "ESCAPE",
    "KPENTER": "KP_ENTER",
    "KPPLUS": "KP_PLUS",
    "KPMINUS": "KP_MINUS",
    "KPASTERISK": "KP_MULTIPLY",
    "KPSLASH": "KP_DIVIDE",
    "KPDOT": "KP_PERIOD",
}
"""SDL's names of keys where they differ from the kernel's."""
_KP_COMMA = 133
"""SDL's number of a key for which pygame has no name."""
_BY_PLACE = {
    getattr(pygame, f"KSCAN_{_NAMES.get(name, name)}", _KP_COMMA): key
    for name, key in PRINTED.items()
    # a layout moves letters; NumLock is the desktop's, and many pads press it around each digit
    if name != "NUMLOCK" and not (len(name) == 1 and name.isalpha())
}
"""The key of each place on the keyboard, whatever the layout prints there."""
_DIGIT_ROW = {getattr(pygame, f"KSCAN_{digit}") for digit in range(10)}


def key_of(event: pygame.event.Event, *, typing: bool) -> Key | None:
    """Return our key for a key that goes down; digits of the top row need no Shift."""
    place = _BY_PLACE.get(event.scancode)
    key = key_of_character(event.unicode, typing=typing)
    if event.scancode in _DIGIT_ROW and typing:
        return key  # some layouts have letters of names there
    if event.scancode in _DIGIT_ROW and event.mod & pygame.KMOD_SHIFT:
        return key or place
    return place or key
