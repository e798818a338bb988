"""The column next to the board: title, entry with its verdict, sentences, lists."""

from collections.abc import Sequence

import pygame

from pi_app.displays.window.choices import ListPainter, paint_arrows, paint_bar
from pi_app.displays.window.ink import (
    fitting_lines,
    fitting_size,
    font,
    ink_top,
    line_step,
    stone,
    wrap_text,
    write,
)
from pi_app.displays.window.layout import BIG, ENTRY, SENTENCE, SMALL, TITLE, VERDICT, Places
from pi_app.displays.window.shapes import icon, plate
from pi_app.displays.window.theme import PLAYERS, Theme, player_paint
from pi_app.displays.window.touch import Target, Toggle
from pi_app.view.frame import Entry, Frame, Tone

TONE_SIGNS = {Tone.GOOD: "good", Tone.BAD: "bad", Tone.DOUBT: "ask", Tone.WIN: "win"}
"""The icon of a verdict by its tone; a plain one has none."""
_SIDE_BY_SIDE = 420
"""From this width on, in units, a verdict may be next to the entry."""


def paint_title(
    surface: pygame.Surface, frame: Frame, layout: Places, theme: Theme, *, toggle: bool
) -> list[Target]:
    """Write the title, next to a stone of its colour."""
    box = layout.title
    left = box.left
    if frame.header.colour in PLAYERS:
        size = layout.px(44)
        seats = [seat for seat in frame.extras.seats if seat.colour == frame.header.colour]
        image = stone(frame.header.colour, seats[0].letter if seats else "", size)
        surface.blit(image, image.get_rect(midleft=(left, box.centery - layout.px(2))))
        left += size + layout.px(10)
        bar = pygame.Rect(box.left, box.bottom - layout.px(3), box.width, max(3, layout.px(3)))
        surface.fill(player_paint(frame.header.colour).fill, bar)
    width = box.right - left
    size = fitting_size(frame.header.title, layout.px(TITLE), width, layout.px(20))
    middle = box.centery - layout.px(2)
    if frame.header.corner:
        room = middle - layout.px(10) - box.top  # above the middle of the title's line
        while size > 1 and font(size).get_height() // 2 - ink_top(frame.header.title, size) > room:
            size -= 1  # no accent of its letters is cut
        write(
            surface, frame.header.title, size, theme.text, room=width,
            midleft=(left, middle - layout.px(10)),
        )  # fmt: skip
        write(
            surface, frame.header.corner, layout.px(SMALL), theme.faint, room=width,
            midleft=(left, middle + layout.px(16)),
        )  # fmt: skip
    else:
        write(surface, frame.header.title, size, theme.text, room=width, midleft=(left, middle))
    if not toggle:
        return []
    surface.blit(plate(layout.toggle.size, layout.px(8), theme.button), layout.toggle)
    sign = icon("keys", layout.px(26), theme.text if layout.keypad else theme.faint)
    surface.blit(sign, sign.get_rect(center=layout.toggle.center))
    return [Target(layout.toggle, Toggle())]


class BodyPainter:
    """Paints entry, verdict, sentences and lists from the top down.

    After painting, `scrolls` is true if there are sentences that are not shown.
    """

    def __init__(self, surface: pygame.Surface, frame: Frame, layout: Places, theme: Theme) -> None:
        self.surface = surface
        self.frame = frame
        self.layout = layout
        self.theme = theme
        self.box = layout.body
        self.top = layout.body.top
        """Where the next part begins; what is above is painted."""
        self.targets: list[Target] = []
        self.scrolls = False

    @property
    def room(self) -> int:
        """The height that is still free, in pixels."""
        return max(0, self.box.bottom - self.top)

    def paint(self) -> list[Target]:
        frame = self.frame
        if frame.alert is not None:
            place = self._rest_of_box()
            # big words and a sentence below it keep their room
            rest = line_step(self.layout.px(BIG)) if frame.body.big else 0
            rest += 2 * line_step(self.layout.px(SMALL)) if frame.body.lines else 0
            place.height = max(place.height - rest, place.height // 2)
            self._paint_verdict(frame.alert.text, frame.alert.tone, place)
        lines = frame.body.lines[frame.body.top :]
        # the first line of a result continues the winner's name: "Anna" "wins!"
        if lines and not frame.body.top and any(seat.winner for seat in frame.extras.seats):
            self._paint_verdict(
                f"{frame.body.big} {lines[0]}".strip(), Tone.WIN, self._rest_of_box()
            )
            lines = lines[1:]
        elif frame.body.big:
            large = self.layout.px(BIG)
            size = fitting_size(frame.body.big, large, self.box.width, large // 2)
            self._make_room_above(frame.body.big, size)
            box = write(
                self.surface, frame.body.big, size, self.theme.text,
                room=self.box.width, topleft=(self.box.left, self.top),
            )  # fmt: skip
            self.top = box.bottom + self.layout.px(4)
        if frame.body.entry is not None:
            self._paint_entry(frame.body.entry)
        if frame.body.choices is None:
            self._paint_sentences(lines, self.room)
        else:
            painter = ListPainter(self.surface, frame.body.choices, self.layout, self.theme)
            rest = self.room - painter.needs(self.box.width) - self.layout.gap
            self._paint_sentences(lines, self.room // 2, rest)
            self.targets += painter.paint(self._rest_of_box())
        return self.targets

    def _make_room_above(self, text: str, size: int) -> None:
        """Let a text at the upper edge begin so low that no accent of its capitals is cut."""
        if self.top == self.box.top:
            self.top -= min(0, ink_top(text, size))

    def _rest_of_box(self) -> pygame.Rect:
        """Return the part of the box that is still free."""
        return pygame.Rect(self.box.left, self.top, self.box.width, self.room)

    def _paint_entry(self, entry: Entry) -> None:
        """Write the entry large, the verdict below or next to it on a ground of its tone."""
        layout, theme = self.layout, self.theme
        tight = self.room < layout.px(86)  # no room for a verdict below the entry
        beside = bool(entry.verdict) and (tight or self.box.width >= layout.px(_SIDE_BY_SIDE))
        high = min(layout.px(52), self.room)
        sentence_height = line_step(layout.px(SMALL)) + layout.gap if self.frame.body.lines else 0
        field = pygame.Rect(self.box.left, self.top, self.box.width, high)
        if beside:
            field.width = round(self.box.width * 0.42)
        self.surface.blit(plate(field.size, layout.px(8), theme.area, theme.faint, 2), field)
        size = fitting_size(
            entry.text,
            min(layout.px(ENTRY), round(high * 0.8)),
            field.width - layout.px(20),
            layout.px(16),
        )
        write(
            self.surface, entry.text, size, theme.text, room=field.width - layout.px(8),
            center=(field.centerx, field.centery + round(size * 0.04)),
        )  # fmt: skip
        if beside:
            place = pygame.Rect(field.right + layout.gap, field.top, 0, self.room - sentence_height)
            place.width = self.box.right - place.left
            self._paint_verdict(entry.verdict, entry.tone, place, least=high)
            self.top = max(self.top, field.bottom + layout.gap)
            return
        self.top = field.bottom + layout.gap
        if entry.verdict:
            place = self._rest_of_box()
            place.height -= sentence_height
            self._paint_verdict(entry.verdict, entry.tone, place)

    def _paint_verdict(self, text: str, tone: Tone, place: pygame.Rect, least: int = 0) -> None:
        """Write a verdict with a sign, edge and ground of its tone.

        Its letters are as large as the place allows; its ground is at least `least` pixels high.
        """
        layout, theme = self.layout, self.theme
        ink = theme.tones[tone]
        sign = TONE_SIGNS.get(tone)
        side = min(layout.px(26), max(8, place.height - layout.px(4))) if sign else 0
        pad, edge = layout.px(8), layout.px(6 if place.height > layout.px(60) else 2)
        left = pad + (side + layout.px(8) if sign else 0)
        sizes = tuple(layout.px(units) for units in (VERDICT, 22, 20, 18, 16, 14, 12))
        size, lines = fitting_lines(text, sizes, place.width - left - pad, place.height - 2 * edge)
        step = line_step(size)
        high = max(len(lines) * step + 2 * edge, side + 2 * edge, least)
        box = pygame.Rect(place.left, place.top, place.width, high)
        self.surface.blit(plate(box.size, layout.px(8), theme.tints[tone], ink, 2), box)
        if sign:
            image = icon(sign, side, ink)
            self.surface.blit(image, image.get_rect(midleft=(box.left + pad, box.centery)))
        top = box.centery - len(lines) * step // 2
        for number, line in enumerate(lines):
            middle = top + number * step + step // 2
            write(self.surface, line, size, ink, midleft=(box.left + left, middle))
        self.top = max(self.top, box.bottom + layout.gap)

    def _paint_sentences(self, lines: Sequence[str], room: int, wanted: int | None = None) -> None:
        """Write sentences as large as they fit; if they do not fit at any size, arrows scroll.

        They take no more than the `wanted` height if they fit into that at some size.
        """
        above = bool(self.frame.body.top)
        if room <= 0 or not (lines or above):
            return
        layout = self.layout
        sizes = [layout.px(units) for units in (SENTENCE, 22, 20, SMALL)]
        if not above:  # once scrolled, the size stays as it was while scrolling
            heights = {size: self._height(lines, size, self.box.width) for size in sizes}
            for most in (min(room, room if wanted is None else wanted), room):
                for size, height in heights.items():
                    if height <= most:
                        self._write_all(lines, size, self.box.width, room)
                        return
        self.scrolls = True
        side = layout.touch + 4 * layout.gap
        top = self.top
        shown = self._write_all(lines, sizes[1], self.box.width - side, room)
        strip = pygame.Rect(self.box.right - layout.touch, top, layout.touch, room)
        bar = pygame.Rect(strip.left - 2 * layout.gap, top, layout.gap, room)
        count = max(1, len(self.frame.body.lines))
        first = self.frame.body.top
        paint_bar(self.surface, bar, first / count, min(1.0, (first + shown) / count), self.theme)
        self.targets += paint_arrows(
            self.surface, strip, layout, self.theme, above=above, below=shown < len(lines)
        )
        self.top = top + room

    def _write_all(self, lines: Sequence[str], size: int, width: int, room: int) -> int:
        """Write as many whole sentences as fit, at least one; return their number."""
        end, step = self.top + room, line_step(size)
        for number, line in enumerate(lines):
            parts: tuple[str, ...] = wrap_text(line, size, width)
            if number and self.top + len(parts) * step > end:
                return number
            if not number:  # the first sentence shrinks until it fits, whatever the room
                size, parts = fitting_lines(line, (size, round(size * 0.8)), width, room)
                step = line_step(size)
            first = number == 0 and not self.frame.body.top  # the first one matters most
            ink = self.theme.text if first else self.theme.tones[Tone.PLAIN]
            for part in parts:
                self._make_room_above(part, size)
                write(self.surface, part, size, ink, topleft=(self.box.left, self.top))
                self.top += step
            self.top += round(size * 0.3)
        return len(lines)

    def _height(self, lines: Sequence[str], size: int, width: int) -> int:
        rows = sum(len(wrap_text(line, size, width)) for line in lines)
        above = -min(0, ink_top(lines[0], size)) if self.top == self.box.top else 0
        return above + rows * line_step(size) + (len(lines) - 1) * round(size * 0.3)
