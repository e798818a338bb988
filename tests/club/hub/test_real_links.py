"""Real stores and real links through kills: the export is what their stores say by themselves."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from pi_app.store.archive import list_games
from pi_app.store.store import Store
from pi_app.table.table import Table
from tests.club.parts import PATIENCE_S, Club, wait_for
from tests.options import Options
from tests.pi_app.link.test_outbox import END, Rig, put
from tests.pi_app.link.test_process import environment

GAMES = 3
"""How many games each table plays between two deliveries."""
DELIVERIES = 2
PLACES = {2: (4, 1), 3: (5, 3, 1), 4: (5, 3, 2, 1)}


class RealTable:
    """A table's store on the disk, and its link as a process."""

    def __init__(self, folder: Path, club: Club, number: int) -> None:
        folder.mkdir()
        self.path = folder / "games.db"
        self._players = f"p{2 * number + 1} yellow, p{2 * number + 2} red"
        table = club.add_table()
        access = table.access
        table.close()  # its place is the link's
        (folder / "ca.pem").write_text(access["ca_pem"], "ascii")
        secret = folder / "password"
        secret.touch(0o600)
        secret.write_text(f"{access['password']}\n", "ascii")
        self._variables = environment(
            folder,
            enabled=True,
            host="127.0.0.1",
            port=access["port"],
            user=access["user"],
            password_file=secret,
            ca=folder / "ca.pem",
        )

    def play(self, rng: random.Random) -> None:
        """Play some games; take the last move of some back, and of some of those play it again."""
        rig = Rig(self.path)
        for _ in range(GAMES):
            table: Table = rig.play(Players=self._players)
            if rng.random() < 0.4:
                table.undo()
                if rng.random() < 0.5:
                    put(table, END)
        rig.store.close()

    def send(self) -> subprocess.Popen[str]:
        words = ["link", "--store", str(self.path), "--once", "--patience", str(PATIENCE_S)]
        return subprocess.Popen(
            [sys.executable, "-m", "pi_app", *words],
            env=self._variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def results(self) -> list[tuple[tuple[str, int], ...]]:
        """Return who took which place in each finished game, as the store has it."""
        with closing(Store(self.path)) as store:
            found = []
            for entry in list_games(store, 1000):
                if entry.result is None:
                    continue
                points = entry.result.get("points") or {}
                keys = {p: (p in entry.winners, points.get(p, 0)) for p in entry.players}
                found.append(
                    tuple(
                        (p, 1 + sum(other > key for other in keys.values()))
                        for p, key in keys.items()
                    )
                )
            return found


def evening_points(ranks: tuple[tuple[str, int], ...]) -> dict[str, Fraction]:
    """Return the evening points of a game: who shares a rank shares the sum of its places."""
    places = PLACES[len(ranks)]
    shared = Counter(rank for _, rank in ranks)
    return {
        p: Fraction(sum(places[rank - 1 : rank - 1 + shared[rank]]), shared[rank])
        for p, rank in ranks
    }


@pytest.mark.slow
def test_the_export_is_what_the_tables_stores_say(
    club: Club, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    options = Options.of(request.config)
    rng = random.Random(options.seed)
    tables = [
        RealTable(tmp_path / f"table-{number}", club, number)
        for number in range(options.club_tables)
    ]
    for _ in range(DELIVERIES):
        for table in tables:
            table.play(rng)
        links = [table.send() for table in tables]
        time.sleep(rng.uniform(0.3, 1.5))  # the moment of the kills is random
        broker = club.broker_pid()
        os.kill(broker, signal.SIGKILL)
        wait_for(lambda broker=broker: club.broker_pid() != broker, "another broker")  # type: ignore[misc]
        club.kill()
        club.start()
        for link in links:
            out, _ = link.communicate(timeout=2 * PATIENCE_S)
            assert link.returncode == 0, out + club.log()[-2000:]
    expected = [result for table in tables for result in table.results()]
    assert expected, "somebody has played"
    counted = [
        tuple((seat["p"], seat["rank"]) for seat in each["seats"]) for each in club.counted()
    ]
    assert Counter(counted) == Counter(expected)
    totals: dict[str, Fraction] = {}
    for result in expected:
        for p, points in evening_points(result).items():
            totals[p] = totals.get(p, Fraction()) + points
    standings = {line["p"]: line["points"] for line in club.export()["standings"]}
    assert standings == {p: float(points) for p, points in totals.items()}


def test_a_store_that_was_copied_back_is_sent_anew_and_counts_once(
    club: Club, tmp_path: Path
) -> None:
    """A card that is restored from an older copy takes a new store id, and loses nothing new."""
    table = RealTable(tmp_path / "table", club, 0)
    rig = Rig(table.path)
    rig.play(Players="p1 yellow, p2 red")
    rig.store.close()
    with closing(sqlite3.connect(table.path)) as source:
        copy = tmp_path / "copy.db"
        source.execute("VACUUM INTO ?", (str(copy),))
    for more in (1, 2):
        if more == 2:
            table.path.unlink()
            for rest in tmp_path.glob("table/games.db-*"):
                rest.unlink()
            copy.rename(table.path)
        rig = Rig(table.path)
        for _ in range(more):
            rig.play(Players="p1 yellow, p2 red")
        rig.store.close()
        link = table.send()
        out, _ = link.communicate(timeout=2 * PATIENCE_S)
        assert link.returncode == 0, out
    # one before the copy was made, one that only the old card knew, two on the new one
    assert len(club.counted()) == 4
    stores = {each["store"] for each in club.export()["results"]}
    assert len(stores) == 2
