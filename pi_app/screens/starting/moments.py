"""How many moments wait for a player, also while games are evaluated; asking begins here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from hardware.keys import Key
from pi_app.past.moments import (
    MomentQuestion,
    days_until_next,
    due_moments,
    games_looked_through,
    moments_of,
    take_moments,
)
from pi_app.screens.base import BAD, TICK, Action, ListScreen, Open, Pop, Push, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.playing.games import has_moments, playable_games, resume_game
from pi_app.screens.starting.moment_asking import Asking, questions_for
from pi_app.table.players import companions, people_of
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.common import join_names
from pi_app.texts.language import Texts
from pi_app.view.frame import Body, Frame, Header, clamp, scroll, soft

if TYPE_CHECKING:
    from ai.evaluation import Evaluation

LATEST_GAMES = 20
"""How many of the latest games at this table are looked at for a player's moments."""


def moments_of_game(ctx: Context, table: Table) -> Screen:
    """Return the screen that asks about the moments of a finished game."""
    people = people_of(ctx.store, table.id, table.start.players)
    if len(people) == 1:
        return MomentsScreen(ctx, people[0], table)
    return WhoseMoments(ctx, table, people)


class Evaluating:
    """Evaluates games for their moments, one after the other, beside the loop."""

    def __init__(self, ctx: Context, games: Iterable[Table]) -> None:
        self._ctx = ctx
        self._games = iter(games)
        self.ended = False
        """Whether nothing is left to do."""
        self.failed = False
        """Whether the last game could not be evaluated."""
        self._begin()

    def _begin(self) -> None:
        """Begin with the next game."""
        table = next(self._games, None)
        evaluations = self._ctx.evaluations
        if table is None or evaluations is None:
            self.ended = True
            return

        def done(evaluation: Evaluation | None) -> None:
            self.failed = evaluation is None
            if evaluation is not None:
                take_moments(self._ctx.store, table, evaluation)
            self._begin()

        evaluations.begin(table, done)

    def lines(self) -> tuple[str, ...]:
        """Say that the work goes on, or that it failed; () when all is done."""
        tx = self._ctx.texts
        if not self.ended:
            return (tx("line", "Thinks ..."),)
        return (tx("line", "The course could not be worked out."),) if self.failed else ()


class MomentsScreen(Screen):
    """How many moments wait for a player, those of one game or all; ENTER asks them."""

    def __init__(self, ctx: Context, name: str, table: Table | None = None) -> None:
        super().__init__(ctx)
        self.name = name
        self.game = None if table is None else table.id
        """The game whose moments are asked; None: all games."""
        self.asking: Asking | None = None
        """The questions that were asked last."""
        self.top = 0
        """The first sentence shown."""
        games = games_to_evaluate(ctx, name) if table is None else [table]
        self.evaluating = Evaluating(ctx, games)

    def _questions(self) -> list[MomentQuestion]:
        """Return what can be asked now."""
        return questions_for(self.ctx, self.name, self.game)

    def frame(self) -> Frame:
        tx, waiting = self.tx, self._questions()
        ask = ((Key.ENTER, tx("soft", "train")),) if waiting else ()
        return Frame(
            Header(self.name, corner=str(len(waiting)) if waiting else ""),
            Body(lines=self._lines(len(waiting)), top=self.top),
            keys=soft(*ask, (Key.BACK, tx("soft", "back")), scroll(tx("soft", "more"))),
        )

    def _lines(self, waiting: int) -> tuple[str, ...]:
        tx, asking = self.tx, self.asking
        lines = []
        if asking is not None and asking.answered:
            facts = {"n": asking.right, "most": asking.answered}
            lines.append(tx("line", "Right: {n} of {most}", **facts))
        if waiting:
            lines.append(waiting_line(tx, waiting))
        progress = self.evaluating.lines()
        lines += progress
        if not waiting and not progress:
            lines.append(nothing_line(self.ctx, self.name, self.game))
        return tuple(lines)

    def press(self, key: Key) -> Action:
        if key in (Key.UP, Key.DOWN):
            self.top = clamp(self.top + key.step, self.frame().body.lines)
            return Stay(TICK)
        if key in (Key.BACK, Key.BACK_HELD, Key.MENU, Key.MENU_HELD):
            return Pop(TICK)
        questions = self._questions() if key is Key.ENTER else []
        if not questions:
            return Stay(BAD)
        self.asking, self.top = Asking(self.ctx, self.name, questions), 0
        return Push(TICK, screen=self.asking.screen())


def waiting_line(tx: Texts, waiting: int) -> str:
    """Say how many moments wait, at least one."""
    return tx.many(
        "line",
        "{n} moment waits: what would you play?",
        "{n} moments wait: what would you play?",
        waiting,
    )


def nothing_line(ctx: Context, name: str, game: int | None = None) -> str:
    """Say why nothing waits for a player, of one game or of all."""
    tx = ctx.texts
    moments = [each for each in moments_of(ctx.store, name) if game in (None, each.game)]
    days = days_until_next(moments, ctx.now())
    if days is not None:
        return tx.many(
            "line",
            "The next moment comes in {n} day.",
            "The next moment comes in {n} days.",
            days,
        )
    if game is not None:
        return tx("line", "Well played: no other move was clearly better.")
    games = [PRESENTATIONS[each].name(tx) for each in playable_games() if has_moments(each)]
    return tx(
        "line",
        "After a game of {game} your mistakes wait here: what would you play now?",
        game=join_names(tx, games),
    )


def games_to_evaluate(ctx: Context, name: str) -> Iterator[Table]:
    """Yield those of the latest games whose moments of this player were never looked for."""
    known = games_looked_through(ctx.store, name)
    for entry in ctx.store.list_games(LATEST_GAMES):
        if (
            entry.result is not None
            and entry.id not in known
            and name in entry.players
            and has_moments(entry.game)
            and name not in companions(ctx.store, entry.id)
        ):
            table = resume_game(ctx, entry.id)
            if table is not None:
                yield table


class WhoseMoments(ListScreen):
    """Whose moments of a finished game are asked; how many wait for each."""

    def __init__(self, ctx: Context, table: Table, people: tuple[str, ...]) -> None:
        self.table = table
        self.people = people
        super().__init__(ctx, ctx.texts("title", "Your moments"), self._labels, self._choose_row)
        self.evaluating = Evaluating(ctx, [table])

    def _labels(self) -> tuple[str, ...]:
        return tuple(f"{name}: {self._count(name)}" for name in self.people)

    def _count(self, name: str) -> int:
        moments = moments_of(self.ctx.store, name)
        return len(due_moments(moments, self.ctx.now(), self.table.id))

    def frame(self) -> Frame:
        frame = super().frame()
        lines = self.evaluating.lines()
        if not lines:
            return frame
        # nothing to choose from yet
        return Frame(
            frame.header, Body(lines=lines), keys=soft((Key.BACK, self.tx("soft", "back")))
        )

    def press(self, key: Key) -> Action:
        if self.evaluating.lines():
            return Pop(TICK) if key in (Key.BACK, Key.BACK_HELD) else Stay(BAD)
        return super().press(key)

    def _choose_row(self, index: int) -> Action:
        return Push(TICK, screen=MomentsScreen(self.ctx, self.people[index], self.table))


def open_screen(ctx: Context, asked: Open) -> Screen:
    """Return the screen that asks about a finished game's moments, or about all of a player's."""
    if asked.table is None:
        return MomentsScreen(ctx, asked.player)
    return moments_of_game(ctx, asked.table)
