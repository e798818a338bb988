"""Paints frames on the window's surface, only the changed regions."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import pygame

from pi_app.displays.window.board import paint_board
from pi_app.displays.window.chart import paint_curves
from pi_app.displays.window.code import paint_code
from pi_app.displays.window.keys import KeyPainter
from pi_app.displays.window.layout import Places, lay_out, wants_digits
from pi_app.displays.window.players import paint_moves, paint_players
from pi_app.displays.window.sidebar import BodyPainter, paint_title
from pi_app.displays.window.theme import Theme
from pi_app.displays.window.touch import Deed, Target
from pi_app.view.frame import Board, Frame
from pi_app.view.inputs import Tap


@dataclass(frozen=True, slots=True)
class _WindowPart:
    """A region to paint.

    `state` is everything that it shows: a change repaints the region. `draw` paints
    it and returns its targets, if it has any.
    """

    name: str
    box: pygame.Rect
    state: object
    draw: Callable[[], list[Target] | None]


@dataclass(slots=True)
class _Region:
    """A painted region: the state that it shows, its place, its targets."""

    state: object = None
    box: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    targets: list[Target] = field(default_factory=list)


class Painter:
    """The table's view of frames on a surface (or a part of it).

    `keypad`: show one if digits mean something. `fixed`: the board does not turn. `letters` is the
    language of the keyboard for names.
    """

    def __init__(
        self, surface: pygame.Surface, theme: Theme, *, fixed: bool = True, letters: str = "en"
    ) -> None:
        self.surface = surface
        self.theme = theme
        self.fixed = fixed
        self.letters = letters
        self.keypad = True
        self.layout: Places | None = None
        """The layout painted last; None if the surface shows something else."""
        self._regions: dict[str, _Region] = {}
        """The painted regions by name."""
        self._scrolls = False
        """Whether there are sentences that are not shown."""

    @property
    def targets(self) -> list[Target]:
        return [target for region in self._regions.values() for target in region.targets]

    def paint(self, frame: Frame, pressed: Deed | None = None) -> list[pygame.Rect]:
        """Paint the differences from the previous frame; return the changed rectangles."""
        frame = self.adapt(frame)
        layout = lay_out(self.surface.get_rect(), frame, keypad=self.keypad)
        first = self.layout is None
        if first:
            self._regions.clear()
            self._scrolls = False
            self.surface.fill(self.theme.background)
        self.layout = layout
        parts = self._parts(frame, layout)
        # all old places are wiped before anything is painted: a new place may overlap one
        places = {part.name: part.box for part in parts}
        # wipe the regions that have another place now; return their old places
        boxes = places | {"keys": layout.keys}
        wiped = []
        for name, box in boxes.items():
            region = self._regions.get(name)
            if region is not None and region.box != box:
                self.surface.fill(self.theme.background, region.box)
                wiped.append(region.box)
                del self._regions[name]
        changed = wiped
        for part in parts:
            self._paint_region(part, changed)
        # the keys come last: painting the body shows whether the key that scrolls is needed
        keys_state = (frame.keys, pressed, self._scrolls, layout.keypad)
        painter = KeyPainter(self.surface, self.theme, pressed)
        draw = partial(painter.paint, frame, layout, scrolls=self._scrolls, letters=self.letters)
        self._paint_region(_WindowPart("keys", layout.keys, keys_state, draw), changed)
        return [self.surface.get_rect()] if first else changed

    def adapt(self, frame: Frame) -> Frame:
        """Return the frame with the board as it lies, without lines that cards repeat."""
        if self.fixed and frame.board.picture is not None and frame.board.picture.turned:
            board = replace(frame.board, picture=frame.board.picture.turn_back())
            frame = replace(frame, board=board)
        return replace(frame, body=frame.body.without_counts())

    def _paint_region(self, part: _WindowPart, changed: list[pygame.Rect]) -> None:
        """Paint a region unless it already shows this state; add its place to `changed` then."""
        region = self._regions.setdefault(part.name, _Region())
        is_same = region.state == part.state and region.box == part.box
        if is_same or not part.box.width or not part.box.height:
            return
        self.surface.set_clip(part.box)
        self.surface.fill(self.theme.background, part.box)
        region.targets = part.draw() or []
        region.state, region.box = part.state, part.box
        self.surface.set_clip(None)
        changed.append(part.box)

    def _parts(self, frame: Frame, layout: Places) -> list[_WindowPart]:
        """Return all regions except the keys."""
        surface, theme = self.surface, self.theme
        toggle = wants_digits(frame)
        head = layout.title.union(layout.toggle) if toggle else layout.title
        # each region's state; the body shows a win as a verdict
        won = any(seat.winner for seat in frame.extras.seats)
        body = (frame.body, frame.alert, won)
        title = (frame.header, frame.extras.seats, toggle, layout.keypad)
        players = (frame.extras.seats, layout.columns)
        board = (frame.board.picture, frame.board.curves, frame.board.code)
        extras = frame.extras
        given = (surface, frame, layout, theme)
        draw_board = partial(self.paint_board, frame.board, layout.board)
        draw_body = partial(self._paint_body, frame, layout)
        draw_chart = partial(self._paint_score_history, frame, layout.chart)
        return [
            _WindowPart("board", layout.board, board, draw_board),
            _WindowPart("title", head, title, partial(paint_title, *given, toggle=toggle)),
            _WindowPart("body", layout.body, body, draw_body),
            _WindowPart("players", layout.players, players, partial(paint_players, *given)),
            _WindowPart("moves", layout.moves, extras, partial(paint_moves, *given)),
            _WindowPart("chart", layout.chart, extras, draw_chart),
        ]

    def paint_board(self, board: Board, area: pygame.Rect) -> list[Target]:
        """Paint the board, the chart or the code into its place."""
        if board.code:
            self.surface.fill(self.theme.background, area)
            paint_code(self.surface, board.code, area)
            return []
        if board.picture is None:
            paint_curves(self.surface, board.curves, area, self.theme)
            return []
        self.surface.fill(self.theme.area, area)
        boxes = paint_board(self.surface, board.picture, area, self.theme)
        return [Target(box, Tap(name)) for box, name in boxes]

    def _paint_score_history(self, frame: Frame, box: pygame.Rect) -> None:
        """Paint the points so far; only displays with room for a chart compute them."""
        if frame.board.score_history is not None:
            paint_curves(self.surface, frame.board.score_history(), box, self.theme)

    def _paint_body(self, frame: Frame, layout: Places) -> list[Target]:
        body = BodyPainter(self.surface, frame, layout, self.theme)
        targets = body.paint()
        self._scrolls = body.scrolls
        return targets
