"""Evaluates games in the background, in a process of low priority, and stores the evaluations."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from pi_app.files.own_process import own_command
from pi_app.files.worker import Job, Worker
from pi_app.past.evaluation import (
    content_key,
    course_report,
    has_evaluation,
    store_evaluation,
    stored_evaluation,
)
from pi_app.store.derived import Derived
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.report import Report

if TYPE_CHECKING:
    from ai.evaluation import Evaluation

log = logging.getLogger(__name__)

QUIET_S = 2.0
"""How long the work waits after the request: people are reading the result."""
COMMAND = own_command("ai.worker", "--low")
"""The process that evaluates a game; with `-P` it imports nothing from the working directory."""


class Reckoning:
    """The evaluation of one game, or how far the work on it is."""

    def __init__(self, tags: Mapping[str, str], tokens: Sequence[str]) -> None:
        self.tags = dict(tags)
        self.tokens = list(tokens)
        self.key = content_key(tags, tokens)
        self.done = 0
        """The number of moves that are evaluated."""
        self.evaluation: Evaluation | None = None
        self.over = False
        """Whether the work has ended: it is done, failed, or was given up."""
        self.job: Job | None = None
        """The job that works on it, once begun."""
        self.waiting: list[Callable[[Evaluation], None]] = []
        """What the loop calls when the evaluation is ready."""

    @property
    def total(self) -> int:
        """The number of moves in the game."""
        return len(self.tokens)

    def deliver(self) -> None:
        """Call everything that waits for the evaluation; only in the loop, once the work ended."""
        waiting, self.waiting = self.waiting, []
        for ready in waiting:
            if self.evaluation is not None:
                ready(self.evaluation)

    def leave(self) -> None:
        """Give up the work; callable from any thread at any time."""
        self.over = True
        if self.job is not None:
            self.job.drop()

    def find(self, job: Job, derived: Derived, command: Sequence[str], quiet_s: float) -> None:
        """Look the evaluation up, or compute and store it; if that fails, it stays None."""
        self.job = job
        if self.over:  # it was given up before the job began
            return
        try:
            self.evaluation = stored_evaluation(derived, self.key)
            if self.evaluation is None:
                job.wait(quiet_s)
                game: Mapping[str, object] = {"tags": self.tags, "tokens": self.tokens}
                self.evaluation = self._read_evaluation(job.lines(command, game))
                store_evaluation(derived, self.key, self.evaluation)
        except (OSError, ValueError) as error:
            log.warning("the course of a game could not be worked out: %s", error)
        finally:
            self.over = True

    def _read_evaluation(self, lines: Iterable[str]) -> Evaluation:
        """Read progress and evaluation from a process's output; ValueError if it holds none."""
        from ai.evaluation import Evaluation  # not needed at a start

        line = ""
        for line in lines:
            if line.rstrip().isdecimal():
                self.done = int(line)
        if not line.startswith("{"):
            raise ValueError("its process ended early")
        return Evaluation.from_text(line)


class Evaluations:
    """Evaluates games for a table, one at a time. Callable from any thread."""

    def __init__(
        self,
        derived: Derived,
        worker: Worker,
        command: Sequence[str],
        quiet_s: float,
    ) -> None:
        self._derived = derived
        self._worker = worker
        self._command = command
        self._quiet_s = quiet_s
        self._lock = Lock()
        self._current: Reckoning | None = None

    def evaluate(
        self, table: Table, ready: Callable[[Evaluation], None] | None = None
    ) -> Reckoning | None:
        """Start evaluating a finished game and return the reckoning; None if it cannot be done.

        `ready` is called in the loop with the evaluation, unless the work is given up or fails.
        """
        if not _can_evaluate(table):
            return None
        reckoning = Reckoning(table.tags, list(table.tokens()))
        if ready is not None:
            reckoning.waiting.append(ready)
        current = self._begin(reckoning)
        if current.evaluation is not None:  # it was ready before
            current.deliver()
        return current

    def glance(self, table: Table) -> Reckoning | None:
        """Return the reckoning, but start it only if no other game is being evaluated.

        A stored evaluation is read from the disk, so the loop must not call this.
        """
        if not _can_evaluate(table):
            return None
        reckoning = Reckoning(table.tags, list(table.tokens()))
        reckoning.evaluation = stored_evaluation(self._derived, reckoning.key)
        if reckoning.evaluation is not None:
            return reckoning
        current = self._current
        if current is None or current.over or current.key == reckoning.key:
            return self._begin(reckoning)
        return reckoning

    def _begin(self, reckoning: Reckoning) -> Reckoning:
        """Begin a reckoning and drop that of another game; return a current one of this game."""
        with self._lock:
            current = self._current
            if (
                current is not None
                and current.key == reckoning.key
                # one that failed is tried again
                and (current.evaluation or not current.over)
            ):
                current.waiting += reckoning.waiting
                return current
            if current is not None:
                current.leave()
            self._current = reckoning

        def find(job: Job) -> None:
            reckoning.find(job, self._derived, self._command, self._quiet_s)

        # the loop shows a new frame when it is over
        if self._worker.begin(find, lambda _: reckoning.deliver(), idle=True) is None:
            reckoning.over = True
        return reckoning

    def leave(self) -> None:
        """Give up all work: a game is being played, or the program ends."""
        with self._lock:
            if self._current is not None:
                self._current.leave()


def report_or_progress(
    tx: Texts,
    table: Table,
    reckoning: Reckoning | None,
    display_name: Callable[[str], str] = str,
) -> Report:
    """Return a game's course; if it is not ready, a report that says how far the work is."""
    if reckoning is not None and reckoning.evaluation is not None:
        presentation = PRESENTATIONS[table.game.name]
        played = (reckoning.evaluation, table.start, table.steps)
        return course_report(tx, presentation, *played, display_name)
    if reckoning is None or reckoning.over:
        line = tx("line", "The course could not be worked out.")
    else:
        n, total = reckoning.done, reckoning.total
        line = tx("line", "Working it out: move {n} of {total}.", n=n, total=total)
    return Report(tx("title", "Chances in %"), (line,))


def _can_evaluate(table: Table) -> bool:
    over = table.position.result is not None
    return has_evaluation(table.game.name, len(table.steps), over=over)
