"""The words of a television: verdict, what is keyed, sentences, lists, last moves.

Lengths are in units, as in `television`; docs/play.md says why WORD and MATTERS are what they are.
"""

from collections.abc import Callable, Sequence

import pygame

from pi_app.displays.window.choices import paint_bar
from pi_app.displays.window.ink import (
    fitting_size,
    line_step,
    stone,
    text_width,
    wrap_text,
    write,
)
from pi_app.displays.window.shapes import icon, plate
from pi_app.displays.window.sidebar import TONE_SIGNS
from pi_app.displays.window.theme import RGB, Theme
from pi_app.view.frame import Choices, Frame, Played, Tone

WORD = 40
"""The least size of letters; whatever would be smaller is left out."""

MATTERS = 90
"""The least size of whose turn it is, of scores, and of what is being keyed."""

GAP = 18
"""Between any two things."""

_MOVES = 3
"""The most last moves shown."""
_WON = 110
"""The least size of who wins."""

_Size = tuple[int, int, int, int]
"""Sizes of large text (`big`), of a verdict, of sentences and lists, of the last moves."""

_SIZES: tuple[_Size, ...] = (
    (190, 132, 88, 64),
    (170, 110, 72, 60),
    (150, 96, 64, 56),
    (130, 84, 58, 52),
    (112, 72, 54, 50),
    (100, 62, 50, 48),
    (90, 54, 46, 44),
    (90, 46, 42, 42),
)
"""From the largest to the smallest; the first at which everything fits is taken."""

_SCROLLED = 5
"""So many sizes are tried if a key shows the sentences for which there is no room."""

_Block = tuple[int, Callable[[pygame.Rect], None]]
"""A height in pixels, and what paints it into its place."""


class WordBlocks:
    """The words of a page as blocks, in the largest sizes at which all of them fit."""

    def __init__(
        self,
        surface: pygame.Surface,
        frame: Frame,
        theme: Theme,
        box: pygame.Rect,
        px: Callable[[float], int],
    ) -> None:
        """`px` returns a length in pixels of this screen."""
        self.surface = surface
        self.frame = frame
        self.theme = theme
        self.box = box
        self.px = px
        self.cut = False
        """Whether a word was wider than its place when `_blocks` made its last blocks."""
        self.scrolls = any(soft.scrolls for soft in frame.keys.soft)

    def fit(self) -> tuple[list[_Block], list[_Block]]:
        """Return the blocks from the top, and those of the last moves at the bottom.

        Letters get smaller before moves are left out, but not down to the smallest size. Where a
        key shows the sentences for which there is no room, only the larger sizes are tried.
        """
        moves = self.frame.extras.moves[:_MOVES]
        most = _SCROLLED if self.scrolls else len(_SIZES)
        # pairs of an index in _SIZES and a number of moves, in the order in which they are tried
        # all moves, then the newest only, then none, each time from larger letters again
        tries = [(index, len(moves)) for index in range(5)]
        tries += [(index, min(1, len(moves))) for index in range(3, 7)]
        tries += [(index, 0) for index in range(4, len(_SIZES))]
        for index, count in tries:
            if index >= most:
                continue
            blocks = self._blocks(_SIZES[index])
            *_, move_size = _SIZES[index]
            move_blocks = [
                self._move(move, move_size, first=n == 0) for n, move in enumerate(moves[:count])
            ]
            needed = self._height(blocks) + self._height(move_blocks)
            if not self.cut and needed <= self.box.height:
                return blocks, move_blocks
        return blocks, move_blocks  # nothing fits: the smallest, whose end is left out

    def _height(self, blocks: Sequence[_Block]) -> int:
        return sum(high + self.px(GAP) for high, _ in blocks)

    def _blocks(self, sizes: _Size) -> list[_Block]:
        """Return everything but the last moves as blocks in these sizes."""
        self.cut = False
        frame, px = self.frame, self.px
        big, verdict, sentence, _ = (px(units) for units in sizes)
        body = frame.body
        blocks: list[_Block] = []
        lines = body.lines[body.top :]
        if frame.alert is not None:
            blocks.append(self._verdict(frame.alert.text, frame.alert.tone, verdict))
        # the first line of a result continues the winner's name: "Anna" "wins!"
        if lines and not body.top and any(seat.winner for seat in frame.extras.seats):
            result = f"{body.big} {lines[0]}".strip()
            blocks.append(self._verdict(result, Tone.WIN, max(px(_WON), verdict)))
            lines = lines[1:]
        elif body.big:
            blocks.append(self._sentence(body.big, big, self.theme.text))
        if body.entry is not None and (body.entry.text or body.entry.verdict):
            blocks.append(self._entry(body.entry.text, max(px(MATTERS), round(big * 0.8))))
            if body.entry.verdict:
                blocks.append(self._verdict(body.entry.verdict, body.entry.tone, verdict))
        for number, line in enumerate(lines):
            first = number == 0 and not body.top  # it matters most, so it is brighter
            ink = self.theme.text if first else self.theme.tones[Tone.PLAIN]
            blocks.append(self._sentence(line, sentence, ink))
        if body.choices is not None:
            taken = self._height(blocks)
            blocks.append(self._list(body.choices, sentence, self.box.height - taken))
        return blocks

    def _wrap(self, text: str, size: int, width: int) -> tuple[str, ...]:
        """Return the text in lines, and note if a word had to be cut."""
        self.cut |= any(text_width(word, size) > width for word in text.split())
        return wrap_text(text, size, width)

    def _sentence(self, text: str, size: int, ink: RGB) -> _Block:
        """Write a text in as many rows as it needs, or as its place allows."""
        lines = self._wrap(text, size, self.box.width)
        step = line_step(size)

        def draw(box: pygame.Rect) -> None:
            for number, line in enumerate(lines[: max(1, box.height // step)]):
                top = box.top + number * step
                write(self.surface, line, size, ink, topleft=(box.left, top))

        return len(lines) * step, draw

    def _verdict(self, text: str, tone: Tone, size: int) -> _Block:
        """Write a verdict with a sign, edge and ground of its tone."""
        px, ink = self.px, self.theme.tones[tone]
        sign = TONE_SIGNS.get(tone)
        pad = px(24)
        left = pad + (size + pad if sign else 0)
        lines = self._wrap(text, size, self.box.width - left - pad)
        step = line_step(size)

        def draw(box: pygame.Rect) -> None:
            ground = plate(box.size, px(20), self.theme.tints[tone], ink, px(5))
            self.surface.blit(ground, box)
            if sign:
                image = icon(sign, size, ink)
                self.surface.blit(image, image.get_rect(midleft=(box.left + pad, box.centery)))
            top = box.centery - len(lines) * step // 2
            for number, line in enumerate(lines):
                middle = top + number * step + step // 2
                write(self.surface, line, size, ink, midleft=(box.left + left, middle))

        return len(lines) * step + px(24), draw

    def _entry(self, text: str, size: int) -> _Block:
        """Write what is being keyed into a field, as large as it fits on one line."""
        px = self.px
        room = self.box.width - 2 * px(24)
        fit = fitting_size(text, size, room, px(WORD))

        def draw(box: pygame.Rect) -> None:
            field = plate(box.size, px(20), self.theme.area, self.theme.faint, px(5))
            self.surface.blit(field, box)
            write(self.surface, text, fit, self.theme.text, room=room, center=box.center)

        return round(size * 1.3), draw

    def _list(self, choices: Choices, size: int, room: int) -> _Block:
        """List the items in rows, those around the chosen one if not all fit."""
        step = round(size * 1.5)
        count = len(choices.items)

        def draw(box: pygame.Rect) -> None:
            rows = min(count, max(1, box.height // step))
            first = max(0, min(choices.selected - rows // 2, count - rows))
            wide = box.width - (self.px(40) if rows < count else 0)  # room for the scroll bar
            for n in range(rows):
                row = pygame.Rect(box.left, box.top + n * step, wide, step - self.px(6))
                self._item(choices, first + n, row, size)
            if rows < count:
                bar = pygame.Rect(0, box.top, self.px(16), rows * step)
                bar.right = box.right
                paint_bar(self.surface, bar, first / count, (first + rows) / count, self.theme)

        _, _, smallest, _ = _SIZES[-1]
        high = count * step
        if size <= self.px(smallest):  # no smaller size follows: the list scrolls
            high = min(high, max(room - self.px(GAP), step))
        return high, draw

    def _item(self, choices: Choices, index: int, box: pygame.Rect, size: int) -> None:
        """Write an item after its digit; the chosen one is inverted."""
        theme, px = self.theme, self.px
        chosen = index == choices.selected
        ground, ink = (theme.text, theme.background) if chosen else (theme.button, theme.text)
        if index in choices.greyed:  # the mark on such an item is paler too
            ground, ink = (theme.faint, theme.button) if chosen else (theme.background, theme.faint)
        self.surface.blit(plate(box.size, px(12), ground), box)
        digit, words = choices.digit(index), choices.sentence(index)
        if not words:  # the item is its own number
            words, digit = digit, ""
        left = box.left + px(18)
        if digit:
            shade = ink if chosen else theme.faint
            write(self.surface, digit, size, shade, midleft=(left, box.centery))
            left += text_width(digit, size) + px(24)
        room = box.right - px(12) - left
        if text_width(words, px(WORD)) > room:  # even in the smallest letters
            words = choices.words(index) or words
        write(
            self.surface, words, size, ink,
            room=room, least=px(WORD), midleft=(left, box.centery),
        )  # fmt: skip

    def _move(self, move: Played, units: int, *, first: bool) -> _Block:
        """Write a move next to its player's stone; the newest one is bright."""
        size = self.px(units)
        seats = {seat.name: seat for seat in self.frame.extras.seats}
        seat = seats.get(move.name)
        ink = self.theme.text if first else self.theme.faint

        def draw(box: pygame.Rect) -> None:
            left, words = box.left, move.line()
            if seat is not None:
                image = stone(seat.colour, seat.letter, size)
                self.surface.blit(image, image.get_rect(midleft=(left, box.centery)))
                left += size + size // 2
                words = move.text
            write(
                self.surface, words, size, ink,
                room=box.right - left, least=self.px(WORD), midleft=(left, box.centery),
            )  # fmt: skip

        return round(size * 1.2), draw
