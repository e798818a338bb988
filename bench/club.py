"""The memory of a club's hub with 200 tables, each of which sends a result."""

import json
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from threading import Semaphore
from typing import Any

import paho.mqtt.client as mqtt
from click.testing import CliRunner
from paho.mqtt.enums import CallbackAPIVersion

from bench.figure import Figure, most_memory_mib
from bench.random_play import play
from engines.record import Record, write
from pi_app.commands.cli import main
from pi_app.link.contract import payload, placings, topic

TABLES = 200
GAME = "just4fun"
PATIENCE_S = 120.0


def _result(chance: Random, table: str, first: int) -> dict[str, Any]:
    """Return the result of a game of four that was played at random to its end."""
    tokens: list[str] = []
    after = None
    while after is None or after.result is None:
        tokens = []
        for position, _, move in play(GAME, 4, chance):
            tokens.append(move.token)
            after, _ = position.play(move)
    players = ", ".join(f"{player.name} {player.colour}" for player in after.players)
    places = placings(after.result.as_json(), [player.name for player in after.players])
    return {
        "seq": 1,
        "kind": "result",
        "game_id": table,
        "revision": 0,
        "evening": None,
        "round": None,
        "game": GAME,
        "began": None,
        "ended": None,
        "lasted_s": 60,
        "clock": "unsure",
        "seats": [
            {"seat": seat, "p": f"p{first + seat}", **place} for seat, place in enumerate(places, 1)
        ],
        "reason": after.result.reason,
        "record": write(Record({"Game": GAME, "Players": players}, tuple(tokens))),
    }


def _table(access: dict[str, Any], event: dict[str, Any], done: Semaphore) -> mqtt.Client:
    """Connect a table that sends one result; `done` is released when the hub acknowledged it."""
    name = str(access["user"])
    client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=mqtt.MQTTv5)
    client.username_pw_set(name, access["password"])
    context = ssl.create_default_context(cadata=access["ca_pem"])
    context.check_hostname = False
    client.tls_set_context(context)
    events = payload({"store": f"s-{name}", "events": [event]})

    def connected(client: mqtt.Client, *_: Any) -> None:
        client.subscribe([(topic(name, "down/#"), 1), (topic("club", "#"), 1)])
        client.publish(topic(name, "up/events"), events, 1)

    def received(_client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        if message.topic.endswith("/down/ack") and json.loads(message.payload)["upto"] == 1:
            done.release()

    client.on_connect, client.on_message = connected, received
    client.connect_async("127.0.0.1", access["port"], 60)
    client.loop_start()
    return client


def hub_memory_mib(folder: Path, tables: int = TABLES) -> float:
    """Return the most memory of a hub to which this many tables send a result each."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    words = ["club", "start", "--state", str(folder), "--port", port, "--web-port", "0"]
    hub = subprocess.Popen(  # noqa: S603  # our own
        [sys.executable, "-m", "pi_app", *words], stdout=subprocess.PIPE, text=True
    )
    clients = []
    try:
        assert hub.stdout is not None  # noqa: S101  # it is a pipe
        hub.stdout.readline()
        chance, done = Random(4), Semaphore(0)
        add = ["club", "add-table", "--state", str(folder)]
        accesses = [json.loads(CliRunner().invoke(main, add).stdout) for _ in range(tables)]
        for number, access in enumerate(accesses):
            event = _result(chance, str(access["user"]), 4 * number)
            clients.append(_table(access, event, done))
        end = time.monotonic() + PATIENCE_S
        for _ in range(tables):
            if not done.acquire(timeout=max(0, end - time.monotonic())):
                raise RuntimeError("the hub did not acknowledge every result")
        return most_memory_mib(hub.pid)
    finally:
        for client in clients:
            client.disconnect()
            client.loop_stop()
        hub.terminate()
        hub.wait()


def figures() -> list[Figure]:
    """Return the hub's memory; ImportError without a broker."""
    if not any(map(shutil.which, ("mosquitto", "/usr/sbin/mosquitto"))):
        raise ImportError("Mosquitto is not installed")
    with tempfile.TemporaryDirectory() as folder:
        return [
            Figure(f"memory, hub with {TABLES} tables", hub_memory_mib(Path(folder)), "MiB", 150)
        ]
