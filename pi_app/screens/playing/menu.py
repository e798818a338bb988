"""The menu over a running game."""

from __future__ import annotations

from collections.abc import Callable

from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Home,
    Item,
    MenuScreen,
    PageScreen,
    Push,
    Stay,
    ToTable,
    unless,
)
from pi_app.screens.bot_seat import StrengthScreen, strength_word
from pi_app.screens.context import Context
from pi_app.screens.keeping.system import SystemMenu
from pi_app.screens.playing.board import BoardScreen
from pi_app.screens.playing.board_check import check_board, no_places_line
from pi_app.screens.playing.games import bot_seat_of, redo_move, undo_move
from pi_app.screens.playing.how import help_page
from pi_app.screens.playing.moves import MovesScreen
from pi_app.table.players import BotSeats
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.setup_draft import Strength
from pi_app.table.table import Table
from pi_app.texts.common import would_win_line


class GameMenu(MenuScreen):
    """What can be done with a game beside playing it."""

    def __init__(self, ctx: Context, table: Table) -> None:
        self.table = table
        self.presentation = PRESENTATIONS[table.game.name]
        super().__init__(ctx, ctx.texts("title", "Menu"))

    def entries(self) -> tuple[Item, ...]:
        tx, table = self.tx, self.table
        none = "" if table.steps else tx("line", "No move was made yet.")
        nothing = "" if table.undone else tx("line", "Nothing was taken back.")
        over = tx("line", "The game is over.") if table.position.result is not None else ""
        placeless = "" if self.presentation.lists_places() else no_places_line(tx)
        pointless = "" if table.game.score is not None else tx("line", "This game has no points.")
        entries: list[Item] = [
            (tx("item", "Help"), self._help),
            (tx("item", "Board"), self._board),
            (tx("item", "Take back"), unless(none, self._take_back)),
            (tx("item", "Redo"), unless(nothing, self._play_again)),
            (tx("item", "Moves"), unless(none, self._moves)),
            (
                tx("item", "Check table"),
                unless(over or placeless, self._board_check),
            ),
            (
                tx("item", "Score now"),
                unless(over or pointless, self._score),
            ),
            (tx("item", "System"), self._system),
            (tx("item", "New game"), self._new_game),
        ]
        if bot_seat_of(table.game.name) is not None:
            entries.append((tx("item", "Companion"), unless(over, self._companion)))
        return tuple(entries)

    def _help(self) -> Action:
        return Push(TICK, screen=help_page(self.ctx, self.presentation))

    def _board(self) -> Action:
        return Push(TICK, screen=BoardScreen(self.ctx, self.table))

    def _moves(self) -> Action:
        return Push(TICK, screen=MovesScreen(self.ctx, self.table))

    def _take_back(self) -> Action:
        return undo_move(self.ctx, self.table)

    def _play_again(self) -> Action:
        return redo_move(self.ctx, self.table)

    def _board_check(self) -> Action:
        return Push(TICK, screen=check_board(self.ctx, self.table))

    def _score(self) -> Action:
        """Say how the table would be settled if the game ended now; it goes on."""
        position = self.table.position
        if self.table.game.score is None:
            return Stay(BAD)
        result = self.table.game.score(position)
        lines = (
            would_win_line(self.tx, result.winners),
            *self.presentation.score_lines(self.tx, position, result),
        )
        return Push(TICK, screen=PageScreen(self.ctx, self.tx("title", "Score"), lines))

    def _companion(self) -> Action:
        return Push(TICK, screen=SeatsScreen(self.ctx, self.table))

    def _system(self) -> Action:
        return Push(TICK, screen=SystemMenu(self.ctx))

    def _new_game(self) -> Action:
        return Home(TICK)


class SeatsScreen(MenuScreen):
    """Who plays each seat from now on: a person, or the companion for somebody who leaves."""

    def __init__(self, ctx: Context, table: Table) -> None:
        self.table = table
        self.bot_seats = BotSeats(ctx.store, table.id)
        super().__init__(ctx, ctx.texts("item", "Companion"))

    def entries(self) -> tuple[Item, ...]:
        return tuple(
            (
                f"{name}: {strength_word(self.tx, self.bot_seats.strength(name))}",
                self._ask_strength(name),
            )
            for name in (player.name for player in self.table.start.players)
        )

    def _ask_strength(self, name: str) -> Callable[[], Action]:
        def done(strength: Strength | None) -> Action:
            self.bot_seats.give({name: strength})
            return ToTable(OK, table=self.table)

        now = self.bot_seats.strength(name)
        return lambda: Push(TICK, screen=StrengthScreen(self.ctx, name, now, done))
