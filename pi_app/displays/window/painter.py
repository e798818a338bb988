"""Paints frames on the window's surface, only the changed regions."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pygame

from pi_app.displays.window.board import paint_board
from pi_app.displays.window.chart import paint_curves
from pi_app.displays.window.code import paint_code
from pi_app.displays.window.keys import KeyPainter
from pi_app.displays.window.layout import Places, lay_out, wants_digits
from pi_app.displays.window.players import paint_moves, paint_players, paint_score_view
from pi_app.displays.window.sidebar import BodyPainter, paint_title
from pi_app.displays.window.theme import Theme
from pi_app.displays.window.touch import Deed, Target
from pi_app.view.frame import Board, Frame
from pi_app.view.inputs import Tap

# a region's name, place, state (what it shows), and how to paint it
_Part = tuple[str, pygame.Rect, object, Callable[[], list[Target] | None]]


@dataclass(slots=True)
class _Region:
    """A painted region: what it showed, its place, its targets."""

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
        self._regions: dict[str, _Region] = {}
        self._scrolls = False
        """Whether there are sentences that are not shown."""

    @property
    def targets(self) -> list[Target]:
        return [target for region in self._regions.values() for target in region.targets]

    def cell_box(self, name: str) -> pygame.Rect | None:
        """Return the place of the board's cell with this name."""
        board = self._regions.get("board")
        deed = Tap(name)
        targets = board.targets if board else []
        return next((target.box for target in targets if target.deed == deed), None)

    def paint(self, frame: Frame, pressed: Deed | None = None) -> list[pygame.Rect]:
        """Paint what differs from the previous frame; return the changed rectangles."""
        frame = self.adapt(frame)
        at = lay_out(self.surface.get_rect(), frame, keypad=self.keypad)
        first = self.layout is None
        if first:  # the surface shows something else
            self._regions.clear()
            self._scrolls = False
            self.surface.fill(self.theme.background)
        self.layout = at
        parts = self._parts(frame, at)
        # all old places are wiped before anything is painted: a new place may overlap one
        changed = self._clear({name: box for name, box, _, _ in parts} | {"keys": at.keys})
        for name, box, state, draw in parts:
            self._paint_region(name, box, state, draw, changed)
        # only after the body is painted is known whether the key that scrolls is needed
        keys = (frame.keys, pressed, self._scrolls, at.keypad)
        self._paint_region(
            "keys", at.keys, keys, lambda: self._paint_keys(frame, at, pressed), changed
        )
        return [self.surface.get_rect()] if first else changed

    def adapt(self, frame: Frame) -> Frame:
        """Return the frame with its board as it lies, without what the players' cards repeat."""
        if self.fixed and frame.board.picture is not None and frame.board.picture.turned:
            board = replace(frame.board, picture=frame.board.picture.turn_back())
            frame = replace(frame, board=board)
        return replace(frame, body=frame.body.without_counts())

    def paint_score(self, frame: Frame) -> None:
        """Fill the surface with the player to move and the score; it has no targets."""
        self.layout = None  # so that the next frame is painted whole
        self._regions.clear()
        paint_score_view(self.surface, frame, self.theme)

    def _paint_region(
        self,
        name: str,
        box: pygame.Rect,
        state: object,
        draw: Callable[[], list[Target] | None],
        changed: list[pygame.Rect],
    ) -> None:
        """Paint a region unless it already shows this state."""
        region = self._regions.setdefault(name, _Region())
        if not box.width or not box.height or (region.state == state and region.box == box):
            return
        self.surface.set_clip(box)
        self.surface.fill(self.theme.background, box)
        region.targets = draw() or []
        region.state, region.box = state, box
        self.surface.set_clip(None)
        changed.append(box)

    def _clear(self, boxes: dict[str, pygame.Rect]) -> list[pygame.Rect]:
        """Wipe the regions that have another place now; return their old places."""
        wiped = []
        for name, box in boxes.items():
            region = self._regions.get(name)
            if region is not None and region.box != box:
                self.surface.fill(self.theme.background, region.box)
                wiped.append(region.box)
                del self._regions[name]
        return wiped

    def _parts(self, frame: Frame, at: Places) -> list[_Part]:
        """Return all regions except the keys: name, place, state, and how to paint it."""
        surface, theme = self.surface, self.theme
        toggle = wants_digits(frame)
        head = at.title.union(at.toggle) if toggle else at.title
        won = any(seat.winner for seat in frame.extras.seats)  # the body shows it as a verdict
        body = (frame.body, frame.alert, won)
        title = (frame.header, frame.extras.seats, toggle, at.keypad)
        players = (frame.extras.seats, at.columns)
        board = (frame.board.picture, frame.board.curves, frame.board.code)
        return [
            ("board", at.board, board, lambda: self.paint_board(frame.board, at.board)),
            (
                "title", head, title,
                lambda: paint_title(surface, frame, at, theme, toggle=toggle),
            ),
            ("body", at.body, body, lambda: self._paint_body(frame, at)),
            ("players", at.players, players, lambda: paint_players(surface, frame, at, theme)),
            ("moves", at.moves, frame.extras, lambda: paint_moves(surface, frame, at, theme)),
            ("chart", at.chart, frame.extras, lambda: self._paint_score_history(frame, at.chart)),
        ]  # fmt: skip

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
        """Paint the points so far; only this computes them, once a move."""
        if frame.board.score_history is not None:
            paint_curves(self.surface, frame.board.score_history(), box, self.theme)

    def _paint_body(self, frame: Frame, at: Places) -> list[Target]:
        body = BodyPainter(self.surface, frame, at, self.theme)
        targets = body.paint()
        self._scrolls = body.scrolls
        return targets

    def _paint_keys(self, frame: Frame, at: Places, pressed: Deed | None) -> list[Target]:
        keys = KeyPainter(self.surface, self.theme, pressed)
        return keys.paint(frame, at, scrolls=self._scrolls, letters=self.letters)
