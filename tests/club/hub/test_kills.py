"""Nothing is lost and nothing doubled, whatever is killed and whenever."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest

from tests.club.parts import Club, result_event
from tests.options import Options
from tests.stand_ins.table import SimTable
from tests.stand_ins.waiting import wait_for

TABLES = 4
KILLS = 5


class Sender:
    """A table that plays on, and sends what is not passed yet again, as a link does."""

    def __init__(self, table: SimTable, number: int) -> None:
        self.table = table
        self.sent = 0
        self.upto = 0
        self._number = number
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def event(self, seq: int) -> dict[str, object]:
        people = (f"p{2 * self._number + 1}", f"p{2 * self._number + 2}")
        return result_event(seq, people, game_id=f"g{self._number}-{seq}")

    def _run(self) -> None:
        while not self._stop.wait(0.1):
            self.sent += 1
            self.table.last = self.sent
            self.table.send(self.event(self.sent))
            self._hear()

    def _hear(self) -> None:
        while not self.table.acks.empty():
            self.upto = max(self.upto, self.table.acks.get()["upto"])

    def finish(self) -> None:
        """Play no more, and send until everything has passed."""
        self._stop.set()
        self._thread.join()

        def passed() -> bool:
            self._hear()
            if self.upto < self.sent:
                for seq in range(self.upto + 1, min(self.sent, self.upto + 20) + 1):
                    self.table.send(self.event(seq))
                time.sleep(0.3)  # as long as a link waits for an ack
            return self.upto >= self.sent

        wait_for(passed, f"all events of {self.table.id}")


def kill_hub(club: Club) -> None:
    club.kill()
    club.start()


def kill_broker(club: Club) -> None:
    pid = club.broker_pid()
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: club.broker_pid() != pid, "another broker")


def kill_database(club: Club) -> None:
    club.server.kill()
    club.server.start()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("any_club", "killed"),
    [
        ("sqlite", kill_hub),
        ("sqlite", kill_broker),
        ("postgresql", kill_hub),
        ("postgresql", kill_broker),
        ("postgresql", kill_database),
    ],
    indirect=["any_club"],
)
def test_kills_lose_and_double_nothing(
    any_club: Club, killed: Callable[[Club], None], request: pytest.FixtureRequest
) -> None:
    options = Options.of(request.config)
    rng = random.Random(options.seed)
    senders = [Sender(any_club.add_table(), number) for number in range(TABLES)]
    try:
        for _ in range(KILLS * options.times):
            time.sleep(rng.uniform(0.05, 0.6))  # the moment of a kill is random
            killed(any_club)
    finally:
        for sender in senders:
            sender.finish()
    expected = {f"g{n}-{seq}" for n, s in enumerate(senders) for seq in range(1, s.sent + 1)}
    counted = Counter(each["game_id"] for each in any_club.counted())
    assert set(counted) == expected, "none is missing"
    assert set(counted.values()) == {1}, "none is counted twice"
    points = {line["p"]: line["points"] for line in any_club.export()["standings"]}
    for number, sender in enumerate(senders):
        assert points[f"p{2 * number + 1}"] == 4 * sender.sent
