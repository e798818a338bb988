"""The board at full size, on small displays too."""

from __future__ import annotations

from hardware.keys import Key
from pi_app.screens.base import TICK, Action, Pop, Screen
from pi_app.screens.context import Context
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.view.frame import Board, Extras, Frame, Header, soft


class BoardScreen(Screen):
    """Shows the board and what players have left; `title` names the moment if it is not now."""

    def __init__(self, ctx: Context, table: Table, title: str = "") -> None:
        super().__init__(ctx)
        self.table = table
        self.title = title
        self.presentation = PRESENTATIONS[table.game.name]

    def frame(self) -> Frame:
        position = self.table.position
        return Frame(
            Header(self.title or self.tx("title", "Board")),
            board=Board(picture=self.presentation.picture(self.tx, position), close_up=True),
            extras=Extras(
                details=self.presentation.details(self.tx, position),
                seats=self.presentation.current_seats(self.tx, position),
            ),
            keys=soft((Key.BACK, self.tx("soft", "back"))),
        )

    def press(self, key: Key) -> Action:
        del key
        return Pop(TICK)
