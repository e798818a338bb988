"""Polls the database for all pages and tables that follow this process.

It polls at once after a commit of its own, and once a second for other processes' changes. Each
state is read and encoded once for all followers; slow ones miss states and delay nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from sqlalchemy import Connection, select

from club.evening.announcements import TimedText, timed
from club.evening.members import is_there
from club.evening.reports.export import chosen_evening, named_standings
from club.evening.results import EveningNow
from club.evening.seating import exported_round
from club.judging.intake import verdict_facts
from club.store.database import ClubDatabase, DatabaseError
from club.store.live import tables_now
from club.store.running import RunningLock
from club.store.schema import meta, results
from club.web.hall import hall_facts
from pi_app.phones.web.relay import Latest, NewsBoard
from pi_app.texts.language import Texts
from pi_app.wire.messages import compact

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""How often it polls for other processes' changes."""
PAGES_S = 1.0
"""The least time between two states for pages, as a full hall needs many bytes."""
POLL_INTERVAL_S = 0.2
"""The least time between two polls."""
CHANGE_LIMIT = 2000
"""How many changed verdicts are remembered for slow streams."""
ANNOUNCEMENT_LIMIT = 8
"""The most texts for one table."""
WAIT_S = 10.0
"""How long a new stream waits for the next poll."""
KEYS = ("era", "tick", "touched")
Changed = tuple[int, str, dict[str, Any]]
"""A changed verdict: its tick, the table, and the encoded event."""


@dataclass(frozen=True, slots=True)
class ToldTables:
    """The current events for tables, already encoded."""

    news: Latest
    tick: int = 0
    touched: int = -1
    hub: bytes = b""
    seats: Mapping[str, bytes] = field(default_factory=dict)
    streams: Mapping[str, str | None] = field(default_factory=dict)
    says: Sequence[TimedText] = ()
    round: bytes = b""
    standings: bytes = b""
    verdicts: Sequence[Changed] = ()

    def says_now(self, table: str) -> list[dict[str, Any]]:
        """Return the newest texts for a table."""
        now = datetime.now(UTC)
        current = (each.at(now) for each in self.says if table in each.tables)
        return [each for each in current if each is not None][:ANNOUNCEMENT_LIMIT]


class HubWatch(NewsBoard):
    """The source of the pages' and the tables' streams."""

    def __init__(self, database: ClubDatabase, tx: Texts, lock: RunningLock | None = None) -> None:
        super().__init__()
        self.told = ToldTables(self.news)
        self._database = database
        self._tx = tx
        self._lock = lock
        # one thread, so that a hanging database blocks nothing else
        self._thread = ThreadPoolExecutor(1, "news")
        self._wanted = asyncio.Event()
        self._key: tuple[object, ...] = ()
        self._n = 0
        self._paged = 0.0
        """When pages were told something last."""
        self._paged_state: tuple[object, ...] = ()
        self._owes = False

    def wake(self) -> None:
        """Poll soon, after a commit here."""
        self._wanted.set()

    async def told_since(self, touched: int) -> ToldTables:
        """Return the events after a poll has seen this change; DatabaseError if none does."""
        try:
            async with asyncio.timeout(WAIT_S):
                while self.told.touched < touched and not self.closed:
                    await self.changed(self.told.news, 1.0)
        except TimeoutError:
            raise DatabaseError("open", "nothing is known of the club") from None
        return self.told

    async def run(self) -> None:
        """Poll until this task is cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                self._wanted.clear()
                begun = loop.time()
                try:
                    told = await loop.run_in_executor(self._thread, self._look_once)
                    if told is not None:
                        # sets both together, as waiting streams compare them
                        self.told = told
                        self.publish(told.news)
                except DatabaseError as error:
                    self._lose(error)
                # leaves a slow machine at least half of its time
                await asyncio.sleep(max(POLL_INTERVAL_S, loop.time() - begun))
                try:
                    async with asyncio.timeout(LOOK_S):
                        await self._wanted.wait()
                except TimeoutError:
                    continue
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    def _lose(self, error: DatabaseError) -> None:
        """Tell every page that the state is unknown."""
        self._key = ()
        if self.news.hello is None and self.news.turns:
            return
        log.warning("the database is away: %s", error)
        self.publish(Latest(turns=self.news.turns + 1))
        self.told = replace(self.told, news=self.news)

    def _look_once(self) -> ToldTables | None:
        """Poll once, in the thread; return the new events, None without a change."""
        if self._lock is not None:
            self._lock.renew()
        with self._database.read() as connection:
            found = connection.execute(select(meta.c.key, meta.c.value).where(meta.c.key.in_(KEYS)))
            known = {row.key: row.value for row in found}
            rows = tables_now(connection)
            there = frozenset(name for name, row in rows.items() if is_there(row.heard))
            key = (*(known.get(name) for name in KEYS), there)
            if key == self._key and not self._owes:
                return None
            tick, touched = int(known.get("tick", "0")), int(known.get("touched", "0"))
            has_changed = not self._key or key[:2] != self._key[:2]
            evening = EveningNow(connection, chosen_evening(connection, None))
            news = self._next_news(evening, str(known.get("era")), key[:2])
            told = self._told(evening, has_changed=has_changed)
            told = replace(
                told,
                news=news,
                tick=tick,
                touched=touched,
                hub=compact({"era": known.get("era")}),
                seats={name: _seat(row) for name, row in rows.items() if row.seat},
                streams={name: row.stream for name, row in rows.items()},
                verdicts=[*told.verdicts, *self._verdicts(connection)][-CHANGE_LIMIT:],
            )
        self._key = key
        return told

    def _told(self, last: EveningNow, *, has_changed: bool) -> ToldTables:
        """Return the events for tables, with the last evening's lists if it is open."""
        if not has_changed:
            return self.told
        paired, evening = last.open_round, last.evening
        is_open = evening is not None and evening.closed is None
        return replace(
            self.told,
            says=[each for each in timed(last, self._time_up) if each.ends > datetime.now(UTC)],
            round=compact(exported_round(paired)) if paired is not None and paired.given else b"",
            standings=compact(named_standings(last)) if is_open else b"",
        )

    def _time_up(self, number: int) -> str:
        tx = self._tx
        return tx("alert", "Round {n}: time is up", n=number)

    def _verdicts(self, connection: Connection) -> list[Changed]:
        """Return the verdicts that changed since the last poll."""
        if not self._key:
            return []
        rows = connection.execute(
            select(results).where(results.c.tick > self.told.tick).order_by(results.c.tick)
        ).all()
        return [(row.tick, row.table_id, verdict_facts(connection, row)) for row in rows]

    def _next_news(self, evening: EveningNow, epoch: str, state: tuple[object, ...]) -> Latest:
        """Return the state for pages, new at most once a second."""
        news, now = self.news, monotonic()
        if news.hello is None or news.hello["epoch"] != epoch:
            news = Latest(turns=news.turns + 1, hello={"epoch": epoch})
        elif now - self._paged < PAGES_S:
            self._owes = True
            return replace(news)
        self._owes, self._paged = False, now
        if state == self._paged_state and news.frame is not None:
            # only the organiser's page has changed
            return replace(news, signal=compact({"name": "desk"}))
        self._n += 1
        self._paged_state = state
        return replace(news, frame=compact({"n": self._n, "frame": hall_facts(evening)}))


def _seat(row: Any) -> bytes:
    return compact({"rev": row.rev, **row.seat})
