"""A club's hub under load: from a result to the word that it is committed, and its memory.

`python -m bench.club SECONDS TABLES [URL]` measures longer, or on a PostgreSQL database.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import paho.mqtt.client as mqtt
from click.testing import CliRunner
from paho.mqtt.enums import CallbackAPIVersion

from bench.figure import Figure
from bench.random_play import play
from engines.record import Record, write
from pi_app.commands.cli import main
from pi_app.link.contract import payload, placings, topic

TABLES = 200
SECONDS = 30.0
MINUTE_S = 60.0
"""How often a table has a result."""
BUDGET_MS = 300
BUDGET_MIB = 150
GAME = "just4fun"


def games(chance: Random, count: int) -> list[dict[str, Any]]:
    """Return results of games of four that were played at random, without ids and people."""
    found: list[dict[str, Any]] = []
    while len(found) < count:
        tokens, after = [], None
        for position, _, move in play(GAME, 4, chance):
            tokens.append(move.token)
            after, _ = position.play(move)
        assert after is not None  # noqa: S101  # a game has moves
        if after.result is None:
            continue
        names = [player.name for player in after.players]
        players = ", ".join(f"{player.name} {player.colour}" for player in after.players)
        record = write(Record({"Game": GAME, "Players": players}, tuple(tokens)))
        placed = placings(after.result.as_json(), names)
        found.append({"record": record, "reason": after.result.reason, "placed": placed})
    return found


class LoadTable:
    """A table that sends a result now and then, and notes how long the hub took."""

    def __init__(self, access: dict[str, Any], number: int) -> None:
        self.taken_s: list[float] = []
        self.sent_at: dict[str, float] = {}
        """When each game's result was sent, in seconds of the clock."""
        self.sent = 0
        self._sent_at: dict[int, float] = {}
        self._number = number
        self._id = str(access["user"])
        self.ready = threading.Event()
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id=self._id, protocol=mqtt.MQTTv5
        )
        self._client.username_pw_set(self._id, access["password"])
        context = ssl.create_default_context(cadata=access["ca_pem"])
        context.check_hostname = False
        self._client.tls_set_context(context)
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message
        self._client.connect_async("127.0.0.1", access["port"], 60)
        self._client.loop_start()

    def _on_connect(self, client: mqtt.Client, *_: Any) -> None:
        client.subscribe([(topic(self._id, "down/#"), 1), (topic("club", "#"), 1)])
        self.ready.set()

    def _on_message(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        if not message.topic.endswith("/down/ack"):
            return
        now, upto = time.monotonic(), json.loads(message.payload)["upto"]
        for seq in [seq for seq in self._sent_at if seq <= upto]:
            self.taken_s.append(now - self._sent_at.pop(seq))

    def send(self, game: dict[str, Any]) -> None:
        self.sent += 1
        people = [f"p{4 * self._number + seat}" for seat in range(1, 5)]
        seats = [
            {"seat": seat, "p": p, **place}
            for seat, (p, place) in enumerate(zip(people, game["placed"], strict=True), 1)
        ]
        event = {
            "seq": self.sent,
            "kind": "result",
            "game_id": f"{self._id}-{self.sent}",
            "revision": 0,
            "evening": None,
            "round": None,
            "game": GAME,
            "began": None,
            "ended": None,
            "lasted_s": 60,
            "clock": "unsure",
            "seats": seats,
            "reason": game["reason"],
            "record": game["record"],
        }
        self._sent_at[self.sent] = time.monotonic()
        self.sent_at[event["game_id"]] = time.time()
        data = payload({"store": f"s-{self._id}", "events": [event]})
        self._client.publish(topic(self._id, "up/events"), data, 1)

    @property
    def waits(self) -> bool:
        return bool(self._sent_at)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def drive(accesses: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """Let all tables play for that long, at a lower priority.

    Returns how long each ack took in seconds (`taken`), and when each game's result was `sent`.
    """
    os.nice(10)
    chance = Random(4)
    played = games(chance, 20)
    tables = [LoadTable(access, number) for number, access in enumerate(accesses)]
    for table in tables:
        table.ready.wait(60)
    due = sorted((chance.uniform(0, MINUTE_S), table) for table in range(len(tables)))
    start = time.monotonic()
    round_s = 0.0
    while round_s < seconds:
        for at, number in due:
            wait = start + round_s + at - time.monotonic()
            if round_s + at >= seconds:
                break
            if wait > 0:
                time.sleep(wait)
            tables[number].send(chance.choice(played))
        round_s += MINUTE_S
    end = time.monotonic() + 30
    while any(table.waits for table in tables) and time.monotonic() < end:
        time.sleep(0.05)
    taken = [each for table in tables for each in table.taken_s]
    if any(table.waits for table in tables):
        taken.append(float("inf"))  # a result that the hub never acknowledged
    sent = {game: at for table in tables for game, at in table.sent_at.items()}
    for table in tables:
        table.close()
    return {"taken": taken, "sent": sent}


@contextmanager
def hub(state: Path, database: str) -> Iterator[subprocess.Popen[str]]:
    """Run a hub with its own broker."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", "pi_app", "club"]
    words = ["--state", str(state), "--port", port, "--web-port", "0"]
    if database:
        words += ["--database", database]
    process = subprocess.Popen(  # noqa: S603  # our own interpreter
        [*command, "start", *words], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None  # noqa: S101  # it is a pipe
        process.stdout.readline()
        yield process
    finally:
        process.terminate()
        process.wait()


def memory_mib(pid: int) -> float:
    """Return the most memory that a process has had."""
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


@dataclass(frozen=True, slots=True)
class ClubLoad:
    """What was measured: seconds from a result to its ack, and to the transaction of its commit."""

    acks_s: list[float]
    commits_s: list[float]
    memory_mib: float
    cores: float


def measure(seconds: float, count: int, database: str = "") -> ClubLoad:
    """Let this many tables play for that long."""
    with tempfile.TemporaryDirectory() as folder, hub(Path(folder), database) as process:
        accesses = []
        for _ in range(count):
            added = CliRunner().invoke(main, ["club", "add-table", "--state", folder])
            accesses.append(json.loads(added.stdout))
        file = Path(folder) / "accesses"
        file.write_text(json.dumps(accesses), "utf-8")
        before, began = _cpu_s(process.pid), time.monotonic()
        driver = [
            sys.executable,
            "-m",
            "bench.club",
            str(seconds),
            str(count),
            "--drive",
            str(file),
        ]
        run = subprocess.run(driver, check=True, capture_output=True, text=True)  # noqa: S603  # ours
        load = (_cpu_s(process.pid) - before) / (time.monotonic() - began)
        driven = json.loads(run.stdout)
        exported = CliRunner().invoke(main, ["club", "export", "--json", "--state", folder])
        commits = [
            datetime.fromisoformat(each["at"]).timestamp() - driven["sent"][each["game_id"]]
            for each in json.loads(exported.stdout)["results"]
        ]
        if len(commits) < len(driven["sent"]):
            commits.append(float("inf"))
        return ClubLoad(sorted(driven["taken"]), sorted(commits), memory_mib(process.pid), load)


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def figures(seconds: float = SECONDS, count: int = TABLES, database: str = "") -> list[Figure]:
    if not any(map(shutil.which, ("mosquitto", "/usr/sbin/mosquitto"))):
        raise ImportError("Mosquitto is not installed")
    load = measure(seconds, count, database)
    return [
        Figure(f"club: a result's commit, {count} tables, median", _at(load.commits_s, 50), "ms"),
        Figure("the same, 99 of 100", _at(load.commits_s, 99), "ms", BUDGET_MS),
        Figure("club: its ack at the table, median", _at(load.acks_s, 50), "ms"),
        Figure("the same, 99 of 100", _at(load.acks_s, 99), "ms"),
        Figure("club: results that were committed", len(load.commits_s), "results"),
        Figure("club: the hub's most memory", load.memory_mib, "MiB", BUDGET_MIB),
        Figure("club: the hub's load", load.cores * 100, "% of a core"),
    ]


def _at(taken_s: list[float], percent: int) -> float:
    """Return the value that so many of a hundred do not exceed, in milliseconds."""
    return taken_s[min(len(taken_s) - 1, len(taken_s) * percent // 100)] * 1e3


def _main(words: list[str]) -> None:
    seconds, count = float(words[0]), int(words[1])
    if words[2:3] == ["--drive"]:
        accesses = json.loads(Path(words[3]).read_text("utf-8"))
        sys.stdout.write(json.dumps(drive(accesses, seconds)))
        return
    for figure in figures(seconds, count, *words[2:3]):
        sys.stdout.write(f"{figure.name:<44} {figure.value:10.1f} {figure.unit}\n")


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        _main(sys.argv[1:])
