"""The upper and the lower edge: whose turn it is with the score, and what the keys do."""

from functools import lru_cache, partial

from hardware.framebuffer import Framebuffer
from hardware.keys import Key
from hardware.type import TEXT, Pages
from pi_app.displays.oled.shapes import shape
from pi_app.view.frame import Frame, SoftKey

SIGNS = {
    Key.ENTER: "#",
    Key.STAR: "*",
    Key.UP: "A",
    Key.DOWN: "B",
    Key.BACK: "C",
    Key.MENU: "D",
}
"""What is printed on the keypad's keys, as the soft keys name them."""

TOP = 10
"""The first row below title and rule."""

FOOT = 55
"""The first row of the soft keys."""

_RULE = 8
_SIGN = 9
"""The width of a soft key's sign, its ground included."""

_DICE = " ⚀⚁⚂⚃⚄⚅"

_SLOTS = 3
_NARROW = 62
"""Below so many pixels a single key has all of them for its word."""
_PLACES = {Key.ENTER: 0, Key.STAR: 1, Key.UP: 1, Key.DOWN: 1, Key.BACK: 2, Key.MENU: 2}
"""Where each key is looked for: what goes on left, what leads away right."""


def paint_title(canvas: Framebuffer, frame: Frame) -> None:
    """Write shape and title, the score (or the corner) at the right end, a rule below."""
    trouble = "!" if frame.score and frame.corner.startswith("!") else ""
    right = f"{trouble}{frame.score or frame.corner}"
    if len(frame.dice) == 1:
        right = f"{_DICE[frame.dice[0]]} {right}".rstrip()
    rule = frame.choices is None or bool(frame.lines or frame.entry)
    canvas.blit(0, 0, title_strip(shape(frame.colour), frame.title, right, rule=rule))


@lru_cache(maxsize=8)
def title_strip(sign: str, text: str, right: str, *, rule: bool) -> Pages:
    """Return the upper edge, as it stays from key to key."""
    canvas = Framebuffer(height=16)
    x = canvas.text(0, 0, sign) + 3 if sign else 0
    room = canvas.width - x - 1
    width = TEXT.width(right)
    if right and width + TEXT.width(text) + 6 > room:
        right = TEXT.cut(right, max(room // 3, room - TEXT.width(text) - 6))
        width = TEXT.width(right)
    canvas.text(x, 0, TEXT.cut(text, room - (width + 6 if right else 0)))
    if right:
        canvas.text(canvas.width - 1 - width, 0, right)
    if rule:
        canvas.dots(0, _RULE, canvas.width)
    return canvas.layer()


def _apart(one: int, other: int) -> int:
    return abs(one - other)


@lru_cache(maxsize=128)
def _slots(keys: tuple[SoftKey, ...], width: int) -> tuple[tuple[SoftKey, int, int], ...] | None:
    """Return every key with its left edge and its label's room; None if they have no room.

    With up to three keys in the whole width each kind of key has its own place.
    """
    count = max(len(keys), _SLOTS if width >= 100 else 2)
    if width < _NARROW and len(keys) == 1:
        count = 1
    step = (width + 2) // count
    if step < _SIGN + 8:
        return None
    taken: dict[int, SoftKey] = {}
    for key in keys:
        wanted = min(_PLACES.get(key.key, 0), count - 1)
        free = (at for at in range(count) if at not in taken)
        taken[min(free, key=partial(_apart, wanted))] = key
    found = []
    for at, key in sorted(taken.items()):
        following = min((other for other in taken if other > at), default=count)
        end = width if following == count else following * step - 3
        found.append((key, at * step, end - at * step - _SIGN - 2))
    return tuple(found)


@lru_cache(maxsize=128)
def foot_fits(keys: tuple[SoftKey, ...], width: int) -> bool:
    """Tell whether every key has room for its whole word."""
    slots = _slots(keys, width)
    return slots is not None and all(TEXT.width(key.label) <= room for key, _, room in slots)


def paint_foot(canvas: Framebuffer, keys: tuple[SoftKey, ...], width: int) -> None:
    """Write each key's sign dark on a lit ground, its word beside it."""
    if keys:
        canvas.blit(0, FOOT // 8, foot_strip(keys, width))


@lru_cache(maxsize=16)
def foot_strip(keys: tuple[SoftKey, ...], width: int) -> Pages:
    """Return the lower edge, as it stays from key to key."""
    canvas, y = Framebuffer(height=16), FOOT % 8
    for key, x, room in _slots(keys, width) or ():
        sign = SIGNS.get(key.key, key.key.value)
        ground = max(_SIGN, TEXT.width(sign) + 4)
        canvas.tag(x, y, ground, 9)
        canvas.text(x + (ground - TEXT.width(sign)) // 2, y + 1, sign, on=False)
        canvas.text(x + ground + 2, y + 1, TEXT.cut(key.label, room - ground + _SIGN))
    return canvas.layer()
