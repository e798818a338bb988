"""Players at the table: choose a known name or key a new one, set the help level."""

from dataclasses import replace

from pi_app.past.times_tables import forget_tables, tables_of
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    ConfirmScreen,
    Item,
    ListScreen,
    MenuScreen,
    Open,
    Pop,
    Push,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import change, not_stored_page
from pi_app.screens.players_and_settings.names import NAME_LENGTH, FindName, NamesScreen
from pi_app.screens.players_and_settings.times_tables import PracticeScreen, TablesScreen
from pi_app.screens.text_entry import TextEntry
from pi_app.settings.schema import HelpLevel
from pi_app.table.players import find_player, forget, list_players, save_players
from pi_app.texts.language import Texts


def level_word(tx: Texts, level: HelpLevel) -> str:
    """Return a word for a help level."""
    match level:
        case HelpLevel.NONE:
            return tx("word", "nothing")
        case HelpLevel.SUMS:
            return tx("word", "sums")
        case HelpLevel.LEGAL:
            return tx("word", "fields")
        case HelpLevel.TIPS:
            return tx("word", "tips")


class HelpScreen(ListScreen):
    """Chooses how much help a player gets; it is stored with the name.

    `says_tasks` offers that players key the tasks of their cards, in a game that has tasks.
    """

    def __init__(self, ctx: Context, name: str, *, says_tasks: bool) -> None:
        self.name = name
        self.says_tasks = says_tasks
        tx = ctx.texts
        tips = ctx.settings.help.tips
        self.levels = [level for level in HelpLevel if tips or level is not HelpLevel.TIPS]
        selected = self.levels.index(ctx.help_level(name))
        word = tx("word", "I say it")
        says_row = (word,) if says_tasks else ()  # the last row
        if says_tasks and find_player(ctx.store, name).says:
            selected = len(self.levels)
        lines = [tx("line", "What is shown before # is pressed?")]
        if says_tasks:
            lines.append(tx("line", "{word}: you key the task of a card yourself.", word=word))
        super().__init__(
            ctx,
            tx("title", "Help"),
            (*(level_word(tx, level) for level in self.levels), *says_row),
            self._choose_row,
            selected=selected,
            lines=tuple(lines),
        )

    def _choose_row(self, index: int) -> Action:
        player = find_player(self.ctx.store, self.name)
        says = index == len(self.levels)  # the row after the levels: "I say it"
        level = HelpLevel.NONE if says else self.levels[index]
        if not self.says_tasks:  # "I say it" was not offered: keep it if the level allows it
            says = player.says and level is HelpLevel.NONE
        save_players(self.ctx.store, [replace(player, help=level, says=says)])
        return Pop(TICK)


class PlayersScreen(NamesScreen):
    """All known players, and whether tips are allowed at this table."""

    def __init__(self, ctx: Context) -> None:
        title = ctx.texts("title", "Players")
        super().__init__(ctx, title, self._labels, self._choose_row)
        self.find = self._find_screen

    def _names(self) -> tuple[str, ...]:
        return tuple(player.name for player in list_players(self.ctx.store))

    def _labels(self) -> tuple[str, ...]:
        names = self._names()
        allowed = self.ctx.settings.help.tips
        word = self.tx("word", "allowed") if allowed else self.tx("word", "forbidden")
        return (*names, self.tx("item", "New name"), self.tx("item", "Tips: {word}", word=word))

    def _choose_row(self, index: int) -> Action:
        names = self._names()
        if index < len(names):
            return self._player(names[index])
        if index > len(names):  # the last row, after "New name": tips
            if change(self.ctx, "help.tips", not self.ctx.settings.help.tips):
                return Stay(OK)
            return Push(not_stored_page(self.ctx, self.title), signals=BAD)
        title = self.tx("title", "Name")
        entry = TextEntry(self.ctx, title, "", NAME_LENGTH, self._objection, self._add_player)
        return Push(entry)

    def _find_screen(self) -> FindName:
        def open_or_add(name: str) -> Action:
            return self._player(name) if name in self._names() else self._add_player(name)

        return FindName(self.ctx, self._names(), self._objection, open_or_add)

    def _objection(self, text: str) -> str:
        taken = text in self._names()
        return self.tx("verdict", "{name} is known already", name=text) if taken else ""

    def _player(self, name: str) -> Action:
        return Push(PlayerScreen(self.ctx, name))

    def _add_player(self, name: str) -> Action:
        save_players(self.ctx.store, [find_player(self.ctx.store, name)])
        return Stay()


class PlayerScreen(MenuScreen):
    """One player: help level, times tables, practice, moments, and forgetting the name."""

    def __init__(self, ctx: Context, name: str) -> None:
        self.name = name
        super().__init__(ctx, name)

    def entries(self) -> tuple[Item, ...]:
        tx, ctx, name = self.tx, self.ctx, self.name
        return (
            (
                help_item(ctx, name, says_tasks=True),
                lambda: Push(HelpScreen(ctx, name, says_tasks=True)),
            ),
            (tx("item", "My tables"), lambda: Push(TablesScreen(ctx, name))),
            (tx("item", "Practise"), lambda: Push(PracticeScreen(ctx, name))),
            (tx("item", "My moments"), lambda: Open(TICK, "moments", player=name)),
            (tx("item", "Forget"), self._forget),
        )

    def _forget(self) -> Action:
        """Forget the name; if it has times tables or moments, ask first: they are forgotten too."""
        from pi_app.past.moments import moments_of  # not needed at a start

        store, name = self.ctx.store, self.name
        if not tables_of(store, name).tasks and not moments_of(store, name):
            return self._forget_player()
        tx = self.tx
        rows = (tx("item", "Keep"), tx("item", "Forget"))
        line = tx("line", "What was learnt is forgotten too.")
        screen = ConfirmScreen(self.ctx, self.name, rows, self._forget_player, line)
        return Push(screen)

    def _forget_player(self) -> Action:
        from pi_app.past.moments import forget_moments  # as above

        forget_tables(self.ctx.store, self.name)
        forget_moments(self.ctx.store, self.name)
        forget(self.ctx.store, self.name)
        return Pop(TICK)


def help_item(ctx: Context, name: str, *, says_tasks: bool) -> str:
    """Return the menu line with a player's help level, as `HelpScreen` shows it."""
    tx, says = ctx.texts, says_tasks and find_player(ctx.store, name).says
    word = tx("word", "I say it") if says else level_word(tx, ctx.help_level(name))
    return tx("item", "Help: {level}", level=word)
