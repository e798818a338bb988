"""Looks at the database once for all pages and tables that follow this process.

It looks at once after a commit of its own, and once a second for what another process did. Each
state is read and written out once, however many follow; whoever is slow misses states and delays
nobody.
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
from club.evening.reports.export import named_standings
from club.evening.seating import exported_round
from club.judging.intake import verdict_facts
from club.store.database import ClubDatabase, DatabaseError
from club.store.live import active_tables, current_evening, current_round
from club.store.running import RunningLock
from club.store.schema import meta, results, tables
from club.web.hall import hall_facts
from pi_app.phones.web.relay import Latest, NewsBoard
from pi_app.texts.language import Texts
from pi_app.wire.messages import compact

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""How often it looks for what another process did."""
PAGES_S = 1.0
"""The least time between two states that pages are told: a hall of pages is many bytes."""
LEAST_S = 0.2
"""The least time between two looks."""
MOST_CHANGES = 2000
"""Changed verdicts that are remembered for streams that are slow."""
MOST_SAID = 8
"""Texts that a table is told at most."""
WAIT_S = 10.0
"""How long a new stream waits until a look has seen it."""
KEYS = ("era", "tick", "touched")
Changed = tuple[int, str, dict[str, Any]]
"""A verdict that changed: its tick, the table, and what is said."""


@dataclass(frozen=True, slots=True)
class ToldTables:
    """What tables are told now; each event's data is written out already."""

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
        """Return what is to be said at a table now, the newest texts."""
        now = datetime.now(UTC)
        current = (each.at(now) for each in self.says if table in each.tables)
        return [each for each in current if each is not None][:MOST_SAID]


class HubWatch(NewsBoard):
    """The source of the pages' and the tables' streams."""

    def __init__(self, database: ClubDatabase, tx: Texts, lock: RunningLock | None = None) -> None:
        super().__init__()
        self.told = ToldTables(self.news)
        self._database = database
        self._tx = tx
        self._lock = lock
        # one thread: a database that hangs holds up nothing else
        self._thread = ThreadPoolExecutor(1, "news")
        self._wanted = asyncio.Event()
        self._key: tuple[object, ...] = ()
        self._n = 0
        self._paged = 0.0
        """When pages were told something last."""
        self._paged_state: tuple[object, ...] = ()
        self._owes = False

    def wake(self) -> None:
        """Look soon: something was committed here."""
        self._wanted.set()

    async def told_since(self, touched: int) -> ToldTables:
        """Return what is told, once a look has seen this change; DatabaseError if none does."""
        try:
            async with asyncio.timeout(WAIT_S):
                while self.told.touched < touched and not self.closed:
                    await self.changed(self.told.news, 1.0)
        except TimeoutError:
            raise DatabaseError("open", "nothing is known of the club") from None
        return self.told

    async def run(self) -> None:
        """Look until this task is cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                self._wanted.clear()
                begun = loop.time()
                try:
                    told = await loop.run_in_executor(self._thread, self._look_once)
                    if told is not None:
                        # both at once: whoever waits compares the news that were told
                        self.told = told
                        self.publish(told.news)
                except DatabaseError as error:
                    self._lose(error)
                # a slow machine has at least half of its time for the rest
                await asyncio.sleep(max(LEAST_S, loop.time() - begun))
                try:
                    async with asyncio.timeout(LOOK_S):
                        await self._wanted.wait()
                except TimeoutError:
                    continue
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    def _lose(self, error: DatabaseError) -> None:
        """Say to every page that nothing is known now."""
        self._key = ()
        if self.news.hello is None and self.news.turns:
            return
        log.warning("the database is away: %s", error)
        self.publish(Latest(turns=self.news.turns + 1))
        self.told = replace(self.told, news=self.news)

    def _look_once(self) -> ToldTables | None:
        """Look once, in the thread; return what is told from now on, None if that is as before."""
        if self._lock is not None:
            self._lock.renew()
        with self._database.read() as connection:
            found = connection.execute(select(meta.c.key, meta.c.value).where(meta.c.key.in_(KEYS)))
            known = {row.key: row.value for row in found}
            rows = connection.execute(select(tables)).all()
            there = frozenset(row.id for row in rows if is_there(row.heard))
            key = (*(known.get(name) for name in KEYS), there)
            if key == self._key and not self._owes:
                return None
            tick, touched = int(known.get("tick", "0")), int(known.get("touched", "0"))
            has_changed = not self._key or key[:2] != self._key[:2]
            news = self._next_news(connection, str(known.get("era")), key[:2])
            told = self._told(connection, has_changed=has_changed)
            seats = {row.id: _seat(row) for row in rows if row.seat}
            joined = set(active_tables(connection))
            told = replace(
                told,
                news=news,
                tick=tick,
                touched=touched,
                hub=compact({"era": known.get("era")}),
                seats={table: seat for table, seat in seats.items() if table in joined},
                streams={row.id: row.stream for row in rows},
                verdicts=[*told.verdicts, *self._verdicts(connection)][-MOST_CHANGES:],
            )
        self._key = key
        return told

    def _told(self, connection: Connection, *, has_changed: bool) -> ToldTables:
        """Return what tables are told with the evening's lists of now."""
        if not has_changed:
            return self.told
        evening = current_evening(connection)
        paired = current_round(connection, evening)
        is_given = paired is not None and paired.given
        return replace(
            self.told,
            says=timed(connection, self._time_up, datetime.now(UTC)),
            round=compact(exported_round(paired)) if paired is not None and is_given else b"",
            standings=compact(named_standings(connection, evening)) if evening else b"",
        )

    def _time_up(self, number: int) -> str:
        tx = self._tx
        return tx("alert", "Round {n}: time is up", n=number)

    def _verdicts(self, connection: Connection) -> list[Changed]:
        """Return the verdicts that changed since the last look."""
        if not self._key:
            return []
        rows = connection.execute(
            select(results).where(results.c.tick > self.told.tick).order_by(results.c.tick)
        ).all()
        return [(row.tick, row.table_id, verdict_facts(connection, row)) for row in rows]

    def _next_news(self, connection: Connection, epoch: str, state: tuple[object, ...]) -> Latest:
        """Return what pages follow, which is another one once a second at most."""
        news, now = self.news, monotonic()
        if news.hello is None or news.hello["epoch"] != epoch:
            news = Latest(turns=news.turns + 1, hello={"epoch": epoch})
        elif now - self._paged < PAGES_S:
            self._owes = True
            return replace(news)
        self._owes, self._paged = False, now
        if state == self._paged_state and news.frame is not None:
            # only the organiser's page has something to look at
            return replace(news, signal=compact({"name": "desk"}))
        self._n += 1
        self._paged_state = state
        return replace(news, frame=compact({"n": self._n, "frame": hall_facts(connection)}))


def _seat(row: Any) -> bytes:
    return compact({"rev": row.rev, **row.seat})
