"""The upper edge with the player to move and the score; the lower edge with the soft keys."""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from hardware.framebuffer import Framebuffer
from hardware.keys import Key
from hardware.typefaces import TEXT
from pi_app.displays.oled.shapes import shape
from pi_app.view.frame import STAR_SIGN, Frame, SoftKey

TOP = 10
"""The first row below title and rule."""

FOOT = 55
"""The first row of the soft keys."""

_RULE = 8
"""The row of the dotted line below the title."""
_SIGN = 9
"""The width of a soft key's sign, its ground included."""

_DICE = " ⚀⚁⚂⚃⚄⚅"
"""The faces of a die by their numbers; the space is no face."""

_USUAL_COUNT = 3
"""How many soft keys most frames have."""
_WHOLE = 128
"""The width in pixels of keys that share their rows with no board."""
_NARROW = 62
"""Below this width in pixels a single key has all of it."""
_PLACES = {
    Key.ENTER: 0,
    Key.PUSH: 0,
    Key.STAR: 1,
    Key.PUSH_HELD: 1,
    Key.UP: 1,
    Key.DOWN: 1,
    Key.BACK: 2,
    Key.BACK_HELD: 2,
    Key.MENU: 2,
}
"""Each key's usual box, from the left: keys that continue are left, keys that leave are right."""

_ORDER = (*_PLACES,)
"""The order of keys that do not have their usual boxes."""

_HELD = f"{Key.BACK.sign}…"
"""The sign of a key that does something else while held, if its word does not fit."""

_APART = 3
"""The least dark columns between two keys."""
_GAP = 2
"""The dark columns between a key's sign and its word."""
_TIGHT = 1
"""Both, where three words as long as their slot allows share the row."""


def paint_title(canvas: Framebuffer, frame: Frame) -> None:
    """Write shape and title, score or corner at the right end, a dotted line below."""
    # the score replaces the corner, but not the corner's "!": the store is in trouble
    trouble = "!" if frame.header.score and frame.header.corner.startswith("!") else ""
    right = f"{trouble}{frame.header.score or frame.header.corner}"
    if len(frame.keys.dice) == 1:  # the number that was rolled; several are still to press
        rolled = frame.keys.dice[0]
        right = f"{STAR_SIGN if rolled == frame.keys.star else _DICE[rolled]} {right}".rstrip()
    # a list alone begins so high that it would touch the rule
    rule = frame.body.choices is None or bool(frame.body.lines or frame.body.entry)
    sign, text = shape(frame.header.colour), frame.header.title
    x = canvas.text(0, 0, sign) + 3 if sign else 0
    room = canvas.width - x - 1
    width = TEXT.width(right)
    if right and width + TEXT.width(text) + 6 > room:
        # both are too long: the right end keeps at least a third of the row
        right = TEXT.cut_text(right, max(room // 3, room - TEXT.width(text) - 6))
        width = TEXT.width(right)
    canvas.text(x, 0, TEXT.cut_text(text, room - (width + 6 if right else 0)))
    if right:
        canvas.text(canvas.width - 1 - width, 0, right)
    if rule:
        canvas.dots(0, _RULE, canvas.width)


def _sign_width(key: SoftKey) -> int:
    """Return the width of a key's sign, its ground included."""
    sign = key.name
    return max(_SIGN, TEXT.width(sign) + (4 if len(sign) == 1 else 3))


class _Box(NamedTuple):
    """A key's place in the row, in pixels."""

    key: SoftKey
    left: int
    room: int
    """The width that its label may have."""
    gap: int = _GAP
    """The dark columns between its sign and its label."""


_Boxes = tuple[_Box, ...]


def _words_fit(boxes: _Boxes | None) -> bool:
    """Tell whether there are boxes, and each has room for its whole label."""
    return boxes is not None and all(TEXT.width(box.key.label) <= box.room for box in boxes)


@lru_cache(maxsize=128)
def _boxes(keys: tuple[SoftKey, ...], width: int) -> _Boxes | None:
    """Return every key with its left edge and its label's width; None if they do not fit.

    If the labels do not fit into equal boxes, each key gets the width it needs. If that is too
    much, `spare` keys are left out; a mark replaces the one for BACK held. Without any, keys
    move together.
    """
    even = _even_boxes(keys, width)
    if _words_fit(even):
        return even
    close = _close_boxes(keys, width, _GAP, _APART)
    if close is not None:
        return close
    needed = tuple(key for key in keys if not key.spare)
    if needed == keys:  # nothing to leave out: if they do not fit, the labels are cut
        return _close_boxes(keys, width, _TIGHT, _TIGHT) or even
    marked = _boxes(_mark_held_key(keys), width)
    return marked if _words_fit(marked) else _boxes(needed, width)


def _mark_held_key(keys: tuple[SoftKey, ...]) -> tuple[SoftKey, ...]:
    """Replace the spare key for BACK held by a mark, on the BACK key if that is shown."""
    has_back = any(key.key is Key.BACK and not key.spare for key in keys)
    has_held = any(key.key is Key.BACK_HELD for key in keys)
    marked = []
    for key in keys:
        if key.key is Key.BACK_HELD and key.spare:
            if not has_back:
                marked.append(SoftKey(key.key, "", sign=_HELD))
        else:
            marked.append(replace(key, sign=_HELD) if has_held and key.key is Key.BACK else key)
    return tuple(key for key in marked if not key.spare)


def _in_order(keys: tuple[SoftKey, ...]) -> list[SoftKey]:
    # keys without a usual box, such as digits, come first and keep their order
    return sorted(keys, key=lambda key: _ORDER.index(key.key) if key.key in _ORDER else -1)


def _even_boxes(keys: tuple[SoftKey, ...], width: int) -> _Boxes | None:
    """Give every key one of equal boxes, usually its own one of three; None if they are too narrow.

    A box extends over a free neighbour to the right.
    """
    count = max(len(keys), _USUAL_COUNT if width >= 100 else 2)
    if width < _NARROW and len(keys) == 1:
        count = 1
    step = (width + 2) // count  # the last box needs no gap after it
    if step < _SIGN + 8:  # no room for a word of two letters
        return None
    key_by_box: dict[int, SoftKey] = {}
    for key in reversed(_in_order(keys)):  # if two want the same box, the last one has it
        wanted = min(_PLACES.get(key.key, 0), count - 1)
        free = (box for box in range(count) if box not in key_by_box)
        _, nearest = min((abs(box - wanted), box) for box in free)
        key_by_box[nearest] = key
    boxes = []
    for box, key in sorted(key_by_box.items()):
        following = min((other for other in key_by_box if other > box), default=count)
        end = width if following == count else following * step - _APART
        boxes.append(_Box(key, box * step, end - box * step - _sign_width(key) - _GAP))
    return tuple(boxes)


def _close_boxes(keys: tuple[SoftKey, ...], width: int, gap: int, apart: int) -> _Boxes | None:
    """Give every key the width it needs, with equal gaps; None if that is too much."""
    ordered = _in_order(keys)
    needs = [_sign_width(key) + gap + TEXT.width(key.label) for key in ordered]
    gaps = max(1, len(ordered) - 1)
    spare = width - sum(needs)
    if spare < gaps * apart:
        return None
    boxes, used = [], 0
    for index, (key, need) in enumerate(zip(ordered, needs, strict=True)):
        # shifts each key by the spare width of the gaps before it
        boxes.append(_Box(key, used + spare * index // gaps, TEXT.width(key.label), gap))
        used += need
    return tuple(boxes)


def foot_fits(keys: tuple[SoftKey, ...], width: int) -> bool:
    """Tell whether every key's whole word fits; `tight`: with the smallest gaps."""
    boxes = _boxes(keys, width)
    tight = any(box.gap == _TIGHT for box in boxes or ())
    return _words_fit(boxes) and (width == _WHOLE or not tight)


def paint_foot(canvas: Framebuffer, keys: tuple[SoftKey, ...], width: int) -> None:
    """Write each key's sign inverted, and its word."""
    for key, x, room, gap in _boxes(keys, width) or ():
        sign, ground = key.name, _sign_width(key)
        canvas.tag(x, FOOT, ground, 9)
        canvas.text(x + (ground - TEXT.width(sign)) // 2, FOOT + 1, sign, on=False)
        canvas.text(x + ground + gap, FOOT + 1, TEXT.cut_text(key.label, room))
