"""Choosing from a list by keys: a digit takes its row at once, ENTER the marked one."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.keys import Key
from pi_app.view.frame import Choices


@dataclass(frozen=True, slots=True)
class Marked:
    """The marked row of a list, and the first digits of a longer number."""

    selected: int = 0
    typed: str = ""


def choose(choices: Choices, marked: Marked, key: Key) -> Marked | int | None:
    """Return the row (an index) that a key chooses, or the list's new mark; None: no effect.

    A digit waits for another one only if a longer number begins with it. Meanwhile ENTER chooses
    the marked row, BACK deletes the digit, and a digit that fits no row changes nothing.
    """
    count = len(choices.items)
    if key in (Key.UP, Key.DOWN):
        return Marked((marked.selected + key.step) % max(1, count))
    if key is Key.ENTER and count:
        return marked.selected
    if key is Key.BACK and marked.typed:
        return Marked(marked.selected)  # without the digits
    if key.digit is None:
        return None
    item_digits, typed = choices.keyed, marked.typed + key.value
    rows = [index for index, digits in enumerate(item_digits) if digits.startswith(typed)]
    if not rows:
        return None
    # the row with just these digits, else the first whose number begins with them
    row = next((index for index in rows if item_digits[index] == typed), rows[0])
    if item_digits[row] == typed and len(rows) == 1:
        return row
    return Marked(row, typed)  # a longer number may follow


def waiting(typed: str, corner: str = "") -> str:
    """Return a frame's corner: digits that wait for another one, else `corner`."""
    return f"{typed}…" if typed else corner
