"""The evaluation of a finished game: each player's chances to win, and the turning points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pi_app.past.reckoning import Reckoning, report_or_progress
from pi_app.screens.base import Action, Stay
from pi_app.screens.context import Context
from pi_app.screens.report import ReportScreen
from pi_app.table.players import display_name_in
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.view.report import Report

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


class EvaluationScreen(ReportScreen):
    """The chart, and next to it (on a small display after it) the turning points in words."""

    def __init__(self, ctx: Context, table: Table) -> None:
        display_name = display_name_in(ctx.store, table.id)
        seats = tuple(
            replace(seat, name=display_name(seat.name), winner=False, note="")
            for seat in PRESENTATIONS[table.game.name].current_seats(ctx.texts, table.position)
        )
        self.reckoning = evaluation_of(ctx, table)
        self._course = partial(report_or_progress, ctx.texts, table, self.reckoning, display_name)
        super().__init__(ctx, self._course(), seats)
        self._update_at = ctx.clock() + UPDATE_S

    def report(self) -> Report:
        return self._course()

    def deadline(self) -> float | None:
        reckoning = self.reckoning
        return None if reckoning is None or reckoning.over else self._update_at

    def expire(self) -> Action:
        self._update_at = self.ctx.clock() + UPDATE_S
        return Stay()
