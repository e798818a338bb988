"""The table from four metres away: whose turn, score, verdict and last moves in large letters.

Lengths are in units: pixels at 1920x1080, scaled on other screens. The picture of a 40-inch
television is 886 mm wide, so a unit is 0.46 mm there.
"""

from dataclasses import replace
from math import ceil

import pygame

from hardware.keys import Key
from pi_app.displays.oled import SIGNS
from pi_app.displays.window.board import paint_board
from pi_app.displays.window.ink import (
    fitting_size,
    stone,
    text_width,
    write,
)
from pi_app.displays.window.layout import grid, has_picture
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.players import paint_cup
from pi_app.displays.window.shapes import plate
from pi_app.displays.window.television_words import GAP, MATTERS, WORD, WordBlocks
from pi_app.displays.window.theme import Theme, player_paint
from pi_app.displays.window.touch import Deed
from pi_app.view.frame import Board, Body, Frame, Seat, Tone

_EDGE = 36
_HEAD = 156
_KEYS = 58
_CARD = 168
"""The margin, the heights of title and keys, and the greatest height of a player's card."""
_UPRIGHT_CARD = 120
"""The greatest height of a player's card on an upright screen, with its gap."""
_BOARD = 340
"""The least height of a board below the players."""
_DRAWN = 640
"""Boards are drawn at least so high, in pixels: in smaller cells stones hide the numbers."""


class TelevisionPainter(Painter):
    """Paints frames for people four metres away. It has no targets: nobody touches it."""

    def __init__(self, surface: pygame.Surface, theme: Theme, *, fixed: bool = True) -> None:
        super().__init__(surface, theme, fixed=fixed)
        self._shown: Frame | None = None
        """The frame that was painted last."""
        self.page: Page | None = None
        """What was painted last, and where."""

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
    # what a dial was turned to stands next to its push
    soft = tuple(key for key in frame.keys.soft if key.key is not Key.PUSH)
    covered = Frame(frame.header, keys=replace(frame.keys, soft=soft))
    if public is None:
        return covered
    return replace(covered, board=public.board, extras=public.extras)


def _with_open_cards_only(frame: Frame) -> Frame:
    """Return the frame without the table of all cards: nobody reads that from afar.

    A frame that shows nothing but that table keeps it.
    """
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
        gap = self.px(GAP)
        top = self.head.bottom + gap
        middle = pygame.Rect(inner.left, top, inner.width, self.keys.top - gap - top)
        self.cards: list[pygame.Rect] = []
        """The places of the players' cards, in the order of the seats."""
        self.scrolls = False
        """Whether there are sentences that are not shown."""
        self.drawing = pygame.Rect(0, 0, 0, 0)
        """The place of board, chart or code; an empty one shows nothing."""
        self.words = middle.copy()
        """The place of the words; an empty one shows nothing."""
        self._place(middle, upright=area.height > area.width)

    def px(self, units: float) -> int:
        """Return a length in pixels of this screen."""
        return max(1, round(units * self.scale))

    def _place(self, middle: pygame.Rect, *, upright: bool) -> None:
        """Give players, words and the board their places.

        The players are at the right, or on an upright screen above; the drawing is below them.
        """
        gap, count = self.px(GAP), len(self.frame.extras.seats)
        columns = 2 if count > 6 else 1
        rows = ceil(count / columns)
        side = middle.copy()  # for players and drawing
        if upright:
            side.height = min(middle.height // 2, rows * self.px(_UPRIGHT_CARD))
        else:
            side.width = round(middle.width * (0.52 if columns > 1 else 0.44))
            side.right = middle.right
        if count:
            high = min(self.px(_CARD), (side.height + gap) // rows - gap)
            table = pygame.Rect(side.left, side.top, side.width, rows * (high + gap) - gap)
            self.cards = grid(table, columns, rows, gap)[:count]  # the last row may be shorter
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
        if drawn and _says_nothing(self.frame):  # the drawing takes the place of the words
            self.drawing, self.words = self._shape(self.words), pygame.Rect(0, 0, 0, 0)
        elif drawn and free.height >= self.px(_BOARD):
            self.drawing = self._shape(free)
        elif not count:  # the drawing has no room: the words take all of it
            self.words = middle

    def _shape(self, box: pygame.Rect) -> pygame.Rect:
        """Return the part of a place that a drawing takes: a grid or a table is square."""
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
            self.surface.blit(image, (left, box.top + self.px(4)))
            left += size + self.px(28)
            bar = pygame.Rect(box.left, box.bottom - self.px(10), box.width, self.px(10))
            self.surface.fill(player_paint(header.colour).fill, bar)
        room, middle = box.right - left, box.top + self.px(70)
        corner = text_width(header.corner, self.px(60)) + self.px(40) if header.corner else 0
        if text_width(header.title, self.px(MATTERS)) > room - corner:
            corner = 0  # the title needs the whole width to be read
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
        stone_size = min(round(high * 0.74), wide // 5)
        pad = self.px(16)
        note = min(self.px(WORD), high // 2)
        wanted = min(self.px(76), round(high * 0.5))  # the size of names if all fit
        # smaller scores leave longer names their size; names shrink only next to the smaller ones
        for score in (
            min(self.px(124), round(high * 0.87)),
            min(self.px(MATTERS), round(high * 0.87)),
        ):
            widest = max(text_width(seat.score, score) for seat in seats)
            room = wide - stone_size - widest - 3 * pad - self.px(26)
            name = min(fitting_size(seat.name, wanted, room, note) for seat in seats)
            if name == wanted:
                break
        for seat, box in zip(seats, self.cards, strict=True):
            self._paint_card(seat, box, (stone_size, name, note, score), room)

    def _paint_card(
        self, seat: Seat, box: pygame.Rect, sizes: tuple[int, int, int, int], room: int
    ) -> None:
        """Paint stone, name, note and score; the winner has a cup.

        `sizes` are those of stone, name, note and score, `room` is the width of the name's place.
        """
        stone_size, name, note, score = sizes
        theme, pad = self.theme, self.px(16)
        tone = Tone.WIN if seat.winner else Tone.PLAIN
        raised = seat.to_move or seat.winner
        ground = theme.tints[tone] if raised else theme.area
        edge = player_paint(seat.colour).fill if seat.to_move else theme.tones[tone]
        thick = self.px(8 if raised else 2)
        shape = plate(box.size, self.px(18), ground, edge if raised else theme.line, thick)
        self.surface.blit(shape, box)
        image = stone(seat.colour, seat.letter, stone_size)
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
            # digits look centred a little below the middle
            midright=(box.right - pad, box.centery + score // 30),
        )
        left = place.right + self.px(26)
        # the name above the note, both together in the middle
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
                continue  # all sentences are shown
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
        words = WordBlocks(self.surface, self.frame, self.theme, self.words, self.px)
        blocks, moves = words.fit()
        top, gap = self.words.top, self.px(GAP)
        for number, (high, draw) in enumerate(blocks):
            room = self.words.bottom - top
            # sentences that scroll are shown whole, except the first; others may be cut
            needed = high if words.scrolls and number else min(high, self.px(WORD))
            if room < needed:
                self.scrolls = words.scrolls
                break
            draw(pygame.Rect(self.words.left, top, self.words.width, min(high, room)))
            top += high + gap
        bottom = self.words.bottom
        for high, draw in reversed(moves):
            draw(pygame.Rect(self.words.left, bottom - high, self.words.width, high))
            bottom -= high
        if moves:  # a line above them
            line = pygame.Rect(self.words.left, bottom - gap // 2, self.words.width, self.px(3))
            self.surface.fill(self.theme.line, line)


def _says_nothing(frame: Frame) -> bool:
    """Tell whether a frame shows its board or chart only."""
    return frame.alert is None and frame.body == Body()
