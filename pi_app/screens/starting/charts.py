"""A chart to look at."""

from __future__ import annotations

from hardware.keys import Key
from pi_app.screens.base import TICK, Action, Pop, Screen
from pi_app.screens.context import Context
from pi_app.view.frame import Board, Curve, Extras, Frame, Header, Seat, soft


class ChartScreen(Screen):
    """A chart with a line for each player; `seats` name the players."""

    def __init__(
        self, ctx: Context, title: str, lines: tuple[Curve, ...], seats: tuple[Seat, ...]
    ) -> None:
        super().__init__(ctx)
        self.title = title
        self.curves = lines
        self.seats = seats

    def frame(self) -> Frame:
        tx = self.tx
        return Frame(
            Header(self.title),
            board=Board(curves=self.curves),
            extras=Extras(
                seats=self.seats,
                details=tuple(f"{curve.name}: {curve.points[-1]}" for curve in self.curves),
            ),
            keys=soft((Key.BACK, tx("soft", "back"))),
        )

    def press(self, key: Key) -> Action:  # noqa: ARG002  # any key closes it
        return Pop(TICK)
