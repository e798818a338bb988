"""Keys to touch: soft keys, or a keypad that says what its keys do now, and the die buttons."""

import pygame

from hardware.keys import Key
from pi_app.displays.oled import SIGNS
from pi_app.displays.window.ink import fitting, plate, put_text, shortened
from pi_app.displays.window.layout import Layout, grid, soft_rows
from pi_app.displays.window.targets import Target
from pi_app.displays.window.theme import CARD, CARD_BLACK, EDGE, RGB, Theme
from pi_app.view.frame import Frame

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


def paint_keys(
    surface: pygame.Surface, frame: Frame, at: Layout, theme: Theme, pressed: Key | None
) -> list[Target]:
    """Paint the keys of this frame into the layout's place for them."""
    labels = {soft.key: soft.label for soft in frame.softkeys}
    dice = {Key(f"DIE{number}") for number in frame.dice}
    area = at.keys.copy()
    gap = at.px(4)
    targets = []
    rows = 4 if at.keypad else soft_rows(frame)
    if dice:
        high = (area.height - rows * gap) // (rows + 1)
        strip = pygame.Rect(area.left, area.top, area.width, high)
        targets += paint_dice(surface, strip, dice, pressed)
        area.top += high + gap
        area.height -= high + gap
    if at.keypad:
        return targets + paint_keypad(surface, area, labels, theme, pressed)
    plain = [key for key in labels if not key.die]
    boxes = grid(area, 2 if len(plain) > 1 else 1, rows, gap)
    for key, box in zip(plain, boxes, strict=False):
        _key(surface, box, key, labels[key], theme, down=pressed is key, wide=True)
        targets.append(Target(box, key))
    return targets


def paint_keypad(
    surface: pygame.Surface,
    area: pygame.Rect,
    labels: dict[Key, str],
    theme: Theme,
    pressed: Key | None,
) -> list[Target]:
    """Paint the sixteen keys; those with a meaning of their own now say it in a word."""
    targets = []
    boxes = grid(area, 4, 4, max(3, area.width // 70))
    for key, box in zip((key for row in KEYPAD for key in row), boxes, strict=True):
        _key(surface, box, key, labels.get(key, ""), theme, down=pressed is key)
        targets.append(Target(box, key))
    return targets


def key_sign(key: Key) -> str:
    """Return what is printed on a key."""
    return SIGNS.get(key, key.value)


def _key(
    surface: pygame.Surface,
    box: pygame.Rect,
    key: Key,
    label: str,
    theme: Theme,
    *,
    down: bool,
    wide: bool = False,
) -> None:
    ground: RGB = theme.pressed if down else theme.button
    edge = theme.faint if label else theme.line
    radius = max(4, box.height // 6)
    surface.blit(plate(box.size, radius, ground, edge, 2 if label else 1), box)
    sign = key_sign(key)
    high = box.height
    if wide:
        sign_size = round(high * 0.36)
        put_text(
            surface, sign, sign_size, theme.faint, (box.left + round(high * 0.42), box.centery)
        )
        room = box.width - round(high * 0.84) - 6
        size = fitting(label, round(high * 0.46), room, 12)
        middle = box.left + round(high * 0.78) + room // 2
        put_text(surface, shortened(label, size, room), size, theme.text, (middle, box.centery))
        return
    if not label:
        ink = theme.text if key.digit is not None else theme.faint
        put_text(surface, sign, round(high * 0.5), ink, box.center)
        return
    put_text(
        surface, sign, round(high * 0.34), theme.faint, (box.centerx, box.top + round(high * 0.26))
    )
    size = fitting(label, round(high * 0.38), box.width - 6, 10)
    put_text(
        surface, shortened(label, size, box.width - 4), size, theme.text,
        (box.centerx, box.top + round(high * 0.68)),
    )  # fmt: skip


def paint_dice(
    surface: pygame.Surface, area: pygame.Rect, lit: set[Key], pressed: Key | None
) -> list[Target]:
    """Paint the six die buttons; those that mean something now are bright."""
    targets = []
    for number, box in enumerate(grid(area, 6, 1, max(3, area.width // 70)), 1):
        key = Key(f"DIE{number}")
        ground: RGB = CARD if key in lit else (168, 172, 178)
        if pressed is key:
            ground = (255, 214, 102)
        side = min(box.size)
        die = pygame.Rect(0, 0, side, side)
        die.center = box.center
        surface.blit(plate(die.size, max(4, side // 6), ground, EDGE, 2), die)
        for right, down in _PIPS[number]:
            point = (die.centerx + right * side * 0.26, die.centery + down * side * 0.26)
            pygame.draw.circle(surface, CARD_BLACK, point, max(2, side * 0.09))
        targets.append(Target(box, key))
    return targets
