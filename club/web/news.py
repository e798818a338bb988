"""Looks at the database, and has the newest state of the hall for every page.

Each state is read and written out once, however many pages follow. A page that is slow misses
states and delays nobody: nothing waits for it.
Several processes may look at one database; none of them needs the hub to be on its machine.
"""

from __future__ import annotations

import asyncio
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from club.hub.identity import place_of
from club.store.database import ClubDatabase, DatabaseError, get
from club.store.running import hub_runs
from club.web.hall import HallFacts, change_key, desk_key, hall_facts
from pi_app.phones.web.relay import Latest, NewsBoard

log = logging.getLogger(__name__)

LOOK_S = 0.1
"""How often it looks whether something has changed."""
LONG_AGO = 10
"""Only each so many looks are for the hub, and for what only the organiser's page shows."""
LEAST_S = 0.2
"""The least time between two states that are sent."""
AGAIN_S = 1.0
"""The pause before a database that is away is tried again."""


class HallNews(NewsBoard):
    """The source of the hall's pages."""

    def __init__(self, database: ClubDatabase) -> None:
        super().__init__()
        self._database = database
        # one thread: a database that hangs holds up nothing else
        self._thread = ThreadPoolExecutor(1, "hall")
        self._key: tuple[object, ...] = ()
        self._desk: tuple[object, ...] = ()
        self._hub: bool | None = None
        self._facts: HallFacts | None = None
        self._n = 0
        self._looks = 0

    async def run(self) -> None:
        """Look until this task is cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                pause, begun = LOOK_S, loop.time()
                try:
                    news = await loop.run_in_executor(self._thread, self._look)
                    if news is not None:
                        self.publish(news)
                        # a slow machine has at least half of its time for the pages
                        pause = max(LEAST_S, loop.time() - begun)
                except DatabaseError as error:
                    self._lose(error)
                    pause = AGAIN_S
                await asyncio.sleep(pause)
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    def _lose(self, error: DatabaseError) -> None:
        """Say to every page that nothing is known now."""
        self._key = ()
        if self.news.hello is None and self.news.turns:
            return
        log.warning("the database is away: %s", error)
        self.publish(Latest(turns=self.news.turns + 1))

    def _look(self) -> Latest | None:
        """Look once, in the thread; return the next news, None if nothing has changed."""
        self._looks += 1
        is_long_ago = self._looks % LONG_AGO == 0 or not self._key
        runs = is_long_ago and hub_runs(self._database)
        with self._database.read() as connection:
            key, desk, hub = change_key(connection), self._desk, self._hub
            if is_long_ago:
                desk = desk_key(connection)
                # who has never run a hub keys all results by hand and misses none
                hub = runs if place_of(connection) else None
            if (key, desk, hub) == (self._key, self._desk, self._hub):
                return None
            facts = self._facts if key == self._key else hall_facts(connection)
            epoch = get(connection, "generation")
        self._key, self._desk, self._hub = key, desk, hub
        return self._next_news(epoch, {**(facts or {}), "hub": hub})

    def _next_news(self, epoch: str, facts: HallFacts) -> Latest:
        news = self.news
        if news.hello is None or news.hello["epoch"] != epoch:
            hello = {"epoch": epoch, "theme": "", "invites": False}
            news = Latest(turns=news.turns + 1, hello=hello)
        if facts == self._facts and news.frame is not None:
            # only the organiser's page has something to look at
            return replace(news, signal=_line({"name": "desk"}))
        self._n += 1
        self._facts = facts
        return replace(news, frame=_line({"n": self._n, "frame": facts}))


def _line(facts: object) -> bytes:
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace")  # a lone surrogate has no bytes
