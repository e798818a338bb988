"""Companion, link and broker as processes: what was shown arrives once, whoever is killed."""

from __future__ import annotations

import json
import random
import signal
from pathlib import Path
from subprocess import Popen

import pytest

from tests.crash.process import Process
from tests.options import Options
from tests.pi_app.link.mosquitto import Mosquitto, needed
from tests.pi_app.link.test_process import environment, start
from tests.pi_app.link.wire import Wire
from tests.stand_ins.hub import KeepingHub
from tests.stand_ins.table import known

pytestmark = needed
GAME = (
    "just4fun",
    "--players",
    "Zacharias yellow, Ben red",
    "--tag",
    "Position=yellow 1 14 30; red 2 3 4",
)
GAMES = 8
MOST_KIB = 30 * 1024 + 1700
"""What a link may take; the finders of an editable installation are a part of it."""
ROUND = {
    "era": 1,
    "rev": 0,
    "evening": "e7k2",
    "round": 3,
    "game": "just4fun",
    "rules": "",
    "board": None,
    "seats": [{"seat": 1, "p": "p17", "show": "Zoe"}, {"seat": 2, "p": "p3", "show": "Yan"}],
}


def killed(process: Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def play_a_game(store: Path, variables: dict[str, str], chance: random.Random) -> None:
    """Play to the end, with a correction now and then, and pull the plug when it was shown."""
    table = Process(store, *GAME, environ=variables)

    assert table.wait_for(lambda: table.shows("Zacharias"))
    table.keys("12*12#")
    assert table.wait_for(lambda: table.shows("Game over")), table.frames[-1:]
    if chance.random() < 0.5:
        table.keys("<<")
        assert table.wait_for(lambda: not table.shows("Game over"))
        table.keys("5# 6# 12*12#")
        assert table.wait_for(lambda: table.shows("Game over"))
    table.kill()


def test_each_result_that_was_shown_is_at_the_hub_once_whoever_is_killed(
    shared_broker: Mosquitto, hub: KeepingHub, tmp_path: Path, options: Options
) -> None:
    variables = environment(tmp_path, **known(shared_broker, "table-21"))
    store, chance = tmp_path / "games.db", random.Random(options.seed)
    link = start(variables)
    for _ in range(GAMES):
        play_a_game(store, variables, chance)
        if chance.random() < 0.5:
            killed(link)
            link = start(variables)
    killed(link)
    table, link = Process(store, environ=variables), start(variables)
    hub.wait_for(lambda: len(hub.committed.results) == GAMES)
    killed(link)
    table.kill()
    (events,) = hub.committed.events.values()
    assert sorted(events) == list(range(1, len(events) + 1))
    assert len(hub.committed.results) == GAMES
    assert "Zacharias" not in str(events)
    assert not hub.committed.disputed


def test_an_assignment_and_a_text_come_from_the_broker_to_the_table(
    shared_broker: Mosquitto, hub: KeepingHub, tmp_path: Path
) -> None:
    variables = environment(tmp_path, **known(shared_broker, "table-22"))
    table = Process(tmp_path / "games.db", "--new", environ=variables)
    # as the unit has it
    link = start(variables | {"MALLOC_ARENA_MAX": "1"})

    try:
        assert table.wait_for(lambda: table.shows("Just 4 Fun"))
        hub.wait_for(lambda: "table-22" in [name for name, _ in hub.hellos])
        hub.say("table-22", "down/seat", ROUND, retain=True)
        assert table.wait_for(lambda: table.shows("Zoe and Yan. Start?")), table.frames[-2:]
        table.keys("#")
        assert table.wait_for(lambda: table.shows('"title": "Zoe"'))
        text = "Round 4 in five minutes"
        hub.say("table-22", "down/say", {"id": "1", "text": text, "for_s": 600})
        assert table.wait_for(lambda: table.shows(text))
        status = Path(f"/proc/{link.pid}/status").read_text()
        assert int(status.partition("VmHWM:")[2].split()[0]) < MOST_KIB
        table.process.kill()
        name = "beisitzer/1/table-22/availability"
        hub.wait_for(lambda: [data for at, data in hub.bytes if at == name][-1] == b"offline")
    finally:
        killed(link)
        table.kill()


@pytest.mark.parametrize("names", [False, True])
def test_no_byte_on_the_wire_is_of_a_name_unless_names_may_leave(
    shared_broker: Mosquitto, hub: KeepingHub, tmp_path: Path, names: bool
) -> None:
    wire = Wire(shared_broker.plain_port)
    given = known(shared_broker, "table-10", port=wire.port, insecure=True, names=names)
    variables = environment(tmp_path, **(given | {"home_assistant": True, "ca": ""}))
    words = (*GAME, "--tag", "Event=Sommerfest")
    table, link = Process(tmp_path / "games.db", *words, environ=variables), start(variables)
    try:
        hub.wait_for(lambda: "table-10" in [name for name, _ in hub.hellos])
        table.keys("12*12#")
        hub.wait_for(lambda: len(hub.committed.results) == 1)
    finally:
        killed(link)
        table.kill()
        wire.close()
    sent = bytes(wire.up).lower()
    assert b"homeassistant/device/beisitzer_table-10/config" in sent
    (event,) = (
        json.loads(data)["events"][0] for name, data in hub.bytes if name.endswith("up/events")
    )
    found = [name for name in (b"zacharias", b"sommerfest") if name in sent]
    if names:
        assert b"zacharias" in found
        assert [seat["show"] for seat in event["seats"]] == ["Zacharias", "Ben"]
    else:
        assert found == []
        assert not any("show" in seat for seat in event["seats"])
        assert "S1 yellow, S2 red" in event["record"]
