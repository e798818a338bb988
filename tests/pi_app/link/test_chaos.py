"""Whatever is killed, hangs or is lost: each result is at the hub once, and none is missing.

Real stores and processes on a real Mosquitto with TLS, passwords and rights; `--link-results 2000`
with `--link-tables 20` is the full size.
"""

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.options import Options
from tests.pi_app.link.companion import TableWithStore
from tests.pi_app.link.conftest import TABLES
from tests.pi_app.link.hub import KeepingHub
from tests.pi_app.link.mosquitto import ROOT, Mosquitto, needed
from tests.pi_app.link.test_process import environment, known

pytestmark = [needed, pytest.mark.nightly]

PAUSE_S = 0.15
"""The time between two games at a table."""
QUIET_S = 300.0
RESULTS, MACHINES = 20, 3
"""How many results each of how many tables sends."""
"""How long the rest may take once nothing happens any more: two machines with one card have the
broker in turn, for half a minute each."""
TABLES_A_COPY = 10
"""One of so many tables gets a second machine with a copy of its card."""
TWIN_GAMES = 25
"""How many games are played there."""
FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
"""The library itself: the command of that name stays before the process, and would be killed in its
place."""


class Seat:
    """A table of the evening: its companion and its link, which may be killed at any time."""

    def __init__(self, folder: Path, broker: Mosquitto, name: str, count: int) -> None:
        self.folder = folder
        self.name = name
        self.count = count
        self.database = folder / "games.db"
        folder.mkdir()
        self.variables = environment(folder, **known(broker, name))
        self.variables["PYTHONPATH"] = str(ROOT)
        self.is_old = False
        """Whether this machine's clock says 1970."""
        self.companion: subprocess.Popen[bytes] | None = None
        self.link: subprocess.Popen[bytes] | None = None

    @property
    def games(self) -> set[str]:
        """Return all games that this table has shown a result of."""
        log = self.folder / "games.log"
        return set(log.read_text().split()) if log.exists() else set()

    def start_companion(self) -> None:
        files = [self.folder / name for name in ("remote.sock", "games.db", "games.log")]
        words = ["-m", "tests.pi_app.link.companion", *map(str, files)]
        self.companion = subprocess.Popen(
            [sys.executable, *words, str(self.count), str(PAUSE_S)], env=self.variables, cwd=ROOT
        )

    def ended(self) -> str:
        """Return what has ended by itself, and how; "" if nothing has."""
        both = {"companion": self.companion, "link": self.link}
        ends = {name: each.poll() for name, each in both.items() if each is not None}
        found = {name: status for name, status in ends.items() if status is not None}
        said = (self.folder / "said").read_text()[-500:]
        return f"{self.name}: {found} {said}" if found else ""

    def start_link(self) -> None:
        command = [sys.executable, "-m", "pi_app", "link"]
        variables = dict(self.variables)
        if self.is_old and FAKETIME is not None:
            variables["LD_PRELOAD"] = str(FAKETIME)
            variables["FAKETIME"] = "@1970-01-01 00:01:00"
            variables["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
        with (self.folder / "said").open("ab") as said:
            self.link = subprocess.Popen(command, env=variables, cwd=ROOT, stdout=said, stderr=said)

    def kill(self, what: str) -> None:
        process = self.link if what == "link" else self.companion
        if process is not None:
            process.kill()
            process.wait(30)

    def copy_card(self, copy: Path) -> None:
        """Copy the store while the table is off."""
        self.kill("companion")
        TableWithStore(self.database).close()
        shutil.copy(self.database, copy)
        self.start_companion()


class Evening:
    """All tables, the broker and the hub, and what may happen to them."""

    def __init__(self, folder: Path, broker: Mosquitto, hub: KeepingHub, options: Options) -> None:
        self.chance = random.Random(options.seed)
        self.broker = broker
        self.hub = hub
        each = RESULTS * options.times
        names = TABLES[:MACHINES]
        self.seats = [Seat(folder / name, broker, name, each) for name in names]
        self.seats[-1].is_old = True
        self.twins: list[Seat] = []
        self.most_twins = len(names) // TABLES_A_COPY
        self.backup = hub.backup()
        self.cards: dict[str, Path] = {}
        self.happened: list[str] = []

    @property
    def machines(self) -> list[Seat]:
        return [*self.seats, *self.twins]

    def start(self) -> None:
        for seat in self.seats:
            seat.start_companion()
            seat.start_link()

    def stop(self) -> None:
        for seat in self.machines:
            seat.kill("link")
            seat.kill("companion")

    def happen(self) -> None:
        """Let one thing happen, by chance."""
        twin = [self.put_copy_in] if len(self.twins) < self.most_twins else []
        action: Callable[[], None] = self.chance.choice(
            [
                *twin,
                self.kill_broker,
                self.lose_disk,
                self.hang,
                self.kill_link,
                self.kill_link,
                self.kill_companion,
                self.kill_companion,
                self.fill_queue,
                self.save_hub,
                self.restore_hub,
            ]
        )
        self.happened.append(action.__name__)
        action()

    def kill_broker(self) -> None:
        self.broker.kill()
        self._pause()
        self.broker.start()

    def lose_disk(self) -> None:
        self.broker.kill()
        self.broker.lose_disk()
        self.broker.start()

    def hang(self) -> None:
        self.broker.freeze()
        self._pause()
        self.broker.thaw()

    def kill_link(self) -> None:
        seat = self.chance.choice(self.machines)
        seat.kill("link")
        seat.start_link()

    def kill_companion(self) -> None:
        seat = self.chance.choice(self.machines)
        seat.kill("companion")
        seat.start_companion()

    def put_copy_in(self) -> None:
        """Put a copy of a table's card into a second machine: both play on, under one name."""
        seat = self.chance.choice(self.seats)
        twin = Seat(
            seat.folder.with_name(f"{seat.name}-twin-{len(self.twins)}"),
            self.broker,
            seat.name,
            TWIN_GAMES,
        )
        seat.copy_card(twin.database)
        twin.start_companion()
        twin.start_link()
        self.twins.append(twin)

    def fill_queue(self) -> None:
        """Let the hub read nothing: the broker drops what its queue for it has no room for."""
        self.hub.pause()
        self._pause()
        self.hub.go_on()

    def save_hub(self) -> None:
        self.backup = self.hub.backup()

    def restore_hub(self) -> None:
        """Give the hub an older backup, on another laptop: the broker is a new one too.

        A store that the backup has never heard of is told by the hello of a new connection; at the
        same broker it would be that of five minutes later.
        """
        self.hub.restore(self.backup)
        for seat in self.seats:  # as a hub does when it starts: it says what it has
            for store, table in list(self.hub.committed.stores.items()):
                if table == seat.name:
                    self.hub.ack(table, store)
        self.kill_broker()

    def restore_card(self, seat: Seat, old: Path) -> None:
        """Put an older copy of a table's card in."""
        seat.kill("companion")
        for each in seat.folder.glob("games.db*"):
            each.unlink()
        shutil.copy(old, seat.database)
        seat.count += 5
        seat.start_companion()

    def missing(self) -> set[str]:
        shown = set().union(*(seat.games for seat in self.machines))
        return shown - set(self.hub.committed.counted())

    def _pause(self) -> None:
        time.sleep(self.chance.uniform(0.1, 2.0))  # what happens meanwhile is the test


@pytest.fixture
def evening(tmp_path: Path, options: Options) -> Iterator[Evening]:
    broker = Mosquitto(tmp_path / "mosquitto", TABLES, queue=30)
    broker.start()
    hub = KeepingHub(broker)
    hub.start()
    evening = Evening(tmp_path, broker, hub, options)
    yield evening
    evening.stop()
    hub.stop()
    broker.stop()


def test_each_result_is_at_the_hub_once_and_none_is_missing(
    evening: Evening, options: Options
) -> None:
    evening.start()
    seats, hub = evening.seats, evening.hub
    card: Path | None = None
    while any(len(seat.games) < seat.count for seat in evening.machines):
        evening.happen()
        assert "".join(seat.ended() for seat in evening.machines) == ""
        if card is None and len(seats[0].games) > seats[0].count // 4:
            seats[0].copy_card(card := seats[0].folder / "copy.db")
        time.sleep(0.2)
    hub.wait_for(lambda: not evening.missing(), QUIET_S)
    assert card is not None
    evening.restore_card(seats[0], card)
    hub.wait_for(lambda: len(seats[0].games) > RESULTS * options.times + 3)
    hub.wait_for(lambda: not evening.missing(), QUIET_S)
    _check_commits(evening)
    happened = {name: evening.happened.count(name) for name in sorted(set(evening.happened))}
    sys.stdout.write(
        f"{len(hub.committed.counted())} results, each once, none missing: {happened}\n"
    )


def _check_commits(evening: Evening) -> None:
    committed = evening.hub.committed
    counted = committed.counted()
    folders = [seat.folder for seat in evening.machines]
    assert not [each for folder in folders for each in folder.glob("games.db.damaged-*")]
    shown = set().union(*(seat.games for seat in evening.machines))
    # a result that was on the disk and not in the list yet, when its companion was killed
    kills = evening.happened.count("kill_companion") + len(evening.twins) + 2
    assert len(set(counted) - shown) <= kills
    assert {event["kind"] for event in counted.values()} == {"result"}
    for store in committed.events:
        numbers = [seq for name, seq in committed.order if name == store]
        assert len(numbers) == len(set(numbers)), store
        assert sorted(numbers) == list(range(1, len(numbers) + 1)), store
        # in order but for gaps that were closed later
        assert sum(two < one for one, two in pairwise(numbers)) <= len(evening.happened)
    rounds: dict[tuple[str, int], int] = {}
    for event in counted.values():
        key = event["evening"], event["round"]
        rounds[key] = rounds.get(key, 0) + 1
    same = {number for evening_, number in rounds if evening_ == "evening-1"}
    assert same & {number for evening_, number in rounds if evening_ == "evening-2"}
