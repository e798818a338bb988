"""Keys to touch: soft keys, a keypad with current labels, dice, letters for names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import pygame

from hardware.keys import Key
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
from pi_app.view.frame import STAR_SIGN, Frame, SoftKey

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
"""The spots of each face of a die: right and down from its centre."""

LETTERS: Mapping[str, tuple[str, ...]] = {
    "de": ("1234567890-", "QWERTZUIOPÜ", "ASDFGHJKLÖÄ", "YXCVBNMß."),
    "en": ("1234567890-", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM.ÄÖÜß"),
}
"""The usual rows of a keyboard, by the table's language."""

_UPRIGHT = ("12345", "67890", "ABCDEFGH", "IJKLMNOP", "QRSTUVWX", "YZÄÖÜß-.")
"""The letters on an upright screen, which is too narrow for eleven keys in a row."""


_UPRIGHT_KEYPAD = (
    (Key.D1, Key.D2, Key.D3, Key.D4, Key.D5, Key.STAR, Key.UP, Key.BACK),
    (Key.D6, Key.D7, Key.D8, Key.D9, Key.D0, Key.ENTER, Key.DOWN, Key.MENU),
)
"""The keys of the keypad on an upright screen, in two rows."""

_DIE_OFF: RGB = (120, 126, 136)
_DIE_PRESSED: RGB = (255, 214, 102)
"""The colours of a die button that does nothing now, and of a pressed one."""

_TALL = 120
"""Letters do not grow any more on keys higher than this, in pixels."""

_ROW_PLACES = ((0.5,), (0.28, 0.7), (0.2, 0.5, 0.8))
"""The places of one, two or three rows of words on a key, in shares of its height."""


@dataclass(frozen=True, slots=True)
class KeyPainter:
    """Paints keys on a surface; the `pressed` one looks pressed."""

    surface: pygame.Surface
    theme: Theme
    pressed: Deed | None

    def paint(
        self, frame: Frame, layout: Places, *, scrolls: bool = True, letters: str = "en"
    ) -> list[Target]:
        """Paint this frame's keys into their place in the layout.

        The soft key that scrolls is left out unless something `scrolls`; `letters` is the language
        of the keyboard for names.
        """
        labels = {soft.key: soft.label for soft in frame.keys.soft}  # by key
        held = next((soft for soft in frame.keys.soft if soft.key is Key.BACK_HELD), None)
        if frame.keys.typing:
            upright = self.surface.get_height() > self.surface.get_width()
            alphabet = _UPRIGHT if upright else LETTERS.get(letters, LETTERS["en"])
            if frame.keys.exact:  # small letters, which MENU changes into capitals and signs
                alphabet = tuple(row.lower() for row in alphabet)
            return self._paint_letters(layout, alphabet, labels)
        area, gap = layout.keys.copy(), layout.px(KEY_GAP)
        targets = []
        if has_dice_row(frame):
            strip = pygame.Rect(area.left, area.top, area.width, layout.touch)
            targets += self.paint_dice(strip, frame.keys.dice, frame.keys.star)
            area.top += strip.height + gap
            area.height -= strip.height + gap
        if layout.keypad:
            return targets + self.paint_keypad(area, labels, layout.key_columns, held=held)
        cells = soft_cells(frame, scrolls=scrolls)
        columns = soft_columns(len(cells), area.width / layout.scale)
        rows = ceil(len(cells) / columns)
        high = rows * (layout.touch + gap) - gap
        area = pygame.Rect(area.left, area.bottom - high, area.width, high)  # its lower end
        for key, box in zip(cells, grid(area, columns, rows, gap), strict=False):
            if key.die:
                targets.append(self._paint_die(box, key, lit=True, star=frame.keys.star))
            elif key is Key.BACK_HELD:  # without a keypad it is a key of its own
                targets.append(self._paint_key(box, key, "", held=held))
            else:
                targets.append(self._paint_key(box, key, labels[key], wide=True))
        return targets

    def _paint_letters(
        self, layout: Places, rows: tuple[str, ...], labels: dict[Key, str]
    ) -> list[Target]:
        """Paint a keyboard: letters, below them delete, space, perhaps capitals, and done."""
        gap = layout.px(KEY_GAP)
        lines = grid(layout.keys, 1, len(rows) + 1, gap)  # the last one is for delete, space, done
        last = [key for key in (Key.MENU, Key.ENTER) if key in labels or key is Key.ENTER]
        left, middle, *right = grid(lines[-1], 2 + len(last), 1, gap)
        targets = [
            Target(box, Letter(letter))
            for letters, line in zip(rows, lines, strict=False)  # without the last line
            for letter, box in zip(letters, grid(line, len(letters), 1, gap), strict=True)
        ]
        targets.append(Target(middle, Letter(" ")))
        for target in targets:
            box, letter = target.box, target.deed
            ground = self.theme.pressed if self.pressed == letter else self.theme.button
            self.surface.blit(
                plate(box.size, max(4, box.height // 6), ground, self.theme.line), box
            )
            if box is middle:  # the space is a bar
                bar = pygame.Rect(0, 0, box.width // 2, max(3, box.height // 14))
                bar.center = (box.centerx, box.centery + box.height // 8)
                radius = bar.height // 2
                pygame.draw.rect(self.surface, self.theme.faint, bar, border_radius=radius)
            elif isinstance(letter, Letter):
                size = round(box.height * 0.5)
                put_text(self.surface, letter.letter, size, self.theme.text, box.center)
        for key, box in zip((Key.BACK, *last), (left, *right), strict=True):
            if key in labels:
                targets.append(self._paint_key(box, key, labels[key], wide=True))
        return targets

    def paint_keypad(
        self,
        area: pygame.Rect,
        labels: dict[Key, str],
        columns: int = 4,
        *,
        held: SoftKey | None = None,
    ) -> list[Target]:
        """Paint the sixteen keys with their current labels.

        The BACK key also has the label for `held`.
        """
        rows = KEYPAD if columns == 4 else _UPRIGHT_KEYPAD
        boxes = grid(area, columns, len(rows), max(3, area.height // (18 * len(rows))))
        return [
            self._paint_key(box, key, labels.get(key, ""), held=held if key is Key.BACK else None)
            for key, box in zip((key for row in rows for key in row), boxes, strict=True)
        ]

    def _paint_key(
        self,
        box: pygame.Rect,
        key: Key,
        label: str,
        *,
        wide: bool = False,
        held: SoftKey | None = None,
    ) -> Target:
        """Paint a key with its sign and label: in a row if `wide`, else below each other."""
        surface, theme = self.surface, self.theme
        ground: RGB = theme.pressed if self.pressed is key else theme.button
        has_use = bool(label or held)  # its edge stands out
        edge = theme.faint if has_use else theme.line
        radius = max(4, box.height // 6)
        surface.blit(plate(box.size, radius, ground, edge, 2 if has_use else 1), box)
        sign = key.sign
        high = min(box.height, _TALL)
        if held:
            self._write_held(box, label, held)
        elif wide:
            size = round(high * 0.36)
            room = box.width - round(high * 0.84) - 6
            fit = fitting_size(label, round(high * 0.44), room, 12)
            # sign and word are together in the middle of the key, the word a step after the sign
            step = round(high * 0.6)
            left = box.centerx - (min(room, text_width(label, fit)) + step) // 2
            put_text(surface, sign, size, theme.faint, (left + size // 2, box.centery))
            middle = (left + step, box.centery + round(fit * 0.04))  # as `put_text` centres
            write(surface, label, fit, theme.text, room=room, midleft=middle)
        elif not label:  # it does nothing now, or is a digit
            ink = theme.text if key.digit is not None else theme.faint
            put_text(surface, sign, round(high * 0.5), ink, box.center)
        else:
            upper = (box.centerx, box.top + round(box.height * 0.26))
            put_text(surface, sign, round(high * 0.34), theme.faint, upper)
            size = fitting_size(label, round(high * 0.36), box.width - 6, 10)
            lower = (box.centerx, box.top + round(box.height * 0.7))
            write(surface, label, size, theme.text, room=box.width - 4, center=lower)
        return Target(box, key)

    def _write_held(self, box: pygame.Rect, label: str, held: SoftKey) -> None:
        """Write a key's label, if any, and below it the label for holding it."""
        theme, room = self.theme, box.width - 6
        high = min(box.height, _TALL)
        small = round(high * (0.24 if label else 0.3))
        large = round(high * 0.36)
        together = f"{held.sign}: {held.label}"
        # each row: text, size, ink
        rows = [(label, large, theme.text)] if label else []
        if text_width(together, small) <= room:
            rows.append((together, small, theme.faint))
        else:
            ink = theme.faint if label else theme.text
            rows += [(held.sign, small, theme.faint), (held.label, large, ink)]
        most = round(high * 0.27) if len(rows) > 2 else high  # three rows are smaller
        for (text, size, ink), place in zip(rows, _ROW_PLACES[len(rows) - 1], strict=True):
            fit = fitting_size(text, min(size, most), room, 10)
            middle = box.top + round(box.height * place)
            write(self.surface, text, fit, ink, room=room, center=(box.centerx, middle))

    def paint_dice(self, area: pygame.Rect, lit: Sequence[int], star: int) -> list[Target]:
        """Paint the six die buttons, perhaps one with a star; those with an effect are bright."""
        boxes = grid(area, 6, 1, max(3, area.width // 70))
        return [
            self._paint_die(box, Key(f"DIE{n}"), lit=n in lit, star=star)
            for n, box in enumerate(boxes, 1)
        ]

    def _paint_die(self, box: pygame.Rect, key: Key, *, lit: bool, star: int) -> Target:
        """Paint one die button as the face of its die."""
        ground = CARD if lit else _DIE_OFF
        if self.pressed is key:
            ground = _DIE_PRESSED
        side = min(box.size)
        die = pygame.Rect(0, 0, side, side)
        die.center = box.center
        self.surface.blit(plate(die.size, max(4, side // 6), ground, EDGE, 2), die)
        if key.die == star:
            write(self.surface, STAR_SIGN, round(side * 0.6), CARD_BLACK, center=die.center)
        for right, down in () if key.die == star else _PIPS[key.die or 1]:
            point = (die.centerx + right * side * 0.26, die.centery + down * side * 0.26)
            pygame.draw.circle(self.surface, CARD_BLACK, point, max(2, side * 0.09))
        return Target(box, key)
