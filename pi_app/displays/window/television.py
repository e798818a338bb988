"""The table from four metres away: whose turn, score, verdict and last moves in large letters.

Lengths are in units: pixels at 1920x1080, scaled on other screens. The picture of a 40-inch
television is 886 mm wide, so a unit is 0.46 mm there; docs/play.md says why WORD and MATTERS
are what they are.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pygame

from pi_app.displays.oled import SIGNS
from pi_app.displays.window.board import paint_board
from pi_app.displays.window.choices import paint_bar
from pi_app.displays.window.ink import (
    fitting_size,
    line_step,
    stone,
    text_width,
    wrap_text,
    write,
)
from pi_app.displays.window.layout import grid, has_picture
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.players import paint_cup
from pi_app.displays.window.shapes import icon, plate
from pi_app.displays.window.sidebar import TONE_SIGNS
from pi_app.displays.window.theme import RGB, Theme, player_paint
from pi_app.displays.window.touch import Deed
from pi_app.view.frame import Board, Body, Choices, Frame, Played, Seat, Tone

WORD = 40
"""The least size of letters; whatever would be smaller is left out."""

MATTERS = 90
"""The least size of whose turn it is, of scores, and of what is being keyed."""

_EDGE = 36
_GAP = 18
_HEAD = 156
_KEYS = 58
_CARD = 168
_BOARD = 340
"""The least height of a board below the players."""
_DRAWN = 640
"""Boards are drawn at least so high, in pixels: in smaller cells stones hide the numbers."""

_MOVES = 3
_WON = 110
"""The least size of who wins."""

_Size = tuple[int, int, int, int]
"""Sizes of what stands large, of a verdict, of sentences and lists, of the last moves."""

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


class TelevisionPainter(Painter):
    """Paints frames for people four metres away. It has no targets: nobody touches it."""

    def __init__(self, surface: pygame.Surface, theme: Theme, *, fixed: bool = True) -> None:
        super().__init__(surface, theme, fixed=fixed)
        self._shown: Frame | None = None
        self.page: Page | None = None

    def paint(self, frame: Frame, pressed: Deed | None = None) -> list[pygame.Rect]:  # noqa: ARG002  # nothing is pressed here
        """Paint the frame if it differs from the previous one; return the changed rectangles."""
        frame = _with_open_cards_only(self.adapt(frame))
        if frame == self._shown:
            return []
        self._shown = frame
        self.surface.fill(self.theme.background)
        self.page = page = Page(self.surface, frame, self.theme)
        page.paint()
        if page.drawing.height:
            self._paint_drawing(frame.board, page.drawing)
        return [self.surface.get_rect()]

    def _paint_drawing(self, board: Board, area: pygame.Rect) -> None:
        """Paint board, chart or code; a small board is drawn large, then scaled down."""
        if board.picture is None or area.height >= _DRAWN:
            self.surface.set_clip(area)
            self.paint_board(board, area)
            self.surface.set_clip(None)
            return
        large = pygame.Surface((area.width * _DRAWN // area.height, _DRAWN))
        large.fill(self.theme.area)
        paint_board(large, board.picture, large.get_rect(), self.theme)
        self.surface.blit(pygame.transform.smoothscale(large, area.size), area)


def cover(frame: Frame, public: Frame | None) -> Frame:
    """Return what a room may see of a frame: a secret one shows its title over the last public one.

    A code to scan is for whoever is in the room.
    """
    if not frame.secret or frame.board.code:
        return frame
    if public is None:
        return Frame(frame.header, keys=frame.keys)
    return Frame(frame.header, board=public.board, extras=public.extras, keys=frame.keys)


def _with_open_cards_only(frame: Frame) -> Frame:
    """Return the frame without the table of all cards: nobody reads that from afar."""
    picture = frame.board.picture
    if picture is None or picture.kind != "cards" or _says_nothing(frame):
        return frame
    cells = tuple(cell for cell in picture.cells if cell.large)
    shown = picture.with_cells(cells) if cells else None
    return replace(frame, board=replace(frame.board, picture=shown))


class Page:
    """One picture: its places, then what is painted there."""

    def __init__(self, surface: pygame.Surface, frame: Frame, theme: Theme) -> None:
        self.surface = surface
        self.frame = frame
        self.theme = theme
        area = surface.get_rect()
        self.scale = min(max(area.size) / 1920, min(area.size) / 1080)
        inner = area.inflate(-2 * self.px(_EDGE), -2 * self.px(_EDGE))
        self.head = pygame.Rect(inner.left, inner.top, inner.width, self.px(_HEAD))
        self.keys = pygame.Rect(inner.left, 0, inner.width, self.px(_KEYS))
        self.keys.bottom = inner.bottom
        top, gap = self.head.bottom + self.px(_GAP), self.px(_GAP)
        middle = pygame.Rect(inner.left, top, inner.width, self.keys.top - gap - top)
        self.cards: list[pygame.Rect] = []
        self.scrolls = False
        """Whether there are sentences that are not shown."""
        self.drawing = pygame.Rect(0, 0, 0, 0)
        self.words = middle.copy()
        self._place(middle, upright=area.height > area.width)

    def px(self, units: float) -> int:
        """Return a length in pixels of this screen."""
        return max(1, round(units * self.scale))

    def _place(self, middle: pygame.Rect, *, upright: bool) -> None:
        """Give players, words and the board their places."""
        gap, count = self.px(_GAP), len(self.frame.extras.seats)
        columns = 2 if count > 6 else 1
        rows = -(-count // columns)
        side = middle.copy()
        if upright:
            side.height = min(middle.height // 2, rows * self.px(120))
        else:
            side.width = round(middle.width * (0.52 if columns > 1 else 0.44))
            side.right = middle.right
        if count:
            high = min(self.px(_CARD), (side.height + gap) // rows - gap)
            table = pygame.Rect(side.left, side.top, side.width, rows * (high + gap) - gap)
            self.cards = grid(table, columns, rows, gap)[:count]
            free = pygame.Rect(side.left, table.bottom + gap, side.width, 0)
            free.height = side.bottom - free.top
        else:
            free = side
        drawn = has_picture(self.frame)
        if count or drawn:
            if upright:
                self.words.top = free.top if count else side.bottom + gap
                self.words.height = middle.bottom - self.words.top
            else:
                self.words.width = side.left - 2 * gap - middle.left
        if drawn and _says_nothing(self.frame):
            self.drawing, self.words = self._shape(self.words), pygame.Rect(0, 0, 0, 0)
        elif drawn and free.height >= self.px(_BOARD):
            self.drawing = self._shape(free)
        elif not count:
            self.words = middle

    def _shape(self, box: pygame.Rect) -> pygame.Rect:
        """Return the part of a place that a drawing takes: boards with rows are square."""
        picture = self.frame.board.picture
        if picture is None or picture.kind not in ("grid", "table"):
            return box
        side = min(box.size)
        square = pygame.Rect(0, 0, side, side)
        square.midtop = box.midtop
        return square

    def paint(self) -> None:
        """Paint everything but the board."""
        self._paint_head()
        if self.cards:
            self._paint_cards()
        if self.words.height:
            self._paint_words()
        self._paint_keys()

    def _paint_head(self) -> None:
        """Write whose turn it is next to their stone, over a bar of their colour."""
        box, header, theme = self.head, self.frame.header, self.theme
        seat = next((s for s in self.frame.extras.seats if s.colour == header.colour), None)
        left = box.left
        if header.colour:
            size = self.px(130)
            image = stone(header.colour, seat.letter if seat else "", size)
            surface_top = box.top + self.px(4)
            self.surface.blit(image, (left, surface_top))
            left += size + self.px(28)
            bar = pygame.Rect(box.left, box.bottom - self.px(10), box.width, self.px(10))
            self.surface.fill(player_paint(header.colour).fill, bar)
        room, middle = box.right - left, box.top + self.px(70)
        corner = text_width(header.corner, self.px(60)) + self.px(40) if header.corner else 0
        if text_width(header.title, self.px(MATTERS)) > room - corner:
            corner = 0
        if corner:
            write(
                self.surface, header.corner, self.px(60), theme.faint, midright=(box.right, middle)
            )
        write(
            self.surface, header.title, self.px(124), theme.text,
            room=room - corner, least=self.px(WORD), midleft=(left, middle),
        )  # fmt: skip

    def _paint_cards(self) -> None:
        """Paint a card for every player, all names in one size."""
        seats = self.frame.extras.seats
        high, wide = self.cards[0].height, self.cards[0].width
        size = min(round(high * 0.74), wide // 5)
        pad = self.px(16)
        note = min(self.px(WORD), high // 2)
        wanted = min(self.px(76), round(high * 0.5))
        for score in (
            min(self.px(124), round(high * 0.87)),
            min(self.px(MATTERS), round(high * 0.87)),
        ):
            widest = max(text_width(seat.score, score) for seat in seats)
            room = wide - size - widest - 3 * pad - self.px(26)
            name = min(fitting_size(seat.name, wanted, room, note) for seat in seats)
            if name == wanted:
                break
        for seat, box in zip(seats, self.cards, strict=True):
            self._paint_card(seat, box, (size, name, note, score), room)

    def _paint_card(self, seat: Seat, box: pygame.Rect, sizes: _Size, room: int) -> None:
        size, name, note, score = sizes
        theme, pad = self.theme, self.px(16)
        tone = Tone.WIN if seat.winner else Tone.PLAIN
        raised = seat.to_move or seat.winner
        ground = theme.tints[tone] if raised else theme.area
        edge = player_paint(seat.colour).fill if seat.to_move else theme.tones[tone]
        thick = self.px(8 if raised else 2)
        shape = plate(box.size, self.px(18), ground, edge if raised else theme.line, thick)
        self.surface.blit(shape, box)
        image = stone(seat.colour, seat.letter, size)
        place = image.get_rect(midleft=(box.left + pad, box.centery))
        self.surface.blit(image, place)
        if seat.winner:
            paint_cup(self.surface, place, theme)
        ink = theme.tones[Tone.WIN] if seat.winner else theme.text
        write(
            self.surface,
            seat.score,
            score,
            ink,
            midright=(box.right - pad, box.centery + score // 30),
        )
        left = place.right + self.px(26)
        upper = box.centery - round(note * 0.56) if seat.note else box.centery
        write(self.surface, seat.name, name, theme.text, room=room, midleft=(left, upper))
        if seat.note:
            lower = box.centery + round(name * 0.56)
            write(self.surface, seat.note, note, theme.faint, room=room, midleft=(left, lower))

    def _paint_keys(self) -> None:
        """Write what the keys do, as many as there is room for."""
        box, size, theme = self.keys, self.px(WORD + 2), self.theme
        left = box.left
        for soft in self.frame.keys.soft:
            if soft.scrolls and not (self.scrolls or self.frame.body.top):
                continue
            sign = soft.sign or SIGNS.get(soft.key, soft.key.value)
            gap = self.px(16)
            wide = text_width(sign, size) + gap + text_width(soft.label, size)
            if left + wide > box.right:
                return
            write(self.surface, sign, size, theme.faint, midleft=(left, box.centery))
            right = left + text_width(sign, size) + gap
            write(self.surface, soft.label, size, theme.text, midleft=(right, box.centery))
            left += wide + self.px(56)

    def _paint_words(self) -> None:
        """Paint verdict and sentences from the top, the last moves at the bottom."""
        words = _Words(self)
        blocks, moves = words.fit()
        top, gap = self.words.top, self.px(_GAP)
        for number, (high, draw) in enumerate(blocks):
            room = self.words.bottom - top
            if room < (high if words.scrolls and number else min(high, self.px(WORD))):
                self.scrolls = words.scrolls
                break
            draw(pygame.Rect(self.words.left, top, self.words.width, min(high, room)))
            top += high + gap
        bottom = self.words.bottom
        for high, draw in reversed(moves):
            draw(pygame.Rect(self.words.left, bottom - high, self.words.width, high))
            bottom -= high
        if moves:
            line = pygame.Rect(self.words.left, bottom - gap // 2, self.words.width, self.px(3))
            self.surface.fill(self.theme.line, line)


def _says_nothing(frame: Frame) -> bool:
    """Tell whether a frame shows its board or chart only."""
    return frame.alert is None and frame.body == Body()


class _Words:
    """The words of a page as blocks, in the largest sizes at which all of them fit."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.surface = page.surface
        self.theme = page.theme
        self.box = page.words
        self.cut = False
        """Whether a word is wider than its place in the sizes of the last blocks."""
        self.scrolls = any(soft.scrolls for soft in page.frame.keys.soft)

    def fit(self) -> tuple[list[_Block], list[_Block]]:
        """Return the blocks from the top, and those of the last moves at the bottom.

        Letters get smaller before moves are left out, but not down to the smallest, and not far
        where a key shows the sentences for which there is no room.
        """
        moves = self.page.frame.extras.moves[:_MOVES]
        least = _SCROLLED if self.scrolls else len(_SIZES)
        tries = [(n, len(moves)) for n in range(5)]
        tries += [(n, min(1, len(moves))) for n in range(3, 7)]
        tries += [(n, 0) for n in range(4, len(_SIZES))]
        for number, count in tries:
            if number >= least:
                continue
            sizes = _SIZES[number]
            blocks = self._blocks(sizes)
            last = [
                self._move(move, sizes[3], first=n == 0) for n, move in enumerate(moves[:count])
            ]
            if not self.cut and self._height(blocks) + self._height(last) <= self.box.height:
                return blocks, last
        return blocks, last

    def _height(self, blocks: Sequence[_Block]) -> int:
        return sum(high + self.page.px(_GAP) for high, _ in blocks)

    def _blocks(self, sizes: _Size) -> list[_Block]:
        self.cut = False
        frame, px = self.page.frame, self.page.px
        big, verdict, sentence, _ = (px(units) for units in sizes)
        body, blocks = frame.body, []
        lines = body.lines[body.top :]
        if frame.alert is not None:
            blocks.append(self._verdict(frame.alert.text, frame.alert.tone, verdict))
        if lines and not body.top and any(seat.winner for seat in frame.extras.seats):
            said = f"{body.big} {lines[0]}".strip()
            blocks.append(self._verdict(said, Tone.WIN, max(px(_WON), verdict)))
            lines = lines[1:]
        elif body.big:
            blocks.append(self._sentence(body.big, big, self.theme.text))
        if body.entry is not None and (body.entry.text or body.entry.verdict):
            blocks.append(self._entry(body.entry.text, max(px(MATTERS), round(big * 0.8))))
            if body.entry.verdict:
                blocks.append(self._verdict(body.entry.verdict, body.entry.tone, verdict))
        for number, line in enumerate(lines):
            first = number == 0 and not body.top
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
        lines = self._wrap(text, size, self.box.width)
        step = line_step(size)

        def draw(box: pygame.Rect) -> None:
            for number, line in enumerate(lines[: max(1, box.height // step)]):
                top = box.top + number * step
                write(self.surface, line, size, ink, topleft=(box.left, top))

        return len(lines) * step, draw

    def _verdict(self, text: str, tone: Tone, size: int) -> _Block:
        """Write a verdict with a sign, edge and ground of its tone."""
        px, ink = self.page.px, self.theme.tones[tone]
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
        px = self.page.px
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
            wide = box.width - (self.page.px(40) if rows < count else 0)
            for n in range(rows):
                row = pygame.Rect(box.left, box.top + n * step, wide, step - self.page.px(6))
                self._item(choices, first + n, row, size)
            if rows < count:
                bar = pygame.Rect(0, box.top, self.page.px(16), rows * step)
                bar.right = box.right
                paint_bar(self.surface, bar, first / count, (first + rows) / count, self.theme)

        smallest = size <= self.page.px(_SIZES[-1][2])
        high = count * step
        return (min(high, max(room - self.page.px(_GAP), step)) if smallest else high), draw

    def _item(self, choices: Choices, index: int, box: pygame.Rect, size: int) -> None:
        """Write an item after its digit; the chosen one is inverted."""
        theme, px = self.theme, self.page.px
        chosen = index == choices.selected
        ground, ink = (theme.text, theme.background) if chosen else (theme.button, theme.text)
        if index in choices.greyed:
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
        if text_width(words, px(WORD)) > room:
            words = choices.words(index) or words
        write(
            self.surface, words, size, ink,
            room=room, least=px(WORD), midleft=(left, box.centery),
        )  # fmt: skip

    def _move(self, move: Played, units: int, *, first: bool) -> _Block:
        """Write a move next to its player's stone; the newest one is bright."""
        size = self.page.px(units)
        seats = {seat.name: seat for seat in self.page.frame.extras.seats}
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
                room=box.right - left, least=self.page.px(WORD), midleft=(left, box.centery),
            )  # fmt: skip

        return round(size * 1.2), draw
