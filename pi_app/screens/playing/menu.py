"""The menu over a running game."""

from __future__ import annotations

from pi_app.screens.base import (
    BAD,
    TICK,
    Action,
    Home,
    Item,
    MenuScreen,
    PageScreen,
    Push,
    Quit,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.keeping.boards import BoardsScreen
from pi_app.screens.keeping.system import SystemMenu
from pi_app.screens.playing.audit import audit
from pi_app.screens.playing.board import BoardScreen
from pi_app.screens.playing.games import played_again, taken_back
from pi_app.screens.playing.moves import MovesScreen
from pi_app.table.faces import FACES
from pi_app.table.table import Table
from pi_app.texts.common import winners_line


class GameMenu(MenuScreen):
    """What can be done with a game beside playing it."""

    def __init__(self, ctx: Context, table: Table) -> None:
        self.table = table
        self.face = FACES[table.game.name]
        super().__init__(ctx, ctx.texts("title", "Menu"))

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        entries: list[Item] = [
            (tx("item", "Help"), self._help),
            (tx("item", "Board"), self._board),
        ]
        if self.table.steps:
            entries.append((tx("item", "Take back"), self._take_back))
            entries.append((tx("item", "Moves"), self._moves))
        if self.table.undone:
            entries.append((tx("item", "Play again"), self._play_again))
        if self.table.position.result is None:
            entries.append((tx("item", "Check table"), self._audit))
            if self.table.game.score is not None:
                entries.append((tx("item", "Score now"), self._score))
        entries += [
            (tx("item", "Boards"), self._boards),
            (tx("item", "System"), self._system),
            (tx("item", "New game"), self._new_game),
        ]
        if not self.ctx.appliance:
            entries.append((tx("item", "Quit"), lambda: Quit(TICK)))
        return tuple(entries)

    def _help(self) -> Action:
        tx = self.tx
        lines = self.face.help(tx)
        if not self.ctx.appliance:
            lines += (
                tx("line", "Keyboard: Enter is #, + is *, arrows A and B, Esc C, Tab D."),
                tx("line", "U takes back the last move, F1 to F6 are the die."),
            )
        return Push(TICK, screen=PageScreen(self.ctx, tx("title", "Help"), lines))

    def _board(self) -> Action:
        return Push(TICK, screen=BoardScreen(self.ctx, self.table))

    def _moves(self) -> Action:
        return Push(TICK, screen=MovesScreen(self.ctx, self.table))

    def _take_back(self) -> Action:
        return taken_back(self.ctx, self.table)

    def _play_again(self) -> Action:
        return played_again(self.ctx, self.table)

    def _audit(self) -> Action:
        return Push(TICK, screen=audit(self.ctx, self.table))

    def _score(self) -> Action:
        """Say how the table would be settled if the game ended now; it goes on."""
        position = self.table.position
        if self.table.game.score is None:
            return Stay(BAD)
        result = self.table.game.score(position)
        lines = (
            winners_line(self.tx, result.winners),
            *self.face.score_lines(self.tx, position, result),
        )
        return Push(TICK, screen=PageScreen(self.ctx, self.tx("title", "Score"), lines))

    def _boards(self) -> Action:
        return Push(TICK, screen=BoardsScreen(self.ctx))

    def _system(self) -> Action:
        return Push(TICK, screen=SystemMenu(self.ctx))

    def _new_game(self) -> Action:
        return Home(TICK)
