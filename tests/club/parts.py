"""A club from outside: its hub as a process, its verbs, and tables that speak the contract."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from click.testing import CliRunner, Result

from engines.record import begin, parse
from pi_app.commands.cli import main
from pi_app.link.contract import placings
from tests.ports import free_port
from tests.stand_ins.table import SimTable
from tests.stand_ins.waiting import PATIENCE_S


class Club:
    """A club in a folder: its hub's process, and its verbs."""

    def __init__(self, state: Path, *words: str, own_broker: bool = True) -> None:
        self.state = state
        self.port = free_port()
        self._words = words
        self._own = own_broker
        self._hub: subprocess.Popen[str] | None = None
        self.tables: list[SimTable] = []
        """The tables that joined, in their order."""
        self.server: Any = None
        """The PostgreSQL server of a test, if it has one."""

    def start(self) -> Self:
        """Start the hub and wait until it says that it is ready."""
        line = self.launch()
        assert "is ready" in line, line + self.log()
        return self

    def launch(self) -> str:
        """Start the hub and return the first line that it says."""
        where = ["--own-broker", "--port", str(self.port), "--web-port", "0"] if self._own else []
        words = ["club", "start", "--state", str(self.state), *where, *self._words]
        self._hub = subprocess.Popen(
            [sys.executable, "-m", "pi_app", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "LANGUAGE": "en"},
        )
        return self.said()

    def said(self) -> str:
        """Return the next line of the hub."""
        assert self._hub is not None
        assert self._hub.stdout is not None
        return self._hub.stdout.readline()

    @property
    def pid(self) -> int:
        assert self._hub is not None
        return self._hub.pid

    def log(self) -> str:
        log = self.state / "hub.log"
        return log.read_text("utf-8") if log.exists() else ""

    def broker_pid(self) -> int:
        return int((self.state / "broker" / "pid").read_text("ascii"))

    def kill(self) -> None:
        """Kill the hub as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, number: int) -> int:
        if self._hub is None:
            return 0
        self._hub.send_signal(number)
        status = self._hub.wait(PATIENCE_S)
        assert self._hub.stdout is not None
        self._hub.stdout.close()
        self._hub = None
        return status

    def run(self, *words: str) -> Result:
        """Run a verb and return how it ended."""
        verb, *rest = words
        return CliRunner().invoke(
            main, ["club", verb, "--state", str(self.state), "--lang", "en", *rest]
        )

    def do(self, *words: str) -> str:
        """Run a verb that must succeed, and return what it printed."""
        result = self.run(*words)
        assert result.exit_code == 0, f"{words}: {result.output}{result.exception}"
        return result.stdout

    def export(self, *words: str) -> dict[str, Any]:
        exported: dict[str, Any] = json.loads(self.do("export", "--json", *words))
        return exported

    def results(self) -> dict[tuple[str, int], dict[str, Any]]:
        """Return the results in the export by store and number."""
        return {(each["store"], each["seq"]): each for each in self.export()["results"]}

    def counted(self) -> list[dict[str, Any]]:
        return [each for each in self.export()["results"] if each["counted"]]

    def add_table(self, store: str = "") -> SimTable:
        """Let a new table join, and connect it."""
        access = json.loads(self.do("add-table"))
        self.tables.append(SimTable(access, store or f"store-{access['user']}").connect())
        return self.tables[-1]

    def end(self) -> None:
        """End the tables and the hub."""
        for table in self.tables:
            table.close()
        self.stop()

    def people(self, tmp: Path, count: int) -> None:
        """Register p1, p2, ..."""
        rows = "".join(f"p{n},Person {n},1\n" for n in range(1, count + 1))
        file = tmp / "people.csv"
        file.write_text(f"p,name,present\n{rows}", "utf-8")
        self.do("people", str(file))


def result_event(
    seq: int,
    people: Sequence[str | None] = ("p1", "p2"),
    *,
    game_id: str = "",
    revision: int = 0,
    first: int = 36,
    evening: str | None = None,
    in_round: int | None = None,
    game: str = "just4fun",
    **others: Any,
) -> dict[str, Any]:
    """Return a result of Just 4 Fun whose record was settled: seat 1 holds the field `first`."""
    colours = ("yellow", "red", "white", "pink")
    names = [f"S{place}" for place in range(1, len(people) + 1)]
    fields = [first, *range(1, len(people))]
    stones = "; ".join(f"{c} {f}x1" for c, f in zip(colours, fields, strict=False))
    players = ", ".join(f"{n} {c}" for n, c in zip(names, colours, strict=False))
    record = f'[Game "{game}"]\n[Players "{players}"]\n[Position "{stones}"]\n'
    return {
        "seq": seq,
        "kind": "result",
        "game_id": game_id or f"game-{seq}",
        "revision": revision,
        "evening": evening,
        "round": in_round,
        "game": game,
        "began": None,
        "ended": None,
        "lasted_s": 1769,
        "clock": "unsure",
        "seats": seats_of(record, people),
        "reason": reason_of(record),
        "record": record,
        **others,
    }


def _settled(record: str) -> tuple[Any, list[str]]:
    game, position = begin(parse(record))
    assert game.score is not None
    return game.score(position), [player.name for player in position.players]


def seats_of(record: str, people: Iterable[str | None]) -> list[dict[str, Any]]:
    result, names = _settled(record)
    placed = placings(result.as_json(), names)
    return [
        {"seat": seat, "p": p, **place}
        for seat, (p, place) in enumerate(zip(people, placed, strict=True), 1)
    ]


def reason_of(record: str) -> str:
    result, _ = _settled(record)
    return str(result.reason)
