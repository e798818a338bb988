"""A whole table joins a club at its screen: companion, link and hub are processes, with TLS."""

from __future__ import annotations

import json
import random
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club.companions import RealCompanion
from tests.club.hub.test_joining import opened
from tests.club.parts import Club
from tests.players.club import Fingers
from tests.ports import free_port
from tests.stand_ins.waiting import wait_for


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[RealCompanion]:
    table = RealCompanion(tmp_path / "t", None).start()
    try:
        yield table
    finally:
        table.end()


def ask(table: RealCompanion, url: str, *, link: bool = True) -> None:
    """Go to joining and key the hub's address; `link`: with the link's process beside it."""
    table.choose("System", "Club and home", "Join a club")
    table.see(lambda: table.shows("* for each dot"), "the address")
    if link:
        table.kill_link()  # one that was let in earlier ended with that
        table.start_link()
    table.keys("MENU")
    table.see(lambda: table.shows("The hub's address"), "the name")
    table.write(url.removeprefix("https://"))


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06}"


def settings(table: RealCompanion) -> dict[str, object]:
    found: dict[str, object] = tomllib.loads((table.store.parent / "settings.toml").read_text())[
        "link"
    ]
    return found


def test_a_table_joins_at_its_screen_and_its_results_count(
    club: Club, table: RealCompanion, tmp_path: Path
) -> None:
    shown = opened(club)
    ask(table, shown["url"], link=False)
    table.see(lambda: table.shows("start beisitzer link"), "that nobody can ask")
    table.start_link()
    table.see(lambda: table.shows("Compare"), "the fingerprint")
    assert " ".join(table.frame["lines"][1:]) == shown["mark"]
    table.keys("#")
    table.see(lambda: table.shows("six digits"), "the code")
    table.keys(f"{wrong(shown['code'])}#")
    table.see(lambda: table.shows("The code is wrong"), "a refusal")
    table.keys(f"{shown['code']}#")
    table.see(lambda: table.shows("in the club now"), "that it has joined")
    (joined,) = json.loads(club.do("tables", "--json"))
    table.id = joined["table"]
    assert table.id in str(table.frame["lines"])
    wanted = {"enabled": True, "user": table.id, "port": club.port}
    assert settings(table) | wanted == settings(table)
    password = Path(str(settings(table)["password_file"]))
    assert stat.S_IMODE(password.stat().st_mode) == 0o600
    wait_for(lambda: json.loads(club.do("tables", "--json"))[0]["online"], "its link")
    table.keys("# < <")  # back to the first screen, where rounds are offered
    club.people(tmp_path, 2)
    club.do("evening", "--game", "just4fun", "--mode", "tables", "--rules", "rounds=1")
    club.do("pair")
    hand = Fingers(table, random.Random(1))

    def played() -> bool:
        return not hand.step() and hand.is_over

    wait_for(played, "the round to be offered and played")
    wait_for(club.counted, "the result")


def test_too_many_wrong_codes_and_a_club_that_is_not_open_are_said(
    club: Club, table: RealCompanion
) -> None:
    shown = opened(club)
    ask(table, shown["url"])
    table.see(lambda: table.shows("Compare"), "the fingerprint")
    table.keys("#")
    for _ in range(5):
        table.see(lambda: table.shows("six digits") or table.shows("is wrong"), "the code")
        table.keys(f"{wrong(shown['code'])}#")
        table.see(lambda: table.shows("Asking"), "the question")
        table.see(lambda: table.shows("is wrong"), "a refusal")
    table.keys(f"{shown['code']}#")
    table.see(lambda: table.shows("wait a minute"), "that joining is closed")
    table.keys("# < <")
    club.do("join", "--end")
    ask(table, shown["url"])
    table.see(lambda: table.shows("Compare"), "the fingerprint")
    table.keys(f"# {shown['code']}#")
    table.see(lambda: table.shows("lets no table join now"), "that the hub is not open")
    assert json.loads(club.do("tables", "--json")) == []
    assert settings(table) == {}


@pytest.mark.parametrize(
    ("answers", "said"), [("nobody", "No hub answers there"), ("broker", "is no club's hub")]
)
def test_an_address_without_a_hub_is_said(
    shared_club: Club, table: RealCompanion, answers: str, said: str
) -> None:
    port = shared_club.port if answers == "broker" else free_port()
    ask(table, f"https://127.0.0.1:{port}")
    table.see(lambda: table.shows(said), said)
