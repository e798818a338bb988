"""A companion's socket with nothing but the link's place on it, in front of a table of the tests.

As a program it is a companion that can be killed: what it has is in a store.

    python -m tests.pi_app.link.companion SOCKET DATABASE GAMES COUNT PAUSE_S

GAMES is a list of all games whose results it has shown.
"""

import json
import secrets
import select
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from engines.game import Refusal
from pi_app.files.host import utc_now
from pi_app.link.contract import MOST_EVENTS, Ack, ContractError
from pi_app.link.outbox import GAME, AckError, ClubJoined, Outbox
from pi_app.link.protocol import (
    Acked,
    AskEvents,
    Assigned,
    EventAnswer,
    LinkStatus,
    OutboxState,
    SwitchedOff,
    TableState,
    TakePlace,
    Told,
    read_asked,
)
from pi_app.link.results import game_facts
from pi_app.store.store import Store
from pi_app.table.table import Table
from tests.pi_app.link.table import TableInMemory

Json = dict[str, Any]

TAGS = {
    "Game": "just4fun",
    "Players": "Anna yellow, Ben red",
    "Position": "yellow 1 14 30; red 2 3 4",
}
END = "12+12"
"""The move that ends this game at any time."""


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
                self.pass_time()
                if select.select([self._listening], [], [], 0.05)[0]:
                    link, _ = self._listening.accept()
                    with link, suppress(ConnectionError):  # it may be killed at any time
                        self._speak(link)
        except (OSError, ValueError):
            return

    def pass_time(self) -> None:
        """Let a subclass do what a table does meanwhile."""

    def _speak(self, link: socket.socket) -> None:
        hello = {"kind": "hello", "version": 2, "epoch": secrets.token_hex(8), "language": "en"}
        link.sendall(json.dumps(hello).encode() + b"\n")
        rest, placed = b"", False
        while not self._is_closed:
            self.pass_time()
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


class TableWithStore(TableInMemory):
    """A table with a real store and its outbox, which survive any kill."""

    def __init__(self, path: Path) -> None:
        super().__init__("")
        joined = ClubJoined("table@club:8883")
        self._store = Store(path)
        self._box = self._store.follow(lambda db: Outbox(db, lambda: joined, utc_now))

    def play(self, evening: str, round_: int) -> str:
        """Play a game of a round to its end; return its id once it is on the disk."""
        facts = game_facts(evening, round_, ("p1", "p2"))
        table = Table.begin(self._store, TAGS, {GAME: facts.text()})
        move = table.judge(END)
        assert not isinstance(move, Refusal)
        table.play(move)
        self.coming.append(self.outbox())
        return facts.id

    def outbox(self) -> OutboxState:
        return self._box.state()

    def events(self, seq: int, most: int = MOST_EVENTS) -> EventAnswer:
        return self._box.events(seq, most)

    def ack(self, ack: Ack) -> OutboxState:
        with suppress(AckError):
            return self._box.ack(ack)
        return self.outbox()

    def close(self) -> None:
        """Close the store: what a kill has left in its log is in the file then."""
        self._store.close()


class Companion(LinksPlace):
    """Plays until there were `count` games, each `pause_s` after the one before it."""

    def __init__(
        self, path: Path, table: TableWithStore, games: Path, count: int, pause_s: float
    ) -> None:
        super().__init__(path, table)
        self._playing = table
        self._games = games
        self._count = count
        self._pause_s = pause_s
        self._next = time.monotonic()

    def pass_time(self) -> None:
        while self._played() < self._count and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._pause_s
            number = self._played() + 1
            # two evenings with the same number of a round are two different rounds
            game_id = self._playing.play(f"evening-{1 + number % 2}", 1 + number // 2)
            with self._games.open("a") as games:
                games.write(f"{game_id}\n")

    def _played(self) -> int:
        return len(self._games.read_text().split()) if self._games.exists() else 0


def main(path: str, database: str, games: str, count: str, pause_s: str) -> None:
    table = TableWithStore(Path(database))
    Companion(Path(path), table, Path(games), int(count), float(pause_s)).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
