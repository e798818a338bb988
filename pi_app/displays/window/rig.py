"""The simulated rig: OLED, keypad, die buttons, lamp and buzzer, to look at and to click."""

import pygame

from pi_app.displays.oled import paint
from pi_app.displays.window.keys import KeyPainter
from pi_app.displays.window.shapes import icon, plate
from pi_app.displays.window.theme import EDGE, PLAYERS, RGB, Theme, ink_on, player_paint
from pi_app.displays.window.touch import Deed, Target
from pi_app.view.frame import Frame, Signal, Tone

_LIT: RGB = (176, 226, 255)
_DARK: RGB = (8, 12, 18)
_UNLIT: RGB = (64, 70, 80)
"""The OLED's lit and dark pixels, and a lamp that is off."""
_SOUNDING = (Signal.OK, Signal.AGAIN, Signal.ROW, Signal.BAD, Signal.WIN)
"""The signals for which the buzzer is drawn sounding."""
_GOOD = (Signal.OK, Signal.AGAIN, Signal.ROW, Signal.WIN)
"""The signals for which the lamp is green."""
_WIDE = 128
_HIGH = 64
"""The OLED's size in pixels."""


class RigPainter:
    """Paints the rig on a surface (or a part of one) as it would really look."""

    def __init__(self, surface: pygame.Surface, theme: Theme) -> None:
        self.surface = surface
        self.theme = theme
        self.targets: list[Target] = []
        self._state: object = None
        """Everything that the picture shows, to paint only what has changed."""

    def paint(
        self, frame: Frame, pressed: Deed | None = None, signal: Signal | None = None
    ) -> list[pygame.Rect]:
        """Paint the rig for this frame; return the changed rectangles."""
        canvas = paint(frame)
        state = (
            bytes(canvas),
            frame.header.colour,
            frame.keys.dice,
            frame.keys.star,
            pressed,
            signal,
        )
        if state == self._state:
            return []
        self._state = state
        area = self.surface.get_rect()
        self.surface.fill(self.theme.background)
        gap = max(8, min(area.size) // 40)
        inner = area.inflate(-2 * gap, -2 * gap)
        if area.width > area.height:
            wide = round(inner.width * 0.66)
            left = pygame.Rect(inner.left, inner.top, wide, inner.height)
            pad = pygame.Rect(
                left.right + gap, inner.top, inner.right - left.right - gap, inner.height
            )
        else:
            left = pygame.Rect(inner.left, inner.top, inner.width, round(inner.height * 0.58))
            top = left.bottom + gap
            pad = pygame.Rect(inner.left, top, inner.width, inner.bottom - top)
        row = max(48, round(left.height * 0.17))
        screen = pygame.Rect(left.left, left.top, left.width, left.height - 2 * row - 2 * gap)
        dice = pygame.Rect(left.left, screen.bottom + gap, left.width, row)
        lamp = pygame.Rect(left.left, dice.bottom + gap, left.width // 2, row)
        buzzer = pygame.Rect(left.centerx, lamp.top, left.width // 2, row)
        # paint the OLED, its pixels enlarged by a whole number, so that each stays a square
        grey = canvas.to_image().convert("L").tobytes()
        times = max(1, min(screen.width // _WIDE, screen.height // _HIGH))
        pixels = pygame.image.frombytes(grey, (_WIDE, _HIGH), "P")
        pixels.set_palette([_DARK if shade < 128 else _LIT for shade in range(256)])
        large = pygame.transform.scale(pixels, (_WIDE * times, _HIGH * times))
        box = large.get_rect(center=screen.center)
        bezel = box.inflate(16, 16)
        self.surface.blit(plate(bezel.size, 8, _DARK, self.theme.line, 2), bezel)
        self.surface.blit(large, box)
        self._paint_lamp(frame.header.colour, signal, lamp)
        self._paint_buzzer(signal, buzzer)
        keys = KeyPainter(self.surface, self.theme, pressed)
        self.targets = keys.paint_dice(dice, frame.keys.dice, frame.keys.star) + keys.paint_keypad(
            pad, {}
        )
        return [area]

    def _paint_lamp(self, colour: str | None, signal: Signal | None, place: pygame.Rect) -> None:
        """Paint the lamp in the player's colour; for a moment after a move green or red."""
        fill: RGB = player_paint(colour).fill if colour in PLAYERS else _UNLIT
        sign = ""
        if signal in _GOOD:
            fill, sign = (64, 200, 110), "win" if signal is Signal.WIN else "good"
        elif signal is Signal.BAD:
            fill, sign = (230, 60, 50), "bad"
        size = min(place.size)
        disc = plate((size, size), size // 2, fill, EDGE, max(2, size // 16))
        self.surface.blit(disc, disc.get_rect(center=place.center))
        if sign:
            image = icon(sign, size // 2, ink_on(fill))
            self.surface.blit(image, image.get_rect(center=place.center))

    def _paint_buzzer(self, signal: Signal | None, place: pygame.Rect) -> None:
        """Paint the buzzer, with waves around it while it sounds."""
        size = min(place.size)
        sounding = signal in _SOUNDING
        ink = self.theme.tones[Tone.WIN] if sounding else self.theme.line
        for share in (0.5, 0.4) if sounding else ():
            pygame.draw.circle(self.surface, ink, place.center, size * share, max(2, size // 24))
        body = round(size * 0.6)
        disc = plate((body, body), body // 2, _DARK, self.theme.faint, 2)
        self.surface.blit(disc, disc.get_rect(center=place.center))
        pygame.draw.circle(self.surface, self.theme.faint, place.center, max(2, size // 14))
