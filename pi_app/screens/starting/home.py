"""The first screen: go on with a game that waits, or choose a new one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache

from engines.game import SetupError
from hardware.keys import Key
from pi_app.screens.base import (
    BAD,
    TICK,
    Action,
    Greyed,
    Item,
    MenuScreen,
    Push,
    Quit,
    Stay,
    ToTable,
)
from pi_app.screens.context import Context
from pi_app.screens.keeping.boards import BoardsScreen
from pi_app.screens.keeping.system import SystemMenu
from pi_app.screens.playing.games import not_replayed, playable, resumed
from pi_app.screens.playing.how import how_page
from pi_app.screens.starting.history import HistoryMenu, game_name
from pi_app.screens.starting.set_up import SetupScreen
from pi_app.screens.starting.settle import SettleMenu
from pi_app.store.archive import find_game
from pi_app.table.faces import FACES, AnyFace
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame, Picture, clamp, soft


class HomeScreen(MenuScreen):
    """The games, and what else the companion can do without one."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx, "Beisitzer", leave=lambda: Stay(TICK))
        self.selected = 0 if ctx.store.waiting() is not None else 1

    def frame(self) -> Frame:
        """Offer no way back, there is nothing behind the first screen; show each game's board."""
        frame = super().frame()
        choices = frame.choices and replace(frame.choices, picture_of=boards_of(self.tx))
        keys = [(Key.ENTER, self.tx("soft", "ok"))]
        if self._marked() is not None:
            keys.append((Key.STAR, self.tx("soft", "rules")))
        softkeys = soft(*keys)
        return replace(frame, choices=choices, softkeys=softkeys)

    def _marked(self) -> AnyFace | None:
        """Return the game of the marked row, if it is one that says how it is played."""
        items = self.items
        name = items[clamp(self.selected, items)]
        faces = (FACES[game] for game in playable())
        return next((one for one in faces if one.name(self.tx) == name and one.how(self.tx)), None)

    def press(self, key: Key) -> Action:
        face = self._marked() if key is Key.STAR else None
        return super().press(key) if face is None else Push(TICK, screen=how_page(self.ctx, face))

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        entries: list[Item] = []
        waiting = self.ctx.store.waiting()
        left = None if waiting is None else find_game(self.ctx.store, waiting)
        if left is None:
            entries.append((tx("item", "Continue"), Greyed(tx("line", "No game waits."))))
        else:
            line = tx("item", "Continue: {game}", game=game_name(self.ctx, left.game))
            entries.append((line, lambda: self._continue(left.id)))
        entries += [(FACES[name].name(tx), self._set_up(name)) for name in playable()]
        entries.append((tx("item", "Only settle"), self._settle))
        entries.append((tx("item", "Boards"), self._boards))
        entries.append((tx("item", "History"), self._history))
        entries.append((tx("item", "System"), lambda: Push(TICK, screen=SystemMenu(self.ctx))))
        if not self.ctx.appliance:
            entries.append((tx("item", "Quit"), lambda: Quit(TICK)))
        return tuple(entries)

    def _set_up(self, name: str) -> Callable[[], Action]:
        return lambda: Push(TICK, screen=SetupScreen(self.ctx, FACES[name]))

    def _settle(self) -> Action:
        return Push(TICK, screen=SettleMenu(self.ctx))

    def _history(self) -> Action:
        return Push(TICK, screen=HistoryMenu(self.ctx))

    def _boards(self) -> Action:
        return Push(TICK, screen=BoardsScreen(self.ctx))

    def _continue(self, game: int) -> Action:
        table = resumed(self.ctx, game)
        if table is None:
            return Push(BAD, screen=not_replayed(self.ctx, self.tx("item", "Continue")))
        self.ctx.store.shelve(game, shelved=False)
        return ToTable(TICK, table=table)


@lru_cache(maxsize=4)
def boards_of(tx: Texts) -> Callable[[str], Picture | None]:
    """Return what makes the board of the game that is called so in the list; each is made once."""

    @cache
    def board(item: str) -> Picture | None:
        faces = (FACES[name] for name in playable())
        face = next((face for face in faces if face.name(tx) == item), None)
        try:
            return None if face is None else face.empty(tx)
        except SetupError:
            return None  # a game that begins only with more than players

    return board
