"""Scores a finished game that was played without the companion, from its final position."""

from collections.abc import Mapping
from functools import partial

from engines.game import AnyPosition, Result
from engines.notation import Fault
from hardware.keys import Key
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    DeclinedError,
    Item,
    MenuScreen,
    Open,
    PageScreen,
    Push,
    Stay,
)
from pi_app.screens.checking.board_check import FirstPosition
from pi_app.screens.context import Context
from pi_app.screens.playing.games import FormItem
from pi_app.screens.starting.drafts import draft_tags
from pi_app.screens.starting.set_up import SetupScreen, set_up_screen
from pi_app.table.players import save_seated
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.table import SETTLED
from pi_app.texts.common import winners_line
from pi_app.view.frame import Board, Body, Frame, Header, soft
from pi_app.view.keying import Wheel


class SettleMenu(MenuScreen):
    """The kinds of game that can be scored from the stones on the table."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx, ctx.texts("title", "Only score"))

    def entries(self) -> tuple[Item, ...]:
        presentations = (
            presentation
            for presentation in PRESENTATIONS.values()
            if presentation.game.score is not None and presentation.places is not None
        )
        return tuple(
            (presentation.name(self.tx), partial(self._open_form, presentation))
            for presentation in presentations
        )

    def _open_form(self, presentation: AnyPresentation) -> Action:
        return Push(set_up_screen(self.ctx, presentation, SettleForm))


class SettleForm(SetupScreen):
    """The players and the board: the score needs nothing else of a set-up."""

    plays = False

    def entries(self) -> tuple[Item, ...]:
        seats_and_board = super().entries()[1:]  # without "Start"
        return ((self.tx("item", "Key the stones"), self._enter), *seats_and_board)

    def form_items(self) -> tuple[FormItem, ...]:
        return (*self._seat_items(), *self._board_items())

    def _enter(self) -> Action:
        ctx, tags = self.ctx, draft_tags(self.presentation, self.draft)
        tags.pop("Position", None)  # the form may hold one: the stones are keyed again

        try:
            title = self.tx("title", "Only score")
            screen = StonesScreen(ctx, self.presentation, tags, title)
        except Fault as error:
            why = self.presentation.words.fault(self.tx, error)
            return Push(PageScreen(ctx, self.tx("title", "Not yet"), (why,)), signals=BAD)
        return Push(screen)


class StonesScreen(FirstPosition):
    """Asks for the stones on the table of a finished game."""

    def accept_position(self, record: Mapping[str, str], position: AnyPosition) -> Action:
        if self.values == self.before:
            raise DeclinedError(self.tx("verdict", "no stone lies anywhere yet"))
        return Push(SettledScreen(self, record, position), signals=OK)


class SettledScreen(PageScreen):
    """Who won and why: ENTER stores it in the history, BACK corrects the stones, MENU ends.

    Once it is stored the screen says so, and any key returns to the first screen.
    """

    def __init__(
        self, stones: StonesScreen, tags: Mapping[str, str], position: AnyPosition
    ) -> None:
        ctx, presentation = stones.ctx, stones.presentation
        self.tags = {**tags, SETTLED: "yes"}
        self.stored = False
        """Whether the game is in the history now."""
        self.result: Result = (
            presentation.game.score(position) if presentation.game.score else Result((), "draw")
        )
        self.winners_text = winners_line(ctx.texts, self.result.winners)
        keys = ctx.texts("line", "# keeps it in the history, D forgets it.")
        lines = (
            self.winners_text,
            *presentation.result_lines(ctx.texts, position, self.result),
            keys,
        )
        super().__init__(ctx, ctx.texts("title", "Score"), lines)
        self.picture = presentation.picture(ctx.texts, position)
        self.keys = ((Key.ENTER, ctx.texts("soft", "keep")),)

    def frame(self) -> Frame:
        tx = self.tx
        if self.stored:
            return Frame(
                Header(self.title),
                Body(lines=(tx("line", "Kept in the history."), self.winners_text)),
                board=Board(picture=self.picture),
                keys=soft((Key.ENTER, tx("soft", "ok"))),
            )
        return super().frame()

    def wheel(self) -> Wheel | None:
        return Wheel((), more=() if self.stored else ((Key.MENU, self.tx("soft", "discard")),))

    def press(self, key: Key) -> Action:
        if self.stored:
            return Open(TICK)
        if key is Key.ENTER:
            self.ctx.store.begin(self.tags, result=self.result)
            save_seated(self.ctx.store, self.tags)
            self.stored = True
            return Stay(OK)
        if key is Key.MENU:
            return Open(TICK)
        return super().press(key) if key in (Key.UP, Key.DOWN, Key.BACK) else Stay(BAD)
