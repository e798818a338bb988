"""The menu of a game on the table."""

from collections.abc import Callable
from functools import partial

from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Item,
    MenuScreen,
    Open,
    PageScreen,
    Push,
    Screen,
    Stay,
    grey_if,
)
from pi_app.screens.checking.board_check import TableCheck, no_places_line
from pi_app.screens.context import Context
from pi_app.screens.empty_chair.seat import StrengthScreen, strength_word
from pi_app.screens.players_and_settings.system import SystemMenu
from pi_app.screens.playing.games import companion_of, play_move, redo_move, undo_move
from pi_app.screens.playing.how import help_page
from pi_app.screens.playing.moves import BoardScreen, MovesScreen
from pi_app.screens.tips import OpenTipScreen, gives_tips
from pi_app.table.players import BotSeats
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.setup_draft import Strength
from pi_app.table.table import Table
from pi_app.texts.common import would_win_line


class GameMenu(MenuScreen):
    """Actions with a game besides playing it."""

    def __init__(self, ctx: Context, table: Table) -> None:
        self.table = table
        self.presentation = PRESENTATIONS[table.game.name]
        super().__init__(ctx, ctx.texts("title", "Menu"))
        self.undoing = (self.tx("item", "Take back"),)

    def entries(self) -> tuple[Item, ...]:
        ctx, tx, table = self.ctx, self.tx, self.table
        # why a line cannot be chosen now, "" if it can
        no_move = "" if table.steps else tx("line", "No move was made yet.")
        no_undo = "" if table.can_undo else tx("line", "No move was made yet.")
        no_undone = "" if table.can_redo else tx("line", "Nothing was taken back.")
        over = tx("line", "The game is over.") if table.position.result is not None else ""
        no_places = "" if self.presentation.places else no_places_line(tx)
        no_points = "" if table.game.score is not None else tx("line", "This game has no points.")

        is_damaged = table.damage is not None
        moves = tx("item", "Set the moves right") if is_damaged else tx("title", "Moves")
        entries: list[Item] = [
            (tx("title", "Help"), lambda: Push(help_page(ctx, self.presentation))),
            (tx("title", "Board"), lambda: Push(BoardScreen(ctx, table))),
            (tx("item", "Take back"), grey_if(no_undo, lambda: undo_move(ctx, table))),
            (tx("item", "Redo"), grey_if(no_undone, lambda: redo_move(ctx, table))),
            (moves, grey_if(no_move, lambda: Push(MovesScreen(ctx, table)))),
            (
                tx("item", "Check table"),
                grey_if(over or no_places, lambda: Push(TableCheck(ctx, table))),
            ),
            (tx("item", "Score now"), grey_if(over or no_points, self._score)),
            (tx("title", "System"), lambda: Push(SystemMenu(ctx))),
            (tx("item", "New game"), lambda: Open(TICK)),
        ]
        if table.game.hides_nothing and gives_tips(ctx, table):
            play = partial(play_move, ctx, table)
            entries.append((tx("item", "Tip"), lambda: Push(OpenTipScreen(ctx, table, None, play))))
        if companion_of(table.game.name) is not None:
            companion = grey_if(over, lambda: Push(SeatsScreen(ctx, table)))
            entries.append((tx("item", "Companion"), companion))
        return tuple(entries)

    def _score(self) -> Action:
        """Show the result if the game ended now; the game continues."""
        position = self.table.position
        if self.table.game.score is None:
            return Stay(BAD)
        result = self.table.game.score(position)
        lines = (
            would_win_line(self.tx, result.winners),
            *self.presentation.result_lines(self.tx, position, result),
        )
        return Push(PageScreen(self.ctx, self.tx("title", "Score"), lines))


class SeatsScreen(MenuScreen):
    """Asks who plays each seat from now on: a person, or the companion for somebody who left."""

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
            return Open(OK, "table", table=self.table)

        strength = self.bot_seats.strength(name)
        return lambda: Push(StrengthScreen(self.ctx, name, strength, done))


def open_screen(ctx: Context, asked: Open) -> Screen:
    """Return the menu of the game on a table."""
    if asked.table is None:
        raise ValueError("a menu needs its table")
    return GameMenu(ctx, asked.table)
