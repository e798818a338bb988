"""A companion's socket with nothing but the link's place on it, in front of a test's table."""

import json
import secrets
import select
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from pi_app.link.contract import ContractError
from pi_app.link.protocol import (
    Acked,
    AskEvents,
    Assigned,
    LinkStatus,
    SwitchedOff,
    TableState,
    TakePlace,
    Told,
    read_asked,
)
from tests.pi_app.link.table import TableInMemory

Json = dict[str, Any]


class LinksPlace:
    """Serves one link at a time until it is closed; `serve` may run in a thread."""

    def __init__(self, path: Path, table: TableInMemory) -> None:
        self.table = table
        self.refuses = ""
        """An error for whoever asks for the place."""
        self.last_words: SwitchedOff | None = None
        """What the link is told before its connection is closed, once."""
        self.copies: Json = {}
        """What the service is to store."""
        path.unlink(missing_ok=True)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        self._is_closed = False
        self._lock = threading.Lock()
        self.lines: list[Json] = []
        """What the link has asked."""

    def start(self) -> None:
        threading.Thread(target=self.serve, daemon=True).start()

    def close(self) -> None:
        self._is_closed = True
        self._listening.close()

    def serve(self) -> None:
        try:
            while not self._is_closed:
                if select.select([self._listening], [], [], 0.05)[0]:
                    link, _ = self._listening.accept()
                    with link, suppress(ConnectionError):  # it may be killed at any time
                        self._speak(link)
        except (OSError, ValueError):
            return

    def _speak(self, link: socket.socket) -> None:
        hello = {"kind": "hello", "version": 2, "epoch": secrets.token_hex(8), "language": "en"}
        link.sendall(json.dumps(hello).encode() + b"\n")
        rest, placed = b"", False
        while not self._is_closed:
            if placed and self.last_words is not None:
                words, self.last_words = self.last_words, None
                link.sendall(_line(words.line()))
                return
            if placed:
                for news in self.table.news(0):
                    link.sendall(_line(news.line()))
            if not select.select([link], [], [], 0.05)[0]:
                continue
            try:
                data = link.recv(65536)
            except OSError:
                return
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                asked = json.loads(line)
                self.lines.append(asked)
                answer = self._answer(asked)
                link.sendall(_line({"kind": "answer", "id": asked["id"], **answer}))
                placed = placed or asked["kind"] == "link"
                if asked["kind"] == "link":
                    link.sendall(_line(TableState(waiting=self.table.outbox().waiting).line()))

    def _answer(self, line: Json) -> Json:
        try:
            asked = read_asked(line["kind"], line)
        except ContractError as error:
            return {"error": "bad", "why": str(error)}
        match asked:
            case TakePlace() if self.refuses:
                return {"error": self.refuses, "text": "no"}
            case TakePlace():
                return {"ok": True, **self.table.outbox().facts(), "copies": self.copies}
            case AskEvents():
                return {"ok": True, **self.table.events(asked.seq, asked.most).facts()}
            case Acked():
                return {"ok": True, **self.table.ack(asked.ack).facts()}
            case Assigned():
                self.table.assign(asked.assignment)
            case Told():
                self.table.say(asked.say)
            case LinkStatus():
                self.table.status(asked)
        return {"ok": True}


def _line(facts: Json) -> bytes:
    return json.dumps(facts).encode() + b"\n"
