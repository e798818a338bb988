"""A companion's socket with nothing but the link's place on it, in front of a table of the tests.

As a program it is a companion that can be killed: what it has is in a database, as in a store.

    python -m tests.pi_app.link.companion SOCKET DATABASE GAMES COUNT PAUSE_S

GAMES is a list of all games whose results it has shown.
"""

import json
import secrets
import select
import socket
import sqlite3
import sys
import threading
import time
from pathlib import Path
from typing import Any

from pi_app.link.contract import ContractError
from pi_app.link.protocol import (
    Acked,
    AskEvents,
    Assigned,
    LinkStatus,
    TableState,
    TakePlace,
    Told,
    read_asked,
)
from tests.pi_app.link.table import TableInMemory, result

Json = dict[str, Any]


class LinksPlace:
    """Serves one link at a time until it is closed; `serve` may run in a thread."""

    def __init__(self, path: Path, table: TableInMemory) -> None:
        self.table = table
        self.refuses = ""
        """An error for whoever asks for the place."""
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
                    with link:
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
                    link.sendall(_line(TableState(waiting=self.table.last).line()))

    def _answer(self, line: Json) -> Json:
        try:
            asked = read_asked(line["kind"], line)
        except ContractError as error:
            return {"error": "bad", "why": str(error)}
        match asked:
            case TakePlace() if self.refuses:
                return {"error": self.refuses, "text": "no"}
            case TakePlace():
                return {"ok": True, **self.table.outbox().facts()}
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


class TableOnDisk(TableInMemory):
    """A table whose outbox survives any kill: each change is on the disk before it is told."""

    def __init__(self, path: Path, store: str) -> None:
        super().__init__(store)
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=FULL")
        self._database.execute("CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY, facts)")
        found = self._database.execute("SELECT facts FROM kept WHERE id=1").fetchone()
        if found is not None:
            facts = json.loads(found[0])
            self.kept = {int(seq): event for seq, event in facts.pop("kept").items()}
            facts["previous"] = tuple(facts["previous"])
            self.__dict__.update(facts)
        elif store:
            self.save()

    def put(self, event: Json) -> None:
        super().put(event)
        self.save()

    def ack(self, ack: Any) -> Any:
        outbox = super().ack(ack)
        self.save()
        return outbox

    def save(self) -> None:
        names = ("store", "previous", "last", "upto", "closed", "hub", "kept")
        facts = json.dumps({name: getattr(self, name) for name in names})
        self._database.execute("REPLACE INTO kept VALUES (1, ?)", (facts,))


class Companion(LinksPlace):
    """Plays until there were `count` games, each `pause_s` after the one before it."""

    def __init__(
        self, path: Path, table: TableOnDisk, games: Path, count: int, pause_s: float
    ) -> None:
        super().__init__(path, table)
        self._games = games
        self._count = count
        self._pause_s = pause_s
        self._next = time.monotonic()

    def pass_time(self) -> None:
        while self._played() < self._count and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._pause_s
            seq, game_id = self.table.last + 1, secrets.token_hex(8)
            # two evenings with the same number of a round are two different rounds
            evening = "evening-1" if seq % 2 else "evening-2"
            self.table.put(result(seq, game_id, evening=evening, round=1 + seq // 2))
            with self._games.open("a") as games:
                games.write(f"{game_id}\n")

    def _played(self) -> int:
        return len(self._games.read_text().split()) if self._games.exists() else 0


def main(path: str, database: str, games: str, count: str, pause_s: str) -> None:
    table = TableOnDisk(Path(database), f"store-{secrets.token_hex(6)}")
    Companion(Path(path), table, Path(games), int(count), float(pause_s)).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
