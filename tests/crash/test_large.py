"""A store of gigabytes: nobody has one, but it must start after a power cut too."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pi_app.store.archive import count_games, list_games
from pi_app.store.database import connect_to
from pi_app.store.migrations import GAME_BITS, checksum
from pi_app.store.store import Store
from tests.pi_app.store.faults import TAGS

pytestmark = pytest.mark.nightly

WHEN = "2026-03-01T19:00:00+00:00"
MOVES = ("5", "6", "7")
GIGABYTES = 2
PLAY = """
import os, sys
from pi_app.store.store import Store
from tests.crash.test_large import MOVES
from tests.pi_app.store.faults import TAGS
store = Store(sys.argv[1])
game = store.begin(TAGS)
for n, token in enumerate(MOVES):
    store.append(game, n, token, None)
os._exit(9)
"""


def grow(path: Path, size: float) -> int:
    """Make a store of `size` bytes, of finished games with many moves each; return how many."""
    Store(path).close()
    db = connect_to(str(path))
    db.execute("PRAGMA synchronous=OFF")
    result = json.dumps({"winners": ["Anna"], "reason": "points"})
    count = 0
    while path.stat().st_size < size:
        games, plies = [], []
        for game in range(count + 1, count + 1001):
            tags = json.dumps(TAGS | {"Event": f"{game} " + "x" * 10_000})
            row = (game, tags, WHEN, WHEN, result, 0)
            games.append((*row, checksum(*row)))
            for n in range(30):
                move = ((game << GAME_BITS) + 1 + n, game, n, str(n + 2), "played", WHEN)
                plies.append((*move, checksum(*move)))
        count += len(games)
        db.execute("BEGIN")
        db.executemany("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?)", games)
        db.executemany("INSERT INTO ply VALUES (?, ?, ?, ?, ?, ?, ?)", plies)
        db.execute("COMMIT")
    db.close()
    return count


def test_a_store_of_gigabytes_starts_after_a_kill_with_all_that_was_confirmed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.db"
    count = grow(path, GIGABYTES * 1e9)
    killed = subprocess.run([sys.executable, "-c", PLAY, str(path)], check=False)
    assert killed.returncode == 9
    for run in ("after a kill", "after a proper end"):
        told: list[float] = []
        began = time.monotonic()
        store = Store(path, progress=told.append)
        took = time.monotonic() - began
        print(f"{path.stat().st_size:,} bytes, {count} games: start {run} {took:.1f} s")  # noqa: T201
        assert len(told) > 10, "systemd would have ended this start on a slow machine"
        assert store.news() == []
        assert store.load(count + 1).tokens == MOVES
        assert store.game_on_table() == count + 1
        assert count_games(store) == count + 1
        assert list_games(store, 1)[0].id == count + 1
        store.close()
