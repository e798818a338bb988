"""A page that follows the hall."""

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.club.web.site import ClubSite
from tests.pi_app.phones.web.site import WAIT_S

Hall = dict[str, Any]


class Follower:
    """A page that follows: the events of its stream, one by one."""

    def __init__(self, site: ClubSite) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=WAIT_S)
        self._connection.request("GET", "/live", headers={"Host": f"127.0.0.1:{site.port}"})
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200
        self.hall: Hall = {}

    def next(self) -> tuple[str, Any]:
        kind = ""
        while True:
            line = self._answer.readline().decode().rstrip("\n")
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            if line.startswith("data: "):
                return kind, json.loads(line.removeprefix("data: "))

    def until(self, wanted: str) -> Any:
        while True:
            kind, facts = self.next()
            if kind == wanted:
                return facts

    def next_hall(self) -> Hall:
        """Return the hall's next state."""
        while True:
            kind, facts = self.next()
            if kind == "frame":
                self.hall = facts["frame"]
                return self.hall

    def close(self) -> None:
        self._answer.close()
        self._connection.close()


@contextmanager
def following(site: ClubSite) -> Iterator[Follower]:
    follower = Follower(site)
    try:
        yield follower
    finally:
        follower.close()
