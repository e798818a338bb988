"""How long the loop is busy while the statistics of very many games are counted.

A phone asks for the progress, moves are played, and the first menu is shown in between. The loop
and the count share one core, as on the smallest Pi.
"""

import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import NamedTuple

from bench.evaluation import one_core
from bench.figure import Figure, yard
from bench.keys import program
from bench.storing import make_store, store_facts
from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.phones.pairing import Pairing
from pi_app.phones.protocol import Answered
from pi_app.phones.table import RemoteTable
from pi_app.screens.base import Action, Home, ToTable
from pi_app.screens.context import Context
from pi_app.settings.schema import Settings
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from pi_app.view.inputs import Errand, Input, KeyQueue
from pi_app.view.key_script import read_keys
from pi_app.view.output import Output

GAMES = 50_000
PAUSE_S = 0.02
"""Between two keys."""
MOVE = "5#<<"
"""A move and its undo."""
MENU = "vv^"
ROUNDS = 10
"""How often at least a move is played and the first menu shown."""
BUDGET_YARDS = 15.0
"""In yardsticks: 50 ms if one takes 3.3 ms."""
LONGEST_S = 600.0
"""The count is given up after this time."""


class Away(NamedTuple):
    """Seconds from getting a key to asking for the next: elapsed time, and the loop's CPU time."""

    wall: float
    cpu: float


class Turns(KeyQueue):
    """A queue that measures how long the loop is away each time."""

    def __init__(self) -> None:
        super().__init__()
        self.absences: list[Away] = []
        self._since: Away | None = None

    def get(self, timeout_s: float | None) -> Input | Errand | None:
        if self._since is not None:
            now = _now()
            self.absences.append(Away(now.wall - self._since.wall, now.cpu - self._since.cpu))
        try:
            return super().get(timeout_s)
        finally:
            self._since = _now()


def _now() -> Away:
    return Away(time.perf_counter(), time.thread_time())


class _Painted(Output):
    """The display of a rig without its bus."""

    name = "painted"

    def show(self, frame: Frame) -> None:
        paint(frame)


class _ManyGames:
    """A table with many stored games, its loop in a thread, and a phone that asks."""

    def __init__(self, path: Path) -> None:
        self.store = make_store(path, GAMES)
        store_facts(self.store)
        context = Context(Texts("en"), Settings(), self.store, time.monotonic)
        self.companion = program("just4fun", context)
        self.turns = self.companion.keys = Turns()
        self.companion.outputs = [_Painted()]
        self.remote = RemoteTable(self.companion, Pairing(None, context.clock), int, int)
        self.counted = Event()
        self._loop = Thread(target=self.companion.run, daemon=True)
        self._loop.start()

    def ask(self) -> None:
        """Ask for the statistics, as the page does until they are complete."""
        self.remote.statistics("", self._receive)

    def _receive(self, answer: Answered) -> None:
        if answer.get("counting") is False:
            self.counted.set()

    def press(self, keys: Iterable[Key]) -> None:
        for key in keys:
            time.sleep(PAUSE_S)
            self.companion.keys.put(key)

    def round(self) -> None:
        """Play and undo a move, show the first menu, and return to the table."""
        self.press(read_keys(MOVE))
        table = self.companion.stack[0].table  # type: ignore[attr-defined]  # a turn is on show
        self._go(Home())
        self.press(read_keys(MENU))
        self._go(ToTable(table=table))

    def _go(self, action: Action) -> None:
        done = Event()

        def go() -> None:
            self.companion.do(lambda: action)
            done.set()

        self.companion.keys.post(go)
        done.wait(LONGEST_S)

    def end(self) -> None:
        self.companion.keys.stop()
        self._loop.join(LONGEST_S)
        self.store.close()


class TurnTimes(NamedTuple):
    """Milliseconds: the median and the longest turn, and the most CPU time in one turn."""

    median: float
    longest: float
    cpu: float


def _measure(table: _ManyGames, *, counting: bool) -> TurnTimes:
    """Measure some rounds or, with `counting`, all rounds until the count is complete."""
    table.turns.absences.clear()
    ends = time.monotonic() + LONGEST_S
    rounds = 0
    while rounds < ROUNDS or (counting and not table.counted.is_set() and time.monotonic() < ends):
        if counting:
            table.ask()
        table.round()
        rounds += 1
    walls, cpus = zip(*table.turns.absences, strict=True)
    return TurnTimes(1e3 * median(walls), 1e3 * max(walls), 1e3 * max(cpus))


def figures() -> list[Figure]:
    """Return how long the loop was away, alone and while the games were counted.

    How long people wait depends on the machine's other work, so the budget is for CPU time.
    """
    with tempfile.TemporaryDirectory() as folder, one_core():
        table = _ManyGames(Path(folder, "games.db"))
        _measure(table, counting=False)  # so that what a process does once is not measured
        alone = _measure(table, counting=False)
        before = yard()
        counting = _measure(table, counting=True)
        yards = 1e3 * min(before, yard())
        table.end()
    cpu = counting.cpu
    return [
        Figure(f"a turn of the loop after {GAMES} games, median", alone.median, "ms"),
        Figure("the same while they are counted", counting.median, "ms"),
        Figure("the longest turn of the loop, alone", alone.longest, "ms"),
        Figure("the same while they are counted", counting.longest, "ms"),
        Figure("most CPU of the loop in one of these", cpu, "ms", BUDGET_YARDS, ratio=cpu / yards),
    ]
