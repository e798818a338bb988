"""A player's moments: how many wait, also while games are evaluated, and asking them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from engines.game import Step, attempt
from hardware.keys import Key
from pi_app.past.moments import (
    MomentQuestion,
    days_until_next,
    due_moments,
    games_looked_through,
    moments_of,
    question_of,
    store_answer,
    take_moments,
)
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    ListScreen,
    Open,
    Pop,
    Push,
    Replace,
    Screen,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.playing.games import (
    SCREENS,
    has_moments,
    playable_games,
    resume_game,
)
from pi_app.screens.playing.turn import TurnScreen
from pi_app.table.players import companions, people_of
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.table import Table
from pi_app.texts.common import join_names
from pi_app.texts.language import Texts
from pi_app.view.frame import Board, Body, Extras, Frame, Header, Mark, Tone, clamp, scroll, soft

if TYPE_CHECKING:
    from ai.evaluation import Evaluation

WHY = 2
"""How many reasons are given for the best move."""
LATEST_GAMES = 20
"""How many of the latest games at this table are looked at for a player's moments."""


class Asking:
    """A player's round of questions: each has a screen that asks, and one that tells.

    An answer is stored before it is judged on a display.
    """

    def __init__(self, ctx: Context, name: str, questions: Sequence[MomentQuestion]) -> None:
        self.ctx = ctx
        self.name = name
        self.questions = questions
        self.at = 0
        """Index of the question that is asked; the number of questions after the last."""
        self.right = 0
        """How many answers were right."""
        self.answered = 0
        """How many questions were answered."""

    @property
    def corner(self) -> str:
        """Which of the questions this is."""
        return f"{self.at + 1}/{len(self.questions)}"

    def screen(self) -> Screen:
        """Return the screen that asks the next question."""
        question = self.questions[self.at]
        ask = SCREENS[question.table.game.name].moments
        if ask is None:
            raise ValueError(f"{question.table.game.name} has no moments")
        turn = ask(self.ctx, question.table, question.played.token, self.corner)
        turn.answer = self._store_answer
        return TurnScreen(turn)

    def _store_answer(self, token: str) -> Action:
        """Store the answer, then tell whether it is right."""
        question = self.questions[self.at]
        step = attempt(question.table.position, token)
        if not isinstance(step, Step):
            return Stay(BAD)
        right = question.is_right(step)
        store_answer(self.ctx.store, self.name, question.moment, self.ctx.now(), right=right)
        self.answered += 1
        self.right += right
        return Replace(AnswerScreen(self, question, step), signals=OK if right else BAD)

    def go_on(self) -> Action:
        """Ask the next question, or go back after the last one."""
        self.at += 1
        return Replace(self.screen()) if self.at < len(self.questions) else Pop(TICK)


def questions_for(ctx: Context, name: str, game: int | None = None) -> list[MomentQuestion]:
    """Return a player's questions now, about all games or one."""
    due = due_moments(moments_of(ctx.store, name), ctx.now(), game)
    questions = (question_of(moment) for moment in due if has_moments(moment.tags["Game"]))
    return [question for question in questions if question is not None]


class AnswerScreen(Screen):
    """Tells whether an answer is right, the best move and why, and the move played then."""

    def __init__(self, asking: Asking, question: MomentQuestion, step: Step) -> None:
        super().__init__(asking.ctx)
        self.asking = asking
        self.question = question
        self.step = step
        self.table = question.table
        self.top = 0
        """The first sentence shown."""

    def frame(self) -> Frame:
        tx, question = self.tx, self.question
        position = self.table.position
        presentation = PRESENTATIONS[self.table.game.name]
        right = question.is_right(self.step)
        picture = presentation.picture(tx, position).with_mark(Mark.SELECTED, question.best.places)
        return Frame(
            Header(
                self.asking.name,
                position.players[position.seat].colour,
                self.asking.corner,
                self.asking.corner,
            ),
            Body(
                big=tx("big", "Right") if right else tx("big", "No"),
                tone=Tone.GOOD if right else Tone.BAD,
                lines=answer_lines(tx, presentation, question, self.step),
                top=self.top,
            ),
            board=Board(picture, close_up=True),  # shown at full size, as no digits are keyed
            extras=Extras(seats=presentation.current_seats(tx, position)),
            keys=soft(
                (Key.ENTER, tx("soft", "go on")),
                (Key.BACK, tx("soft", "back")),
                scroll(tx("soft", "more")),
            ),
        )

    def press(self, key: Key) -> Action:
        if key in (Key.UP, Key.DOWN):
            before = self.top
            self.top = clamp(before + key.step, self.frame().body.lines)
            return Stay(BAD if self.top == before else TICK)
        if key in (Key.BACK, Key.BACK_HELD, Key.MENU, Key.MENU_HELD):
            return Pop(TICK)
        return self.asking.go_on() if key is Key.ENTER else Stay(BAD)


def answer_lines(
    tx: Texts, presentation: AnyPresentation, question: MomentQuestion, step: Step
) -> tuple[str, ...]:
    """Judge an answer in sentences: the best move, the reasons for it, and the move played."""
    moves = {
        "move": presentation.moves.tip(tx, step),
        "better": presentation.moves.tip(tx, question.best),
    }
    if step.after == question.best.after:
        verdict = tx("line", "{move}: nothing is better.", **moves)
    elif question.is_right(step):
        verdict = tx("line", "{move} is as good as {better}.", **moves)
    else:
        verdict = tx("line", "Better than {move}: {better}", **moves)
    moment = question.moment
    reasons = (
        presentation.moves.reason(tx, question.best, code, facts) for code, facts in moment.reasons
    )
    played = tx(
        "line",
        "In the game: {move}, {points} percentage points less.",
        move=presentation.moves.tip(tx, question.played),
        points=round(100 * moment.lost),
    )
    return (verdict, *[reason for reason in reasons if reason][:WHY], played)


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
    """Shows how many moments wait for a player, of one game or all; ENTER asks them."""

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

    def frame(self) -> Frame:
        tx, waiting = self.tx, questions_for(self.ctx, self.name, self.game)
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
        questions = questions_for(self.ctx, self.name, self.game) if key is Key.ENTER else []
        if not questions:
            return Stay(BAD)
        self.asking, self.top = Asking(self.ctx, self.name, questions), 0
        return Push(self.asking.screen())


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
    """Yield the latest games that were never searched for this player's moments."""
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
    """Chooses the player to ask about a finished game; shows how many moments wait for each."""

    def __init__(self, ctx: Context, table: Table, people: tuple[str, ...]) -> None:
        self.table = table
        self.people = people
        super().__init__(ctx, ctx.texts("title", "Your moments"), self._labels, self._choose_row)
        self.evaluating = Evaluating(ctx, [table])

    def _labels(self) -> tuple[str, ...]:
        moments = {name: moments_of(self.ctx.store, name) for name in self.people}
        now, game = self.ctx.now(), self.table.id
        return tuple(f"{name}: {len(due_moments(own, now, game))}" for name, own in moments.items())

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
        return Push(MomentsScreen(self.ctx, self.people[index], self.table))


def open_screen(ctx: Context, asked: Open) -> Screen:
    """Return the screen that asks about a finished game's moments, or about all of a player's."""
    table = asked.table
    if table is None:
        return MomentsScreen(ctx, asked.player)
    people = people_of(ctx.store, table.id, table.start.players)
    if len(people) == 1:
        return MomentsScreen(ctx, people[0], table)
    return WhoseMoments(ctx, table, people)
