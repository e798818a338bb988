"""Says announcements at the tables when it is time, and again at a table that was away."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from sqlalchemy import Connection

from club.evening.announcements import TimedText, timed
from pi_app.link.contract import payload, topic

PublishFor = Callable[[str, bytes, int], None]
"""Publishes a payload that expires after so many seconds."""


class Announcer:
    """Knows what was said where in this run: tables themselves say the same id once."""

    def __init__(self, publish: PublishFor, time_up: Callable[[int], str]) -> None:
        self._publish = publish
        self._time_up = time_up
        self._timed: list[TimedText] = []
        self._said: set[tuple[str, str]] = set()
        """Tables, and what was said there."""

    def read(self, connection: Connection) -> None:
        """Learn what is to be said: after an act or a result."""
        self._timed = timed(connection, self._time_up, datetime.now(UTC))
        waiting = {each.id for each in self._timed}
        self._said = {pair for pair in self._said if pair[1] in waiting}

    def repeat(self, tables: Iterable[str] | None = None) -> None:
        """Say everything again at these tables, None: at all, because they may have missed it."""
        again = None if tables is None else set(tables)
        self._said = {pair for pair in self._said if again is not None and pair[0] not in again}

    def look(self) -> None:
        """Say what it is time for."""
        if not self._timed:
            return
        now = datetime.now(UTC)
        for each in self._timed:
            announcement = each.at(now)
            if announcement is None:
                continue
            say = announcement.say
            for table in announcement.tables:
                if (table, say.id) not in self._said:
                    self._said.add((table, say.id))
                    self._publish(topic(table, "down/say"), payload(say.facts()), say.for_s)
