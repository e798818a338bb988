"""Asks a player about moments: the position, what to play, and what would have been better."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Step, attempt
from hardware.keys import Key
from pi_app.past.moments import (
    MomentQuestion,
    due_moments,
    moments_of,
    question_of,
    store_answer,
)
from pi_app.screens.base import BAD, OK, TICK, Action, Pop, Replace, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.playing.games import SCREENS, MomentScreens, has_moments
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.texts.language import Texts
from pi_app.view.frame import Board, Body, Extras, Frame, Header, Mark, Tone, clamp, scroll, soft

WHY = 2
"""How many reasons are given for the best move."""


class Asking:
    """A player's way through questions: each has a screen that asks, and one that tells.

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
        moments = moment_screens(question.table.game.name)
        turn = moments.turn(self.ctx, question.table, question.played.token, self.corner)
        turn.answer = self._answer
        return turn

    def _answer(self, token: str) -> Action:
        """Store the answer, then tell whether it is right."""
        question = self.questions[self.at]
        step = attempt(question.table.position, token)
        if not isinstance(step, Step):
            return Stay(BAD)
        right = question.is_right(step)
        store_answer(self.ctx.store, self.name, question.moment, self.ctx.now(), right=right)
        self.answered += 1
        self.right += right
        return Replace(OK if right else BAD, screen=AnswerScreen(self, question, step))

    def go_on(self) -> Action:
        """Ask the next question, or go back after the last one."""
        self.at += 1
        return Replace(TICK, screen=self.screen()) if self.at < len(self.questions) else Pop(TICK)


def questions_for(ctx: Context, name: str, game: int | None = None) -> list[MomentQuestion]:
    """Return what a player can be asked now, about all games or one."""
    due = due_moments(moments_of(ctx.store, name), ctx.now(), game)
    questions = (question_of(moment) for moment in due if has_moments(moment.tags["Game"]))
    return [question for question in questions if question is not None]


def moment_screens(game: str) -> MomentScreens:
    """Return how a kind of game asks; ValueError if it does not."""
    moments = SCREENS[game].moments
    if moments is None:
        raise ValueError(f"{game} has no moments")
    return moments


class AnswerScreen(Screen):
    """Tells whether an answer is right, the best move and why, and what was played then."""

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
            board=Board(picture, close_up=True),  # only looked at: no digits are keyed
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
        "move": presentation.tip_words(tx, step),
        "better": presentation.tip_words(tx, question.best),
    }
    if step.after == question.best.after:
        verdict = tx("line", "{move}: nothing is better.", **moves)
    elif question.is_right(step):
        verdict = tx("line", "{move} is as good as {better}.", **moves)
    else:
        verdict = tx("line", "Better than {move}: {better}", **moves)
    moment = question.moment
    reasons = (
        presentation.reason_words(tx, question.best, code, facts) for code, facts in moment.reasons
    )
    played = tx(
        "line",
        "In the game: {move}, {points} percentage points less.",
        move=presentation.tip_words(tx, question.played),
        points=round(100 * moment.lost),
    )
    return (verdict, *[reason for reason in reasons if reason][:WHY], played)
