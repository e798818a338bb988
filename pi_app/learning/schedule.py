"""When something is asked again: a player's answers to it, and what a scheduler makes of them.

The scheduler is py-fsrs; it is imported at the first answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fsrs import Card, Scheduler

MOST_INTERVAL = 180
"""The most days until something is due again."""
_LAST_TIME = 1 << 37
"""In seconds of Unix time: some thousand years from now, which a date can still express."""
# the scheduler's states
_LEARNING, _REVIEW, _RELEARNING = 1, 2, 3


class Mastery(StrEnum):
    """How well a task is known: known (SITS), shaky (WAVERS), needs practice, or not asked yet."""

    SITS = "sits"
    WAVERS = "wavers"
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

        After a wrong answer it needs practice; from the second right answer on it is known until
        the scheduler wants it asked again.
        """
        if self.state == _REVIEW:
            return Mastery.SITS if now.timestamp() < self.due else Mastery.WAVERS
        # step 0: no right answer since the last wrong one
        return Mastery.WAVERS if self.step else Mastery.PRACTISE


def answered(
    scheduler: Scheduler, progress: Practice | None, now: datetime, *, right: bool
) -> Practice:
    """Return the progress after an answer; `progress` is None before the first one."""
    from fsrs import Card, Rating

    moment = now.astimezone(UTC)
    # without an id of ours the scheduler would wait for one from the clock
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


def recall_chance(scheduler: Scheduler, progress: Practice, now: datetime) -> float:
    """Return the chance that the player still knows it."""
    return float(scheduler.get_card_retrievability(_card_of(progress), now.astimezone(UTC)))


def _card_of(progress: Practice) -> Card:
    from fsrs import Card, State

    return Card(
        card_id=0,  # without an id of ours each card would wait for one from the clock
        state=State(progress.state),
        step=progress.step,
        stability=progress.stability,
        difficulty=progress.difficulty,
        due=datetime.fromtimestamp(progress.due, UTC),
        last_review=datetime.fromtimestamp(progress.last, UTC),
    )


# --- in the store


def row_of(progress: Practice) -> tuple[float | None, ...]:
    """Return the values to store, in the order of the fields."""
    return (
        progress.right,
        progress.wrong,
        progress.state,
        progress.step,
        progress.stability,
        progress.difficulty,
        progress.last,
        progress.due,
    )


def read_progress(row: Sequence[Any]) -> Practice | None:
    """Return the progress of `row_of`; None for anything that the scheduler would fail on."""
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
