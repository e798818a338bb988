"""What stands beside the board: whose turn, what is keyed and the verdict, who plays."""

from collections.abc import Iterable, Sequence

import pygame

from hardware.keys import Key
from pi_app.displays.window.ink import (
    fitting,
    icon,
    plate,
    put_text,
    shortened,
    stone,
    text_image,
    wrapped,
)
from pi_app.displays.window.layout import TARGET, Layout
from pi_app.displays.window.targets import Choose, Target, Toggle
from pi_app.displays.window.theme import PLAYERS, RGB, Theme, player_paint
from pi_app.view.frame import Alert, Choices, Entry, Frame, Seat, Tone

TITLE = 28
VERDICT = 24
ENTRY = 38
SMALL = 18
"""Heights of letters, in pixels of the smallest screen."""

_SIGNS = {Tone.GOOD: "good", Tone.BAD: "bad", Tone.WIN: "win"}


def paint_title(
    surface: pygame.Surface, frame: Frame, at: Layout, theme: Theme, *, toggle: bool
) -> list[Target]:
    """Write the title beside the stone of the player whose colour it takes."""
    box = at.title
    left = box.left
    if frame.colour in PLAYERS:
        size = at.px(44)
        image = stone(frame.colour, _letter(frame), size)
        surface.blit(image, (left, box.centery - size // 2))
        left += size + at.px(10)
    width = (box.right if toggle else at.toggle.right) - left
    size = fitting(frame.title, at.px(TITLE), width, at.px(VERDICT))
    title = text_image(shortened(frame.title, size, width), size, theme.text)
    if frame.corner:
        corner = text_image(shortened(frame.corner, at.px(SMALL), width), at.px(SMALL), theme.faint)
        top = box.centery - (title.get_height() + corner.get_height()) // 2
        surface.blit(title, (left, top))
        surface.blit(corner, (left, top + title.get_height()))
    else:
        surface.blit(title, title.get_rect(midleft=(left, box.centery)))
    if frame.colour in PLAYERS:
        bar = pygame.Rect(box.left, box.bottom, at.toggle.right - box.left, max(3, at.px(3)))
        surface.fill(player_paint(frame.colour).fill, bar)
    if not toggle:
        return []
    surface.blit(plate(at.toggle.size, at.px(8), theme.button), at.toggle)
    sign = icon("keys", at.px(26), theme.text if at.keypad else theme.faint)
    surface.blit(sign, sign.get_rect(center=at.toggle.center))
    return [Target(at.toggle, Toggle())]


def _letter(frame: Frame) -> str:
    """Return the letter on the stones of the title's player."""
    return next((seat.letter for seat in frame.seats if seat.colour == frame.colour), "")


class Body:
    """What is keyed, the verdict, sentences and lists, from the top down."""

    def __init__(self, surface: pygame.Surface, frame: Frame, at: Layout, theme: Theme) -> None:
        self.surface = surface
        self.frame = frame
        self.at = at
        self.theme = theme
        self.box = at.body
        self.top = at.body.top
        self.targets: list[Target] = []

    def paint(self) -> list[Target]:
        frame = self.frame
        if frame.alert is not None:
            self._alert(frame.alert)
        lines = frame.lines[frame.top :]
        if lines and not frame.top and any(seat.winner for seat in frame.seats):
            self._verdict(f"{frame.big} {lines[0]}".strip(), Tone.WIN)
            lines = lines[1:]
        elif frame.big:
            self._text((frame.big,), ENTRY, self.theme.text)
            self.top += self.at.px(6)
        if frame.entry is not None:
            self._entry(frame.entry)
        if frame.choices is None:
            self._sentences(lines, self.box.bottom - self.top, more=frame.top)
        else:
            self._sentences(lines, (self.box.bottom - self.top) // 2)
            self._choices(frame.choices)
        return self.targets

    def _text(self, lines: Iterable[str], size: int, colour: RGB) -> None:
        """Write lines that fit by themselves."""
        for line in lines:
            fit = fitting(line, self.at.px(size), self.box.width, self.at.px(VERDICT) // 2)
            image = text_image(line, fit, colour)
            self.surface.blit(image, (self.box.left, self.top))
            self.top += image.get_height()

    def _entry(self, entry: Entry) -> None:
        """Write what is keyed large, the verdict below on a ground of its tone."""
        at, theme = self.at, self.theme
        high = at.px(50)
        field = pygame.Rect(self.box.left, self.top, self.box.width, high)
        self.surface.blit(plate(field.size, at.px(8), theme.panel, theme.line, 2), field)
        size = fitting(entry.text, at.px(ENTRY), field.width - at.px(24), at.px(18))
        text = shortened(entry.text, size, field.width - at.px(12))
        put_text(self.surface, text, size, theme.text, field.center)
        self.top = field.bottom + at.px(8)
        if entry.verdict:
            self._verdict(entry.verdict, entry.tone)

    def _alert(self, alert: Alert) -> None:
        self._verdict(alert.text, alert.tone)

    def _verdict(self, text: str, tone: Tone) -> None:
        """Write a verdict: a sign, an edge and a ground say its tone as well as its colour."""
        at, theme = self.at, self.theme
        ink = theme.tones[tone]
        sign = _SIGNS.get(tone)
        side = at.px(26) if sign else 0
        pad = at.px(10)
        left = pad + (side + at.px(8) if sign else 0)
        size = at.px(VERDICT)
        lines = wrapped(text, size, self.box.width - left - pad)
        step = round(size * 1.16)
        high = max(len(lines) * step, side) + 2 * at.px(8)
        box = pygame.Rect(self.box.left, self.top, self.box.width, high)
        self.surface.blit(plate(box.size, at.px(8), theme.tints[tone], ink, 2), box)
        if sign:
            image = icon(sign, side, ink)
            self.surface.blit(image, image.get_rect(midleft=(box.left + pad, box.centery)))
        top = box.centery - len(lines) * step // 2
        for number, line in enumerate(lines):
            image = text_image(line, size, ink)
            middle = top + number * step + step // 2
            self.surface.blit(image, image.get_rect(midleft=(box.left + left, middle)))
        self.top = box.bottom + at.px(8)

    def _sentences(self, lines: Sequence[str], room: int, more: int = 0) -> None:
        """Write sentences as large as they fit; the first ones are never left out."""
        if not lines or room <= 0:
            return
        at = self.at
        sizes = [at.px(size) for size in (VERDICT, 22, 20, SMALL)]
        size = next((s for s in sizes if self._height(lines, s) <= room), sizes[-1])
        for number, line in enumerate(lines):
            ink = self.theme.text if number == 0 and not more else self.theme.tones[Tone.PLAIN]
            for part in wrapped(line, size, self.box.width):
                if self.top + round(size * 1.2) > self.box.bottom:
                    self._more()
                    return
                self.surface.blit(text_image(part, size, ink), (self.box.left, self.top))
                self.top += round(size * 1.2)
            self.top += round(size * 0.3)

    def _height(self, lines: Sequence[str], size: int) -> int:
        rows = sum(len(wrapped(line, size, self.box.width)) for line in lines)
        return rows * round(size * 1.2) + (len(lines) - 1) * round(size * 0.3)

    def _more(self) -> None:
        """Say that more sentences follow; a touch on the arrow shows them."""
        size = self.at.px(TARGET)
        box = pygame.Rect(0, 0, size, size)
        box.bottomright = self.box.bottomright
        self.surface.blit(plate(box.size, self.at.px(8), self.theme.button, self.theme.line), box)
        sign = icon("down", size // 2, self.theme.text)
        self.surface.blit(sign, sign.get_rect(center=box.center))
        self.targets.append(Target(box, Key.DOWN))

    def _choices(self, choices: Choices) -> None:
        """List what can be chosen; a touch on an item takes it."""
        at, count = self.at, len(choices.items)
        row, gap = at.px(TARGET), at.px(5)
        room = max(1, (self.box.bottom - self.top + gap) // (row + gap))
        room = min(room, count)
        first = max(0, min(choices.selected - room // 2, count - room))
        arrows = at.px(TARGET) + gap if room < count else 0
        width = self.box.width - arrows
        for index in range(first, first + room):
            box = pygame.Rect(self.box.left, self.top, width, row)
            self._item(choices, index, box)
            self.targets.append(Target(box, Choose(index - choices.selected)))
            self.top += row + gap
        if arrows:
            high = room * (row + gap) - gap
            self._arrows(high, above=first > 0, below=first + room < count)

    def _item(self, choices: Choices, index: int, box: pygame.Rect) -> None:
        at, theme = self.at, self.theme
        chosen = index == choices.selected
        ground = theme.text if chosen else theme.button
        ink = theme.background if chosen else theme.text
        self.surface.blit(plate(box.size, at.px(8), ground), box)
        left = box.left + at.px(12)
        if len(choices.items) < 10:
            number = text_image(str(index + 1), at.px(SMALL), ink if chosen else theme.faint)
            self.surface.blit(number, number.get_rect(midleft=(left, box.centery)))
            left += at.px(26)
        width = box.right - at.px(8) - left
        size = fitting(choices.items[index], at.px(VERDICT), width, at.px(16))
        label = text_image(shortened(choices.items[index], size, width), size, ink)
        self.surface.blit(label, label.get_rect(midleft=(left, box.centery)))

    def _arrows(self, high: int, *, above: bool, below: bool) -> None:
        """Show beside a list that it goes on above or below."""
        size = self.at.px(TARGET)
        top = self.top - high - self.at.px(5)
        for sign, key, there, y in (
            ("up", Key.UP, above, top),
            ("down", Key.DOWN, below, top + high - size),
        ):
            box = pygame.Rect(self.box.right - size, y, size, size)
            ink = self.theme.text if there else self.theme.line
            self.surface.blit(plate(box.size, self.at.px(8), self.theme.button), box)
            image = icon(sign, size // 2, ink)
            self.surface.blit(image, image.get_rect(center=box.center))
            self.targets.append(Target(box, key))


def paint_side(surface: pygame.Surface, frame: Frame, at: Layout, theme: Theme) -> list[Target]:
    """List who plays with what is left to them, then the last moves, as far as there is room."""
    box = at.side
    top = box.top
    notes, moves = _sorted_details(frame)
    row = min(at.px(40), max(at.px(26), box.height // max(1, len(frame.seats)) - at.px(3)))
    for seat in frame.seats:
        if top + row > box.bottom:
            return []
        _seat(
            surface,
            seat,
            notes.get(seat.name, seat.note),
            pygame.Rect(box.left, top, box.width, row),
            at,
            theme,
        )
        top += row + at.px(3)
    top += at.px(6)
    size = at.px(SMALL)
    for line in moves:
        if top + size * 1.25 > box.bottom:
            return []
        surface.blit(
            text_image(shortened(line, size, box.width), size, theme.faint), (box.left, top)
        )
        top += round(size * 1.25)
    return []


def _sorted_details(frame: Frame) -> tuple[dict[str, str], list[str]]:
    """Return what the details say of each player first, and the other lines."""
    names = {seat.name for seat in frame.seats}
    notes: dict[str, str] = {}
    moves = []
    for line in frame.details:
        name, colon, rest = line.partition(": ")
        if colon and name in names and name not in notes and len(notes) < len(names):
            notes[name] = rest
        else:
            moves.append(line)
    return notes, moves


def _seat(
    surface: pygame.Surface, seat: Seat, note: str, box: pygame.Rect, at: Layout, theme: Theme
) -> None:
    """Write one player beside their stone; a frame says who is to move, a cup who won."""
    if seat.to_move or seat.winner:
        tone = Tone.WIN if seat.winner else Tone.PLAIN
        surface.blit(plate(box.size, at.px(8), theme.tints[tone], theme.tones[tone], 2), box)
    size = min(at.px(30), box.height - 4)
    image = stone(seat.colour, seat.letter, size)
    surface.blit(image, image.get_rect(midleft=(box.left + at.px(6), box.centery)))
    left = box.left + at.px(6) + size + at.px(8)
    right = box.right - at.px(6)
    if seat.winner:
        cup = icon("win", size, theme.tones[Tone.WIN])
        surface.blit(cup, cup.get_rect(midright=(right, box.centery)))
        right -= size + at.px(4)
    small = at.px(SMALL)
    name = text_image(shortened(seat.name, small + 2, right - left), small + 2, theme.text)
    surface.blit(name, name.get_rect(midleft=(left, box.centery)))
    room = right - left - name.get_width() - at.px(10)
    if note and room > small * 2:
        fit = fitting(note, small, room, round(small * 0.7))
        text = text_image(shortened(note, fit, room), fit, theme.faint)
        surface.blit(text, text.get_rect(midright=(right, box.centery)))
