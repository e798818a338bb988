"""Two hubs with one PostgreSQL database and one broker of somebody else's: one takes in."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from club.hub.broker import program
from tests.club import postgres
from tests.club.parts import Club, result_event
from tests.ports import free_port
from tests.stand_ins.table import SimTable
from tests.stand_ins.waiting import wait_for


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[int]:
    """Run a broker without users, and yield its port."""
    found = program()
    if found is None:
        pytest.skip("Mosquitto is not installed")
    port = free_port()
    settings = tmp_path / "mosquitto.conf"
    settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n", "ascii")
    with subprocess.Popen([found, "-c", str(settings)], stderr=subprocess.DEVNULL) as process:
        yield port
        process.terminate()


def other_brokers_club(folder: Path, port: int, *words: str) -> Club:
    club = Club(folder, "--broker", f"mqtt://127.0.0.1:{port}", *words, own_broker=False)
    club.port = port
    return club


def test_a_hub_takes_its_era_above_all_that_another_broker_keeps(
    broker: int, tmp_path: Path
) -> None:
    club = other_brokers_club(tmp_path / "club", broker)
    access = {"user": "table-77", "password": "", "ca_pem": "", "port": broker}
    stranger = SimTable(access).connect()
    kept = {"v": 1, "era": 41, "rev": 3, "evening": "e1", "standings": []}
    stranger.publish_at("beisitzer/1/club/standings", json.dumps(kept).encode(), retain=True)
    club.start()
    try:
        said = stranger.messages["club/standings"]
        wait_for(lambda: json.loads(said[-1])["era"] > 41, "a higher era")
        table = club.add_table()
        assert table.seat()["era"] > 41
    finally:
        stranger.close()
        club.end()


def test_when_a_hub_ends_the_one_that_waits_takes_its_place(broker: int, tmp_path: Path) -> None:
    if missing := postgres.missing():
        pytest.skip(missing)
    with postgres.postgres() as server:
        first = other_brokers_club(tmp_path / "first", broker, "--database", server.url).start()
        second = other_brokers_club(tmp_path / "second", broker, "--database", server.url)
        table = first.add_table()
        try:
            table.send(result_event(1))
            table.ack_upto(1)
            assert "another hub takes in" in second.launch()
            os.kill(first.pid, signal.SIGKILL)
            assert "is ready" in second.said()
            table.send(result_event(2))
            table.ack_upto(2)
            assert [each["seq"] for each in second.counted()] == [1, 2]
        finally:
            first.end()
            second.end()
