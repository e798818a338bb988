"""Looks at the database, and has the newest state of the hall for every page.

A page that is slow misses states and delays nobody: nothing is queued for it. Several processes may
look at one database; none of them needs the hub to be on its machine.
"""

from __future__ import annotations

import asyncio
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from club.store.database import ClubDatabase, DatabaseError, get
from club.web.hall import change_key, hall_facts, tables_key
from pi_app.phones.web.relay import Latest

log = logging.getLogger(__name__)

LOOK_S = 0.15
"""How often it looks whether something has changed."""
TABLES_EACH = 7
"""Only each so many looks are for the tables' own state, which the organiser sees."""
LEAST_S = 0.3
"""The least time between two states that are sent."""
AGAIN_S = 1.0
"""The pause before a database that is away is tried again."""


class HallNews:
    """The source of the hall's pages."""

    def __init__(self, database: ClubDatabase) -> None:
        self.news = Latest()
        self.closed = False
        self._database = database
        self._changed = asyncio.Event()
        # one thread: a database that hangs holds up nothing else
        self._thread = ThreadPoolExecutor(1, "hall")
        self._key: tuple[object, ...] = ()
        self._tables: tuple[object, ...] = ()
        self._facts: dict[str, Any] | None = None
        self._n = 0
        self._looks = 0

    async def run(self) -> None:
        """Look until this task is cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                pause = LOOK_S
                try:
                    news = await loop.run_in_executor(self._thread, self._look)
                    if news is not None:
                        self.news = news
                        self._wake()
                        pause = LEAST_S
                except DatabaseError as error:
                    self._lose(error)
                    pause = AGAIN_S
                await asyncio.sleep(pause)
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def changed(self, seen: Latest, within_s: float) -> bool:
        """Wait until the news are no longer `seen`; return False if that takes too long."""
        try:
            async with asyncio.timeout(within_s):
                while self.news is seen and not self.closed:
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        """End all waiting for news."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _lose(self, error: DatabaseError) -> None:
        """Say to every page that nothing is known now."""
        self._key = ()
        if self.news.hello is None and self.news.turns:
            return
        log.warning("the database is away: %s", error)
        self.news = Latest(turns=self.news.turns + 1)
        self._wake()

    def _look(self) -> Latest | None:
        """Look once, in the thread; return the next news, None if nothing has changed."""
        with self._database.read() as connection:
            key = change_key(connection)
            self._looks += 1
            tables = self._tables
            if self._looks % TABLES_EACH == 0 or not self._key:
                tables = tables_key(connection)
            if (key, tables) == (self._key, self._tables):
                return None
            is_other = key != self._key
            facts = hall_facts(connection) if is_other else self._facts
            epoch = get(connection, "generation")
        self._key, self._tables = key, tables
        return self._next_news(epoch, facts)

    def _next_news(self, epoch: str, facts: dict[str, Any] | None) -> Latest:
        news = self.news
        if news.hello is None or news.hello["epoch"] != epoch:
            hello = {"epoch": epoch, "theme": "", "invites": False}
            news = Latest(turns=news.turns + 1, hello=hello)
        if facts != self._facts or news.frame is None:
            self._n += 1
            self._facts = facts
            news = replace(news, frame=_line({"n": self._n, "frame": facts}))
        else:  # only the organiser's page has something to look at
            news = replace(news, signal=_line({"name": "desk"}))
        return news


def _line(facts: object) -> bytes:
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace")  # a lone surrogate has no bytes
