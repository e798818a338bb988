"""A table without screens and sockets: games in memory, the real outbox, and a link beside it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from selectors import DefaultSelector
from typing import Any, cast

from pi_app.link.contract import Say, TableState, Verdict
from pi_app.link.ends.club import Club
from pi_app.link.ends.companion import CompanionError
from pi_app.link.ends.credentials import ClubAccess
from pi_app.link.ends.https import HubConnection, pinned
from pi_app.link.outbox import Outbox
from pi_app.link.protocol import HubWords, JoinedClub, Results
from pi_app.store import Store, StoredGame
from pi_app.wire.messages import Message
from tests.stand_ins.hub import FakeHub
from tests.stand_ins.waiting import PATIENCE_S

NOW = datetime(2026, 11, 23, 19, tzinfo=UTC)
TAGS = {"Game": "just4fun", "Players": "17 yellow, Ben red"}
RESULT = {"winners": ["17"], "reason": "points", "points": {"17": 31, "Ben": 20}}


def memory_game(
    game_id: str, tags: Mapping[str, str] | None = None, tokens: tuple[str, ...] = (), **more: Any
) -> StoredGame:
    """Return a game as a store gives it."""
    known = tags or TAGS
    times = {"began": "2026-11-23T19:02:11+00:00", "ended": "2026-11-23T19:31:40+00:00"}
    facts = {"tags": known, "tokens": tokens, **times, **more}
    return StoredGame(0, known["Game"], (), game_id=game_id, **facts)


class MemoryStore:
    """What an outbox needs of a store; a deep copy of it is a copied card."""

    def __init__(self, seed: int = 0) -> None:
        self.games: dict[int, StoredGame] = {}
        self.texts: dict[str, str] = {}
        self._random = Random(seed)

    def load(self, game: int) -> StoredGame:
        return self.games[game]

    def games_with(self, key: str) -> list[StoredGame]:
        return [replace(g, id=n) for n, g in self.games.items() if key in g.notes]

    def set_note(self, game: int, key: str, text: str) -> None:
        self.games[game] = replace(self.games[game], notes={**self.games[game].notes, key: text})

    def recall(self, key: str) -> str | None:
        return self.texts.get(key)

    def remember_all(self, texts: Mapping[str, str]) -> None:
        self.texts |= texts

    # --- playing

    def begin(self, outbox: Outbox, given: Mapping[str, str] | None = None) -> int:
        number = max(self.games, default=0) + 1
        game_id = f"{self._random.getrandbits(128):032x}"
        notes = {**outbox.notes(), **(given or {})}
        self.games[number] = memory_game(game_id, notes=notes)
        return number

    def end(self, outbox: Outbox, game: int, result: Mapping[str, Any] | None = RESULT) -> None:
        """Store a result, another one, or (None) that it was taken back."""
        before = self.games[game]
        self.games[game] = replace(before, result=result, revision=before.revision + 1)
        outbox.changed(game)


class DirectTable:
    """A companion that the link reaches without a socket; `restart` forgets all but the store."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        self.store = store or MemoryStore()
        self.evening: str | None = "e7k2"
        self.names = False
        self.is_gone = False
        self.told: list[tuple[str, Message]] = []
        self.restart()

    def restart(self) -> None:
        self.outbox = Outbox(
            cast(Store, self.store),
            lambda: True,
            lambda: self.names,
            lambda: self.evening,
            lambda: NOW,
        )

    def join(self, hub: FakeHub) -> None:
        facts = {"hub": hub.disk.hub, "table": "table-07-x3k9", "club": "Spielkreis"}
        self.outbox.join(JoinedClub.read(facts))

    def play(self, result: Mapping[str, Any] | None = RESULT) -> int:
        """Play a game to its end; return its number."""
        game = self.store.begin(self.outbox)
        self.store.end(self.outbox, game, result)
        return game

    def copy(self) -> DirectTable:
        """Return what a copy of the memory card is."""
        return DirectTable(deepcopy(self.store))

    async def results(self, hub: str, after: int) -> Results:
        self._check()
        return self.outbox.results(hub, after, 5)

    async def heard(
        self,
        hub: str,
        era: str,
        verdicts: tuple[Verdict, ...] = (),
        counts: tuple[int, int] | None = None,
    ) -> int:
        self._check()
        had, has = counts or (None, None)
        return self.outbox.heard(HubWords(hub=hub, era=era, had=had, has=has, verdicts=verdicts))

    async def tell(self, kind: str, message: Message) -> None:
        self._check()
        self.told.append((kind, message))

    async def say(self, say: Say) -> None:
        await self.tell("say", say)

    def _check(self) -> None:
        if self.is_gone:
            raise CompanionError("lost")


class RunningClub:
    """A link's talk with a hub, in a loop that runs in a thread; `reports` are its troubles."""

    def __init__(self, hub: FakeHub, table: DirectTable, machine: str = "machine-1") -> None:
        self.reports: list[str] = []
        self.table = table
        self._watched = DefaultSelector()
        self._loop = asyncio.SelectorEventLoop(self._watched)
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        access = ClubAccess.read(json.loads(json.dumps(hub.access)))

        async def connect() -> HubConnection:
            trusted = pinned(hub.ca_pem, sure=True)
            return await HubConnection.connect("127.0.0.1", hub.port, trusted)

        async def begin() -> asyncio.Task[None]:
            told: Any = table  # it answers as a companion's socket does
            self.club = Club(access, machine, "1.0.0", told, connect, self.reports.append)
            return asyncio.create_task(self.club.run())

        self._task = self.do(begin)
        self.show()

    def do(self, act: Callable[[], Any]) -> Any:
        """Let the loop do something, and return what that gives."""
        return asyncio.run_coroutine_threadsafe(act(), self._loop).result(PATIENCE_S)

    def show(self, **state: Any) -> None:
        """Tell the link what the table does now, as a companion does after each change."""

        async def show() -> None:
            self.club.show(TableState(waiting=self.table.outbox.waiting, **state))

        self.do(show)

    def kill(self) -> None:
        """End, and wait for its connections: a hub may close one later, if it was just secured."""

        async def end() -> None:
            self._task.cancel()
            await asyncio.wait([self._task])
            async with asyncio.timeout(PATIENCE_S):
                while len(self._watched.get_map()) > 1:  # the loop's own wake-up remains
                    await asyncio.sleep(0.002)

        self.do(end)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)
        self._loop.close()
