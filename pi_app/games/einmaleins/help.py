"""The help level that only Einmaleins has: the player keys the task of a card."""

from dataclasses import replace

from pi_app.screens.base import TICK, Action, Pop
from pi_app.screens.context import Context
from pi_app.screens.tips import HelpScreen
from pi_app.settings.schema import HelpLevel
from pi_app.table.players import find_player, save_players


class TaskHelpScreen(HelpScreen):
    """Offers "I say it" after the general levels; no help is shown then."""

    def __init__(self, ctx: Context, name: str) -> None:
        super().__init__(ctx, name)
        word = ctx.texts("word", "I say it")
        if find_player(ctx.store, name).says:
            self.selected = len(self.levels)
        explained = ctx.texts("line", "{word}: you key the task of a card yourself.", word=word)
        self.lines = (*self.lines, explained)

    @property
    def items(self) -> tuple[str, ...]:
        return (*super().items, self.tx("word", "I say it"))

    @staticmethod
    def word(ctx: Context, name: str) -> str:
        says = find_player(ctx.store, name).says
        return ctx.texts("word", "I say it") if says else HelpScreen.word(ctx, name)

    def choose_level(self, index: int) -> Action:
        player, says = find_player(self.ctx.store, self.name), index == len(self.levels)
        level = HelpLevel.NONE if says else self.levels[index]
        save_players(self.ctx.store, [replace(player, help=level, says=says)])
        return Pop(TICK)
