"""A plain table that speaks the contract of docs/link.md, for tests from outside."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any, Self

from tests.stand_ins.waiting import PATIENCE_S

Answer = tuple[int, dict[str, Any]]


class Table:
    """A table with the access that `club do add-table` prints, in one machine."""

    def __init__(self, access: Mapping[str, Any], machine: str = "", boot: str = "boot-1") -> None:
        self.access = dict(access)
        self.id = str(access.get("table", ""))
        self.machine = machine or f"machine-of-{self.id}"
        self.boot = boot
        self.address: str | None = None
        """The address of this machine that it asks from, None: any."""
        self._kept: http.client.HTTPConnection | None = None
        self._streams: list[News] = []

    def open(self) -> http.client.HTTPConnection:
        """Connect, without TLS where there is no authority."""
        source = (self.address, 0) if self.address else None
        where = self.access["host"], self.access["port"]
        if self.access["ca_pem"] is None:
            return http.client.HTTPConnection(*where, PATIENCE_S, source_address=source)
        trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trust.check_hostname = False
        trust.load_verify_locations(cadata=self.access["ca_pem"])
        return http.client.HTTPSConnection(
            *where, timeout=PATIENCE_S, context=trust, source_address=source
        )

    def headers(self) -> dict[str, str]:
        token = self.access.get("token")
        return {"Machine": self.machine, **({"Authorization": f"Bearer {token}"} if token else {})}

    def ask(self, name: str, facts: object, method: str = "POST", version: int = 2) -> Answer:
        """Send one request on the kept connection; OSError if that breaks."""
        if self._kept is None:
            self._kept = self.open()
        body = facts if isinstance(facts, bytes) else json.dumps(facts).encode()
        try:
            self._kept.request(method, f"/api/{version}/{name}", body, self.headers())
            with closing(self._kept.getresponse()) as answer:
                data = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        return answer.status, json.loads(data) if data else {}

    def close(self) -> None:
        for stream in self._streams:
            stream.close()
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def join(self, code: str, nonce: str = "nonce-1") -> Answer:
        status, answer = self.ask(
            "join", {"v": 2, "code": code, "nonce": nonce, "software": "1.0.0"}
        )
        if status == 200:
            self.access |= answer
            self.id = answer["table"]
        return status, answer

    def hello(self, waiting: int = 0) -> Answer:
        facts = {"v": 2, "boot": self.boot, "software": "1.0.0", "waiting": waiting}
        return self.ask("hello", facts)

    def greet(self) -> Self:
        """Say a hello that must be heard."""
        status, answer = self.hello()
        assert status == 200, answer
        return self

    def send(self, *results: Mapping[str, Any]) -> dict[str, Any]:
        """Send results, which must be answered; return the answer."""
        status, answer = self.ask("results", {"v": 2, "results": list(results)})
        assert status == 200, answer
        return answer

    def verdicts(self, *results: Mapping[str, Any]) -> list[tuple[str, str | None]]:
        """Send results; return verdict and why of each."""
        return [(each["verdict"], each["why"]) for each in self.send(*results)["verdicts"]]

    def state(self, **facts: Any) -> Answer:
        return self.ask("state", {"v": 2, "phase": "idle", "players": 0, **facts}, "PUT")

    def news(self, *, once: bool = True) -> News:
        self._streams.append(News(self, "?once" if once else ""))
        return self._streams[-1]


class News:
    """A stream of news."""

    def __init__(self, table: Table, query: str) -> None:
        self._connection = table.open()
        self._connection.request("GET", f"/api/2/news{query}", headers=table.headers())
        self._answer = self._connection.getresponse()
        self.status = self._answer.status
        self.headers = self._answer.headers

    def events(self) -> Iterator[tuple[str, Any]]:
        """Yield events until the stream ends; a comment is an event without a name."""
        name = ""
        for line in self._answer:
            words = line.decode().rstrip("\n")
            if words.startswith("event: "):
                name = words.removeprefix("event: ")
            elif words.startswith("data: "):
                yield name, json.loads(words.removeprefix("data: "))
            elif words.startswith(":"):
                yield "", None
        self.close()

    def until(self, wanted: str) -> Any:
        """Return the data of the next event of this name."""
        return next(data for name, data in self.events() if name == wanted)

    def all(self) -> dict[str, list[Any]]:
        """Return all events until the stream ends, by name."""
        found: dict[str, list[Any]] = {}
        for name, data in self.events():
            found.setdefault(name, []).append(data)
        return found

    def close(self) -> None:
        self._answer.close()
        self._connection.close()
