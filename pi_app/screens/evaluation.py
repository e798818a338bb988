"""The evaluation of a finished game: each player's chances to win, and the turning points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from hardware.keys import Key
from pi_app.past.evaluation import curves_of
from pi_app.past.reckoning import Reckoning, evaluation_or_progress
from pi_app.screens.base import BAD, TICK, Action, Pop, Screen, Stay
from pi_app.screens.context import Context
from pi_app.table.players import display_name_in
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.view.frame import Board, Body, Extras, Frame, Header, clamp, scroll, soft

if TYPE_CHECKING:
    from ai.evaluation import Evaluation

UPDATE_S = 1.0
"""How often the progress is shown, in seconds."""


def evaluation_of(
    ctx: Context, table: Table, ready: Callable[[Evaluation], None] | None = None
) -> Reckoning | None:
    """Start to evaluate a game; None if games of this kind cannot be evaluated.

    `ready` is called in the loop with the evaluation, even if nobody looks at the screen any more.
    """
    return ctx.evaluations.evaluate(table, ready) if ctx.evaluations is not None else None


class EvaluationScreen(Screen):
    """The chart, and next to it (on a small display after it) the turning points in words."""

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx)
        self.table = table
        self.presentation = PRESENTATIONS[table.game.name]
        self.reckoning = evaluation_of(ctx, table)
        self._display_name = display_name_in(ctx.store, table.id)
        self.top = 0
        """The first sentence shown; 0 shows the chart too."""
        self._update_at = ctx.clock() + UPDATE_S

    def frame(self) -> Frame:
        tx = self.tx
        evaluation = self.reckoning.evaluation if self.reckoning is not None else None
        back = (Key.BACK, tx("soft", "back"))
        frame = Frame(
            Header(tx("title", "Chances in %")),
            Body(lines=self._lines()),
            extras=Extras(
                seats=tuple(
                    replace(seat, name=self._display_name(seat.name), winner=False, note="")
                    for seat in self.presentation.current_seats(tx, self.table.position)
                )
            ),
            keys=soft(back),
        )
        if evaluation is None:
            return frame
        return replace(
            frame,
            body=replace(frame.body, top=self.top),
            board=Board(
                curves=curves_of(tx, evaluation, self.table.start, self._display_name),
                close_up=not self.top,  # the chart takes the place of the first sentence
            ),
            keys=soft(back, scroll(tx("soft", "more"))),
        )

    def _lines(self) -> tuple[str, ...]:
        return evaluation_or_progress(self.tx, self.table, self.reckoning)

    def press(self, key: Key) -> Action:
        if key not in (Key.UP, Key.DOWN):
            return Pop(TICK)
        before = self.top
        self.top = clamp(before + key.step, self._lines())
        return Stay(BAD if self.top == before else TICK)  # BAD: at the first or the last sentence

    def deadline(self) -> float | None:
        reckoning = self.reckoning
        return None if reckoning is None or reckoning.over else self._update_at

    def expire(self) -> Action:
        self._update_at = self.ctx.clock() + UPDATE_S
        return Stay()
