"""Each player's knowledge of the times tables: answers, and when to ask a task again.

A task is two factors from 1 to 10, the smaller one first: a player who knows 4 × 9 also knows
9 × 4. Each time a task is asked, a spaced-repetition scheduler gets one answer to it; the caller
decides which.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from engines.notation import composed
from pi_app.store import Reader, Store
from pi_app.table.players import TABLES

if TYPE_CHECKING:
    from fsrs import Card, Scheduler

Task = tuple[int, int]
"""Two factors from 1 to 10, the smaller one first."""

TASKS: tuple[Task, ...] = tuple((a, b) for a in range(1, 11) for b in range(a, 11))
ROUND = 10
"""Tasks in a round of practice."""
DAY_LIMIT = 50
"""The most days in a player's history; earlier days are thinned out, but the first day stays."""
_TAUGHT = (10, 2, 5, 4, 8, 3, 6, 9, 7, 1)
"""The order in which schools teach the rows; new tasks are asked in it."""
_HISTORY = "course"
INTERVAL_LIMIT_DAYS = 180
"""Limit of days until something is due again."""
_LAST_TIME = 1 << 37
"""A Unix time in seconds, some thousand years from now: dates can still express it."""
# the scheduler's states
_LEARNING, _REVIEW, _RELEARNING = 1, 2, 3


class Mastery(StrEnum):
    """How well a player knows a task; NEW was not asked yet."""

    KNOWN = "known"
    SHAKY = "shaky"
    PRACTISE = "practise"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Practice:
    """A player's progress with one thing: right and wrong answers, and the scheduler's numbers.

    `state` is 1 (learning), 2 (review) or 3 (learning again), `step` counts within 1 and 3;
    `stability` is in days, `difficulty` from 1 to 10; `last` and `due` are in seconds of Unix time.
    """

    right: int
    wrong: int
    state: int
    step: int | None
    stability: float
    difficulty: float
    last: int
    due: int

    def standing(self, now: datetime) -> Mastery:
        """Return how well it is known now.

        After a wrong answer it needs practice; from the second right answer on it is known until it
        is due again.
        """
        if self.state == _REVIEW:
            return Mastery.KNOWN if now.timestamp() < self.due else Mastery.SHAKY
        # step 0: no right answer since the last wrong one
        return Mastery.SHAKY if self.step else Mastery.PRACTISE


@dataclass(frozen=True, slots=True)
class Day:
    """How many tasks were known, shaky and in need of practice at the end of a day."""

    day: date
    known: int
    shaky: int
    practise: int


@dataclass(frozen=True, slots=True)
class Tables:
    """The times tables of one player. `number` replaces the name where names are not shown.

    It is 0 for a player who never answered.
    """

    name: str
    number: int = 0
    tasks: Mapping[Task, Practice] = field(default_factory=dict)
    history: tuple[Day, ...] = ()

    def standing(self, task: Task, now: datetime) -> Mastery:
        progress = self.tasks.get(task)
        return Mastery.NEW if progress is None else progress.standing(now)

    def counts(self, now: datetime) -> Mapping[Mastery, int]:
        """Return how many of the 55 tasks have each standing."""
        counts = Counter(self.standing(task, now) for task in TASKS)
        return {standing: counts[standing] for standing in Mastery}

    def weakest(self, now: datetime, most: int = ROUND) -> tuple[Task, ...]:
        """Return the tasks to ask, the weakest first.

        First tasks with a wrong answer, then due tasks, both by the chance that they are
        forgotten; then new ones in the order of school; last tasks that are not due yet.
        """
        return tuple(sorted(TASKS, key=lambda task: self._weakness(task, now))[:most])

    def _weakness(self, task: Task, now: datetime) -> tuple[int, float, float, Task]:
        """Return the key by which `weakest` sorts.

        It begins with the group: 0 needs practice, 1 is due, 2 is new, 3 is not due yet.
        """
        progress = self.tasks.get(task)
        if progress is None:
            # the factor that is taught first, then the other one
            first, second = sorted(_TAUGHT.index(factor) for factor in task)
            return 2, first, second, task
        recall = float(
            _scheduler().get_card_retrievability(_card_of(progress), now.astimezone(UTC))
        )
        if progress.standing(now) is Mastery.PRACTISE:
            group = 0
        elif progress.due <= now.timestamp():
            group = 1
        else:
            group = 3
        return group, recall, -progress.difficulty, task


# --- answers


def store_answer(store: Store, name: str, task: Task, now: datetime, *, right: bool) -> None:
    """Store an answer that the scheduler counts; it is on the disk when this returns."""
    tables = tables_of(store, name)
    _store_tasks(
        store, tables, {task: answered(_scheduler(), tables.tasks.get(task), now, right=right)}, now
    )


def count_wrong_answer(store: Store, name: str, task: Task, now: datetime) -> None:
    """Store a further wrong answer, which the scheduler ignores."""
    tables = tables_of(store, name)
    progress = tables.tasks.get(task)
    if progress is not None:
        _store_tasks(store, tables, {task: replace(progress, wrong=progress.wrong + 1)}, now)


def restore(store: Store, name: str, before: Mapping[Task, Practice | None], now: datetime) -> None:
    """Undo answers: reset tasks to their progress before, None if they were never asked."""
    _store_tasks(store, tables_of(store, name), before, now)


# --- the scheduler, also for moments


def answered(
    scheduler: Scheduler, progress: Practice | None, now: datetime, *, right: bool
) -> Practice:
    """Return the progress after an answer; `progress` is None before the first one."""
    from fsrs import Card, Rating

    moment = now.astimezone(UTC)
    # without an id the scheduler would wait for one from the clock
    card = Card(card_id=0, due=moment) if progress is None else _card_of(progress)
    card, _ = scheduler.review_card(card, Rating.Good if right else Rating.Again, moment)
    right_before, wrong_before = (0, 0) if progress is None else (progress.right, progress.wrong)
    return Practice(
        right_before + right,
        wrong_before + (not right),
        int(card.state),
        None if card.step is None else int(card.step),
        round(float(card.stability or 0), 4),
        round(float(card.difficulty or 0), 4),
        int(moment.timestamp()),
        int(card.due.timestamp()),
    )


def _card_of(progress: Practice) -> Card:
    from fsrs import Card, State

    return Card(
        card_id=0,  # without an id each card would wait for one from the clock
        state=State(progress.state),
        step=progress.step,
        stability=progress.stability,
        difficulty=progress.difficulty,
        due=datetime.fromtimestamp(progress.due, UTC),
        last_review=datetime.fromtimestamp(progress.last, UTC),
    )


@cache
def _scheduler() -> Scheduler:
    """Return the scheduler. It uses no chance: the same answers give the same days."""
    from fsrs import Scheduler

    return Scheduler(enable_fuzzing=False, maximum_interval=INTERVAL_LIMIT_DAYS)


# --- in the store


def tables_of(store: Reader, name: str) -> Tables:
    """Return a player's times tables; empty for a new player."""
    return _read(name, store.recall_under(f"{TABLES}{name}/"))


def all_tables(store: Reader) -> list[Tables]:
    """Return the tables of all players who answered, by number."""
    rows: dict[str, dict[str, str]] = {}
    for key, text in store.recall_under(TABLES).items():
        name, _, part = key.rpartition("/")  # from the right: a name may contain a slash
        rows.setdefault(composed(name), {})[part] = text
    tables = (_read(name, parts) for name, parts in rows.items())
    return sorted(
        (player_tables for player_tables in tables if player_tables.tasks),
        key=lambda player_tables: player_tables.number,
    )


def forget_tables(store: Store, name: str) -> None:
    """Delete a player's answers; the number is not given to anybody else."""
    prefix = f"{TABLES}{name}/"
    rows = dict.fromkeys(store.recall_under(prefix), "")  # as for tasks that were never asked
    if rows:
        # an empty history, which keeps the number
        blank = Tables(name, tables_of(store, name).number)
        rows[_HISTORY] = _history_text(blank)
        store.remember_all({prefix + part: text for part, text in rows.items()})


def _store_tasks(
    store: Store, tables: Tables, changed: Mapping[Task, Practice | None], now: datetime
) -> None:
    """Store tasks and the history, in a small row each."""
    texts = store.recall_under(TABLES).items()
    histories = (_read_history(text) for key, text in texts if key.endswith(f"/{_HISTORY}"))
    highest_number = max((number for number, _ in histories), default=0)
    number = tables.number or highest_number + 1  # 0: this is the player's first answer
    tasks = {
        task: progress
        for task, progress in {**tables.tasks, **changed}.items()
        if progress is not None
    }
    updated = replace(tables, number=number, tasks=tasks)
    # in a second step: today's counts are those of the updated tasks
    updated = replace(updated, history=_extend_history(updated, now))
    prefix = f"{TABLES}{tables.name}/"
    # an empty row for a task that was never asked
    rows = {
        f"{prefix}{a}x{b}": json.dumps(row_of(progress)) if progress else ""
        for (a, b), progress in changed.items()
    }
    store.remember_all({**rows, prefix + _HISTORY: _history_text(updated)})


def _extend_history(tables: Tables, now: datetime) -> tuple[Day, ...]:
    """Return the history with today's counts as its last day.

    If the clock goes back, as on a machine without a battery, the last day is changed.
    """
    counts, today = tables.counts(now), now.astimezone().date()
    before = tables.history
    if before and before[-1].day >= today:
        today, before = before[-1].day, before[:-1]
    if len(before) >= DAY_LIMIT:
        half = DAY_LIMIT // 2
        # of the earlier half every other day stays
        before = before[:half:2] + before[half:]
    practise, shaky = counts[Mastery.PRACTISE], counts[Mastery.SHAKY]
    return (*before, Day(today, counts[Mastery.KNOWN], shaky, practise))


def _history_text(tables: Tables) -> str:
    """Return the row of a history: the player's number, then [date, and a Day's counts] each."""
    days = [[day.day.toordinal(), day.known, day.shaky, day.practise] for day in tables.history]
    return json.dumps([tables.number, *days], separators=(",", ":"))


def _read(name: str, rows: Mapping[str, str]) -> Tables:
    """Return tables from their rows, without unreadable ones."""
    number, history = _read_history(rows.get(_HISTORY, ""))
    all_progress = {
        task: read_progress(_list(rows.get(f"{task[0]}x{task[1]}", ""))) for task in TASKS
    }
    tasks = {task: progress for task, progress in all_progress.items() if progress is not None}
    return Tables(name, number, tasks, history)


def _read_history(text: str) -> tuple[int, tuple[Day, ...]]:
    """Return the player's number and the days in a history row; 0 and () if it is unreadable."""
    try:
        number, *days = _list(text)
        history = tuple(Day(date.fromordinal(day), *map(int, counts)) for day, *counts in days)
        return int(number), history
    except (ValueError, TypeError, OverflowError):
        return 0, ()


def _list(text: str) -> list[Any]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return row if isinstance(row, list) else []


def row_of(progress: Practice) -> tuple[float | None, ...]:
    """Return the values to store, in the order of the fields."""
    return astuple(progress)


def read_progress(row: Sequence[Any]) -> Practice | None:
    """Return the progress of `row_of`; None for anything that would break the scheduler."""
    try:
        progress = Practice(*row)
        # the steps that the scheduler takes in each state
        steps = {_LEARNING: (0, 1), _REVIEW: (None,), _RELEARNING: (0,)}.get(progress.state, ())
        is_valid = (
            progress.step in steps
            and min(progress.right, progress.wrong) >= 0
            and progress.stability > 0
            and 1 <= progress.difficulty <= 10
            and all(0 <= moment < _LAST_TIME for moment in (progress.last, progress.due))
        )
    except TypeError:  # too few or too many values, or no numbers
        return None
    return progress if is_valid else None
