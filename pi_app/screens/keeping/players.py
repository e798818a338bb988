"""Players at the table: pick a name that is known or key a new one, set how much help."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from pi_app.past.tables import forget_tables, tables_of
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Item,
    ListScreen,
    MenuScreen,
    Pop,
    Push,
    Screen,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.keeping.changing import change, not_kept
from pi_app.screens.keeping.tables import PracticeScreen, TablesScreen
from pi_app.screens.text_entry import TextEntry
from pi_app.table.players import (
    LEVELS,
    HelpLevel,
    forget,
    keep,
    known_player,
    known_players,
)
from pi_app.texts.language import Texts

NAME_LENGTH = 16
"""Characters of a name that fit every text on the smallest display."""


def level_word(tx: Texts, level: HelpLevel) -> str:
    """Return a help level in a word."""
    match level:
        case "none":
            return tx("word", "nothing")
        case "sums":
            return tx("word", "sums")
        case "legal":
            return tx("word", "fields")
        case "tips":
            return tx("word", "tips")


def name_screen(
    ctx: Context, name: str, taken: Collection[str], done: Callable[[str], Action]
) -> Screen:
    """Return the screen that asks for a name: known ones to pick from, or a new one."""

    def objection(text: str) -> str:
        return ctx.texts("verdict", "{name} sits here already", name=text) if text in taken else ""

    title = ctx.texts("title", "Name")
    names = [player.name for player in known_players(ctx.store) if player.name not in taken]
    if not names:
        return TextEntry(ctx, title, name, NAME_LENGTH, objection, done)

    def leave(new: str) -> Action:
        return Pop(then=lambda: done(new))

    entry = TextEntry(ctx, title, name, NAME_LENGTH, objection, leave)

    def choose(index: int) -> Action:
        return Pop(OK, lambda: done(names[index])) if index < len(names) else Push(screen=entry)

    return ListScreen(ctx, title, (*names, ctx.texts("item", "New name")), choose)


class HelpScreen(ListScreen):
    """How much help a player gets, or whether it says itself what a card is; kept with the name."""

    def __init__(self, ctx: Context, name: str) -> None:
        self.name = name
        tx = ctx.texts
        self.levels = LEVELS if ctx.settings.help.tips else LEVELS[:-1]
        level = min(LEVELS.index(ctx.help_level(name)), len(self.levels) - 1)
        super().__init__(
            ctx,
            tx("title", "Help"),
            (*(level_word(tx, level) for level in self.levels), _says_word(tx)),
            self._chosen,
            selected=len(self.levels) if _says(ctx, name) else level,
            lines=(tx("line", "What is shown before # is pressed?"),),
        )

    def _chosen(self, index: int) -> Action:
        known = known_player(self.ctx.store, self.name)
        says = index == len(self.levels)
        level = "none" if says else self.levels[index]
        keep(self.ctx.store, [replace(known, help=level, says=says)])
        return Pop(TICK)


class PlayersScreen(ListScreen):
    """Everybody who is known here, and whether there are tips at this table."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx, ctx.texts("title", "Players"), self._labels, self._chosen)

    def _labels(self) -> tuple[str, ...]:
        names = tuple(player.name for player in known_players(self.ctx.store))
        allowed = self.ctx.settings.help.tips
        word = self.tx("word", "allowed") if allowed else self.tx("word", "forbidden")
        return (*names, self.tx("item", "New name"), self.tx("item", "Tips: {word}", word=word))

    def _chosen(self, index: int) -> Action:
        names = self._labels()
        known = names[:-2]
        if index < len(known):
            return Push(TICK, screen=PlayerScreen(self.ctx, names[index]))
        if index > len(known):
            return self._allow(not self.ctx.settings.help.tips)
        title = self.tx("title", "Name")

        def objection(text: str) -> str:
            return self.tx("verdict", "{name} is known already", name=text) if text in known else ""

        entry = TextEntry(self.ctx, title, "", NAME_LENGTH, objection, self._named)
        return Push(TICK, screen=entry)

    def _allow(self, tips: bool) -> Action:  # noqa: FBT001  # the setting's value
        if change(self.ctx, "help.tips", tips):
            return Stay(OK)
        return Push(BAD, screen=not_kept(self.ctx, self.title))

    def _named(self, name: str) -> Action:
        keep(self.ctx.store, [known_player(self.ctx.store, name)])
        return Stay()


class PlayerScreen(MenuScreen):
    """One player: how much help, the times tables and practice, or off the list."""

    def __init__(self, ctx: Context, name: str) -> None:
        self.name = name
        super().__init__(ctx, name)

    def entries(self) -> tuple[Item, ...]:
        return (
            (help_item(self.ctx, self.name), self._help),
            (self.tx("item", "My tables"), self._tables),
            (self.tx("item", "Practise"), self._practise),
            (self.tx("item", "Forget"), self._forget),
        )

    def _help(self) -> Action:
        return Push(TICK, screen=HelpScreen(self.ctx, self.name))

    def _tables(self) -> Action:
        return Push(TICK, screen=TablesScreen(self.ctx, self.name))

    def _practise(self) -> Action:
        return Push(TICK, screen=PracticeScreen(self.ctx, self.name))

    def _forget(self) -> Action:
        """Take the name off the list; what was learnt under it goes with it, if that is meant."""
        if not tables_of(self.ctx.store, self.name).tasks:
            return self._forgotten()
        tx = self.tx
        choices = (tx("item", "Keep"), tx("item", "Forget"))

        def choose(index: int) -> Action:
            return Pop(then=self._forgotten) if index else Pop(TICK)

        line = tx("line", "What was learnt is forgotten too.")
        return Push(BAD, screen=ListScreen(self.ctx, self.name, choices, choose, lines=(line,)))

    def _forgotten(self) -> Action:
        forget_tables(self.ctx.store, self.name)
        forget(self.ctx.store, self.name)
        return Pop(TICK)


def help_item(ctx: Context, name: str) -> str:
    """Return the line of a menu that says how much help a player gets."""
    tx = ctx.texts
    word = _says_word(tx) if _says(ctx, name) else level_word(tx, ctx.help_level(name))
    return tx("item", "Help: {level}", level=word)


def _says(ctx: Context, name: str) -> bool:
    return known_player(ctx.store, name).says


def _says_word(tx: Texts) -> str:
    return tx("word", "I say it")
