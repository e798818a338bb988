"""Statistics at the table: of each game, its players and pairs, as sentences, boards and charts."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import partial

from engines.game import Player
from hardware.keys import Key
from pi_app.files.worker import Job
from pi_app.past.facts import every_game
from pi_app.past.figures import (
    game_words,
    heat_lines,
    heat_map,
    overview_lines,
    pair_lines,
    player_lines,
)
from pi_app.past.statistics import (
    FieldCounts,
    GameStatistics,
    PairStatistics,
    PlayerStatistics,
    statistics,
    wins,
)
from pi_app.screens.base import (
    BAD,
    TICK,
    Action,
    Item,
    ListScreen,
    MenuScreen,
    PageScreen,
    Pop,
    Push,
    Screen,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.starting.charts import ChartScreen
from pi_app.store.archive import ReadFile
from pi_app.store.database import Damage
from pi_app.store.derived import Derived
from pi_app.store.store import Reader
from pi_app.texts.common import stone_letters
from pi_app.texts.language import Texts
from pi_app.view.frame import Board, Body, Frame, Header, Picture, Seat, scroll, soft

AGAIN_S = 0.5
"""How often the progress is shown while games are counted, in seconds."""
MOST_ROWS = 99
"""How many players or pairs are listed: two digits choose any of them."""


class GamesCount:
    """Counts the statistics of all finished games outside the loop."""

    def __init__(self, ctx: Context) -> None:
        self.games: list[GameStatistics] | None = None
        """The statistics of each game; None until they are counted, [] if that failed."""
        self.failed = False
        self.progress = (0, 0)
        """How many games were counted so far, and how many there are."""
        self._store = ctx.store
        self._damage: Damage | None = None
        """What the count found damaged in the store's file; `_done` has it repaired."""
        self._job = ctx.worker.begin(self._count, self._done)
        if self._job is None:
            self._done(None)

    def leave(self) -> None:
        """Stop counting: nobody waits for it."""
        if self._job is not None:
            self._job.drop()

    def words(self, tx: Texts) -> str:
        """Say why there are no statistics; "" if there are."""
        if self.games:
            return ""
        if self.games is None:
            done, total = self.progress
            return tx("line", "Games are counted: {n} of {most}", n=done, most=total)
        if self.failed:
            return tx("line", "The games cannot be counted now.")
        return tx("line", "No game was finished yet.")

    def _count(self, job: Job) -> list[GameStatistics]:
        def report(done: int, total: int) -> None:
            self.progress = (done, total)
            job.pause()

        path = self._store.path
        with closing(Derived.of_store(path)) as derived:
            if path is None:  # a store in memory has no file to open again
                return statistics(every_game(self._store, derived, report))
            # a connection of its own: the store's one belongs to the loop's thread
            with closing(ReadFile(path)) as file:
                try:
                    return statistics(every_game(Reader(file), derived, report))
                finally:
                    self._damage = file.damage

    def _done(self, games: list[GameStatistics] | None) -> None:
        if self._damage is not None:
            self._store.mend(self._damage)
        self.games = games or []
        self.failed = games is None  # the count failed, or never began


class StatisticsScreen(ListScreen):
    """The finished games, the most played first; each has a menu of its own."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx, ctx.texts("title", "Statistics"), self._rows, self._open_game)
        self.counting = GamesCount(ctx)
        self._due = ctx.clock() + AGAIN_S
        """When to show the progress again."""

    @property
    def games(self) -> list[GameStatistics]:
        """The games to choose from."""
        return self.counting.games or []

    def deadline(self) -> float | None:
        return self._due if self.counting.games is None else None

    def expire(self) -> Action:
        self._due = self.ctx.clock() + AGAIN_S
        return Stay()

    def _rows(self) -> tuple[str, ...]:
        return tuple(
            f"{game_words(self.tx, game.game)}: {game.length.games}" for game in self.games
        )

    def frame(self) -> Frame:
        frame, words = super().frame(), self.counting.words(self.tx)
        if not words:
            return frame
        back = soft((Key.BACK, self.tx("soft", "back")))
        return Frame(Header(frame.header.title), Body(lines=(words,)), keys=back)

    def press(self, key: Key) -> Action:
        if self.games:
            return super().press(key)
        if key not in (Key.BACK, Key.BACK_HELD, Key.MENU) and self.counting.games is None:
            return Stay(BAD)
        self.counting.leave()
        return Pop(TICK)

    def _open_game(self, index: int) -> Action:
        return Push(TICK, screen=GameStatisticsMenu(self.ctx, self.games[index]))


class StatisticsPage(PageScreen):
    """Statistics in sentences."""


class StatisticsList(ListScreen):
    """Rows of statistics; choosing one shows more."""


class GameStatisticsMenu(MenuScreen):
    """The statistics of one game."""

    def __init__(self, ctx: Context, game: GameStatistics) -> None:
        super().__init__(ctx, game_words(ctx.texts, game.game))
        self.game = game
        # where stones were placed, and where players were locked out; None where nothing was
        self.fields = _heat_screen(ctx, game.game, game.boards, barred=False)
        self.barred = _heat_screen(ctx, game.game, game.boards, barred=True)

    def entries(self) -> tuple[Item, ...]:
        tx, game = self.tx, self.game
        items: list[Item] = [(tx("item", "Overview"), self._overview)]
        if self.fields is not None:
            items.append((tx("item", "Favourites"), partial(_push, self.fields)))
        if self.barred is not None:
            items.append((tx("item", "Blocked fields"), partial(_push, self.barred)))
        if game.players:
            items.append((tx("item", "Players"), self._players))
            items.append((tx("item", "Wins"), self._wins))
        if game.pairs:
            items.append((tx("item", "Pairs"), self._pairs))
        return tuple(items)

    def _overview(self) -> Action:
        return Push(
            TICK, screen=StatisticsPage(self.ctx, self.title, overview_lines(self.tx, self.game))
        )

    def _players(self) -> Action:
        ranking = self.game.ranking[:MOST_ROWS]

        def choose(index: int) -> Action:
            return Push(TICK, screen=PlayerStatisticsScreen(self.ctx, ranking[index]))

        rows = tuple(f"{player.player} {player.won}/{player.played}" for player in ranking)
        return Push(
            TICK, screen=StatisticsList(self.ctx, self.tx("title", "Players"), rows, choose)
        )

    def _pairs(self) -> Action:
        meetings = self.game.meetings[:MOST_ROWS]

        def choose(index: int) -> Action:
            names, lines = " – ".join(meetings[index].names), pair_lines(self.tx, meetings[index])
            return Push(TICK, screen=StatisticsPage(self.ctx, names, lines))

        rows = tuple(map(pair_row, meetings))
        return Push(TICK, screen=StatisticsList(self.ctx, self.tx("title", "Pairs"), rows, choose))

    def _wins(self) -> Action:
        tx, lines = self.tx, wins(self.game)
        letters = stone_letters(tx, tuple(Player(line.name, line.colour) for line in lines))
        seats = tuple(
            Seat(line.name, line.colour, letter, str(line.points[-1]))
            for line, letter in zip(lines, letters, strict=True)
        )
        count = len(lines[0].points) - 1  # the first point is before any game
        title = tx.many("title", "Wins, {n} game", "Wins, {n} games", count)
        return Push(TICK, screen=ChartScreen(self.ctx, title, lines, seats))


def _push(screen: Screen) -> Action:
    return Push(TICK, screen=screen)


def pair_row(pair: PairStatistics) -> str:
    """Return two players and how often each won, for a row of a list."""
    first, second = pair.names
    if not pair.played:
        return f"{first}, {second}"
    return f"{first} {pair.won[0]} – {pair.won[1]} {second}"


class PlayerStatisticsScreen(PageScreen):
    """One player's statistics in one game; STAR shows them on the board."""

    def __init__(self, ctx: Context, player: PlayerStatistics) -> None:
        super().__init__(ctx, player.player, player_lines(ctx.texts, player))
        self.fields = _heat_screen(ctx, player.game, player.boards, barred=False)

    def frame(self) -> Frame:
        tx = self.tx
        keys = ((Key.BACK, tx("soft", "back")), scroll(tx("soft", "more")))
        if self.fields is None:
            return replace(super().frame(), keys=soft(*keys))
        return replace(super().frame(), keys=soft((Key.STAR, tx("soft", "fields")), *keys))

    def press(self, key: Key) -> Action:
        if key is Key.STAR and self.fields is not None:
            return Push(TICK, screen=self.fields)
        return super().press(key)


class HeatScreen(PageScreen):
    """A board whose shades show how often each field was used, and the top fields in words."""

    def __init__(self, ctx: Context, title: str, picture: Picture, lines: tuple[str, ...]) -> None:
        super().__init__(ctx, title, lines)
        self.picture = picture

    def frame(self) -> Frame:
        return replace(super().frame(), board=Board(self.picture))


def _heat_screen(
    ctx: Context, game: str, boards: dict[str, FieldCounts], *, barred: bool
) -> HeatScreen | None:
    """Return the board with its counts; None if nothing was counted on it."""
    tx = ctx.texts
    picture = heat_map(tx, game, boards, barred=barred)
    if picture is None:
        return None
    title = tx("title", "Blocked fields") if barred else tx("title", "Favourites")
    return HeatScreen(ctx, title, picture, heat_lines(tx, game, boards, barred=barred))
