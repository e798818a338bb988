"""A player's times tables: a picture of the known ones, and practice without cards."""

from dataclasses import dataclass, replace

from hardware.keys import Key
from pi_app.past.times_tables import (
    TASKS,
    Mastery,
    Tables,
    Task,
    count_wrong_answer,
    store_answer,
    tables_of,
)
from pi_app.screens.base import BAD, OK, TICK, Action, Pop, Push, Replace, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.times_tables_words import (
    count_lines,
    curves_of,
    find_task,
    tables_picture,
    task_line,
    task_words,
)
from pi_app.view.frame import (
    Board,
    Body,
    Entry,
    Extras,
    Frame,
    Header,
    Seat,
    Tone,
    clamp,
    scroll,
    soft,
)

TRIES = 2
"""How often a task is asked before its answer is shown."""
DIGITS = 3
"""The most digits of an answer: the largest product is 100."""


class TablesScreen(Screen):
    """My tables: all products, and how many tasks are known, shaky or need practice.

    STAR shows the history over the days; a tap on a product describes its task. It is shown to the
    people at the table, not on every page that watches.
    """

    def __init__(self, ctx: Context, name: str) -> None:
        super().__init__(ctx)
        self.name = name
        self.over_time = False
        """Whether the history over the days is shown instead of the products."""
        self.tapped: Task | None = None
        """The task whose product was touched, described until the next key."""

    def frame(self) -> Frame:
        tx, now = self.tx, self.ctx.now()
        tables = tables_of(self.ctx.store, self.name)
        counts = tables.counts(now)
        other = tx("soft", "table") if self.over_time else tx("soft", "chart")
        keys = [(Key.ENTER, tx("soft", "train")), (Key.BACK, tx("soft", "back"))]
        if tables.history:
            keys.insert(1, (Key.STAR, other))
        frame = Frame(
            Header(self.name, corner=f"{counts[Mastery.KNOWN]}/{len(TASKS)}"),
            board=Board(close_up=True),
            keys=soft(*keys),
        )
        if self.over_time:
            curves = curves_of(tx, tables)
            seats = (
                Seat(curve.name, curve.colour, curve.name[:1].upper(), str(curve.points[-1]))
                for curve in curves
            )
            board = replace(frame.board, curves=curves)
            return replace(frame, board=board, extras=Extras(seats=tuple(seats)))
        lines = count_lines(tx, tables, now)
        if self.tapped is not None:
            lines = (task_line(tx, tables, self.tapped, now), *lines)
        return replace(
            frame,
            body=Body(lines=lines),
            board=replace(frame.board, picture=tables_picture(tables, now)),
        )

    def press(self, key: Key) -> Action:
        if key in (Key.BACK, Key.BACK_HELD):
            return Pop(TICK)
        self.tapped = None
        if key is Key.STAR and tables_of(self.ctx.store, self.name).history:
            self.over_time = not self.over_time
        elif key is Key.ENTER:
            return Push(PracticeScreen(self.ctx, self.name))
        else:
            return Stay(BAD)
        return Stay(TICK)

    def tap(self, name: str) -> Action:
        self.tapped = find_task(name)
        return Stay(BAD if self.tapped is None else TICK)


@dataclass(frozen=True, slots=True)
class _Question:
    """One task of a round with its factors in the order in which they are asked."""

    task: Task
    factors: tuple[int, int]

    @property
    def product(self) -> int:
        return self.task[0] * self.task[1]

    @property
    def words(self) -> str:
        return task_words(self.factors)


class PracticeScreen(Screen):
    """A round of the weakest tasks: the player keys the product, with two tries for each task.

    The first try counts for the scheduler; every answer is stored before its result is shown.
    Results follow at the end, also of a round that BACK ends.
    """

    def __init__(self, ctx: Context, name: str) -> None:
        super().__init__(ctx)
        self.name = name
        tables = tables_of(ctx.store, name)
        self.round = [_question_for(tables, task) for task in tables.weakest(ctx.now())]
        self.at = 0
        """Index of the current task in `round`; the number of tasks once the results are shown."""
        self.digits = ""
        self.refused = ""
        """The last answer if it was wrong, shown until the next key."""
        self.tries = 0
        """How many answers the current task has had."""
        self.before = ""
        """The task before with its product, if it was solved."""
        self.missed: list[_Question] = []
        """The tasks whose first answer was wrong."""
        self.top = 0
        """The first line shown of the results."""

    @property
    def _question(self) -> _Question | None:
        return self.round[self.at] if self.at < len(self.round) else None

    def frame(self) -> Frame:
        tx, question = self.tx, self._question
        if question is None:
            return self._summary_frame()
        frame = Frame(
            Header(self.name, corner=f"{self.at + 1}/{len(self.round)}"),
            keys=soft((Key.BACK, tx("soft", "back"))),
        )
        solved = f"{question.words} = {question.product}"
        if self.tries == TRIES:  # both answers were wrong: the right one is shown
            keys = soft((Key.ENTER, tx("soft", "more")), (Key.BACK, tx("soft", "back")))
            return replace(frame, body=Body(big=solved), keys=keys)
        wrong = tx("verdict", "No. Try once more.") if self.refused else ""
        text = f"{question.words} = {self.digits or self.refused or '?'}"
        keys = frame.keys
        if self.digits:
            keys = soft((Key.ENTER, tx("soft", "ok")), (Key.BACK, tx("soft", "delete")))
        right = tx("line", "Right: {pair}", pair=self.before) if self.before else ""
        return replace(
            frame,
            body=Body(
                entry=Entry(text, wrong, Tone.BAD if wrong else Tone.PLAIN),
                lines=(right,) if right and not wrong and not self.digits else (),
            ),
            keys=keys,
        )

    def _summary_frame(self) -> Frame:
        tx, most = self.tx, len(self.round)
        missed = tuple(f"{question.words} = {question.product}" for question in self.missed)
        wrong = (tx("line", "Not at once:"), *missed) if missed else ()
        right = tx("line", "Right at once: {n} of {most}", n=most - len(self.missed), most=most)
        return Frame(
            Header(self.name),
            Body(lines=(right, *wrong), top=self.top),
            keys=soft(
                (Key.ENTER, tx("soft", "again")),
                (Key.BACK, tx("soft", "back")),
                scroll(tx("soft", "more")),
            ),
        )

    def press(self, key: Key) -> Action:
        question = self._question
        if key is Key.BACK and self.digits:
            self.digits = self.digits[:-1]
            return Stay(TICK)
        if key in (Key.BACK, Key.BACK_HELD):
            # end the round after the answered tasks and show the results; leave if there are
            # none
            answered = self.at + (1 if self.tries else 0)  # one wrong answer is an answer too
            if self._question is None or not answered:
                return Pop(TICK)
            del self.round[answered:]
            self.at = answered
            return Stay(TICK)
        if question is None:
            if key in (Key.UP, Key.DOWN):
                self.top = clamp(self.top + key.step, self._summary_frame().body.lines)
                return Stay(TICK)
            if key is Key.ENTER:
                return Replace(PracticeScreen(self.ctx, self.name))
            return Stay(BAD)
        if self.tries == TRIES:  # any key goes on
            self._next("")
            return Stay(TICK)
        if key is Key.ENTER and self.digits:
            return self._judge_answer(question)
        if key.digit is None or len(self.digits) == DIGITS or (key is Key.D0 and not self.digits):
            return Stay(BAD)
        self.refused = ""
        self.digits += key.value
        return Stay(TICK)

    def _judge_answer(self, question: _Question) -> Action:
        right = int(self.digits) == question.product
        store, now = self.ctx.store, self.ctx.now()
        # the scheduler gets the first answer; a second wrong one only counts as a mistake
        if self.tries == 0:
            store_answer(store, self.name, question.task, now, right=right)
        elif not right:
            count_wrong_answer(store, self.name, question.task, now)
        if right:
            self._next(f"{question.words} = {question.product}")
            return Stay(OK)
        if self.tries == 0:
            self.missed.append(question)
        self.tries, self.refused, self.digits = self.tries + 1, self.digits, ""
        return Stay(BAD)

    def _next(self, before: str) -> None:
        self.at, self.tries = self.at + 1, 0
        self.digits, self.refused, self.before = "", "", before


def _question_for(tables: Tables, task: Task) -> _Question:
    """Return a task as a question; its factors swap places each time it is asked."""
    progress = tables.tasks.get(task)
    times = 0 if progress is None else progress.right + progress.wrong
    a, b = task
    return _Question(task, (a, b) if times % 2 == 0 else (b, a))
