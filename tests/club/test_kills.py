"""Each latest revision counts exactly once, whatever is killed, restored, copied or full."""

from __future__ import annotations

import http.client
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from club.store.database import ClubDatabase, sqlite_url
from tests.club import postgres
from tests.club.parts import Club, result_of, withdrawal
from tests.club.table import Table
from tests.club.web.site import ClubSite
from tests.stand_ins.waiting import wait_for

Game = dict[str, Any]


class Keeper:
    """A table that keeps its games and sends what it has no verdict for, as the contract says."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.games: dict[str, Game] = {}
        """The highest revision of each game."""
        self.verdicts: dict[tuple[str, int], str] = {}
        self._known: tuple[str, str] = ("", "")
        """The hub and its era, for which the verdicts are."""
        self._has = 0
        self._chance = random.Random(seed)  # a test's own chance

    def play(self, count: int) -> None:
        """Play some games, correct some of them, and take some out."""
        for number in range(count):
            game = result_of()
            self.games[game["game_id"]] = game
            if number % 3 == 0:
                other = self._chance.choice(list(self.games.values()))
                revision = other["revision"] + 1
                if number % 6 == 0:
                    self.games[other["game_id"]] = withdrawal(other, revision)
                else:
                    changed = result_of(first=self._chance.randrange(20, 36))
                    known = {"game_id": other["game_id"], "revision": revision}
                    self.games[other["game_id"]] = {**changed, **known}

    @property
    def waiting(self) -> list[Game]:
        return [
            game
            for game in self.games.values()
            if (game["game_id"], game["revision"]) not in self.verdicts
        ]

    def step(self) -> None:
        """Say hello and send some of what waits; a broken connection is tried again later."""
        with suppress(OSError, http.client.HTTPException):
            status, told = self.table.hello(len(self.waiting))
            if status != 200:
                return
            self._look(told)
            batch = self.waiting[: self._chance.randrange(1, 8)]
            if not batch:
                return
            status, told = self.table.ask("results", {"v": 2, "results": batch})
            if status == 200:
                self._look({**told, "hub": self._known[0]})
                for verdict in told["verdicts"]:
                    key = verdict["game_id"], verdict["revision"]
                    self.verdicts[key] = verdict["verdict"]
                self._has = told["has"]

    def _look(self, told: dict[str, Any]) -> None:
        if (told["hub"], told["era"]) != self._known or told["had"] < self._has:
            self.verdicts.clear()
        self._known, self._has = (told["hub"], told["era"]), told["had"]


def expected(keepers: list[Keeper]) -> dict[str, int]:
    games = [game for keeper in keepers for game in keeper.games.values()]
    return {game["game_id"]: game["revision"] for game in games if not game.get("withdrawn")}


@contextmanager
def sending(keepers: list[Keeper]) -> Iterator[Callable[[], int]]:
    """Let tables send until nothing waits; yield what says how many verdicts they have."""
    over = threading.Event()

    def run(keeper: Keeper) -> None:
        while not over.is_set():
            keeper.step()
            over.wait(0.05 if not keeper.waiting else 0.005)

    threads = [threading.Thread(target=run, args=(keeper,)) for keeper in keepers]
    for thread in threads:
        thread.start()
    try:
        yield lambda: sum(len(keeper.verdicts) for keeper in keepers)
    finally:
        over.set()
        for thread in threads:
            thread.join()


def all_sent(keepers: list[Keeper]) -> bool:
    return not any(keeper.waiting for keeper in keepers)


def _reached(count: Callable[[], int], least: int) -> Callable[[], bool]:
    return lambda: count() >= least


def _kill_often(club: Club, keepers: list[Keeper], kills: int) -> None:
    total = sum(len(keeper.games) for keeper in keepers)
    with sending(keepers) as count:
        for number in range(kills):
            wait_for(_reached(count, total * number // (kills + 1)), "progress", 120)
            club.kill()
            club.start()
        wait_for(lambda: all_sent(keepers), "all verdicts", 300)


def test_two_kills_lose_and_double_nothing(any_club: Club) -> None:
    keepers = [Keeper(any_club.add_table(), seed) for seed in range(2)]
    for keeper in keepers:
        keeper.play(12)
    _kill_often(any_club, keepers, 2)
    assert any_club.counted() == expected(keepers)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_500_results_count_once_through_20_kills_and_a_restore(
    any_club: Club, tmp_path: Path
) -> None:
    club = any_club
    keepers = [Keeper(club.add_table(), seed) for seed in range(10)]
    for keeper in keepers:
        keeper.play(25)
    _kill_often(club, keepers, 10)
    club.do("backup", str(tmp_path / "backup"))
    for keeper in keepers:
        keeper.play(25)
    _kill_often(club, keepers, 10)
    assert club.counted() == expected(keepers)
    club.stop()
    club.do("restore", str(tmp_path / "backup"))
    club.start()
    with sending(keepers):
        wait_for(lambda: all_sent(keepers) and club.counted() == expected(keepers), "again", 300)


def test_a_restored_hub_is_sent_everything_again(club: Club, tmp_path: Path) -> None:
    keeper = Keeper(club.add_table(), 1)
    keeper.play(3)
    club.do("backup", str(tmp_path / "backup"))
    assert "a hub runs" in club.run("restore", str(tmp_path / "backup")).stderr
    with sending([keeper]):
        wait_for(lambda: all_sent([keeper]), "verdicts")
    club.stop()
    club.do("restore", str(tmp_path / "backup"))
    assert club.counted() == {}
    club.start()
    club.people(4)
    club.act("evening", games=["just4fun"], per_table=2)
    assert keeper.table.id in club.refused("pair"), "it may have results that only it has"
    assert club.act("pair", anyway=True)["round"] == 1
    with sending([keeper]):
        wait_for(lambda: club.counted() == expected([keeper]), "again")
        wait_for(lambda: "missing" in club.refused("close"), "only results are missing now")


def test_an_evening_that_the_backup_does_not_know_is_made_anew(club: Club, tmp_path: Path) -> None:
    club.do("backup", str(tmp_path / "backup"))
    tables = [club.add_table().greet() for _ in range(2)]
    club.people(4)
    games = {"games": ["just4fun"], "per_table": 2}
    evening = club.act("evening", **games)["evening"]
    paired = club.act("pair")
    results = [
        result_of([seat["p"] for seat in group["seats"]], evening=evening, in_round=1)
        for group in paired["tables"]
    ]
    club.stop()
    club.do("restore", str(tmp_path / "backup"))
    club.start()
    again = [club.add_table(table.machine).greet() for table in tables]
    kept = [table.verdicts(result)[0] for table, result in zip(again, results, strict=True)]
    assert kept == [("kept", "unknown-round")] * 2
    club.people(4)
    club.act("evening", **games, evening=evening)
    anew = club.act("pair")
    assert [t["seats"] for t in anew["tables"]] == [t["seats"] for t in paired["tables"]]
    assert set(club.counted()) == {result["game_id"] for result in results}


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    most = [40]
    database = ClubDatabase(sqlite_url(tmp_path))

    @event.listens_for(database.engine, "begin")
    def _limit(connection: Any) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={most[0]}")

    most[0] = 2**30
    with ClubSite(tmp_path, database) as site:
        keeper = Keeper(site.table(), 1)
        keeper.play(30)
        keeper.step()
        most[0] = 1  # SQLite takes the size of now as the least
        while keeper.table.ask("results", {"v": 2, "results": keeper.waiting})[0] != 503:
            keeper.step()
        assert keeper.waiting
        most[0] = 2**30
        while keeper.waiting:
            keeper.step()
        counted = {
            each["game_id"]: each["revision"]
            for each in site.export()["results"]
            if each["verdict"] == "counted"
        }
        assert counted == expected([keeper])


def test_two_hubs_serve_one_club_and_either_may_be_killed(tmp_path: Path) -> None:
    if missing := postgres.missing():
        pytest.skip(missing)
    with postgres.postgres() as server:
        words = ("--database", server.url)
        clubs = [Club(tmp_path / name, *words).start() for name in ("one", "two")]
        try:
            first, second = clubs
            table = first.add_table()
            keeper = Keeper(table, 1)
            keeper.play(6)
            for dead, alive in ((first, second), (second, first)):
                table.close()
                table.access["port"] = alive.port
                dead.kill()
                stream = table.greet().news(once=False)
                stream.until("hub")
                alive.act("say", text=f"from {dead.port}")
                assert stream.until("say")["text"]
                keeper.play(3)
                while keeper.waiting:
                    keeper.step()
                assert alive.counted() == expected([keeper])
                dead.start()
            run = second.run("restore", str(tmp_path / "none"))
            assert run.exit_code != 0
        finally:
            for club in clubs:
                club.end()


def test_a_removed_tables_stream_ends_at_the_other_hub(tmp_path: Path) -> None:
    if missing := postgres.missing():
        pytest.skip(missing)
    with postgres.postgres() as server:
        clubs = [Club(tmp_path / n, "--database", server.url).start() for n in ("one", "two")]
        try:
            table = clubs[1].table({**clubs[0].act("add-table"), "port": clubs[1].port}).greet()
            stream = table.news(once=False)
            stream.until("seat")
            clubs[0].act("remove-table", table=table.id)
            assert not [name for name, _ in stream.events() if name]
        finally:
            for club in clubs:
                club.end()
