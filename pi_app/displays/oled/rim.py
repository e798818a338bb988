"""The upper edge with the player to move and the score; the lower edge with the soft keys."""

from dataclasses import replace
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
"""Below this width in pixels a single key has all of it."""
_PLACES = {
    Key.ENTER: 0,
    Key.STAR: 1,
    Key.UP: 1,
    Key.DOWN: 1,
    Key.BACK: 2,
    Key.BACK_HELD: 2,
    Key.MENU: 2,
}
"""Each key's usual place: what continues at the left, what leaves at the right."""

_ORDER = (*_PLACES,)
"""The order of keys that have no fixed places."""

_HELD = f"{SIGNS[Key.BACK]}…"
"""The sign of a key that does something else while held, if its word does not fit."""

_APART = 3
"""The least dark columns between two keys."""


def paint_title(canvas: Framebuffer, frame: Frame) -> None:
    """Write shape and title, score or corner at the right end, a dotted line below."""
    trouble = "!" if frame.header.score and frame.header.corner.startswith("!") else ""
    right = f"{trouble}{frame.header.score or frame.header.corner}"
    if len(frame.keys.dice) == 1:
        right = f"{_DICE[frame.keys.dice[0]]} {right}".rstrip()
    rule = frame.body.choices is None or bool(frame.body.lines or frame.body.entry)
    canvas.blit(0, 0, title_strip(shape(frame.header.colour), frame.header.title, right, rule=rule))


@lru_cache(maxsize=8)
def title_strip(sign: str, text: str, right: str, *, rule: bool) -> Pages:
    """Return the upper edge; most keys do not change it."""
    canvas = Framebuffer(height=16)
    x = canvas.text(0, 0, sign) + 3 if sign else 0
    room = canvas.width - x - 1
    width = TEXT.width(right)
    if right and width + TEXT.width(text) + 6 > room:
        right = TEXT.cut_text(right, max(room // 3, room - TEXT.width(text) - 6))
        width = TEXT.width(right)
    canvas.text(x, 0, TEXT.cut_text(text, room - (width + 6 if right else 0)))
    if right:
        canvas.text(canvas.width - 1 - width, 0, right)
    if rule:
        canvas.dots(0, _RULE, canvas.width)
    return canvas.layer()


def _distance(one: int, other: int) -> int:
    return abs(one - other)


def _sign(key: SoftKey) -> str:
    return key.sign or SIGNS.get(key.key, key.key.value)


def _sign_width(key: SoftKey) -> int:
    """Return the width of a key's sign, its ground included."""
    sign = _sign(key)
    return max(_SIGN, TEXT.width(sign) + (4 if len(sign) == 1 else 3))


_Slots = tuple[tuple[SoftKey, int, int], ...]


def _words_fit(slots: _Slots | None) -> bool:
    return slots is not None and all(TEXT.width(key.label) <= room for key, _, room in slots)


@lru_cache(maxsize=128)
def _slots(keys: tuple[SoftKey, ...], width: int) -> _Slots | None:
    """Return every key with its left edge and its label's width; None if they do not fit.

    If the words do not fit into equal places, each key gets the width it needs; if that is too
    much, `spare` keys are left out, or replaced by a mark.
    """
    even = _even_slots(keys, width)
    if _words_fit(even):
        return even
    close = _close_slots(keys, width)
    if close is not None:
        return close
    needed = tuple(key for key in keys if not key.spare)
    if needed == keys:
        return even
    marked = _slots(_mark_held_key(keys), width)
    return marked if _words_fit(marked) else _slots(needed, width)


def _mark_held_key(keys: tuple[SoftKey, ...]) -> tuple[SoftKey, ...]:
    """Replace the spare key for BACK held by a mark, on the BACK key if that is shown."""
    here = any(key.key is Key.BACK and not key.spare for key in keys)
    held = any(key.key is Key.BACK_HELD for key in keys)
    shown = []
    for key in keys:
        if key.key is Key.BACK_HELD and key.spare:
            if not here:
                shown.append(SoftKey(key.key, "", sign=_HELD))
        else:
            shown.append(replace(key, sign=_HELD) if held and key.key is Key.BACK else key)
    return tuple(key for key in shown if not key.spare)


def _in_order(keys: tuple[SoftKey, ...]) -> list[SoftKey]:
    return sorted(keys, key=lambda key: _ORDER.index(key.key) if key.key in _ORDER else -1)


def _even_slots(keys: tuple[SoftKey, ...], width: int) -> _Slots | None:
    """Give every key one of equal places, usually three, each kind its own."""
    count = max(len(keys), _SLOTS if width >= 100 else 2)
    if width < _NARROW and len(keys) == 1:
        count = 1
    step = (width + 2) // count
    if step < _SIGN + 8:
        return None
    taken: dict[int, SoftKey] = {}
    for key in reversed(_in_order(keys)):  # if two want the same place, the last one has it
        wanted = min(_PLACES.get(key.key, 0), count - 1)
        free = (at for at in range(count) if at not in taken)
        taken[min(free, key=partial(_distance, wanted))] = key
    slots = []
    for at, key in sorted(taken.items()):
        following = min((other for other in taken if other > at), default=count)
        end = width if following == count else following * step - 3
        slots.append((key, at * step, end - at * step - _sign_width(key) - 2))
    return tuple(slots)


def _close_slots(keys: tuple[SoftKey, ...], width: int) -> _Slots | None:
    """Give every key the width it needs, evenly apart; None if that is too much."""
    ordered = _in_order(keys)
    needs = [_sign_width(key) + 2 + TEXT.width(key.label) for key in ordered]
    between = max(1, len(ordered) - 1)
    left = width - sum(needs)
    if left < between * _APART:
        return None
    slots, x = [], 0
    for at, (key, need) in enumerate(zip(ordered, needs, strict=True)):
        slots.append((key, x, TEXT.width(key.label)))
        x += need + left * (at + 1) // between - left * at // between
    return tuple(slots)


@lru_cache(maxsize=128)
def foot_fits(keys: tuple[SoftKey, ...], width: int) -> bool:
    """Tell whether every key's whole word fits."""
    return _words_fit(_slots(keys, width))


def paint_foot(canvas: Framebuffer, keys: tuple[SoftKey, ...], width: int) -> None:
    """Write each key's sign inverted, and its word."""
    if keys:
        canvas.blit(0, FOOT // 8, foot_strip(keys, width))


@lru_cache(maxsize=16)
def foot_strip(keys: tuple[SoftKey, ...], width: int) -> Pages:
    """Return the lower edge; most keys do not change it."""
    canvas, y = Framebuffer(height=16), FOOT % 8
    for key, x, room in _slots(keys, width) or ():
        sign, ground = _sign(key), _sign_width(key)
        canvas.tag(x, y, ground, 9)
        canvas.text(x + (ground - TEXT.width(sign)) // 2, y + 1, sign, on=False)
        canvas.text(x + ground + 2, y + 1, TEXT.cut_text(key.label, room))
    return canvas.layer()
