"""Players at the table: choose a known name or key a new one, and what each may change."""

from pi_app.past.times_tables import forget_tables, tables_of
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    ConfirmScreen,
    Item,
    MenuScreen,
    Open,
    PageScreen,
    Pop,
    Push,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.changing import change, not_stored_page
from pi_app.screens.players_and_settings.names import NAME_LENGTH, FindName, NamesScreen
from pi_app.screens.players_and_settings.times_tables import PracticeScreen, TablesScreen
from pi_app.screens.text_entry import TextEntry
from pi_app.screens.tips import HelpScreen, help_item
from pi_app.table.players import find_player, forget, list_players, rename_player, save_players


class PlayersScreen(NamesScreen):
    """All known players, and whether tips are allowed at this table."""

    def __init__(self, ctx: Context, help_screen: type[HelpScreen]) -> None:
        title = ctx.texts("title", "Players")
        self.help = help_screen
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
        return Push(PlayerScreen(self.ctx, name, self.help))

    def _add_player(self, name: str) -> Action:
        save_players(self.ctx.store, [find_player(self.ctx.store, name)])
        return Stay()


class PlayerScreen(MenuScreen):
    """One player: help level, times tables, practice, moments, another name, being forgotten."""

    def __init__(self, ctx: Context, name: str, help_screen: type[HelpScreen]) -> None:
        self.name = name
        self.help = help_screen
        super().__init__(ctx, name)

    def entries(self) -> tuple[Item, ...]:
        tx, ctx, name = self.tx, self.ctx, self.name
        return (
            help_item(ctx, name, self.help),
            (tx("item", "My tables"), lambda: Push(TablesScreen(ctx, name))),
            (tx("item", "Practise"), lambda: Push(PracticeScreen(ctx, name))),
            (tx("item", "My moments"), lambda: Open(TICK, "moments", player=name)),
            (tx("item", "Rename"), self._ask_for_name),
            (tx("item", "Forget"), self._forget),
        )

    def _ask_for_name(self) -> Action:
        entry = TextEntry(
            self.ctx, self.title, self.name, NAME_LENGTH, lambda _: "", self._ask_to_rename
        )
        return Push(entry)

    def _ask_to_rename(self, new: str) -> Action:
        """Ask before somebody gets another name, or is found to be a person known already."""
        tx, store = self.tx, self.ctx.store
        if new == self.name:
            return Stay()
        line = tx("line", "In all games. It can be taken back for 30 days.")
        if any(player.name == new for player in list_players(store)):
            if any({self.name, new} <= set(game.players) for game in store.list_games()):
                line = tx("line", "{one} and {two} played in one game.", one=self.name, two=new)
                return Push(PageScreen(self.ctx, self.name, (line,)), signals=BAD)
            line = tx("line", "Both are one person. It can be taken back for 30 days.")

        def rename() -> Action:
            rename_player(store, self.name, new)
            return Pop(OK)

        rows = (tx("item", "Keep"), tx("item", "Rename"))
        screen = ConfirmScreen(self.ctx, f"{self.name} → {new}", rows, rename, line)
        return Push(screen)

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
