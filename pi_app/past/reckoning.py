"""Evaluations of games, worked out in the background by a process of low priority, and kept."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from pi_app.files.worker import Job, Worker
from pi_app.past.evaluation import (
    content_key,
    evaluation_lines,
    has_evaluation,
    store_evaluation,
    stored_evaluation,
)
from pi_app.store.derived import Derived
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import Table
from pi_app.texts.language import Texts

if TYPE_CHECKING:
    from ai.evaluation import Evaluation

log = logging.getLogger(__name__)

QUIET_S = 2.0
"""So long after it was asked for the work begins: until then a result is shown and read."""
COMMAND = (sys.executable, "-P", "-m", "ai.worker", "--low")
"""What works a course out; `-P`: nothing of the working directory is taken for a module."""


class Reckoning:
    """The evaluation of one game, as far as it is known."""

    def __init__(self, tags: Mapping[str, str], tokens: Sequence[str]) -> None:
        self.tags = dict(tags)
        self.tokens = list(tokens)
        self.key = content_key(tags, tokens)
        self.done = 0
        """So many moves are worked out."""
        self.evaluation: Evaluation | None = None
        self.over = False
        """Whether nobody works on it: it is known, it failed, or it was left."""
        self.job: Job | None = None
        """What works on it, once that began."""

    @property
    def total(self) -> int:
        """How many moves there are."""
        return len(self.tokens)

    def leave(self) -> None:
        """Work on it no longer; callable from any thread, also late."""
        self.over = True
        if self.job is not None:
            self.job.drop()

    def find(self, job: Job, derived: Derived, command: Sequence[str], quiet_s: float) -> None:
        """Look it up, else work it out and keep it; whatever fails leaves it unknown."""
        self.job = job
        if self.over:  # it was left before anybody knew the job
            return
        try:
            self.evaluation = stored_evaluation(derived, self.key)
            if self.evaluation is None:
                job.wait(quiet_s)
                self.evaluation = self._read_evaluation(job.lines(command, self._told()))
                store_evaluation(derived, self.key, self.evaluation)
        except (OSError, ValueError) as error:
            log.warning("the course of a game could not be worked out: %s", error)
        finally:
            self.over = True

    def _told(self) -> Mapping[str, object]:
        return {"tags": self.tags, "tokens": self.tokens}

    def _read_evaluation(self, lines: Iterable[str]) -> Evaluation:
        """Return the evaluation in a process's output; ValueError where it is none."""
        from ai.evaluation import Evaluation  # a start does not need it

        line = ""
        for line in lines:
            if line.rstrip().isdecimal():
                self.done = int(line)
        if not line.startswith("{"):
            raise ValueError("its process ended early")
        return Evaluation.from_text(line)


class Evaluations:
    """The evaluations that a table asks for, made one at a time. Callable in any thread."""

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

    def evaluate(self, table: Table) -> Reckoning | None:
        """Start evaluating a finished game and return its evaluation; None if it has none."""
        if not _can_evaluate(table):
            return None
        return self._begin(Reckoning(table.tags, list(table.tokens())))

    def glance(self, table: Table) -> Reckoning | None:
        """Return it only if that takes nothing from another game that is being worked on.

        What was kept is read at once, so this is nothing for the loop.
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
        with self._lock:
            current = self._current
            if (
                current is not None
                and current.key == reckoning.key
                and (current.evaluation or not current.over)
            ):
                return current
            if current is not None:
                current.leave()
            self._current = reckoning

        def find(job: Job) -> None:
            reckoning.find(job, self._derived, self._command, self._quiet_s)

        # the loop shows anew when it is over
        if self._worker.begin(find, lambda _: None, idle=True) is None:
            reckoning.over = True
        return reckoning

    def leave(self) -> None:
        """Work on nothing: a game is played, or the program ends."""
        with self._lock:
            if self._current is not None:
                self._current.leave()


def evaluation_or_progress(tx: Texts, table: Table, reckoning: Reckoning | None) -> tuple[str, ...]:
    """Say how a game went, as far as that is known; else how far the work is."""
    if reckoning is not None and reckoning.evaluation is not None:
        presentation = PRESENTATIONS[table.game.name]
        return evaluation_lines(tx, presentation, reckoning.evaluation, table.start, table.steps)
    if reckoning is None or reckoning.over:
        return (tx("line", "The course could not be worked out."),)
    n, total = reckoning.done, reckoning.total
    return (tx("line", "Working it out: move {n} of {total}.", n=n, total=total),)


def _can_evaluate(table: Table) -> bool:
    over = table.position.result is not None
    return has_evaluation(table.game.name, len(table.steps), over=over)
