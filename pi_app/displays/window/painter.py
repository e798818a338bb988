"""Paints frames into the window's surface, only those regions that changed."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pygame

from hardware.keys import Key
from pi_app.displays.window.board import paint_board
from pi_app.displays.window.chart import paint_curves
from pi_app.displays.window.keys import paint_keys
from pi_app.displays.window.layout import Layout, lay_out, wants_digits
from pi_app.displays.window.panel import Body, paint_side, paint_title
from pi_app.displays.window.targets import Target
from pi_app.displays.window.theme import Theme
from pi_app.view.frame import Frame
from pi_app.view.inputs import Tap


@dataclass(slots=True)
class _Region:
    """What a region showed when it was painted, where, and what can be touched there."""

    state: object = None
    box: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    targets: list[Target] = field(default_factory=list)


class Painter:
    """The table's view of frames on a surface (or a part of it)."""

    def __init__(self, surface: pygame.Surface, theme: Theme) -> None:
        self.surface = surface
        self.theme = theme
        self.keypad = True
        self.layout: Layout | None = None
        self._regions: dict[str, _Region] = {}

    @property
    def targets(self) -> list[Target]:
        return [target for region in self._regions.values() for target in region.targets]

    def cell_box(self, name: str) -> pygame.Rect | None:
        """Return where the board's cell of this name lies."""
        board = self._regions.get("board")
        deed = Tap(name)
        found = (each.box for each in board.targets if each.deed == deed) if board else iter(())
        return next(found, None)

    def paint(self, frame: Frame, pressed: Key | None = None) -> list[pygame.Rect]:
        """Paint what differs from the frame before; return the rectangles that changed."""
        at = lay_out(self.surface.get_rect(), frame, keypad=self.keypad)
        anew = at != self.layout
        if anew:
            self._start_anew(at)
        changed: list[pygame.Rect] = []
        for name, box, state, draw in self._parts(frame, at, pressed):
            region = self._regions.setdefault(name, _Region())
            if region.state == state and region.box == box:
                continue
            self.surface.set_clip(box)
            self.surface.fill(self.theme.background, box)
            region.targets = draw()
            region.state, region.box = state, box
            self.surface.set_clip(None)
            changed.append(box)
        return [self.surface.get_rect()] if anew else changed

    def _start_anew(self, at: Layout) -> None:
        """Forget what was painted: the regions lie elsewhere now."""
        self.layout = at
        self._regions.clear()
        self.surface.fill(self.theme.background)

    def _parts(
        self, frame: Frame, at: Layout, pressed: Key | None
    ) -> list[tuple[str, pygame.Rect, object, Callable[[], list[Target]]]]:
        """Return the regions: name, place, everything that it shows, how it is painted."""
        surface, theme = self.surface, self.theme
        toggle = wants_digits(frame)
        head = at.title.union(at.toggle).inflate(0, 8)
        body = (frame.big, frame.lines, frame.top, frame.entry, frame.choices, frame.alert)
        labels = (frame.softkeys, frame.dice, pressed, at.keypad)
        title = (frame.title, frame.colour, frame.corner, frame.seats, toggle, at.keypad)
        return [
            ("board", at.board, (frame.picture, frame.curves), lambda: self._board(frame, at)),
            (
                "title", head, title,
                lambda: paint_title(surface, frame, at, theme, toggle=toggle),
            ),
            ("body", at.body, body, lambda: Body(surface, frame, at, theme).paint()),
            (
                "side", at.side, (frame.seats, frame.details),
                lambda: paint_side(surface, frame, at, theme),
            ),
            ("keys", at.keys, labels, lambda: paint_keys(surface, frame, at, theme, pressed)),
        ]  # fmt: skip

    def _board(self, frame: Frame, at: Layout) -> list[Target]:
        if frame.curves:
            paint_curves(self.surface, frame.curves, at.board, self.theme)
        if frame.picture is None:
            return []
        self.surface.fill(self.theme.panel, at.board)
        boxes = paint_board(self.surface, frame.picture, at.board, self.theme)
        return [Target(box, Tap(name)) for box, name in boxes]
