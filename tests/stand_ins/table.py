"""A table for tests of the link in one process: an outbox in memory, and the link in a thread."""

import os
import threading
import weakref
from collections import deque
from typing import Any

from pi_app.link.contract import MOST_EVENTS, Ack, Assignment, Say, fitting
from pi_app.link.hub_page import HubAnswer
from pi_app.link.mqtt.link import LinkEnd, LinkVoices, LinkWishes, TableLink
from pi_app.link.mqtt.process import address_of
from pi_app.link.mqtt.session import LinkMemory
from pi_app.link.mqtt.trouble import LinkTrouble
from pi_app.link.protocol import (
    EventAnswer,
    LinkNews,
    LinkSourceError,
    LinkStatus,
    OutboxState,
)
from pi_app.settings.schema import LinkSettings
from tests.pi_app.link.mosquitto import Mosquitto

Json = dict[str, Any]


def result(seq: int, game_id: str | None = None, **more: Any) -> Json:
    """Return an event with a result, as a table without names sends it."""
    seats = [
        {"seat": 1, "p": "p1", "rank": 1, "points": 3, "won": True},
        {"seat": 2, "p": "p2", "rank": 2, "points": 1, "won": False},
    ]
    event = {
        "seq": seq,
        "kind": "result",
        "game_id": game_id or f"game-{seq}",
        "revision": 0,
        "evening": None,
        "round": None,
        "game": "numeri",
        "began": None,
        "ended": None,
        "lasted_s": 60,
        "clock": "unsure",
        "seats": seats,
        "reason": "points",
        "record": '[Game "numeri"]',
    }
    return {**event, **more}


class TableInMemory:
    """An outbox that takes part in no crash; what came down is kept."""

    def __init__(self, store: str = "store-1") -> None:
        self.store = store
        self.previous: tuple[str, ...] = ()
        self.kept: dict[int, Json] = {}
        self.last = 0
        self.upto = 0
        self.closed = 0
        self.hub: str | None = None
        self.assigned: list[Assignment] = []
        self.said: list[Say] = []
        self.statuses: list[LinkStatus] = []
        self.coming: deque[LinkNews] = deque()
        self.is_away = False
        self._quiet = os.eventfd(0)
        weakref.finalize(self, os.close, self._quiet)

    def fileno(self) -> int:
        """Return a descriptor that is never ready: the link asks for news in its turns."""
        return self._quiet

    def add(self, count: int = 1) -> None:
        for _ in range(count):
            self.put(result(self.last + 1, f"{self.store}-{self.last + 1}"))

    def put(self, event: Json) -> None:
        self.last += 1
        assert event["seq"] == self.last
        self.kept[self.last] = event
        self.coming.append(self.outbox())

    def outbox(self) -> OutboxState:
        waiting = max(0, self.last - self.upto)
        return OutboxState(
            self.store, self.previous, self.last, self.upto, self.closed, waiting, self.hub
        )

    def events(self, seq: int, most: int = MOST_EVENTS) -> EventAnswer:
        self._check()
        found = [event for number, event in sorted(self.kept.items()) if number >= seq][:most]
        return EventAnswer(self.store, tuple(found[: fitting(self.store, found)]))

    def ack(self, ack: Ack) -> OutboxState:
        self._check()
        self.hub = self.hub or ack.hub
        conflict = any(each.why == "conflict" for each in ack.refused)
        if conflict or ack.upto > self.last:
            self.previous += (self.store,)
            self.store = f"{self.previous[0]}-{len(self.previous) + 1}"
            self.upto = self.closed = 0
            return self.outbox()
        self.upto = ack.upto
        self.closed = max(self.closed, min(ack.closed, ack.upto))
        for seq in [seq for seq in self.kept if seq <= self.closed]:
            del self.kept[seq]
        return self.outbox()

    def assign(self, assignment: Assignment) -> None:
        self.assigned.append(assignment)

    def say(self, say: Say) -> None:
        self.said.append(say)

    def joined(self, answer: HubAnswer) -> None:
        raise AssertionError(f"nobody has asked: {answer}")

    def status(self, status: LinkStatus) -> None:
        self.statuses.append(status)

    def news(self, timeout_s: float) -> list[LinkNews]:
        del timeout_s
        self._check()
        found = []
        while self.coming:
            found.append(self.coming.popleft())
        return found

    def close(self) -> None:
        """Do nothing: it can be opened again."""

    def _check(self) -> None:
        if self.is_away:
            raise LinkSourceError("lost")


def settings(broker: Mosquitto, table: str, **more: Any) -> LinkSettings:
    """Return the settings of a table that the broker knows."""
    known: dict[str, Any] = {
        "enabled": True,
        "host": "127.0.0.1",
        "port": broker.port,
        "user": table,
        "password_file": str(broker.password_file),
        "ca": str(broker.ca),
    }
    return LinkSettings(**(known | more))


class RunningLink:
    """A link in a thread. As a context it is stopped at the end."""

    def __init__(
        self,
        table: TableInMemory,
        given: LinkSettings,
        *,
        boot: str = "boot-1",
    ) -> None:
        self.connected = 0
        self.troubles: list[LinkTrouble] = []
        self.end: LinkEnd | None = None
        voices = LinkVoices(self._count, self.troubles.append, lambda _error: None)
        self.memory = LinkMemory(boot, "machine-1", "0.1.0")
        wishes = LinkWishes(home=given.home_assistant)
        self._link = TableLink(
            given.user,
            lambda: address_of(given, {}),
            lambda: self._open(table),
            self.memory,
            voices,
            wishes,
        )
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "RunningLink":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._link.stop()
        self._thread.join(20)
        assert not self._thread.is_alive()

    def join(self, within_s: float = 60.0) -> LinkEnd | None:
        self._thread.join(within_s)
        return self.end

    def _open(self, table: TableInMemory) -> TableInMemory:
        if table.is_away:
            raise LinkSourceError("away")
        return table

    def _run(self) -> None:
        self.end = self._link.run()

    def _count(self) -> None:
        self.connected += 1
