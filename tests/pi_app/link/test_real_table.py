"""Companion, link and hub as processes: what was shown counts once, whoever is killed."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.process import Process
from tests.pi_app.link.test_process import Place, Started
from tests.stand_ins.hub import FakeHub
from tests.stand_ins.waiting import wait_for

GAME = (
    "just4fun",
    "--players",
    "Zacharias yellow, Ben red",
    "--tag",
    "Position=yellow 1 14 30; red 2 3 4",
)
GAMES = 3
LIMIT_KIB = 30 * 1024 + 1700
"""What a link may take; the finders of an editable installation are a part of it."""
ROUND = {
    "rev": 2,
    "evening": "e7k2",
    "round": 3,
    "game": "just4fun",
    "rules": "",
    "board": None,
    "seats": [{"seat": 1, "p": "p17", "show": "Zoe"}, {"seat": 2, "p": "p3", "show": "Yan"}],
}


@pytest.fixture(name="place")
def _place(tmp_path: Path, hub: FakeHub) -> Iterator[Place]:
    place = Place(tmp_path, hub)
    place.let_in()
    yield place
    place.end()


def environment(place: Place, *, names: bool = False) -> dict[str, str]:
    """Return a companion's variables, with settings that want a club."""
    file = place.folder / "settings.toml"
    file.write_text(
        f'[club]\nenabled = true\nhost = "127.0.0.1"\nport = {place.hub.port}\n'
        f"names = {str(names).lower()}\n"
    )
    return {**place.variables(), "BEISITZER_CONFIG": str(file)}


def killed(link: Started) -> None:
    link.send_signal(signal.SIGKILL)
    link.communicate()


def play_a_game(store: Path, variables: dict[str, str], *, corrected: bool) -> None:
    """Play to the end, perhaps with a correction, and pull the plug when it was shown."""
    table = Process(store, *GAME, environ=variables)
    assert table.wait_for(lambda: table.shows("Zacharias"))
    table.keys("12*12#")
    assert table.wait_for(lambda: table.shows("Game over")), table.frames[-1:]
    if corrected:
        table.keys("<<")
        assert table.wait_for(lambda: not table.shows("Game over"))
        table.keys("5# 6# 12*12#")
        assert table.wait_for(lambda: table.shows("Game over"))
    table.kill()


def test_each_result_that_was_shown_counts_once_whoever_is_killed(
    place: Place, hub: FakeHub
) -> None:
    store = place.folder / "games"
    variables = environment(place)
    table, link = Process(store, "--new", environ=variables), place.start()
    assert table.wait_for(lambda: table.shows("Just 4 Fun"))
    wait_for(lambda: "/news" in hub.paths())
    wait_for(lambda: hub.disk.seat and place_knows_evening(store))
    table.kill()
    for number in range(GAMES):
        play_a_game(store, variables, corrected=number == 1)
        if number != 1:
            killed(link)
            link = place.start()
        if number != 0:
            hub.kill()
            hub.start()
    table = Process(store, environ=variables)
    wait_for(lambda: len(hub.disk.counted()) == GAMES)
    killed(link)
    table.kill()
    sent = json.dumps([facts for path, facts, _ in hub.heard if path == "/results"])
    assert "Zacharias" not in sent
    latest = {game: max(held) for game, held in hub.disk.held.items()}
    assert hub.disk.counted() == latest


def place_knows_evening(store: Path) -> bool:
    """Tell whether the store remembers that an evening is open."""
    return any(b"e7k2" in path.read_bytes() for path in store.glob("*.jsonl"))


def test_an_assignment_and_a_text_come_from_the_hub_to_the_table(
    place: Place, hub: FakeHub
) -> None:
    table = Process(place.folder / "games", "--new", environ=environment(place))
    link = place.start(MALLOC_ARENA_MAX="1")  # as the unit has it
    try:
        assert table.wait_for(lambda: table.shows("Just 4 Fun"))
        wait_for(lambda: "/news" in hub.paths())
        hub.tell("seat", ROUND)
        assert table.wait_for(lambda: table.shows("Zoe and Yan. Start?")), table.frames[-2:]
        table.keys("#")
        assert table.wait_for(lambda: table.shows('"title": "Zoe"'))
        text = "Round 4 in five minutes"
        hub.tell("say", {"id": "1", "text": text, "for_s": 600})
        assert table.wait_for(lambda: table.shows(text))
        status = Path(f"/proc/{link.pid}/status").read_text()
        assert int(status.partition("VmHWM:")[2].split()[0]) < LIMIT_KIB
    finally:
        killed(link)
        table.kill()
