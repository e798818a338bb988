"""The end of a game: who won and why, field by field; undo still works."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardware.keys import Key
from pi_app.screens.base import BAD, TICK, Action, Home, Push, Reset, Screen, Stay
from pi_app.texts.common import winners_line
from pi_app.view.frame import Frame, clamp, scroll, soft

if TYPE_CHECKING:
    from pi_app.screens.context import Context
    from pi_app.table.faces import AnyFace
    from pi_app.table.table import Table


class ResultScreen(Screen):
    """Shows a finished game; ENTER goes on to the next one."""

    def __init__(self, ctx: Context, table: Table, face: AnyFace) -> None:
        super().__init__(ctx)
        self.table = table
        self.face = face
        self.top = 0

    def lines(self) -> tuple[str, ...]:
        result = self.table.position.result
        winners = result.winners if result else ()
        steps = self.table.steps
        return (
            self.tx("line", "wins!") if len(winners) == 1 else winners_line(self.tx, winners),
            *(self.face.closing(self.tx, steps[-1]) if steps else ()),
            *self.face.result_lines(self.tx, self.table.position),
        )

    def frame(self) -> Frame:
        tx = self.tx
        position = self.table.position
        winners = position.result.winners if position.result else ()
        colours = [player.colour for player in position.players if player.name in winners]
        return Frame(
            tx("title", "The game is over"),
            colour=colours[0] if colours else None,
            big=winners[0] if len(winners) == 1 else "",
            lines=self.lines(),
            top=self.top,
            softkeys=soft(
                (Key.ENTER, tx("soft", "new")),
                scroll(tx("soft", "more")),
                (Key.MENU, tx("soft", "menu")),
            ),
            picture=self.face.picture(tx, position),
            details=self.face.details(tx, position),
            seats=self.face.sitting(tx, position),
        )

    def press(self, key: Key) -> Action:
        if key in (Key.UP, Key.DOWN):
            self.top = clamp(self.top + key.step, self.lines())
            return Stay(TICK)
        if key is Key.BACK_HELD:
            turn = self.face.turn(self.ctx, self.table)
            undone = turn.undo()
            return Reset(undone.signals, screen=turn)
        if key in (Key.ENTER, Key.BACK):
            return Home(TICK)
        if key in (Key.MENU, Key.MENU_HELD):
            # imported here: the menu leads to screens that lead back to this one
            from pi_app.screens.playing.menu import GameMenu

            return Push(TICK, screen=GameMenu(self.ctx, self.table, self.face))
        return Stay(BAD)

    def returned(self, value: Any) -> Action:
        """Take a turn screen's function from the menu: it goes on in a turn screen."""
        if not callable(value):
            return Stay()
        turn = self.face.turn(self.ctx, self.table)
        action: Action = value(turn)
        return Reset(action.signals, screen=turn) if isinstance(action, Stay) else action


def table_screen(ctx: Context, table: Table) -> Screen:
    """Return the turn of the game on this table, or its result where it is decided."""
    face = ctx.faces[table.game.name]
    if table.position.result is not None:
        return ResultScreen(ctx, table, face)
    return face.turn(ctx, table)
