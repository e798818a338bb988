"""The real companion and its link: a game at the terminal reaches the hub, whatever is killed."""

import json
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.pi_app.link.hub import KeepingHub
from tests.pi_app.link.mosquitto import Mosquitto, needed
from tests.pi_app.link.test_process import environment, known, start

pytestmark = needed

WAIT_S = 60.0
EDITABLE_KIB = 1700
"""What the finders of an editable installation take (Python 3.13); a service has none."""
MOST_KIB = 30 * 1024 + EDITABLE_KIB
PLAYERS = "Zebulon yellow, Wilhelmine red"


class LiveTable:
    """`beisitzer play` at a terminal, and `beisitzer link` beside it."""

    def __init__(self, folder: Path, broker: Mosquitto, name: str) -> None:
        self.store = folder / "games.db"
        self.variables = environment(folder, **known(broker, name)) | {"TERM": "xterm"}
        self._terminal = -1
        self._reader: threading.Thread | None = None
        self.companion: subprocess.Popen[bytes] | None = None
        self.link: subprocess.Popen[str] | None = None

    def start_companion(self, *words: str) -> None:
        self._terminal, far = pty.openpty()
        command = [sys.executable, "-m", "pi_app", "play", *words, "--display", "terminal"]
        self.companion = subprocess.Popen(
            [*command, "--store", str(self.store)],
            stdin=far, stdout=far, stderr=far, env=self.variables, start_new_session=True,
        )  # fmt: skip
        os.close(far)
        self._reader = threading.Thread(target=self._read, args=(self._terminal,), daemon=True)
        self._reader.start()

    def start_link(self) -> None:
        # as the unit has it
        self.link = start(self.variables | {"MALLOC_ARENA_MAX": "1"})

    def key(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def kill_companion(self) -> None:
        if self.companion is not None:
            self.companion.kill()
            self.companion.wait(WAIT_S)
            os.close(self._terminal)
            if self._reader is not None:
                self._reader.join(WAIT_S)
            self.companion = None

    def kill_link(self, number: int = signal.SIGKILL) -> str:
        if self.link is None:
            return ""
        self.link.send_signal(number)
        out, _ = self.link.communicate(timeout=WAIT_S)
        self.link = None
        return out

    @staticmethod
    def _read(terminal: int) -> None:
        with suppress(OSError):
            while os.read(terminal, 65536):
                pass


@pytest.fixture
def live(shared_broker: Mosquitto, tmp_path: Path) -> Iterator[LiveTable]:
    live = LiveTable(tmp_path, shared_broker, "table-26")
    yield live
    live.kill_link()
    live.kill_companion()


def states(hub: KeepingHub) -> list[dict[str, Any]]:
    name = "beisitzer/1/table-26/state"
    return [json.loads(data) for topic, data in hub.bytes if topic == name and data]


def last(hub: KeepingHub, key: str) -> Any:
    return states(hub)[-1][key] if states(hub) else None


def test_a_game_at_the_table_is_followed_and_its_result_outlives_every_kill(
    live: LiveTable, hub: KeepingHub
) -> None:
    position = "yellow 1 14 30; red 2 3 4"
    live.start_companion(
        *("just4fun", "--players", PLAYERS, "--tag", f"Position={position}", "--new")
    )
    live.start_link()
    hub.wait_for(lambda: last(hub, "phase") == "playing", WAIT_S)
    assert last(hub, "game") == "just4fun"
    assert last(hub, "turn")["seat"] == 1
    assert last(hub, "turn")["hex"].startswith("#")
    live.kill_link()
    live.key("12*12\r")  # the row of three that lacks a stone is whole: the game is over
    assert live.companion is not None
    live.start_link()
    hub.wait_for(lambda: last(hub, "phase") == "over", WAIT_S)
    hub.wait_for(lambda: len(hub.committed.counted()) == 1, WAIT_S)
    (event,) = hub.committed.counted().values()
    assert [seat["won"] for seat in event["seats"]] == [True, False]
    assert "Zebulon" not in b"".join(data for _, data in hub.bytes).decode()
    live.kill_companion()
    availability = "beisitzer/1/table-26/availability"
    hub.wait_for(lambda: [d for t, d in hub.bytes if t == availability][-1] == b"offline", WAIT_S)
    live.start_companion()
    hub.wait_for(lambda: [d for t, d in hub.bytes if t == availability][-1] == b"online", WAIT_S)
    assert len(hub.committed.order) == 1
    assert live.link is not None
    status = Path(f"/proc/{live.link.pid}/status").read_text()
    resident = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    assert int(resident.split()[1]) < MOST_KIB, resident
    assert "connected to 127.0.0.1" in live.kill_link(signal.SIGTERM)


def test_a_text_from_the_hub_reaches_the_table(live: LiveTable, hub: KeepingHub) -> None:
    """The companion's own answers are the subject of other tests: here, that the way is whole."""
    live.start_companion("numeri", "--players", PLAYERS, "--new")
    live.start_link()
    hub.wait_for(lambda: last(hub, "phase") == "playing", WAIT_S)
    seats = [{"seat": 1, "p": "p17", "show": "Anna"}, {"seat": 2, "p": "p3", "show": "Ben"}]
    facts = {"era": 1, "rev": 1, "evening": "e7k2", "round": 3, "game": "numeri", "rules": ""}
    hub.say("table-26", "down/seat", {**facts, "board": None, "seats": seats}, retain=True)
    hub.wait_for(lambda: (last(hub, "assignment") or {}).get("round") == 3, WAIT_S)
    assert last(hub, "assignment")["answer"] == "offered"
    hub.publish("beisitzer/1/table-26/down/seat", b"", retain=True)
