"""A hub in a thread of the test: the real server, without TLS, on a port of its own."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from club.evening import passwords
from club.evening.acts.every import carry_out
from club.evening.members import hash_token
from club.evening.reports.export import chosen_evening, export
from club.store.database import ClubDatabase, sqlite_url
from club.store.identity import ensure_identity, note_place
from club.web.app import application
from club.web.door import DoorConnection
from club.web.news import HubWatch
from pi_app.phones.web.rates import Rate
from pi_app.phones.web.server import WebServer
from pi_app.phones.web.sockets import opened
from pi_app.texts.language import Texts
from tests.club.table import Table
from tests.pi_app.phones.web.site import WAIT_S, Reply

PASSWORD = "abcd-efgh-jkmn-pqrs"  # noqa: S105  # of the tests
WHO = "tests"
UNLIMITED = Rate(1e9, 1e9)


class ClubSite:
    """A club's database in a folder, or another's, and its hub."""

    def __init__(
        self,
        folder: Path,
        database: ClubDatabase | None = None,
        each: Rate = UNLIMITED,
        proxies: Sequence[str] = (),
    ) -> None:
        self.database = database or ClubDatabase(sqlite_url(folder))
        self.database.prepare()
        self._listening = opened(0)
        self.port = int(self._listening.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        with self.database.write() as writing:
            ensure_identity(writing)
            note_place(writing, "127.0.0.1", self.port, public=True)
            writing.put(passwords.PASSWORD, hash_token(PASSWORD))
        self.news = HubWatch(self.database, Texts("en"))
        app = application(self.database, self.news, "en", each=each, proxies=proxies)
        self._server = WebServer(app, self.news.close, connection=DoorConnection)
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._server.serve([self._listening])), daemon=True
        )
        self._tables: list[Table] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for table in self._tables:
            table.close()
        self._server.should_exit = True
        self._thread.join(WAIT_S)
        assert not self._thread.is_alive()
        self.database.close()

    # --- pages

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

    def log_in(self, password: str = PASSWORD) -> dict[str, str]:
        """Become the organiser; return the headers that say so."""
        answer = self.ask("/api/login", {"password": password})
        assert answer.status == 200, answer.data
        return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}

    # --- acts and tables

    def act(self, name: str, /, **facts: Any) -> dict[str, Any]:
        """Carry out an act as `club do` does."""
        with self.database.write() as writing:
            return carry_out(writing, WHO, name, facts)

    def table(self, machine: str = "") -> Table:
        """Let a new table in."""
        return self.stranger(self.act("add-table"), machine)

    def stranger(self, access: Mapping[str, Any] | None = None, machine: str = "") -> Table:
        """Return a table with this access; without one it has to join."""
        known = access or {"host": "127.0.0.1", "port": self.port, "ca_pem": None}
        self._tables.append(Table(known, machine))
        return self._tables[-1]

    def people(self, *names: str) -> None:
        listed = [{"p": f"p{n}", "name": name} for n, name in enumerate(names, 1)]
        self.act("people", people=listed)

    def evening(self, *games: str, mode: str = "tables", per_table: int = 4) -> str:
        asked = {"games": games or ["just4fun"], "mode": mode, "per_table": per_table}
        return str(self.act("evening", **json.loads(json.dumps(asked)))["evening"])

    def pair(self) -> list[list[str]]:
        """Pair the next round; return who sits together."""
        paired = self.act("pair")["tables"]
        return [[seat["p"] for seat in table["seats"]] for table in paired]

    def key(self, number: int, *people: str) -> None:
        """Key a result: the people of a table, the winner first."""
        self.act("result", round=number, places={p: n for n, p in enumerate(people, 1)})

    def export(self) -> dict[str, Any]:
        with self.database.read() as connection:
            return export(connection, chosen_evening(connection, None))

    def verdicts(self) -> dict[tuple[str, int], tuple[str, str | None]]:
        """Return the verdict on each result in the export, by game and revision."""
        return {
            (each["game_id"], each["revision"]): (each["verdict"], each["why"])
            for each in self.export()["results"]
            if each["game_id"] is not None
        }
