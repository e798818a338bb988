"""A phone in the card's network: it joins by the code on show, and keys."""

import http.client
import json
import re
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

from tests.machine.machine import BOOT_S
from tests.players.panel import Hand

DOOR_S = 300
"""systemd opens the door when the table lets phones in, a moment after the code is shown."""
CODE = re.compile(r"(\d{3}) (\d{3})")


def network(port: int) -> tuple[str, ...]:
    """Return the emulator's arguments for a network in which a phone reaches the card's pages."""
    reached = f"hostfwd=tcp:127.0.0.1:{port}-:80"
    return ("-netdev", f"user,id=net,{reached}", "-device", "virtio-net-pci,netdev=net")


class Phone:
    """A browser, as far as the card's pages need one."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self._at = (address, port)
        self._host = f"{address}:{port}"
        self._cookie = ""
        self._epoch = ""
        self._n = 0

    def join(self, hand: Hand) -> None:
        """Join by the code on show, as soon as the door is open; a code lasts a minute."""
        shown = hand.wait_for(lambda _: bool(CODE.search(" ".join(hand.rows()))), BOOT_S)
        assert shown, f"no code: {hand.rows()}"
        end, answer = time.monotonic() + DOOR_S, None
        while time.monotonic() < end:
            code = CODE.search(" ".join(hand.rows()))
            said = {"code": "".join(code.groups()) if code else "", "name": "Phone"}
            with suppress(OSError, http.client.HTTPException):
                answer = self._ask("POST", "pair", said)
                if answer.get("ok"):
                    self._epoch = next(self._live())["epoch"]
                    return
            time.sleep(2)
        raise AssertionError(f"it cannot join: {hand.rows()} {answer}")

    def press(self, *keys: str) -> None:
        """Press keys by their names; each is done when this returns."""
        for key in keys:
            self._n += 1
            seen = next(told["frame"]["keyed"] for told in self._live() if "frame" in told)
            said = {"epoch": self._epoch, "seen": seen, "n": self._n, "key": key}
            answer = self._ask("POST", "key", said)
            assert answer.get("ok"), answer

    def page(self) -> str:
        """Return the first page that the table serves."""
        with closing(self._connection()) as connection:
            connection.request("GET", "/", headers={"Host": self._host})
            return connection.getresponse().read().decode()

    def _ask(self, method: str, verb: str, body: object) -> dict[str, Any]:
        headers = {
            "Host": self._host,
            "Origin": f"http://{self._host}",
            "Content-Type": "application/json",
        }
        headers |= {"Cookie": self._cookie} if self._cookie else {}
        with closing(self._connection()) as connection:
            connection.request(method, f"/api/{verb}", json.dumps(body), headers)
            response = connection.getresponse()
            given = response.headers.get("Set-Cookie", "").partition(";")[0]
            self._cookie = given or self._cookie
            answer: dict[str, Any] = json.loads(response.read())
            return answer

    def _live(self) -> Iterator[dict[str, Any]]:
        """Yield what the table says of itself."""
        with closing(self._connection()) as connection:
            headers = {"Host": self._host, "Cookie": self._cookie}
            connection.request("GET", "/live", headers=headers)
            response, name = connection.getresponse(), ""
            while line := response.readline().decode():
                field, _, value = line.rstrip("\n").partition(": ")
                name = value if field == "event" else name
                if field == "data" and name in ("hello", "frame"):
                    yield json.loads(value)

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(*self._at, timeout=300)
