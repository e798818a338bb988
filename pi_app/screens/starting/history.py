"""The history: past games, to be replayed step by step; evenings, statistics, players."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from hardware.keys import Key
from pi_app.past.evening import evenings, sessions_of
from pi_app.past.games import day_played, ending, game_words, iso_day, points_report, time_played
from pi_app.past.outcomes import outcome_in, outcomes
from pi_app.past.statistics import count, statistics_report
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
    Screen,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.evaluation import EvaluationScreen, can_evaluate
from pi_app.screens.players_and_settings.players import PlayersScreen
from pi_app.screens.playing.evening import EveningScreen, pause
from pi_app.screens.playing.games import cannot_replay_page, fullest_help, resume_game
from pi_app.screens.playing.moves import MovesScreen
from pi_app.screens.report import ReportScreen
from pi_app.store import GameEntry
from pi_app.table.players import display_name_in, take_back_renaming
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.common import short_day_words
from pi_app.texts.language import Texts
from pi_app.view.frame import (
    Body,
    Choices,
    Extras,
    Frame,
    Header,
    clamp,
    soft,
)
from pi_app.view.keying import waiting

AGAIN_S = 0.5
"""How often the progress of reading the games is shown, in seconds."""
BAR_CHARACTERS = 14
PAGE = 8
"""How many games are read from the store at a time."""
EVENING_LIMIT = 99
"""How many evenings are listed, the latest: two digits choose any of them."""


class HistoryMenu(MenuScreen):
    """Past games, evenings, statistics and players."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx, ctx.texts("title", "History"))

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        return (
            (tx("title", "Games"), lambda: Push(HistoryScreen(self.ctx))),
            (tx("title", "Evenings"), lambda: Push(EveningsScreen(self.ctx))),
            (tx("title", "Statistics"), lambda: Push(StatisticsScreen(self.ctx))),
            (tx("title", "Players"), lambda: Push(PlayersScreen(self.ctx, fullest_help()))),
            (tx("title", "Bring back"), lambda: Push(BringBackScreen(self.ctx))),
        )


class HistoryScreen(Screen):
    """The games, the latest first; only the visible page is read from the store."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self.count = ctx.store.count_games()
        self.selected = 0
        """Index of the marked game among all games."""
        self.typed = ""
        """The digits keyed so far of a game's number."""
        self._page: list[GameEntry] = []
        self._first = -1
        """Index of the first game of `_page`; -1 before a page was read."""
        self._stamp = ctx.store.stamp
        """After which change the games were counted."""
        self._is_read = ctx.store.progress is not None
        """Whether the games were still read anew when this was shown last."""
        self._due = ctx.clock() + AGAIN_S

    def _games(self) -> list[GameEntry]:
        """Return the page with the marked game."""
        if self._stamp != self.ctx.store.stamp:  # a game was deleted
            self._stamp, self._first = self.ctx.store.stamp, -1
            self.count = self.ctx.store.count_games()
            self.selected = min(self.selected, max(0, self.count - 1))
        first = self.selected // PAGE * PAGE
        if first != self._first:
            games = self.ctx.store.list_games(PAGE, first)
            self._first, self._page = first, [outcome_in(game).named_entry for game in games]
        return self._page

    @property
    def selected_game(self) -> GameEntry | None:
        games = self._games()
        return games[clamp(self.selected - self._first, games)] if games else None

    def frame(self) -> Frame:
        tx = self.tx
        game = self.selected_game
        progress = self.ctx.store.progress
        if game is None or progress is not None:
            body = Body(lines=(tx("line", "No game was played yet."),))
            if progress is not None:
                body = _progress(self.ctx, *progress)
            return Frame(
                Header(tx("title", "Games")), body, keys=soft((Key.BACK, tx("soft", "back")))
            )
        entries, first = self._games(), self._first + 1  # people count games from 1
        named = [_day_and_game(tx, entry) for entry in entries]
        items = tuple(map(" ".join, named))
        sentences = tuple(
            f"{day} {time_played(entry)} {words}. {ending(tx, entry)}"
            for entry, (day, words) in zip(entries, named, strict=True)
        )
        numbers = tuple(map(str, range(first, first + len(entries))))
        return Frame(
            Header(
                game_words(tx, game.game),
                corner=waiting(self.typed, f"{self.selected + 1}/{self.count}"),
            ),
            Body(
                lines=(ending(tx, game),),
                choices=Choices(
                    items, self.selected - self._first, digits=numbers, sentences=sentences
                ),
            ),
            extras=Extras(details=(day_played(tx, game), *game.players)),
            keys=soft((Key.ENTER, tx("soft", "ok")), (Key.BACK, tx("soft", "back"))),
        )

    def deadline(self) -> float | None:
        return self._due if self._is_read else None

    def expire(self) -> Action:
        """Show the progress of reading the games, then the games."""
        self._is_read, self._due = self.ctx.store.progress is not None, self.ctx.clock() + AGAIN_S
        self.count, self._first = self.ctx.store.count_games(), -1
        return Stay()

    def press(self, key: Key) -> Action:
        if self.selected_game is None or self.ctx.store.progress is not None:
            return Pop(TICK)
        if key.digit is not None:
            # mark the game with this number, and open it if no further digit can follow
            typed = self.typed + key.value
            number = int(typed)
            if not 0 < number <= self.count:
                return Stay(BAD)
            self.selected = number - 1
            # the digits stay if a game has a longer number that begins with them
            self.typed = typed if number * 10 <= self.count else ""
            if self.typed or self.selected_game is None:  # None: the games were deleted meanwhile
                return Stay(TICK)
            return Push(game_screen(self.ctx, self.selected_game))
        typed, self.typed = self.typed, ""
        if key in (Key.UP, Key.DOWN):
            self.selected = (self.selected + key.step) % self.count
        elif key is Key.ENTER:
            return Push(game_screen(self.ctx, self.selected_game))
        elif key is Key.BACK:
            return Stay(TICK) if typed else Pop(TICK)  # BACK only deletes typed digits
        else:
            return Stay(BAD)
        return Stay(TICK)


def _progress(ctx: Context, done: int, total: int) -> Body:
    """Return the progress of reading the games: a sentence and a bar of characters."""
    share = done / max(1, total)
    bar = round(share * BAR_CHARACTERS)
    line = ctx.texts("line", "The games are read anew.")
    return Body(big=f"{share:.0%}", lines=("#" * bar + "-" * (BAR_CHARACTERS - bar), line))


class BringBackScreen(MenuScreen):
    """What was deleted or renamed lately; choosing it brings the game or the name back."""

    def __init__(self, ctx: Context) -> None:
        self.games = ctx.store.deleted_games()
        super().__init__(ctx, ctx.texts("title", "Bring back"))
        if not self.entries():
            self.lines = (ctx.texts("line", "Nothing was deleted in the last 30 days."),)

    def entries(self) -> tuple[Item, ...]:
        store = self.ctx.store
        games: list[Item] = [
            (self._row(game), partial(self._do_then_leave, partial(store.bring_back, game)))
            for game in self.games
        ]
        names: list[Item] = [
            (
                f"{each.old} → {each.new}",
                partial(self._do_then_leave, partial(take_back_renaming, store, each)),
            )
            for each in store.lately_renamed()
        ]
        return (*games, *names)

    def _row(self, game: GameEntry) -> str:
        return " ".join(_day_and_game(self.tx, outcome_in(game).named_entry))

    def _do_then_leave(self, act: Callable[[], None]) -> Action:
        act()
        return Pop(OK)


def _day_and_game(tx: Texts, entry: GameEntry) -> tuple[str, str]:
    """Return the day on which a game began, and its name with its players."""
    day = short_day_words(tx, iso_day(entry))
    return day, f"{game_words(tx, entry.game)}: {', '.join(entry.players)}"


def game_screen(ctx: Context, game: GameEntry) -> Screen:
    """Return a game at its end, or a page saying that it cannot be replayed."""
    table = resume_game(ctx, game.id)
    if table is None:
        return cannot_replay_page(ctx, game_words(ctx.texts, game.game), game)
    # a game that was only scored has no move
    return (LookBackScreen if table.steps else GameScreen)(ctx, game, table)


class GameScreen(MenuScreen):
    """One game of the history."""

    def __init__(self, ctx: Context, game: GameEntry, table: Table) -> None:
        super().__init__(ctx, day_played(ctx.texts, game))
        self.lines = (", ".join(game.players), ending(ctx.texts, game))
        self.table = table
        self.presentation = PRESENTATIONS[table.game.name]
        self.has_evaluation = can_evaluate(ctx, table)
        self._display_name = display_name_in(ctx.store, table.id)
        self._is_on_table = ctx.store.game_on_table() == table.id

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        points = (tx("title", "Points"), self._chart)
        evaluation = (
            tx("item", "The course"),
            lambda: Push(EvaluationScreen(self.ctx, self.table)),
        )
        to_table = (tx("item", "To the table"), self._open)
        scored = self.table.game.score is not None
        charts = (*((points,) if scored else ()), *((evaluation,) if self.has_evaluation else ()))
        delete = (tx("item", "Delete"), self._ask_to_delete)
        return (*charts, to_table, *(() if self._is_on_table else (delete,)))

    def _ask_to_delete(self) -> Action:
        tx = self.tx
        rows = (tx("item", "Keep"), tx("item", "Delete"))
        line = tx("line", "It can be brought back for 30 days.")
        screen = ConfirmScreen(self.ctx, self.title, rows, self._delete, line)
        return Push(screen)

    def _delete(self) -> Action:
        self.ctx.store.delete(self.table.id)
        has_moves = bool(self.table.steps)  # their list lies below
        return Pop(TICK, (lambda: Pop(TICK)) if has_moves else None)

    def _open(self) -> Action:
        """Put this game on the table; an unfinished game there waits in the history."""
        self.ctx.store.put_on_table(self.table.id)  # after a restart this game is resumed
        return Open(TICK, "table", table=self.table)

    def _chart(self) -> Action:
        report = points_report(self.tx, self.table, self._display_name)
        seats = tuple(
            replace(seat, name=curve.name, score=str(curve.points[-1]), note="")
            for seat, curve in zip(
                self.presentation.current_seats(self.tx, self.table.position),
                report.curves,
                strict=True,
            )
        )
        return Push(ReportScreen(self.ctx, report, seats))


class LookBackScreen(MovesScreen):
    """A game of the history, opened at its end: its moves, and the board after the marked one.

    ENTER opens what can be done with the game, STAR shows the board close up.
    """

    def __init__(self, ctx: Context, game: GameEntry, table: Table) -> None:
        super().__init__(ctx, table)
        self.title = self.presentation.name(ctx.texts)
        self.game = game

    def star(self) -> tuple[str, Callable[[], Action]] | None:
        return self.tx("soft", "board"), self.look

    def frame(self) -> Frame:
        frame, tx = super().frame(), self.tx
        position = self.position
        seats = self.presentation.current_seats(tx, position)
        return replace(
            frame,
            header=replace(frame.header, corner=ending(tx, self.game)),
            extras=Extras(
                details=self.presentation.details(tx, position),
                seats=tuple(replace(seat, name=self.display_name(seat.name)) for seat in seats),
            ),
        )

    def _open_menu(self, index: int) -> Action:
        self.selected = index
        return Push(GameScreen(self.ctx, self.game, self.table))


class EveningsScreen(ListScreen):
    """Evenings of more than one game, the latest first; choosing one shows its results."""

    def __init__(self, ctx: Context) -> None:
        played = outcomes(ctx.store, finished=True)
        self.evenings = evenings(played, pause(ctx), sessions_of(ctx.store))[:EVENING_LIMIT]
        tx = ctx.texts
        items = tuple(
            tx(
                "line",
                "{day} {names}: {n}",
                day=short_day_words(tx, iso_day(evening.games[0].entry)),
                names=", ".join(evening.names),
                n=len(evening.games),
            )
            for evening in self.evenings
        )
        lines = () if items else (tx("line", "Nobody played twice in a row yet."),)
        super().__init__(ctx, tx("title", "Evenings"), items, self._open_evening, lines=lines)

    def _open_evening(self, index: int) -> Action:
        return Push(EveningScreen(self.ctx, self.evenings[index]))


class StatisticsScreen(ListScreen):
    """The kinds of game that were finished, the most played first."""

    def __init__(self, ctx: Context) -> None:
        tx = ctx.texts
        self.games = count(outcomes(ctx.store, finished=True))
        rows = tuple(f"{game_words(tx, each.game)}: {each.games}" for each in self.games)
        lines = () if rows else (tx("line", "No game was finished yet."),)
        super().__init__(ctx, tx("title", "Statistics"), rows, self._open_game, lines=lines)

    def _open_game(self, index: int) -> Action:
        report = statistics_report(self.tx, self.games[index])
        return Push(ReportScreen(self.ctx, report))
