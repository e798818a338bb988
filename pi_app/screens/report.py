"""A report on the displays: its curves or its board, then its sentences."""

from engines.game import Player
from hardware.keys import Key
from pi_app.screens.base import BAD, TICK, Action, Pop, Screen, Stay
from pi_app.screens.context import Context
from pi_app.texts.common import stone_letters
from pi_app.view.frame import Board, Body, Extras, Frame, Header, Seat, clamp, scroll, soft
from pi_app.view.report import Report


class ReportScreen(Screen):
    """UP and DOWN scroll, any other key leaves.

    A chart takes the place of the first sentence on a small display. `seats` name the players;
    without them the curves do.
    """

    def __init__(self, ctx: Context, report: Report, seats: tuple[Seat, ...] = ()) -> None:
        super().__init__(ctx)
        self._report = report
        self._seats = seats
        self.top = 0
        """The first sentence shown; 0 shows the chart too."""

    def report(self) -> Report:
        """Return the report as it is now."""
        return self._report

    def frame(self) -> Frame:
        tx, report = self.tx, self.report()
        ends = tuple(f"{curve.name}: {curve.points[-1]}" for curve in report.curves)
        more = (scroll(tx("soft", "more")),) if report.lines else ()
        return Frame(
            Header(report.title),
            Body(lines=report.lines, top=self.top),
            board=Board(report.board, bool(report.curves) and not self.top, report.curves),
            extras=Extras(
                seats=self._seats or curve_seats(self, report),
                details=() if report.lines else ends,
            ),
            keys=soft((Key.BACK, tx("soft", "back")), *more),
        )

    def press(self, key: Key) -> Action:
        if key not in (Key.UP, Key.DOWN):
            return Pop(TICK)
        before, self.top = self.top, clamp(self.top + key.step, self.report().lines)
        return Stay(BAD if self.top == before else TICK)  # BAD: at the first or the last sentence


def curve_seats(screen: Screen, report: Report) -> tuple[Seat, ...]:
    """Return a seat for each curve, with its last point as the score."""
    players = tuple(Player(curve.name, curve.colour) for curve in report.curves)
    return tuple(
        Seat(curve.name, curve.colour, letter, str(curve.points[-1]))
        for curve, letter in zip(report.curves, stone_letters(screen.tx, players), strict=True)
    )
