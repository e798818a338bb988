"""The evaluation of a finished game: each player's chances to win, and the turning points."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pi_app.past.evaluation import course_report
from pi_app.screens.context import Context
from pi_app.screens.report import ReportScreen
from pi_app.table.players import display_name_in
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.view.report import Report

if TYPE_CHECKING:
    from ai.evaluation import Evaluation


def can_evaluate(ctx: Context, table: Table) -> bool:
    """Tell whether a game can be evaluated here."""
    return ctx.evaluations is not None and ctx.evaluations.can(table)


class EvaluationScreen(ReportScreen):
    """The chart, and next to it (on a small display after it) the turning points in words."""

    def __init__(self, ctx: Context, table: Table) -> None:
        self._table = table
        self._display_name = display_name_in(ctx.store, table.id)
        seats = tuple(
            replace(seat, name=self._display_name(seat.name), winner=False, note="")
            for seat in PRESENTATIONS[table.game.name].current_seats(ctx.texts, table.position)
        )
        title = ctx.texts("title", "Chances in %")
        super().__init__(ctx, Report(title, (ctx.texts("line", "Thinks ..."),)), seats)
        if ctx.evaluations is not None:
            ctx.evaluations.begin(table, self._show)

    def _show(self, evaluation: Evaluation | None) -> None:
        table = self._table
        if evaluation is None:
            line = self.tx("line", "The course could not be worked out.")
            self._report = Report(self._report.title, (line,))
            return
        presentation = PRESENTATIONS[table.game.name]
        played = (evaluation, table.start, table.steps)
        self._report = course_report(self.tx, presentation, *played, self._display_name)
