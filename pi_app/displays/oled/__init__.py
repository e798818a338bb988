"""Painting a Frame on the 128x64 pixels of the OLED.

The real display, the simulated one and the golden images get the same picture. The first
layout in which everything fits is painted.
"""

from dataclasses import replace

from hardware.framebuffer import Framebuffer
from pi_app.displays.oled.board import BoardView, boards
from pi_app.displays.oled.body import BodyView
from pi_app.displays.oled.curves import paint_curves
from pi_app.displays.oled.rim import FOOT, foot_fits, paint_foot, paint_title
from pi_app.displays.oled.shapes import SHAPES
from pi_app.view.frame import Frame

__all__ = ["SHAPES", "paint"]

WIDTH = 128
_GAP = 4
"""Dark pixel columns between text and board."""


def paint(frame: Frame) -> Framebuffer:
    """Return this frame's picture on a 128x64 display."""
    canvas = Framebuffer()
    paint_title(canvas, frame)
    # words have precedence over a chart, unless the screen is about the chart
    chart = bool(frame.board.curves) and (frame.board.close_up or not frame.body.lines)
    # the chart takes the place of the sentences
    laid_out = replace(frame, body=replace(frame.body, lines=())) if chart else frame
    board, body = best_layout(laid_out)
    if board is not None:
        if frame.board.code:  # the code needs all rows: the title's line ends before it
            canvas.rect(board.left, 0, WIDTH - board.left, FOOT, on=False)
        board.paint(canvas)
    body.paint(canvas)
    if chart:
        top = body.bottom + 2
        paint_curves(canvas, frame.board.curves, (0, top, WIDTH, FOOT - 2 - top))
    read_on = chart and bool(frame.body.lines)  # the sentences left out follow below the chart
    paint_foot(canvas, frame.keys.soft if read_on else body.keys, _foot_width(board))
    return canvas


def _foot_width(board: BoardView | None) -> int:
    """Return the width of the soft keys' row, in pixels; a tall board takes its right end."""
    return board.left - _GAP if board is not None and board.bottom > FOOT else WIDTH


def best_layout(frame: Frame) -> tuple[BoardView | None, BodyView]:
    """Return the first layout that shows everything, else the one without a board.

    A board that the screen asks for (`close_up`) or a code is shown even if words do not fit.
    """
    # taken if no layout is ideal: first those with a small focus, then those that cut something
    small: list[tuple[BoardView | None, BodyView]] = []
    unfit: list[tuple[BoardView | None, BodyView]] = []
    views: tuple[BoardView | None, ...] = tuple(boards(frame))
    must_show = frame.board.code or frame.board.close_up  # it is the purpose of this screen
    if not (views and must_show):
        views = (*views, None)
    for board in views:
        width = WIDTH if board is None else max(0, board.left - _GAP)
        for body in BodyView.layouts(frame, width, shown="" if board is None else board.shown):
            if not (body.fits and foot_fits(body.keys, _foot_width(board))):
                if board is None or must_show:  # otherwise words matter more than the board
                    unfit.append((board, body))
            elif body.small and not frame.board.close_up:  # a narrower board may leave it room
                small.append((board, body))
            else:
                return board, body
    board, body = (small + unfit)[0]
    body.finish()  # an unfit layout was left half arranged
    return board, body
