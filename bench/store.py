"""The store: a move's way to the disk, replaying a record, looking back on many games."""

import io
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random
from unittest.mock import patch

from bench.figure import Figure, measure
from bench.random_play import play
from engines.game import Result, replay
from engines.record import Record, begin, parse, write
from pi_app.displays.oled import paint
from pi_app.screens.context import Context
from pi_app.screens.starting.history import HistoryScreen, StatisticsScreen
from pi_app.settings.schema import Settings
from pi_app.store import Store, new_file
from pi_app.table.table import Table
from pi_app.texts.language import Texts

TAGS = {"Game": "just4fun", "Players": "P0 yellow, P1 red"}
MANY = 10_000
MOVES = 200
_BEGUN = "2026-01-01T20:00:00+00:00"


def appends(folder: Path) -> list[Figure]:
    """Count the appends for one move at a table, and their flushes to the disk."""
    with closing(Store(folder / "appends")) as store:
        table = Table.begin(store, TAGS)
        with patch("io.open", wraps=io.open) as write, patch("os.fdatasync") as flush:
            for token in ("5", "<>") * 20:
                table.play(table.position.parse(token))  # type: ignore[arg-type]  # both are legal
    return [
        Figure(f"a move's way to the disk: {name}", calls.call_count / 40, "", 1)
        for name, calls in (("appends", write), ("flushes", flush))
    ]


def replaying() -> Figure:
    """Measure parsing and replaying a long record."""
    chance = Random(3)
    tokens: list[str] = []
    while len(tokens) < MOVES:
        played = [move.token for _, _, move in play("just4fun", 2, chance)]
        # instead of the last move, which ends the game, a correction: nothing lies on the board,
        # and P0 is to move, as at the beginning
        tokens += played[:-1]
        tokens.append("<; to-move=P0>" if len(tokens) % 2 else "<>")
    text = write(Record(TAGS, tuple(tokens[:MOVES])))

    def act() -> None:
        record = parse(text)
        _, start = begin(record)
        for _ in replay(start, record.tokens):  # a generator: each round plays a move
            pass

    return measure(act).figure_ms(f"replay of {MOVES} moves", 20)


def make_store(path: Path, games: int) -> Store:
    """Return a store with a number of finished games of one move."""
    result = Result(("P0",), "points", {"points": {"P0": 5, "P1": 0}})
    store = Store(path)
    store.add_files(new_file(0, TAGS, _BEGUN, tokens=("5",), result=result) for _ in range(games))
    return store


def looking_back(folder: Path) -> list[Figure]:
    """Measure history and statistics of many games."""
    with closing(make_store(folder / "many", MANY)) as store:
        ctx = Context(Texts("en"), Settings(), store, time.monotonic)
        history = measure(lambda: paint(HistoryScreen(ctx).frame()), 5)
        statistics = measure(lambda: paint(StatisticsScreen(ctx).frame()))
    return [
        history.figure_ms(f"history page of {MANY:,} games", 100),
        statistics.figure_ms(f"statistics of {MANY:,} games", 2000),
    ]


def figures() -> list[Figure]:
    """Return all figures of the store, in the temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [*appends(folder), replaying(), *looking_back(folder)]
