"""Firefox, driven without a screen through its own WebDriver BiDi port.

Taps are pointer actions of the type touch: the page gets touch events and a click. Firefox does not
move a page under such a finger, so what is out of sight is brought there by wheel actions.
"""

import json
import re
import shutil
import subprocess
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.pi_app.phones.web.fingers import PATIENCE_S, READ, Finger, Thing

NAMES = ("firefox-esr", "firefox")
MISSING = "no second engine: sudo apt-get install firefox-esr"
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")

Answer = dict[str, Any]


class Session:
    """One Firefox; `faults` are what the consoles of its pages said, by page."""

    def __init__(self, socket: ClientConnection) -> None:
        self.faults: dict[str, list[str]] = {}
        self._socket = socket
        self._asked = 0
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])

    def ask(self, method: str, **params: Any) -> Answer:
        """Send a command; return its result."""
        self._asked += 1
        command = {"id": self._asked, "method": method, "params": params}
        self._socket.send(json.dumps(command))
        while True:
            answer: Answer = json.loads(self._socket.recv(PATIENCE_S))
            if answer["type"] == "event":
                self._hear(answer["params"])
            elif answer["id"] == self._asked:
                assert answer["type"] == "success", f"{method}: {answer}"
                result: Answer = answer["result"]
                return result

    def _hear(self, entry: Answer) -> None:
        if entry["level"] in ("error", "warn") and entry["type"] in ("console", "javascript"):
            page = str(entry["source"].get("context"))
            self.faults.setdefault(page, []).append(str(entry["text"]))


@contextmanager
def opened_firefox() -> Iterator[Session]:
    """Open the system's Firefox with a profile of its own; skip where there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(MISSING)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [found, "--headless", "--no-remote", "--profile", profile]
        with subprocess.Popen(
            [*command, "--remote-debugging-port", "0"], stderr=subprocess.PIPE, text=True
        ) as browser:
            assert browser.stderr is not None
            try:
                address = next(filter(None, map(LISTENING.search, browser.stderr)))[1]
                with connect(f"{address}/session", max_size=None) as socket:
                    yield Session(socket)
            finally:
                browser.terminate()


class FirefoxFinger(Finger):
    """A device in Firefox, with cookies and a window of its own."""

    def __init__(
        self, session: Session, url: str, size: tuple[int, int], name: str, token: str
    ) -> None:
        self.name, self.size = name, size
        self._session = session
        user = session.ask("browser.createUserContext")["userContext"]
        created = session.ask("browsingContext.create", type="window", userContext=user)
        self._page = created["context"]
        viewport = {"width": size[0], "height": size[1]}
        self._ask("browsingContext.setViewport", viewport=viewport)
        session.ask(
            "storage.setCookie",
            cookie={
                "name": "beisitzer",
                "value": {"type": "string", "value": token},
                "domain": "127.0.0.1",
            },
            partition={"type": "storageKey", "userContext": user},
        )
        self._ask("browsingContext.navigate", url=f"{url}/hand", wait="complete")
        self.until('html[data-link="live"]')
        self.until("nav a")

    def _ask(self, method: str, **params: Any) -> Answer:
        return self._session.ask(method, context=self._page, **params)

    def look(self, query: str) -> list[Thing]:
        asked = f"JSON.stringify(({READ})({json.dumps(query)}))"
        target = {"context": self._page}
        answer = self._session.ask(
            "script.evaluate", expression=asked, target=target, awaitPromise=False
        )
        return [Thing(**each) for each in json.loads(answer["result"]["value"])]

    def touch(self, x: float, y: float) -> None:
        steps: list[Answer] = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        kind = {"pointerType": "touch"}
        finger = {"type": "pointer", "id": "finger", "parameters": kind, "actions": steps}
        self._ask("input.performActions", actions=[finger])

    def swipe(self, x: float, y: float, by: float) -> None:
        turn = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": round(by)}
        self._ask(
            "input.performActions", actions=[{"type": "wheel", "id": "wheel", "actions": [turn]}]
        )

    def picture(self, path: Path) -> None:
        path.write_bytes(b64decode(self._ask("browsingContext.captureScreenshot")["data"]))

    def close(self) -> None:
        self._ask("browsingContext.close")
        said = self._session.faults.get(self._page)
        assert not said, said
