"""Short motions on the OLED: the die rolls, a completed row and a winner's crown blink.

A motion is a few frames that are painted one after the other before the one that stays. Nothing
waits for it: the next key's frame replaces it.
"""

from dataclasses import replace

from pi_app.view.frame import Frame, Mark, Tone

STEP_S = 0.1
"""How long each frame of a motion is shown, in seconds."""

LONGEST_S = 0.6
"""The longest motion, in seconds."""

_FACES = (3, 6, 1, 5, 2)
"""The faces that a rolling die shows."""


def motion(before: Frame, after: Frame) -> tuple[Frame, ...]:
    """Return the frames to show for STEP_S each before `after`; () if nothing moves."""
    # a frame with a single die shows what was rolled; before, there were six to choose from
    if len(after.keys.dice) == 1 and len(before.keys.dice) != 1:
        other_faces = [face for face in _FACES if face != after.keys.dice[0]]
        return tuple(replace(after, keys=replace(after.keys, dice=(face,))) for face in other_faces)
    is_won = after.body.tone is Tone.WIN and before.body.tone is not Tone.WIN
    new_cells: frozenset[str] = frozenset()
    if before.board.picture is not None:  # on a board shown for the first time, no row is new
        new_cells = _row_cells(after) - _row_cells(before)
    if not (is_won or new_cells):
        return ()
    body = replace(after.body, tone=Tone.PLAIN) if is_won else after.body
    without = _without_cells(replace(after, body=body), new_cells)
    return (without, after, without, after, without)


def _row_cells(frame: Frame) -> frozenset[str]:
    """Return the names of the cells that make rows or sequences."""
    picture = frame.board.picture
    if picture is None:
        return frozenset()
    marked = {cell.name for cell in picture.cells if Mark.ROW in cell.marks}
    return frozenset(marked.union(*(stroke.cells for stroke in picture.strokes)))


def _without_cells(frame: Frame, row: frozenset[str]) -> Frame:
    """Return the frame with these cells empty."""
    if frame.board.picture is None:
        return frame
    cells = tuple(
        replace(cell, tokens=(), marks=frozenset()) if cell.name in row else cell
        for cell in frame.board.picture.cells
    )
    picture = replace(frame.board.picture, cells=cells)
    return replace(frame, board=replace(frame.board, picture=picture))
