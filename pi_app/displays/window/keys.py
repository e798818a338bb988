"""Keys to touch: soft keys, a keypad whose keys say what they do now, dice, letters for names."""

from collections.abc import Mapping
from types import MappingProxyType

import pygame

from hardware.keys import Key
from pi_app.displays.oled import SIGNS
from pi_app.displays.window.ink import fitting_size, put_text, text_width, write
from pi_app.displays.window.layout import (
    KEY_GAP,
    Places,
    grid,
    has_dice_row,
    soft_cells,
    soft_columns,
)
from pi_app.displays.window.shapes import plate
from pi_app.displays.window.theme import CARD, CARD_BLACK, EDGE, RGB, Theme
from pi_app.displays.window.touch import Deed, Letter, Target
from pi_app.view.frame import Frame, SoftKey

KEYPAD = (
    (Key.D1, Key.D2, Key.D3, Key.UP),
    (Key.D4, Key.D5, Key.D6, Key.DOWN),
    (Key.D7, Key.D8, Key.D9, Key.BACK),
    (Key.STAR, Key.D0, Key.ENTER, Key.MENU),
)
"""The keypad of the rig, row by row."""

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


LETTERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "de": ("1234567890-", "QWERTZUIOPÜ", "ASDFGHJKLÖÄ", "YXCVBNMß."),
        "en": ("1234567890-", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM.ÄÖÜß"),
    }
)
"""The usual rows of a keyboard, by the table's language."""

_UPRIGHT = ("12345", "67890", "ABCDEFGH", "IJKLMNOP", "QRSTUVWX", "YZÄÖÜß-.")
"""The same on an upright screen, which is too narrow for eleven keys in a row."""


def paint_keys(
    surface: pygame.Surface,
    frame: Frame,
    at: Places,
    theme: Theme,
    pressed: Deed | None,
    *,
    scrolls: bool = True,
    letters: str = "en",
) -> list[Target]:
    """Paint this frame's keys into their place in the layout.

    The soft key that scrolls is left out unless something `scrolls`; `letters` is the language
    of the keyboard for names.
    """
    labels = {soft.key: soft.label for soft in frame.keys.soft}
    held = next((soft for soft in frame.keys.soft if soft.sign), None)
    dice = {Key(f"DIE{number}") for number in frame.keys.dice}
    if frame.keys.typing:
        upright = surface.get_height() > surface.get_width()
        rows = _UPRIGHT if upright else LETTERS[letters]
        return _paint_letters(surface, at, rows, labels, theme, pressed)
    area, gap = at.keys.copy(), at.px(KEY_GAP)
    targets = []
    if has_dice_row(frame):
        strip = pygame.Rect(area.left, area.top, area.width, at.touch)
        targets += paint_dice(surface, strip, dice, pressed)
        area.top += strip.height + gap
        area.height -= strip.height + gap
    if at.keypad:
        return targets + paint_keypad(
            surface, area, labels, theme, pressed, at.key_columns, held=held
        )
    cells = soft_cells(frame, scrolls=scrolls)
    columns = soft_columns(len(cells), area.width / at.scale)
    lines = -(-len(cells) // columns)
    high = lines * (at.touch + gap) - gap
    area = pygame.Rect(area.left, area.bottom - high, area.width, high)
    for key, box in zip(cells, grid(area, columns, lines, gap), strict=False):
        if key.die:
            targets.append(_paint_die(surface, box, key, pressed, lit=True))
        else:
            if key is Key.BACK_HELD:
                _paint_key(surface, box, key, "", theme, down=pressed is key, held=held)
            else:
                _paint_key(surface, box, key, labels[key], theme, down=pressed is key, wide=True)
            targets.append(Target(box, key))
    return targets


def _paint_letters(
    surface: pygame.Surface,
    at: Places,
    rows: tuple[str, ...],
    labels: dict[Key, str],
    theme: Theme,
    pressed: Deed | None,
) -> list[Target]:
    """Paint a keyboard for names: letters, below them delete, space and done."""
    gap = at.px(KEY_GAP)
    lines = grid(at.keys, 1, len(rows) + 1, gap)
    targets = []
    for letters, line in zip(rows, lines, strict=False):
        for letter, box in zip(letters, grid(line, len(letters), 1, gap), strict=True):
            _paint_plain_key(surface, box, letter, theme, down=pressed == Letter(letter))
            targets.append(Target(box, Letter(letter)))
    left, middle, right = grid(lines[-1], 3, 1, gap)
    for key, box in ((Key.BACK, left), (Key.ENTER, right)):
        if key in labels:
            _paint_key(surface, box, key, labels[key], theme, down=pressed is key, wide=True)
            targets.append(Target(box, key))
    _paint_plain_key(surface, middle, "␣", theme, down=pressed == Letter(" "))
    return [*targets, Target(middle, Letter(" "))]


def _paint_plain_key(
    surface: pygame.Surface, box: pygame.Rect, sign: str, theme: Theme, *, down: bool
) -> None:
    """Paint a key with one sign; the space is a bar."""
    ground = theme.pressed if down else theme.button
    surface.blit(plate(box.size, max(4, box.height // 6), ground, theme.line), box)
    if sign == "␣":
        bar = pygame.Rect(0, 0, box.width // 2, max(3, box.height // 14))
        bar.center = (box.centerx, box.centery + box.height // 8)
        pygame.draw.rect(surface, theme.faint, bar, border_radius=bar.height // 2)
    else:
        put_text(surface, sign, round(box.height * 0.5), theme.text, box.center)


_LINES = (
    (Key.D1, Key.D2, Key.D3, Key.D4, Key.D5, Key.STAR, Key.UP, Key.BACK),
    (Key.D6, Key.D7, Key.D8, Key.D9, Key.D0, Key.ENTER, Key.DOWN, Key.MENU),
)
"""The same keys on an upright screen, in two rows."""


def paint_keypad(
    surface: pygame.Surface,
    area: pygame.Rect,
    labels: dict[Key, str],
    theme: Theme,
    pressed: Deed | None,
    columns: int = 4,
    *,
    held: SoftKey | None = None,
) -> list[Target]:
    """Paint the sixteen keys; those with a label say what they do now.

    The BACK key also says what it does while `held`.
    """
    targets = []
    rows = KEYPAD if columns == 4 else _LINES
    boxes = grid(area, columns, len(rows), max(3, area.height // (18 * len(rows))))
    for key, box in zip((key for row in rows for key in row), boxes, strict=True):
        below = held if key is Key.BACK else None
        _paint_key(surface, box, key, labels.get(key, ""), theme, down=pressed is key, held=below)
        targets.append(Target(box, key))
    return targets


def key_sign(key: Key) -> str:
    """Return the sign printed on a key."""
    return SIGNS.get(key, key.value)


def _paint_key(
    surface: pygame.Surface,
    box: pygame.Rect,
    key: Key,
    label: str,
    theme: Theme,
    *,
    down: bool,
    wide: bool = False,
    held: SoftKey | None = None,
) -> None:
    ground: RGB = theme.pressed if down else theme.button
    edge = theme.faint if label or held else theme.line
    radius = max(4, box.height // 6)
    surface.blit(plate(box.size, radius, ground, edge, 2 if label or held else 1), box)
    sign = key_sign(key)
    high = min(box.height, 120)
    if held:
        _write_held(surface, box, label, held, theme)
        return
    if wide:
        size = round(high * 0.36)
        room = box.width - round(high * 0.84) - 6
        fit = fitting_size(label, round(high * 0.44), room, 12)
        taken = min(room, text_width(label, fit))
        # Sign and word stand together in the middle, clearly apart.
        left = box.centerx - (taken + round(high * 0.6)) // 2
        put_text(surface, sign, size, theme.faint, (left + size // 2, box.centery))
        write(
            surface, label, fit, theme.text, room=room,
            midleft=(left + round(high * 0.6), box.centery + round(fit * 0.04)),
        )  # fmt: skip
        return
    if not label:
        ink = theme.text if key.digit is not None else theme.faint
        put_text(surface, sign, round(high * 0.5), ink, box.center)
        return
    put_text(
        surface,
        sign,
        round(high * 0.34),
        theme.faint,
        (box.centerx, box.top + round(box.height * 0.26)),
    )
    size = fitting_size(label, round(high * 0.36), box.width - 6, 10)
    write(
        surface, label, size, theme.text, room=box.width - 4,
        center=(box.centerx, box.top + round(box.height * 0.7)),
    )  # fmt: skip


def _write_held(
    surface: pygame.Surface, box: pygame.Rect, label: str, held: SoftKey, theme: Theme
) -> None:
    """Write what a key does, if anything, and below it, in one row or two, what it does held."""
    high, room = min(box.height, 120), box.width - 6
    small = round(high * (0.24 if label else 0.3))
    together = f"{held.sign}: {held.label}"
    rows = [(label, round(high * 0.36), theme.text)] if label else []
    if text_width(together, small) <= room:
        rows.append((together, small, theme.faint))
    else:
        ink = theme.faint if label else theme.text
        rows += [(held.sign, small, theme.faint), (held.label, round(high * 0.36), ink)]
    places = _ROW_PLACES[len(rows) - 1]
    most = round(high * 0.27) if len(rows) > 2 else high
    for (text, size, ink), place in zip(rows, places, strict=True):
        fit = fitting_size(text, min(size, most), room, 10)
        middle = box.top + round(box.height * place)
        write(surface, text, fit, ink, room=room, center=(box.centerx, middle))


_ROW_PLACES = ((0.5,), (0.28, 0.7), (0.2, 0.5, 0.8))
"""The places of one, two or three rows of words on a key, in shares of its height."""


def paint_dice(
    surface: pygame.Surface, area: pygame.Rect, lit: set[Key], pressed: Deed | None
) -> list[Target]:
    """Paint the six die buttons; those that do something now are bright."""
    return [
        _paint_die(surface, box, Key(f"DIE{n}"), pressed, lit=Key(f"DIE{n}") in lit)
        for n, box in enumerate(grid(area, 6, 1, max(3, area.width // 70)), 1)
    ]


def _paint_die(
    surface: pygame.Surface, box: pygame.Rect, key: Key, pressed: Deed | None, *, lit: bool
) -> Target:
    """Paint one die button as the face of its die."""
    ground: RGB = CARD if lit else (120, 126, 136)
    if pressed is key:
        ground = (255, 214, 102)
    side = min(box.size)
    die = pygame.Rect(0, 0, side, side)
    die.center = box.center
    surface.blit(plate(die.size, max(4, side // 6), ground, EDGE, 2), die)
    for right, down in _PIPS[key.die or 1]:
        point = (die.centerx + right * side * 0.26, die.centery + down * side * 0.26)
        pygame.draw.circle(surface, CARD_BLACK, point, max(2, side * 0.09))
    return Target(box, key)
