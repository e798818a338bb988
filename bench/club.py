"""A club's hub with 200 tables that keep a connection and send a result each at once."""

import json
import ssl
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPSConnection
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from bench.figure import Figure, most_memory_mib
from bench.random_play import play
from club.evening.acts.every import carry_out
from club.store.database import ClubDatabase, sqlite_url
from engines.ranking import places
from engines.record import Record, write

TABLES = 200
GAME = "just4fun"
PATIENCE_S = 120.0


def _result(chance: Random, evening: str, table: str, first: int) -> dict[str, Any]:
    """Return the result of a game of four that was played at random to its end."""
    tokens: list[str] = []
    after = None
    while after is None or after.result is None:
        tokens = []
        for position, _, move in play(GAME, 4, chance):
            tokens.append(move.token)
            after, _ = position.play(move)
    players = ", ".join(f"{player.name} {player.colour}" for player in after.players)
    names = [player.name for player in after.players]
    ranks = places(after.result.as_json(), names)
    return {
        "game_id": f"{table}-{first:012}",
        "revision": 0,
        "evening": evening,
        "round": None,
        "game": GAME,
        "began": None,
        "ended": None,
        "lasted_s": 60,
        "clock": "unsure",
        "seats": [
            {"seat": seat, "p": f"p{first + seat}", **rank._asdict()}
            for seat, rank in enumerate(ranks, 1)
        ],
        "reason": after.result.reason,
        "record": write(Record({"Game": GAME, "Players": players}, tuple(tokens))),
    }


class _Table:
    """A table with one connection to its hub."""

    def __init__(self, access: dict[str, Any], stack: ExitStack) -> None:
        self.id = str(access["table"])
        trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trust.check_hostname = False
        trust.load_verify_locations(cadata=access["ca_pem"])
        where = access["host"], access["port"]
        self._connection = HTTPSConnection(*where, timeout=PATIENCE_S, context=trust)
        stack.callback(self._connection.close)
        self._headers = {"Authorization": f"Bearer {access['token']}", "Machine": self.id}

    def ask(self, path: str, facts: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its answer; RuntimeError for a refusal."""
        body = json.dumps({"v": 2, **facts})
        self._connection.request("POST", f"/api/2/{path}", body, self._headers)
        answer = self._connection.getresponse()
        data = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {data!r}")
        found: dict[str, Any] = json.loads(data)
        return found


def _act(folder: Path, act: str, facts: dict[str, Any]) -> dict[str, Any]:
    database = ClubDatabase(sqlite_url(folder))
    try:
        with database.write() as writing:
            return carry_out(writing, "bench", act, facts)
    finally:
        database.close()


_COMMAND = (sys.executable, "-m", "pi_app", "club")


def _send(table: _Table, result: dict[str, Any]) -> None:
    (verdict,) = table.ask("results", {"results": [result]})["verdicts"]
    if verdict["verdict"] not in ("counted", "kept"):
        raise RuntimeError(f"the hub has not held a result: {verdict}")


def hub_figures(folder: Path) -> tuple[float, float]:
    """Return the seconds that a result of each table at once takes, and the hub's MiB at most."""
    with ExitStack() as stack:
        start = [*_COMMAND, "start", "--state", str(folder), "--port", "0", "--bind", "127.0.0.1"]
        hub = subprocess.Popen(start, stdout=subprocess.PIPE, text=True)  # noqa: S603  # our own
        stack.callback(hub.wait)
        stack.callback(hub.terminate)
        assert hub.stdout is not None  # noqa: S101  # it is a pipe
        stack.callback(hub.stdout.close)
        hub.stdout.readline()
        chance = Random(4)
        evening = _act(folder, "evening", {"games": [GAME], "mode": "free"})["evening"]
        known = [_Table(_act(folder, "add-table", {}), stack) for _ in range(TABLES)]
        played = [_result(chance, evening, table.id, 4 * n) for n, table in enumerate(known)]
        for table in known:
            table.ask("hello", {"boot": "1", "software": "bench", "waiting": 1})
        began = perf_counter()
        with ThreadPoolExecutor(TABLES) as pool:
            list(pool.map(_send, known, played))
        return perf_counter() - began, most_memory_mib(hub.pid)


def figures() -> list[Figure]:
    """Return how long a hub takes for a result of each table, and its memory."""
    with tempfile.TemporaryDirectory() as folder:
        seconds, memory = hub_figures(Path(folder))
        return [
            Figure(f"{TABLES} results at once", seconds, "s", 10),
            Figure(f"memory, hub with {TABLES} tables", memory, "MiB", 150),
        ]
