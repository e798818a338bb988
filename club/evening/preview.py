"""What an act would change in the standings, before it counts."""

from __future__ import annotations

from collections.abc import Callable

from club.evening.results import standing_lines
from club.pairing.standings import StandingChange, standing_changes
from club.store.database import Writing
from club.store.live import current_evening


class TakenBack(Exception):  # noqa: N818  # no error: it ends a transaction
    """Ends a transaction of which nothing is to be kept."""


def changes_by(writing: Writing, act: Callable[[Writing], None]) -> tuple[StandingChange, ...]:
    """Do an act and return how it changes the last evening's standings.

    For a preview, raise `TakenBack` afterwards: then nothing of it is kept.
    """
    before = standing_lines(writing.connection, current_evening(writing.connection))
    act(writing)
    after = standing_lines(writing.connection, current_evening(writing.connection))
    return standing_changes(before, after)
