"""The first screen: continue a waiting game, or choose a new one."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial

from engines.notation import Fault
from hardware.keys import Key
from pi_app.past.games import game_words, named_game
from pi_app.screens.base import (
    BAD,
    ROW_LIMIT,
    TICK,
    Action,
    Greyed,
    Item,
    MenuScreen,
    Open,
    Push,
)
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.boards import BoardsScreen
from pi_app.screens.players_and_settings.system import SystemMenu, stop_screen, with_notice
from pi_app.screens.playing.games import cannot_replay_page, playable_games, resume_game
from pi_app.screens.playing.how import how_page
from pi_app.screens.starting.history import HistoryMenu
from pi_app.screens.starting.set_up import set_up_screen
from pi_app.screens.starting.settle import SettleMenu
from pi_app.store import GameEntry
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.texts.language import Texts
from pi_app.view.frame import Choices, Frame, Picture, SoftKey


class GamesMenu(MenuScreen):
    """Games to set up, each with its board where there is room; STAR says how to play one."""

    def frame(self) -> Frame:
        frame = super().frame()
        choices = frame.body.choices
        if choices is None:
            return frame
        rows = replace(choices, picture_of=boards_of(self.tx))
        frame = replace(frame, body=replace(frame.body, choices=rows))
        if self._game_with_rules(choices) is None:
            return frame
        rules = SoftKey(Key.STAR, self.tx("soft", "rules"))
        return replace(frame, keys=frame.keys.with_keys(rules))

    def _game_with_rules(self, choices: Choices) -> AnyPresentation | None:
        """Return the game of the marked row, if it has rules to show."""
        game = _game_in_row(self.tx, choices.items[choices.selected])
        return game if game is not None and game.guide.how else None

    def press(self, key: Key) -> Action:
        presentation = self._game_with_rules(self.choices()) if key is Key.STAR else None
        if presentation is None:
            return super().press(key)
        return Push(how_page(self.ctx, presentation))

    def _setup_item(self, name: str) -> Item:
        presentation = PRESENTATIONS[name]
        return presentation.name(self.tx), lambda: Push(set_up_screen(self.ctx, presentation))


class MoreGames(GamesMenu):
    """The games that do not fit in the first menu."""

    def __init__(self, ctx: Context, games: list[str]) -> None:
        super().__init__(ctx, ctx.texts("title", "More games"))
        self.games = games

    def entries(self) -> tuple[Item, ...]:
        return tuple(map(self._setup_item, self.games))


class HomeScreen(GamesMenu):
    """The games, and the companion's other menus."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx, "Beisitzer")
        # the first line is "Continue": without a game that waits the first game is marked
        self.selected = 1 if 0 in self.choices().greyed else 0

    def leave(self) -> Action:
        """Ask whether to stop: there is no screen below."""
        return Push(stop_screen(self.ctx))

    def frame(self) -> Frame:
        """Call the key BACK the way to stop, and say who plays the waiting games."""
        frame, waiting = with_notice(self.ctx, super().frame()), self.ctx.store.waiting_games()
        stop = self.tx("soft", "stop")
        soft_keys = (replace(k, label=stop) if k.key is Key.BACK else k for k in frame.keys.soft)
        frame = replace(frame, keys=replace(frame.keys, soft=tuple(soft_keys)))
        if not waiting or frame.body.choices is None:
            return frame
        # only the first line, "Continue", has a sentence
        names = "; ".join(named_game(self.tx, game) for game in waiting)
        sentence = self.tx("item", "Continue: {game}", game=names)
        choices = replace(frame.body.choices, sentences=(sentence,))
        return replace(frame, body=replace(frame.body, choices=choices))

    def entries(self) -> tuple[Item, ...]:
        tx, waiting = self.tx, self.ctx.store.waiting_games()
        if not waiting:
            first: Item = (tx("item", "Continue"), Greyed(tx("line", "No game waits.")))
        elif len(waiting) == 1:
            line = tx("item", "Continue: {game}", game=game_words(tx, waiting[0].game))
            first = (line, partial(continue_game, self.ctx, waiting[0]))
        else:
            line = tx("item", "Continue: {n} games", n=len(waiting))
            first = (line, lambda: Push(WaitingGames(self.ctx)))
        last: tuple[Item, ...] = (
            (tx("title", "Only score"), lambda: Push(SettleMenu(self.ctx))),
            (tx("title", "Boards"), lambda: Push(BoardsScreen(self.ctx))),
            (tx("title", "History"), lambda: Push(HistoryMenu(self.ctx))),
            (tx("title", "System"), lambda: Push(SystemMenu(self.ctx))),
        )
        games, room = playable_games(), ROW_LIMIT - 1 - len(last)  # 1: "Continue"
        if len(games) > room:  # "More games" takes a row of its own
            more = MoreGames(self.ctx, games[room - 1 :])
            last = ((tx("title", "More games"), lambda: Push(more)), *last)
            games = games[: room - 1]
        return (first, *map(self._setup_item, games), *last)


class WaitingGames(MenuScreen):
    """The unfinished games, the last one at the table first; choosing one continues it."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx, ctx.texts("item", "Continue"))

    def entries(self) -> tuple[Item, ...]:
        return tuple(
            (named_game(self.tx, game), partial(continue_game, self.ctx, game))
            for game in self.ctx.store.waiting_games()
        )


def continue_game(ctx: Context, game: GameEntry) -> Action:
    """Put a waiting game on the table again, or say why that is impossible."""
    table = resume_game(ctx, game.id)
    if table is None:
        title = ctx.texts("item", "Continue")
        return Push(cannot_replay_page(ctx, title, game), signals=BAD)
    ctx.store.put_on_table(game.id)
    return Open(TICK, "table", table=table)


def _game_in_row(tx: Texts, item: str) -> AnyPresentation | None:
    """Return the game with this name in the list; None for another row."""
    presentations = (PRESENTATIONS[game] for game in playable_games())
    return next((each for each in presentations if each.name(tx) == item), None)


@lru_cache(maxsize=4)
def boards_of(tx: Texts) -> Callable[[str], Picture | None]:
    """Return a function that draws the board of a game by its name in the list, each only once."""

    @cache
    def board(item: str) -> Picture | None:
        presentation = _game_in_row(tx, item)
        try:
            return None if presentation is None else presentation.empty_board(tx)
        except Fault:
            return None  # this game's board needs more than the players

    return board


def open_screen(ctx: Context, asked: Open) -> HomeScreen:
    """Return the first menu."""
    del asked
    return HomeScreen(ctx)
