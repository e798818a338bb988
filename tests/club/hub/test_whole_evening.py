"""Whole companions, their links, a broker and a hub through an evening in which each is killed.

`--club-companions` says how many tables play, and `--club-kills` how often each kind of process is
killed; the evening lasts as long as that takes.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import threading
import time
from collections import Counter
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from tests.club.companions import WAIT_S, RealCompanion
from tests.club.parts import Club, wait_for
from tests.options import Options

Ranks = tuple[tuple[str, int], ...]
PLACES = {2: (4, 1), 3: (5, 3, 1), 4: (5, 3, 2, 1)}
"""The evening points of the places, by the number of seats."""
LEAST_ROUNDS = 2
COMPANIONS, KILLS = 2, 2
CORRECTED = 0.3
"""The part of games whose last move is taken back and another one made."""


class Killer(threading.Thread):
    """Kills hub, broker, links and companions at random moments, each kind equally often."""

    def __init__(
        self, club: Club, tables: list[RealCompanion], times: int, rng: random.Random
    ) -> None:
        super().__init__(daemon=True)
        self._club = club
        self._tables = tables
        self._rng = rng
        self.killed: Counter[str] = Counter()
        self.fault: BaseException | None = None
        self._kinds = ["hub", "broker", "link", "companion"] * times
        rng.shuffle(self._kinds)

    def run(self) -> None:
        try:
            for kind in self._kinds:
                time.sleep(self._rng.uniform(0.1, 3.0))  # the moment of a kill is random
                self._kill(kind)
                self.killed[kind] += 1
        except BaseException as error:  # noqa: BLE001  # the test tells of it
            self.fault = error

    def _kill(self, kind: str) -> None:
        if kind == "hub":
            self._club.kill()
            self._club.start()
        elif kind == "broker":
            pid = self._club.broker_pid()
            os.kill(pid, signal.SIGKILL)
            wait_for(lambda: self._club.broker_pid() != pid, "another broker", WAIT_S)
        else:
            self._rng.choice(self._tables).strike(link=kind == "link")


class Players:
    """The people at a table: they do what it waits for, and sometimes correct a game."""

    def __init__(self, table: RealCompanion, rng: random.Random) -> None:
        self.table = table
        self._rng = rng
        self._corrects = False

    def begin_round(self) -> None:
        self._corrects = self._rng.random() < CORRECTED

    def is_done(self, number: int) -> bool:
        """Tell whether so many games are finished and corrected."""
        return not self._corrects and len(results_in(self.table.store)) >= number

    def act(self, number: int) -> None:
        """Do one thing in this round, after a kill too.

        Only its own game is corrected: one of the round before is locked by now.
        """
        self.table.start()
        if self.table.play_on(self._rng) or not self._corrects:
            return
        if len(results_in(self.table.store)) < number:
            return
        now = self.table.on_table()
        if now is not None and now.is_over and self.table.shows("Game over"):
            self._corrects = False
            self.table.keys("<<")
            self.table.see(lambda: self.table.on_table() != now, "a move taken back")


def results_in(store: Path) -> list[Ranks]:
    """Return who took which place in each finished game, by nothing but the rows of the file."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
        rows = db.execute("SELECT tags, result FROM game WHERE result IS NOT NULL").fetchall()
    return [_ranks(json.loads(tags), json.loads(result)) for tags, result in rows]


def evening_points(ranks: Ranks) -> dict[str, Fraction]:
    """Return the evening points of a game: who shares a rank shares the sum of its places."""
    places = PLACES[len(ranks)]
    shared = Counter(rank for _, rank in ranks)
    return {
        p: Fraction(sum(places[rank - 1 : rank - 1 + shared[rank]]), shared[rank])
        for p, rank in ranks
    }


def _ranks(tags: dict[str, str], result: dict[str, object]) -> Ranks:
    names = [player.rsplit(" ", 1)[0] for player in tags["Players"].split(", ")]
    points, winners = result.get("points"), result["winners"]
    assert isinstance(points, dict)
    assert isinstance(winners, list)
    keys = {name: (name in winners, points[name]) for name in names}
    return tuple(
        (f"p{name.removeprefix('Person ')}", 1 + sum(other > key for other in keys.values()))
        for name, key in keys.items()
    )


def counted_in(club: Club) -> Counter[Ranks]:
    return Counter(
        tuple((seat["p"], seat["rank"]) for seat in each["seats"]) for each in club.counted()
    )


@pytest.mark.nightly
@pytest.mark.timeout(4 * 3600)
def test_the_export_is_what_the_stores_of_whole_tables_say(
    club: Club, tmp_path: Path, options: Options
) -> None:
    rng = random.Random(options.seed)
    count = COMPANIONS
    tables = [
        RealCompanion(tmp_path / f"t{n}", json.loads(club.do("add-table"))) for n in range(count)
    ]
    players = [Players(table, random.Random(f"{options.seed} {table.id}")) for table in tables]
    club.people(tmp_path, 4 * count - min(count, 3))  # at tables of four and of three
    club.do("evening", "--game", "just4fun", "--mode", "tables", "--rules", "rounds=1")
    killer = Killer(club, tables, KILLS * options.times, rng)
    rounds = 0
    try:
        for each in players:
            each.table.start()
        killer.start()
        while killer.is_alive() or rounds < LEAST_ROUNDS:
            rounds += 1
            paired = json.loads(club.do("pair", "--json"))
            assert len(paired["tables"]) == count
            play_round(players, rounds)
            expected = Counter(ranks for table in tables for ranks in results_in(table.store))
            assert expected.total() == count * rounds, "a game a round at each table"
            until = time.monotonic() + WAIT_S * (2 + count)
            while not settled(club, players, expected):
                assert killer.fault is None, killer.fault
                assert time.monotonic() < until, told(club, tables)
        killer.join()
        assert killer.fault is None, killer.fault
    finally:
        for table in tables:
            table.end()
    print(f"{count} tables, {rounds} rounds, killed: {dict(killer.killed)}")  # noqa: T201  # figures
    expected = Counter(ranks for table in tables for ranks in results_in(table.store))
    assert counted_in(club) == expected
    totals: Counter[str] = Counter()
    points: dict[str, Fraction] = {}
    for ranks in expected.elements():
        for p, earned in evening_points(ranks).items():
            totals[p] += 1
            points[p] = points.get(p, Fraction()) + earned
    assert set(totals.values()) == {rounds}, "everybody has played every round"
    standings = {line["p"]: line["points"] for line in club.export()["standings"]}
    assert standings == {p: float(earned) for p, earned in points.items()}


def play_round(players: list[Players], number: int) -> None:
    """Let everybody play until each table has finished so many games."""
    end = time.monotonic() + WAIT_S * (2 + len(players))  # they share two cores
    for each in players:
        each.begin_round()
    going = list(players)
    while going:
        assert time.monotonic() < end, [each.table.frame for each in going]
        for each in going:
            each.act(number)
        going = [each for each in going if not each.is_done(number)]
        time.sleep(0.02)  # an offer that is on its way


def settled(club: Club, players: list[Players], expected: Counter[Ranks]) -> bool:
    """Keep every process running, and tell whether the hub counts what the tables have."""
    for each in players:
        each.table.start()
    time.sleep(0.1)  # each look is an export
    return counted_in(club) == expected


def told(club: Club, tables: list[RealCompanion]) -> str:
    """Return what each side has, for whoever looks for the difference."""
    found = [
        (each["seq"], each["round"], each["revision"], each["why"], each["table"])
        for each in club.export()["results"]
    ]
    stores = {table.id: (results_in(table.store), table.link_log()) for table in tables}
    return f"{found}\n{stores}\n{club.do('tables')}\n{club.log()[-3000:]}"
