"""The one stand-in for a companion at its socket: what docs/remote.md says to pages and link."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pi_app.link.contract import TableState
from pi_app.link.protocol import (
    LINE_LIMIT_BYTES,
    AskResults,
    HubWords,
    JoinedClub,
    TakePlace,
    Wanted,
    read_asked,
)
from pi_app.phones.protocol import REQUESTS
from pi_app.wire.messages import Message
from tests.stand_ins.table import DirectTable

CODE = "123456"
TOKEN = "tok_" + "a1B2" * 8
Data = dict[str, Any]


class FakeCompanion:
    """Listens on a socket; every key becomes a frame that has it in its title.

    The link has its place with the games of a table in memory. All methods but `start` and `stop`
    belong to the loop that it was started in.
    """

    def __init__(self, path: Path, epoch: str = "e1", table: DirectTable | None = None) -> None:
        self.path = path
        self.games = table or DirectTable()
        self.wanted: Data = {}
        """What the link is told of the settings."""
        self.refuses = ""
        """An error for a link that asks for the place."""
        self.told: list[Message] = []
        """What the link has passed on."""
        self._linked: asyncio.StreamWriter | None = None
        self.epoch = epoch
        self.language = "en"
        self.heard: list[Data] = []
        self.played: list[Any] = []
        self.tokens = {TOKEN: "Test"}
        self.theme = "dark"
        self.invites = False
        self.first = False
        self.answers: dict[str, Data] = {}
        """What is answered to requests of a kind, in place of what stands below."""
        self.table: Callable[[Any], Data] | None = None
        """Acts on a key and returns the frame that follows."""
        self.dumb = False
        """Whether it leaves every request unanswered."""
        self._n = 0
        self._frame: Data = {"title": "ready", "lines": ["<script>alert(1)</script>"]}
        self._answers: dict[tuple[str, int], Data] = {}
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(
            self._serve, self.path, limit=LINE_LIMIT_BYTES
        )

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for writer in self._writers.copy():
            writer.transport.abort()
        while self._writers:
            await asyncio.sleep(0)
        with suppress(FileNotFoundError):
            self.path.unlink()

    @property
    def typed(self) -> str:
        """What the frame says was keyed."""
        return str((self._frame["entry"] or {"text": ""})["text"])

    def requests(self, kind: str) -> list[Data]:
        """Return the requests of a kind that were heard."""
        return [asked for asked in self.heard if asked["kind"] == kind]

    def show(self, title: str, **more: object) -> int:
        """Show a frame to everybody; return its number."""
        self._n += 1
        self._frame = {"title": title, **more, "news": self._n, "keyed": self._n}
        self.say({"kind": "frame", "n": self._n, "frame": self._frame})
        return self._n

    def say(self, line: Data) -> None:
        for writer in self._writers:
            _write(writer, line)

    def say_raw(self, line: bytes) -> None:
        for writer in self._writers:
            writer.write(line)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _write(writer, self.hello())
        _write(writer, {"kind": "frame", "n": self._n, "frame": self._frame})
        self._writers.add(writer)
        try:
            while line := await reader.readline():
                asked = json.loads(line)
                assert len(line) <= 8 * 1024 or asked["kind"] not in REQUESTS
                self.heard.append(asked)
                if not self.dumb:
                    _write(writer, {"kind": "answer", "id": asked["id"], **self._answer(asked)})
                if asked["kind"] == "link" and not self.refuses:
                    self._linked = writer
                    self.show_link()
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    def tell_link(self, kind: str, message: Message) -> None:
        """Send the link a line."""
        assert self._linked is not None
        _write(self._linked, {"kind": kind, **message.facts()})

    def show_link(self) -> None:
        """Tell the link what the table does now."""
        self.tell_link("state", TableState(waiting=self.games.outbox.waiting))

    def hello(self) -> Data:
        said = {"kind": "hello", "version": 2, "epoch": self.epoch, "first": self.first}
        said |= {"language": self.language, "theme": self.theme, "invites": self.invites}
        return {**said, "joined": None, "wifi": True}

    def _answer(self, asked: Data) -> Data:
        if asked["kind"] not in REQUESTS:
            return self._answer_link(asked)
        token = asked.get("token", "")
        answers: dict[str, Callable[[], Data]] = {
            "who": lambda: self._who(token),
            "pair": lambda: self._pair(asked),
            "key": lambda: self._once(asked, _keyed(asked)),
            "play": lambda: self._once(asked, asked["move"]),
            "seats": lambda: {"ok": True, "game": "just4fun", "seats": [], "mine": token},
            "games": lambda: {"ok": True, "waiting": "", "games": [], "people": []},
            "claim": lambda: {"error": "claimed", "text": "Somebody else has this seat."},
            "release": lambda: {"ok": True},
            "rename": lambda: {"ok": True},
            "hand": lambda: {"ok": True, "help": "legal", "options": [asked["cards"]]},
            "tip": lambda: {"ok": True, "tips": [], "text": asked["cards"]},
            "history": lambda: {"ok": True, "games": []},
            "game": lambda: {"ok": True, "record": '[Game "just4fun"]\n'},
        }
        if REQUESTS[asked["kind"]].paired and token not in self.tokens:
            return {"error": "unpaired", "text": "This browser is not paired."}
        canned = self.answers.get(asked["kind"])
        return answers[asked["kind"]]() if canned is None else canned

    def _answer_link(self, line: Data) -> Data:
        asked = read_asked(line["kind"], line)
        outbox = self.games.outbox
        match asked:
            case TakePlace() if self.refuses:
                return {"error": self.refuses, "text": "no"}
            case TakePlace():
                return {"ok": True, **Wanted.read(self.wanted).facts()}
            case AskResults():
                return {"ok": True, **outbox.results(asked.hub, asked.after, asked.few).facts()}
            case HubWords():
                return {"ok": True, "waiting": outbox.heard(asked)}
            case JoinedClub():
                outbox.join(asked)
        self.told.append(asked)
        return {"ok": True}

    def _who(self, token: str) -> Data:
        name = self.tokens.get(token)
        return {"ok": True, "paired": name is not None, "name": name or ""}

    def _pair(self, asked: Data) -> Data:
        if asked["code"] == CODE:
            return {"ok": True, "token": TOKEN}
        return {"error": "wait", "text": "Wait a moment.", "wait_s": 2.0}

    def _once(self, asked: Data, what: object) -> Data:
        if asked["epoch"] != self.epoch:
            return {"error": "epoch", "text": "The companion was restarted."}
        row = (asked["token"], asked["n"])
        if row not in self._answers:
            self.played.append(what)
            frame = self.table(what) if self.table else {"title": f"key {what}"}
            shown = self.show(**{**self._frame, **frame})
            self._answers[row] = {"ok": True, "shown": shown}
        return self._answers[row]


def _keyed(asked: Data) -> object:
    """Return the key, else the field or the text in an object."""
    return asked["key"] or {name: asked[name] for name in ("tap", "text") if asked[name]}


def _write(writer: asyncio.StreamWriter, line: Data) -> None:
    writer.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")


@contextmanager
def in_a_thread(companion: FakeCompanion) -> Iterator[asyncio.AbstractEventLoop]:
    """Let a companion listen for a while, in a loop that runs in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(companion.start(), loop).result(60)
    try:
        yield loop
    finally:
        asyncio.run_coroutine_threadsafe(companion.stop(), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()
