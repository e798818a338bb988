"""A club from outside: its hub as a process, its acts, and the results of tables."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from click.testing import Result

from engines.ranking import places
from engines.record import begin, parse
from tests.club.table import Table
from tests.pi_app.commands.called import run
from tests.ports import free_port
from tests.stand_ins.waiting import PATIENCE_S


class Club:
    """A club in a folder: its hub's process, and its verbs."""

    def __init__(self, state: Path, *words: str) -> None:
        self.state = state
        self.port = free_port()
        self._words = words
        self._hub: subprocess.Popen[str] | None = None
        self._tables: list[Table] = []
        self.server: Any = None
        """The PostgreSQL server of a test, if it has one."""

    def start(self) -> Self:
        """Start the hub and wait until it says that it is ready."""
        line = self.launch()
        assert "is ready" in line, line + self.log()
        return self

    def launch(self) -> str:
        """Start the hub and return the first line that it says."""
        where = ["--state", str(self.state), "--port", str(self.port), "--bind", "127.0.0.1"]
        self.state.mkdir(parents=True, exist_ok=True)
        with (self.state / "errors").open("a") as errors:
            self._hub = subprocess.Popen(
                [sys.executable, "-m", "pi_app", "club", "start", *where, *self._words],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "LANGUAGE": "en"},
            )
        assert self._hub.stdout is not None
        return self._hub.stdout.readline()

    @property
    def pid(self) -> int:
        assert self._hub is not None
        return self._hub.pid

    def log(self) -> str:
        found = [self.state / "hub.log", self.state / "errors"]
        return "".join(file.read_text("utf-8") for file in found if file.exists())

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
        return run("club", verb, "--state", self.state, "--lang", "en", *rest)

    def do(self, *words: str) -> str:
        """Run a verb that must succeed, and return what it printed."""
        result = self.run(*words)
        assert result.exit_code == 0, f"{words}: {result.output}{result.exception}"
        return result.stdout

    def act(self, name: str, /, **facts: Any) -> dict[str, Any]:
        """Carry out an act that must succeed."""
        answer: dict[str, Any] = json.loads(self.do("do", name, json.dumps(facts)))
        return answer

    def refused(self, name: str, /, **facts: Any) -> str:
        """Carry out an act that must not be possible now; return why."""
        result = self.run("do", name, json.dumps(facts))
        assert result.exit_code == 1, result.output
        return result.stderr

    def export(self, *words: str) -> dict[str, Any]:
        exported: dict[str, Any] = json.loads(self.do("export", "--json", *words))
        return exported

    def counted(self) -> dict[str, int]:
        """Return the revision that counts of each game; it must be one."""
        found: dict[str, int] = {}
        for each in self.export()["results"]:
            if each["verdict"] == "counted":
                assert each["game_id"] not in found
                found[each["game_id"]] = each["revision"]
        return found

    def points(self) -> dict[str, float]:
        return {line["p"]: line["points"] for line in self.export()["standings"]}

    def add_table(self, machine: str = "") -> Table:
        """Let a new table in."""
        return self.table(self.act("add-table"), machine)

    def table(self, access: Mapping[str, Any], machine: str = "") -> Table:
        """Return a table that is closed with the club."""
        self._tables.append(Table(access, machine))
        return self._tables[-1]

    def end(self) -> None:
        for table in self._tables:
            table.close()
        self.stop()

    def people(self, count: int) -> None:
        """Register p1, p2, ..."""
        listed = [{"p": f"p{n}", "name": f"Person {n}"} for n in range(1, count + 1)]
        self.act("people", people=listed)


def game_id() -> str:
    return secrets.token_urlsafe(16)


def result_of(
    people: Sequence[str | None] = ("p1", "p2"),
    *,
    game: str = "just4fun",
    revision: int = 0,
    first: int = 36,
    evening: str | None = None,
    in_round: int | None = None,
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
        "game_id": game_id(),
        "revision": revision,
        "evening": evening,
        "round": in_round,
        "game": game,
        "software": "1.0.0",
        "began": None,
        "ended": None,
        "lasted_s": 1769,
        "clock": "unsure",
        "seats": seats_of(record, people),
        "reason": _settled(record)[0].reason,
        "record": record,
        **others,
    }


def withdrawal(result: dict[str, Any], revision: int) -> dict[str, Any]:
    return {"game_id": result["game_id"], "revision": revision, "withdrawn": True}


def _settled(record: str) -> tuple[Any, list[str]]:
    game, position = begin(parse(record))
    assert game.score is not None
    return game.score(position), [player.name for player in position.players]


def seats_of(record: str, people: Iterable[str | None]) -> list[dict[str, Any]]:
    result, names = _settled(record)
    placed = places(result.as_json(), names)
    return [
        {"seat": seat, "p": p, **place._asdict()}
        for seat, (p, place) in enumerate(zip(people, placed, strict=True), 1)
    ]
