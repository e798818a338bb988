"""The pages of a club in a thread of the test: the real server, on a port of its own."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from club.evening import acts
from club.hub.identity import ensure_identity
from club.pairing.model import Mode
from club.store.database import ClubDatabase, sqlite_url
from club.web import organiser
from club.web.app import application
from club.web.news import HallNews
from club.web.serving import HallConnection
from pi_app.phones.web.guard import Limits
from pi_app.phones.web.server import WebServer
from pi_app.phones.web.sockets import opened
from tests.pi_app.phones.web.site import UNLIMITED, WAIT_S, Reply

PASSWORD = "abcd-efgh-jkmn-pqrs"  # noqa: S105  # of the tests
WHO = "tests"


class Pages:
    """Pages that are served on a port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def ask(
        self, path: str, sent: object = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Ask as a page of ours does: POST if something is sent."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        own = {"Host": f"127.0.0.1:{self.port}", "Sec-Fetch-Site": "same-origin"}
        body = None
        if sent is not None:
            own |= {"Origin": self.url, "Content-Type": "application/json"}
            body = json.dumps(sent)
        method = "GET" if sent is None else "POST"
        connection.request(method, path, body, {**own, **(headers or {})})
        answer = Reply(connection.getresponse())
        connection.close()
        return answer

    def log_in(self, password: str = PASSWORD, device: str = "tests") -> dict[str, str]:
        """Become the organiser; return the headers that say so."""
        answer = self.ask("/api/login", {"password": password, "device": device})
        assert answer.status == 200, answer.data
        return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}


class ClubSite(Pages):
    """A club's database in a folder, or another's, and its pages."""

    def __init__(
        self, folder: Path, database: ClubDatabase | None = None, limits: Limits = UNLIMITED
    ) -> None:
        self.database = database or ClubDatabase(sqlite_url(folder))
        self.database.prepare()
        with self.database.write() as writing:
            ensure_identity(writing)
            organiser.set_password(writing, PASSWORD)
        self.news = HallNews(self.database)
        listening = opened(0)
        super().__init__(listening.getsockname()[1])
        app = application(self.database, self.news, language="en", limits=limits)
        self._server = WebServer(app, self.news.close, connection=HallConnection)
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._server.serve([listening])), daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.should_exit = True
        self._thread.join(WAIT_S)
        assert not self._thread.is_alive()
        self.database.close()

    # --- the evening, by the functions that the verbs use

    def people(self, *names: str) -> None:
        with self.database.write() as writing:
            listed = [
                acts.Registered(f"p{n}", name, present=True) for n, name in enumerate(names, 1)
            ]
            acts.register(writing, WHO, listed)

    def evening(
        self, *games: str, mode: Mode = "tables", per_table: int = 4, rounds: int = 5
    ) -> None:
        with self.database.write() as writing:
            acts.open_evening(writing, WHO, games, mode, per_table=per_table, planned=rounds)

    def pair(self) -> list[tuple[str, ...]]:
        """Pair the next round; return who sits together."""
        with self.database.write() as writing:
            return [group.seats for group in acts.pair_next(writing, WHO).groups]

    def key(self, number: int, *people: str) -> None:
        """Key a result: the people of a table, the winner first."""
        with self.database.write() as writing:
            ranks = {p: rank for rank, p in enumerate(people, 1)}
            acts.key_result(writing, WHO, number, ranks)
