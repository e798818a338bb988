"""The window's layout, for every size, including upright screens.

Lengths are in units: pixels of the smallest screen, 800x480, scaled by `scale_of` on others.
The official 7 inch screen shows 154.08 x 85.92 mm: at 800x480 a pixel is 0.193 mm wide and
0.179 mm high, so 9 mm are 47 pixels across and 51 down; at 1280x720 it is 0.120 by 0.119 mm,
so 9 mm are 75 and 76. TARGET is 51 units: 51 pixels there, 76 here.
"""

from dataclasses import dataclass, field
from math import ceil

import pygame

from hardware.keys import Key
from pi_app.view.frame import Frame, Picture

SMALLEST = (800, 480)
TARGET = 51
"""The least height of targets, in units, except cells of a board; see above."""

TITLE = 32
BIG = 36
VERDICT = 24
SENTENCE = 24
ENTRY = 40
SMALL = 18
"""Heights of letters in units."""

GAP = 6
KEY_GAP = 4
CARD_GAP = 3
"""Gaps in units: between regions, between keys, between players' cards."""
_HEAD = 54
_MOVE = 24
"""The heights of the title and of a line with a last move, in units."""
_ROOMY = 1000
"""From this width on, in units, players and moves have their own column."""

_WORDS = 300
"""The width, in units, of a column without a keypad."""

_CARD = 64
_CARD_FLOOR = 28
"""The preferred height of a player's card, and the least that shows name, hand and score."""


def _empty() -> pygame.Rect:
    return pygame.Rect(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Places:
    """The window's regions in pixels; an empty one shows nothing. `scale` is pixels per unit.

    `body` is for entry, sentences and lists, `players` for their cards in `columns` columns,
    `moves` for the last moves, `chart` for the points next to a board. `keys` is for the keypad in
    `key_columns` columns, the letters or the soft keys.
    """

    scale: float
    title: pygame.Rect
    toggle: pygame.Rect
    body: pygame.Rect
    keys: pygame.Rect
    keypad: bool
    key_columns: int = 4
    columns: int = 1
    board: pygame.Rect = field(default_factory=_empty)
    players: pygame.Rect = field(default_factory=_empty)
    moves: pygame.Rect = field(default_factory=_empty)
    chart: pygame.Rect = field(default_factory=_empty)

    def px(self, units: float) -> int:
        """Return a length in pixels of this window."""
        return round(units * self.scale)

    @property
    def touch(self) -> int:
        """The least height of a target, in pixels."""
        return touch_of(self.scale)

    @property
    def gap(self) -> int:
        """The gap between regions, in pixels."""
        return self.px(GAP)


_HD = 1.5
"""The scale of a screen of 1280x720."""


def scale_of(size: tuple[int, int]) -> float:
    """Return the pixels per unit. Beyond 1280x720 letters grow less than the screen."""
    longer, shorter = max(size), min(size)
    base = max(0.5, min(longer / SMALLEST[0], shorter / SMALLEST[1]))
    # 0.27: about a quarter of the screen's growth
    return base if base <= _HD else _HD + (base - _HD) * 0.27


def touch_of(scale: float) -> int:
    """Return TARGET in pixels. It stops growing at 1280x720: fingers do not grow."""
    return round(TARGET * min(scale, _HD))


def has_picture(frame: Frame) -> bool:
    """Tell whether the frame has a board, a chart or a code."""
    return frame.board.picture is not None or bool(frame.board.curves or frame.board.code)


def wants_digits(frame: Frame) -> bool:
    """Tell whether digits do something now, so that a keypad is useful."""
    # names have letters, lists are touched; a board close up and a code are only looked at
    if (
        frame.keys.typing
        or frame.body.choices is not None
        or frame.board.close_up
        or frame.board.code
    ):
        return False
    # after the last move nothing is keyed; a throw is keyed by the die buttons
    if any(seat.winner for seat in frame.extras.seats) or frame.keys.dice:
        return False
    if frame.alert is not None and frame.body.entry is None:
        return False  # only the alert is shown
    keys = {soft.key for soft in frame.keys.soft}
    # next to a board moves are keyed; ENTER completes what is keyed
    return frame.body.entry is not None or frame.board.picture is not None or Key.ENTER in keys


def lay_out(area: pygame.Rect, frame: Frame, *, keypad: bool) -> Places:
    """Lay the regions out in `area`; `keypad`: show one if digits do something."""
    planner = _Planner(area, frame, keypad=keypad and wants_digits(frame))
    if not has_picture(frame):
        return planner.lay_page()
    return planner.lay_upright() if planner.upright else planner.lay_board_beside()


def squares_across(picture: Picture | None) -> int:
    """Return the columns of a board of squares; 0 for any other."""
    return picture.columns if picture is not None and picture.kind in ("grid", "table") else 0


def soft_cells(frame: Frame, *, scrolls: bool = True) -> list[Key]:
    """Return the keys of the bar: the soft keys, and up to two dice that do something.

    The key that scrolls is left out unless something `scrolls`.
    """
    keys = [
        soft.key for soft in frame.keys.soft if not soft.key.die and (scrolls or not soft.scrolls)
    ]
    if has_dice_row(frame):
        return keys
    return keys + [Key(f"DIE{n}") for n in frame.keys.dice]


_FEW_DICE = 2
"""Up to this many die buttons are among the soft keys; more have a row of their own."""
_WIDEST = 240
"""The greatest width of a soft key on a page without a board, in units."""
_CELL = 96
"""The preferred width of a soft key, in units."""


def soft_columns(count: int, across: float) -> int:
    """Return the number of columns for `count` soft keys, `across` units wide."""
    fitting = max(2, int(across) // _CELL)  # two, even if they are narrower than preferred
    return max(1, min(count, fitting))


def key_rows(frame: Frame, across: float, *, keypad: bool, columns: int) -> int:
    """Return the number of rows of keypad or soft keys, `across` units wide."""
    dice_rows = int(has_dice_row(frame))
    if keypad:
        return dice_rows + 16 // columns  # a keypad has sixteen keys
    count = len(soft_cells(frame))
    return dice_rows + ceil(count / soft_columns(count, across))


LETTER_ROWS = 5
UPRIGHT_LETTER_ROWS = 7
"""Rows of the keyboard for names, and of that on an upright screen."""


def has_dice_row(frame: Frame) -> bool:
    """Tell whether the die buttons have their own row."""
    return len(frame.keys.dice) > _FEW_DICE


class _Planner:
    """Gives each region of one frame its place."""

    def __init__(self, area: pygame.Rect, frame: Frame, *, keypad: bool) -> None:
        self.scale = scale_of(area.size)
        self.frame = frame
        self.keypad = keypad
        self.gap = self.px(GAP)
        self.area = area
        self.upright = area.height > area.width
        self._won = any(seat.winner for seat in frame.extras.seats)
        self._silent = not (
            frame.alert
            or frame.body.big
            or frame.body.entry
            or frame.body.choices
            or frame.body.lines
        )
        """Whether there is nothing to read."""

    def px(self, units: float) -> int:
        return round(units * self.scale)

    # --- with a board

    def lay_board_beside(self) -> Places:
        """Lay the board out at the left, the rest in one or two columns next to it."""
        area, gap = self.area, self.gap
        roomy = area.width / self.scale >= _ROOMY
        dense = squares_across(self.frame.board.picture) > _DENSE
        share = 0.5 if roomy else 0.55  # of the width, for the board
        if dense and not roomy:
            # a board of many squares needs the whole height, so that fingers can hit them
            share = 0.6
        if not (roomy or self.keypad):
            # a column without keys may be narrow
            share = max(share, 1 - self.px(_WORDS) / area.width)
        edge = 0 if dense and not roomy else gap  # then the board reaches the screen's edge
        side = min(area.height - 2 * edge, round(area.width * share))
        square = self.frame.board.picture is None or self.frame.board.picture.kind in (
            "grid",
            "table",
        )
        # a track and cards take the whole height
        board = pygame.Rect(area.left + edge, 0, side, side if square else area.height - 2 * gap)
        board.centery = area.centery
        left = board.right + gap
        rest = pygame.Rect(left, area.top, area.right - left - gap, area.height)
        if not roomy:
            return self._one_column(rest, board)
        # keys and words need a little more than half of the rest
        turn = pygame.Rect(rest.left + gap, rest.top, round(rest.width * 0.57), rest.height)
        other = pygame.Rect(turn.right + 2 * gap, rest.top + gap, 0, rest.height - 2 * gap)
        other.width = rest.right - gap - other.left
        return self._two_columns(turn, other, board)

    def _one_column(self, column: pygame.Rect, board: pygame.Rect) -> Places:
        """Lay title, body, moves, players and keys out from the top down."""
        gap, px, frame = self.gap, self.px, self.frame
        title, toggle = self._head(column)
        keys = self._keys(column, 4)
        room = _between(title, keys, column, gap)
        count = len(frame.extras.seats)
        across = room.width / self.scale
        most = 2 if count <= 6 or across < 290 else 3  # below 290 units three would be too narrow
        columns = min(count, most)
        if self._silent:  # a board close up: all room is for the players
            columns = 1 if count <= 4 else columns  # wide cards, as long as they are few
            rows = ceil(count / max(1, columns))
            # 84: cards higher than elsewhere, but not as high as all that room
            high = min(room.height, rows * px(84) + max(0, rows - 1) * px(CARD_GAP))
            players = pygame.Rect(room.left, room.top, room.width, high)
            body = pygame.Rect(room.left, players.bottom, room.width, 0)
            moves = pygame.Rect(room.left, players.bottom + 2 * gap, room.width, 0)
            moves.height = max(0, room.bottom - moves.top)
        else:
            need = self._body_need(room.width)
            high = self._cards_height(columns, room.height - need - gap)
            players = pygame.Rect(room.left, room.bottom - high, room.width, high)
            body_height = room.height - high - bool(high) * gap  # without cards there is no gap
            body = pygame.Rect(room.left, room.top, room.width, body_height)
            # the last moves leave 140 units: an entry and a verdict in two rows
            body, moves = self._split(body, max(need, px(140)))
        return Places(
            self.scale, title, toggle, body, keys, self.keypad,
            columns=columns, board=board, players=players, moves=moves,
        )  # fmt: skip

    def _two_columns(self, turn: pygame.Rect, other: pygame.Rect, board: pygame.Rect) -> Places:
        """Lay the turn out in one column, players, moves and chart in the other."""
        title, toggle = self._head(turn)
        keys = self._keys(turn, 4)
        body = _between(title, keys, turn, self.gap)
        count = len(self.frame.extras.seats)
        card_gap = self.px(CARD_GAP)
        # cards are at most 96 units high, and leave 120 units for the moves
        card_height = min(self.px(96), (other.height - self.px(120)) // max(1, count) - card_gap)
        high = count * card_height + max(0, count - 1) * card_gap
        players = pygame.Rect(other.left, other.top, other.width, high)
        moves = pygame.Rect(other.left, players.bottom + 2 * self.gap, other.width, 0)
        moves.height = max(0, other.bottom - moves.top)
        chart = _empty()
        if (
            self.frame.board.score_history is not None
            and self.frame.extras.moves
            and moves.height > self.px(190)  # otherwise the moves need all of it
        ):
            high = min(round(moves.width * 0.7), moves.height // 2)  # wider than high
            chart = pygame.Rect(moves.left, moves.bottom - high, moves.width, high)
            moves.height -= high + self.gap
        return Places(
            self.scale, title, toggle, body, keys, self.keypad,
            board=board, players=players, moves=moves, chart=chart,
        )  # fmt: skip

    def lay_upright(self) -> Places:
        """Lay everything out from the top down on an upright screen."""
        area, gap, px, frame = self.area, self.gap, self.px, self.frame
        inner = area.inflate(-2 * gap, 0)
        title, toggle = self._head(inner)
        keys = self._keys(inner, 8)  # a keypad in two rows, as the width allows
        room = _between(title, keys, inner, gap)
        count = len(frame.extras.seats)
        columns = min(count, 3 if count <= 6 else 4)
        if count == 4:  # not three and one
            columns = 4 if inner.width / self.scale >= _FOUR_CARDS else 2
        need = self._body_need(room.width, wide=True)
        dense = squares_across(frame.board.picture) > _DENSE
        side = area.width if dense else inner.width
        # a board of many squares keeps the whole width, so that fingers can hit them, unless a
        # list of more than one row is touched instead; another board may be a tenth narrower, and
        # leave the cards a height that is readable from afar
        listed = frame.body.choices is not None and len(frame.body.choices.items) > 2
        whole = dense and not listed
        kept = side if whole else round(side * 0.9)
        cards = self._cards_height(columns, room.height - need - kept - 2 * gap)
        side = side if whole else min(side, room.height - need - cards - 2 * gap)
        players = pygame.Rect(room.left, room.top, room.width, cards)
        # 240: a board is never smaller, even if the words below then lose room
        board = pygame.Rect(0, players.bottom + bool(cards) * gap, max(side, px(240)), 0)
        board.height = board.width
        board.centerx = area.centerx
        body = _between(board, keys, inner, gap)
        body, moves = self._split(body, max(need, px(150)))
        return Places(
            self.scale, title, toggle, body, keys, self.keypad, 8,
            columns, board, players, moves,
        )  # fmt: skip

    # --- without one

    def lay_page(self) -> Places:
        """Lay a frame without a board out over the whole width."""
        area, gap, px, frame = self.area, self.gap, self.px, self.frame
        # 1000: longer lines are hard to read
        inner = pygame.Rect(0, area.top, min(area.width - 4 * gap, px(1000)), area.height)
        inner.centerx = area.centerx
        title, toggle = self._head(inner)
        keys = self._keys(inner, 4)
        body = _between(title, keys, inner, gap)
        if self.keypad and not self.upright:  # the keypad at the right, the words next to it
            keys.width = px(330)
            keys.right = inner.right
            body.width = keys.left - 2 * gap - body.left
            body.height = keys.bottom - body.top
        columns = min(len(frame.extras.seats), 2 if self.upright or self.keypad else 4)
        high = self._cards_height(columns, body.height // 3)
        players = pygame.Rect(body.left, body.top, body.width, high)
        taken = high + gap if high else 0
        body.top += taken
        body.height -= taken
        return Places(
            self.scale, title, toggle, body, keys, self.keypad, 4, columns, players=players
        )

    # --- parts

    def _head(self, column: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect]:
        """Return the places of the title and of the button next to it."""
        gap, high = self.gap, self.px(_HEAD)
        toggle = pygame.Rect(column.right - high, column.top + gap, high, high)
        title = pygame.Rect(column.left, column.top + gap, column.width, high)
        if wants_digits(self.frame):  # only then the button that hides the keypad is shown
            title.width -= high + gap
        return title, toggle

    def _keys(self, column: pygame.Rect, columns: int) -> pygame.Rect:
        """Return the place of keypad, letters or soft keys at the lower end of a column."""
        across = column.width / self.scale
        rows = key_rows(self.frame, across, keypad=self.keypad, columns=columns)
        if self.frame.keys.typing:
            rows = UPRIGHT_LETTER_ROWS if self.upright else LETTER_ROWS
        high = rows * touch_of(self.scale) + max(0, rows - 1) * self.px(KEY_GAP)
        keys = pygame.Rect(column.left, column.bottom - self.gap - high, column.width, high)
        if not (self.keypad or self.frame.keys.typing or has_picture(self.frame)):
            # a few soft keys need not fill a wide page
            keys.width = min(column.width, self.px(_WIDEST) * len(soft_cells(self.frame)))
        return keys

    def _cards_height(self, columns: int, room: int) -> int:
        """Return the height of all players' cards if `room` pixels are left."""
        if not columns:
            return 0
        rows = ceil(len(self.frame.extras.seats) / columns)
        between = (rows - 1) * self.px(CARD_GAP)
        wanted = _CARD if rows == 1 else 56 if rows == 2 else 44  # many rows have lower cards
        cards = min(rows * self.px(wanted), room - between)
        return max(rows * self.px(_CARD_FLOOR), cards) + between

    def _split(self, body: pygame.Rect, need: int) -> tuple[pygame.Rect, pygame.Rect]:
        """Give the body's spare room at its lower end to the last moves."""
        frame = self.frame
        # texts to read or choose from need the whole body
        needs_all = frame.body.choices is not None or len(frame.body.lines) > _MANY_LINES
        rows = min((body.height - need - self.gap) // self.px(_MOVE), len(frame.extras.moves))
        if needs_all or frame.alert is not None or rows <= 0:
            return body, _empty()
        moves = pygame.Rect(body.left, 0, body.width, rows * self.px(_MOVE))
        moves.bottom = body.bottom
        body.height -= moves.height + self.gap
        return body, moves

    def _body_need(self, width: int, *, wide: bool = False) -> int:
        """Estimate the least height of the body, in pixels; texts may shrink.

        A `wide` body has the verdict next to the entry. In units: a letter is 12 or 13 wide, a row
        of a sentence 28 to 30 high, a verdict's edge and ground 18 to 22, the entry's field 58.
        """
        frame = self.frame
        across = width / self.scale
        need = 0.0
        if frame.alert is not None:
            need += 22 + 30 * (1 + len(frame.alert.text) * 13 // across)
        if frame.body.big or self._won:
            need += 50  # one large row
        if frame.body.entry is not None:
            room = across * 0.56 if wide else across
            # 46: a verdict's sign and margins
            rows = 1 + len(frame.body.entry.verdict) * 12 // (room - 46)
            verdict = 18 + 29 * min(3, rows) if frame.body.entry.verdict else 0
            need += max(58, verdict) if wide else 58 + verdict
        if frame.body.choices is not None:
            count = min(12, len(frame.body.choices.items))  # longer lists scroll
            columns = 1 if count <= 2 else 2 if across < _WIDE_LIST else 3
            need += 30 * min(2, len(frame.body.lines)) + ceil(count / columns) * (TARGET + GAP)
        else:
            rows = sum(1 + len(line) * 12 // across for line in frame.body.lines)
            need += min(_MANY_LINES, rows) * 28
        return self.px(need)


_DENSE = 8
"""A board with more squares side by side than this needs all the height there is."""

_MANY_LINES = 4
"""From more sentences than this on, the last moves give way to them."""
_FOUR_CARDS = 480
"""From this width on, in units, four cards fit next to each other on an upright screen."""
_WIDE_LIST = 420
"""From this width on, in units, a list has three columns."""


def _between(above: pygame.Rect, below: pygame.Rect, column: pygame.Rect, gap: int) -> pygame.Rect:
    """Return the space between two regions of a column."""
    top = above.bottom + gap
    return pygame.Rect(column.left, top, column.width, max(0, below.top - gap - top))


def grid(area: pygame.Rect, columns: int, rows: int, gap: int) -> list[pygame.Rect]:
    """Return equal rectangles that fill the area, row by row, `gap` pixels apart."""
    boxes = []
    # from rounded edges, not from a rounded size: so the last ones end where the area does
    for row in range(rows):
        for column in range(columns):
            left = area.left + column * (area.width + gap) // columns
            right = area.left + (column + 1) * (area.width + gap) // columns - gap
            top = area.top + row * (area.height + gap) // rows
            bottom = area.top + (row + 1) * (area.height + gap) // rows - gap
            boxes.append(pygame.Rect(left, top, right - left, bottom - top))
    return boxes
