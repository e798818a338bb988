"""Statistics at the table: the kinds of game, and of each one sentences to read."""

from __future__ import annotations

from dataclasses import replace

from pi_app.past.games import game_words
from pi_app.past.outcomes import outcomes
from pi_app.past.statistics import count, statistics_report
from pi_app.screens.base import TICK, Action, ListScreen, Push
from pi_app.screens.context import Context
from pi_app.screens.report import ReportScreen
from pi_app.view.frame import Frame


class StatisticsScreen(ListScreen):
    """The kinds of game that were finished, the most played first."""

    def __init__(self, ctx: Context) -> None:
        tx = ctx.texts
        self.games = count(outcomes(ctx.store, finished=True))
        rows = tuple(f"{game_words(tx, each.game)}: {each.games}" for each in self.games)
        super().__init__(ctx, tx("title", "Statistics"), rows, self._open_game)

    def frame(self) -> Frame:
        frame = super().frame()
        if self.games:
            return frame
        line = self.tx("line", "No game was finished yet.")
        return replace(frame, body=replace(frame.body, choices=None, lines=(line,)))

    def _open_game(self, index: int) -> Action:
        report = statistics_report(self.tx, self.games[index])
        return Push(TICK, screen=ReportScreen(self.ctx, report))
