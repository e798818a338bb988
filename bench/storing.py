"""The store: committing a move, replaying long records, and whether their costs grow."""

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from bench.figure import Figure, measure
from bench.random_play import play
from engines.game import Result
from engines.record import Record, begin, parse, write
from engines.replay import replay
from pi_app.displays.oled import paint
from pi_app.files.host import utc_now
from pi_app.past.exchange import games_csv
from pi_app.past.facts import KIND, VERSION, facts_of
from pi_app.past.outcomes import outcomes
from pi_app.screens.context import Context
from pi_app.screens.playing.evening import evening_after
from pi_app.screens.starting.history import EveningsScreen, HistoryScreen
from pi_app.screens.starting.statistics import GameStatisticsMenu, StatisticsScreen
from pi_app.settings.schema import Settings
from pi_app.store.archive import content_keys, finished_games
from pi_app.store.check import sibling
from pi_app.store.derived import Derived
from pi_app.store.lock import FileLock
from pi_app.store.pages import frames
from pi_app.store.recovery import rescue
from pi_app.store.store import Store
from pi_app.table.table import Table
from pi_app.texts.language import Texts

TAGS = {"Game": "just4fun", "Players": "P0 yellow, P1 red"}
_DAY = "2026-01-01"
GROWTH = (10, 10_000)
"""Moves in a game, and games in a store: the cost of a move must not depend on them."""


def _long_record(moves: int) -> Record:
    """Return a record of `moves` moves; a game that ends continues by clearing the board."""
    chance = Random(3)
    tokens: list[str] = []
    while len(tokens) < moves:
        played = [move.token for _, _, move in play("just4fun", 2, chance)]
        # instead of the last move, which ends the game, a correction: nothing lies on the board,
        # and P0 is to move, as at the beginning
        tokens += played[:-1]
        tokens.append("<; to-move=P0>" if len(tokens) % 2 else "<>")
    return Record(TAGS, tuple(tokens[:moves]))


def replaying(moves: int) -> Figure:
    """Measure parsing and replaying a record."""
    text = write(_long_record(moves))

    def act() -> None:
        record = parse(text)
        _, start = begin(record)
        for _ in replay(start, record.tokens):  # a generator: each round plays a move
            pass

    seconds, yards = measure(act)
    budget = 6.0 if moves == 200 else None  # in yardsticks: 20 ms if one takes 3.3 ms
    return Figure(f"replay of {moves} moves", seconds * 1e3, "ms", budget, ratio=yards)


def committing(folder: Path) -> Figure:
    """Measure committing a move on this disk."""
    store = Store(folder / "commit.db")
    game = store.begin(TAGS)
    start = time.perf_counter()
    for n in range(200):
        store.append(game, n, "5+11+13", None)
    commit_ms = (time.perf_counter() - start) / 200 * 1e3
    store.close()
    return Figure("commit of a move (WAL, FULL)", commit_ms, "ms")


def transactions(folder: Path) -> Figure:
    """Count the transactions for one move at a table, in SQLite's own log."""
    path = folder / "transactions.db"
    store = Store(path)
    table = Table.begin(store, TAGS)
    log = sibling(path, "-wal")
    before = _commits(log)
    _move_ms(table, 40)
    commits_a_move = (_commits(log) - before) / 40
    store.close()
    return Figure("commit of a move: transactions", commits_a_move, "", 1)


def _commits(log: Path) -> int:
    """Return how many frames of a log end a transaction."""
    return sum(ends for _, ends, _, _ in frames(log.read_bytes()))


def growing(folder: Path) -> list[Figure]:
    """Measure a move in a long game and in a large store, and opening a long history."""
    figures = []
    for count in GROWTH:
        store = Store(folder / f"moves-{count}.db")
        table = Table.begin(store, TAGS)
        # a move, and a correction that clears the board
        tokens = ["5", "<>", "5", "<>"] * (count // 4 + 1)
        table.rewrite(tokens[:count])
        figures.append(Figure(f"a move after {count} moves", _move_ms(table), "ms"))
        store.close()
    for count in GROWTH:
        store = make_store(folder / f"games-{count}.db", count)
        figures.append(_opening(store, count))
        figures.append(
            Figure(f"a move after {count} games", _move_ms(Table.begin(store, TAGS)), "ms")
        )
        store.close()
    return figures


def _opening(store: Store, count: int) -> Figure:
    """Measure opening and painting the list of the finished games."""
    ctx = Context(Texts("en"), Settings(), store, time.monotonic)
    seconds, yards = measure(lambda: paint(HistoryScreen(ctx).frame()), 5)
    budget = 15.0 if count == GROWTH[-1] else None  # in yardsticks: 50 ms if one takes 3.3 ms
    name = f"opening the history of {count} games"
    return Figure(name, seconds * 1e3, "ms", budget, ratio=yards)


def make_store(path: Path, games: int) -> Store:
    """Return a store with a number of finished games of one move."""
    result = Result(("P0",), "points", {"points": {"P0": 5, "P1": 0}})
    store = Store(path)
    store.add_all([(TAGS, ("5",), f"{_DAY}T20:00:00+00:00", result)] * games)
    return store


def rescuing(folder: Path) -> Figure:
    """Measure rewriting a store of many games whose first page is lost."""
    path, moves = folder / "rescue.db", ("5", "<>") * 15
    store = Store(path)
    store.add_all([(TAGS, moves, f"{_DAY}T20:00:00+00:00", None)] * GROWTH[-1])
    store.close()
    path.write_bytes(bytes(100) + path.read_bytes()[100:])  # the file's header is gone
    locks: list[FileLock | None] = []
    seconds, yards = measure(lambda: locks.append(rescue(path, lambda _: None, utc_now())), 1)
    for lock in filter(None, locks):
        lock.release()
    name = f"rescue of {GROWTH[-1]} games of {len(moves)} moves"
    # the budget in yardsticks: 3 s if one takes 3.3 ms
    return Figure(name, seconds, "s", 900.0, ratio=yards)


def looking_back(folder: Path) -> list[Figure]:
    """Measure lists and tables of 10,000 finished games, more than most people will play."""
    count = GROWTH[-1]
    store = Store(folder / "evenings.db")
    result = Result(("P0",), "points", {"points": {"P0": 5, "P1": 0}})
    begin_at = datetime(2016, 1, 1, 18, tzinfo=UTC)
    store.add_all(
        [
            (
                TAGS,
                ("5", "<>") * 10,
                # an evening of five games each day
                (begin_at + timedelta(days=game // 5, minutes=30 * (game % 5))).isoformat(),
                result,
            )
            for game in range(count)
        ]
    )
    ctx = Context(Texts("en"), Settings(), store, time.monotonic)
    last = store.latest_game() or 0
    # budgets in yardsticks: 1 s and 50 ms if one takes 3.3 ms
    acts: tuple[tuple[str, float, Callable[[], object]], ...] = (
        ("list of the evenings", 300.0, lambda: paint(EveningsScreen(ctx).frame())),
        ("the evening after the last", 15.0, lambda: evening_after(ctx, last)),
        ("CSV", 300.0, lambda: games_csv(outcomes(store))),
        ("statistics", 300.0, lambda: _statistics(ctx)),
    )
    store_facts(store)
    figures = []
    for name, budget, act in acts:
        seconds, yards = measure(act)
        figures.append(Figure(f"{name} of {count} games", seconds * 1e3, "ms", budget, ratio=yards))
    store.close()
    return figures


def store_facts(store: Store) -> None:
    """Store the facts of one game of many moves for every game, as if each were such a game."""
    played = [move.token for _, _, move in play("just4fun", 2, Random(3))]
    other = Store(":memory:")
    (game,) = other.add_all([(TAGS, played, _DAY, Result(("P0",), "row"))])
    facts = facts_of(other, game)
    if facts is not None:
        with closing(Derived.of_store(store.path)) as derived:
            keys = content_keys(store, finished_games(store)).values()
            derived.put_many(KIND, VERSION, dict.fromkeys(keys, facts.as_bytes()))


def _statistics(ctx: Context) -> None:
    """Paint the first screen of a game's statistics, and its board."""
    menu = GameStatisticsMenu(ctx, StatisticsScreen(ctx).games[0])
    paint(menu.frame())
    if menu.fields is not None:
        paint(menu.fields.frame())


def _move_ms(table: Table, moves: int = 40) -> float:
    start = time.process_time()
    for _ in range(moves // 2):
        for token in ("5", "<>"):
            table.play(table.position.parse(token))  # type: ignore[arg-type]  # both are legal
    return (time.process_time() - start) / moves * 1e3


def figures() -> list[Figure]:
    """Return all figures of the store, on a database in the temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [
            committing(folder),
            transactions(folder),
            *(replaying(moves) for moves in (200, GROWTH[-1])),
            *growing(folder),
            *looking_back(folder),
            rescuing(folder),
        ]
