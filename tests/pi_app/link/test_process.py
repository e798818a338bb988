"""`beisitzer link` as a process: what it says, what it keeps in its folder, when it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pi_app.link.contract import mark
from pi_app.link.protocol import (
    ClubWanted,
    HomePassword,
    HomeWanted,
    JoinHub,
    JoinOutcome,
    KeepHub,
    LinkStatus,
    SwitchedOff,
    Wanted,
)
from pi_app.wire.messages import Message
from tests.ports import free_port
from tests.stand_ins.companion import FakeCompanion, in_a_thread
from tests.stand_ins.hub import FakeHub, HubDisk
from tests.stand_ins.waiting import wait_for

OFF = HomeWanted(enabled=False, host="127.0.0.1", port=1, user="", insecure=True, discovery=True)
Started = subprocess.Popen[str]


class Place:
    """A companion in a thread, and what its link is to do."""

    def __init__(self, folder: Path, hub: FakeHub) -> None:
        self.folder = folder
        self.hub = hub
        self.companion = FakeCompanion(folder / "remote.sock")
        self.want(enabled=True)
        self.loop: asyncio.AbstractEventLoop
        self.started: list[Started] = []

    def want(self, *, enabled: bool, home: HomeWanted = OFF) -> Wanted:
        club = ClubWanted(enabled=enabled, host="127.0.0.1", port=self.hub.port)
        wanted = Wanted(club=club, home=home)
        self.companion.wanted = wanted.facts()
        return wanted

    def tell(self, kind: str, message: Message) -> None:
        self.loop.call_soon_threadsafe(self.companion.tell_link, kind, message)

    def told(self, kind: type[Message]) -> list[Any]:
        return [each for each in self.companion.told if isinstance(each, kind)]

    def statuses(self) -> list[str]:
        return [each.why for each in self.told(LinkStatus)]

    @property
    def club_file(self) -> Path:
        return self.folder / "beisitzer" / "link" / "club.json"

    def let_in(self) -> None:
        """Write what a hub gave this table before."""
        self.club_file.parent.mkdir(parents=True)
        self.club_file.write_text(json.dumps(self.hub.access))

    def variables(self) -> dict[str, str]:
        return {
            **{name: value for name, value in os.environ.items() if name != "RUNTIME_DIRECTORY"},
            "BEISITZER_REMOTE": str(self.folder / "remote.sock"),
            "XDG_STATE_HOME": str(self.folder),
            "LC_ALL": "C.UTF-8",
        }

    def start(self, **more: str) -> Started:
        link = subprocess.Popen(
            [sys.executable, "-m", "pi_app", "link"],
            env=self.variables() | more, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.started.append(link)
        return link

    def end(self) -> None:
        """Leave no link behind, also after a test that failed."""
        for link in self.started:
            link.kill()
            link.communicate()


@pytest.fixture(name="hub", scope="module")
def hub_of_module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeHub]:
    with FakeHub(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture(name="place")
def _place(tmp_path: Path, hub: FakeHub) -> Iterator[Place]:
    hub.disk, hub.meddle = HubDisk(), lambda _path, _facts: None
    hub.heard.clear()
    place = Place(tmp_path, hub)
    with in_a_thread(place.companion) as place.loop:
        yield place
        place.end()


def ended(link: Started, number: int = signal.SIGTERM) -> tuple[str, str]:
    link.send_signal(number)
    out, err = link.communicate(timeout=60)
    assert link.returncode == 0
    return out, err


def test_one_line_when_connected_and_all_that_waits_is_carried(place: Place) -> None:
    place.let_in()
    place.companion.games.join(place.hub)
    for _ in range(45):
        place.companion.games.play()
    link = place.start()
    wait_for(lambda: place.companion.games.outbox.waiting == 0)
    wait_for(lambda: place.statuses() == [""])
    began = time.monotonic()
    out, err = ended(link)
    assert (err, out) == ("", f"club: connected to 127.0.0.1:{place.hub.port}\n")
    assert time.monotonic() - began < 10
    assert len(place.hub.disk.counted()) == 45


def test_a_hub_that_hangs_does_not_keep_the_link_from_ending(place: Place) -> None:
    place.let_in()
    place.hub.meddle = lambda _path, _facts: "hang"
    link = place.start()
    wait_for(place.hub.paths)
    ended(link, signal.SIGINT)


def test_a_hub_that_is_not_there_is_one_sentence(place: Place) -> None:
    place.let_in()
    place.want(enabled=True)
    place.companion.wanted["club"]["port"] = free_port()
    link = place.start()
    wait_for(lambda: place.statuses() == ["away"])
    out, err = ended(link)
    assert (out, err.count("\n")) == ("", 1)
    assert "the hub does not answer" in err


def test_a_table_joins_and_what_it_got_is_in_the_links_own_folder(place: Place) -> None:
    hub = place.hub
    place.want(enabled=False)
    hub.disk.code = "482913"
    link = place.start()
    wait_for(lambda: place.companion._linked)

    def question(number: int, code: str) -> JoinHub:
        return JoinHub(number=number, code=code, host="127.0.0.1", port=hub.port)

    place.tell("join", question(1, "000000"))
    place.tell("join", question(2, "482913"))
    wait_for(lambda: len(place.told(JoinOutcome)) == 2)
    outcomes = {each.number: each for each in place.told(JoinOutcome)}
    assert outcomes[1].fault == "code"
    assert (outcomes[2].mark, outcomes[2].club) == (mark(hub.ca_pem), "Spielkreis")
    assert not place.club_file.exists()
    place.tell("keep", KeepHub(number=2))
    wait_for(place.club_file.exists)
    assert stat.S_IMODE(place.club_file.stat().st_mode) == 0o600
    facts = json.loads(place.club_file.read_text())
    assert (facts["hub"], facts["token"]) == ("hub-1", hub.disk.token)
    place.tell("wanted", place.want(enabled=True))
    wait_for(lambda: place.statuses() == [""])
    out, err = ended(link)
    assert hub.disk.token not in out + err + (place.folder / "beisitzer/link.log").read_text()
    # the next time the hub of before is told who this table was, and nobody else
    asked = [headers for path, _, headers in hub.heard if path == "/join"]
    assert not any("Authorization" in headers for headers in asked)
    link = place.start()
    wait_for(lambda: len(place.statuses()) == 2)
    place.tell("join", question(3, "482913"))
    wait_for(lambda: len(place.told(JoinOutcome)) == 4)
    ended(link)
    *_, last = [headers for path, _, headers in hub.heard if path == "/join"]
    assert last["Authorization"] == f"Bearer {hub.disk.token}"


def test_asking_with_the_same_code_again_is_the_same_table(place: Place) -> None:
    place.want(enabled=False)
    link = place.start()
    wait_for(lambda: place.companion._linked)
    for number in (1, 2):
        asked = JoinHub(number=number, code="482913", host="127.0.0.1", port=place.hub.port)
        place.tell("join", asked)
        wait_for(partial(lambda n: len(place.told(JoinOutcome)) == n, number))
    ended(link)
    nonces = {facts["nonce"] for path, facts, _ in place.hub.heard if path == "/join"}
    assert len(nonces) == 1


def test_an_authority_that_did_not_sign_what_was_shown_is_refused(
    place: Place, tmp_path: Path
) -> None:
    other = FakeHub(tmp_path / "other")
    place.want(enabled=False)
    place.hub.meddle = lambda path, _: (
        (200, {"v": 2, **place.hub.access, "ca_pem": other.ca_pem}) if path == "/join" else None
    )
    link = place.start()
    wait_for(lambda: place.companion._linked)
    asked = JoinHub(number=1, code="482913", host="127.0.0.1", port=place.hub.port)
    place.tell("join", asked)
    wait_for(lambda: place.told(JoinOutcome))
    place.tell("keep", KeepHub(number=1))
    wait_for(lambda: len(place.told(JoinOutcome)) == 2)
    ended(link)
    assert [each.fault for each in place.told(JoinOutcome)] == ["certificate", "no-hub"]
    assert not place.club_file.exists()


def test_another_hub_than_the_one_that_was_joined_hears_nothing(
    place: Place, tmp_path: Path
) -> None:
    with FakeHub(tmp_path / "other") as other:
        place.let_in()
        place.companion.wanted["club"]["port"] = other.port
        link = place.start()
        wait_for(lambda: place.statuses() == ["certificate"])
        ended(link)
        assert other.heard == []


@pytest.mark.parametrize(
    "text", ["", "{", '{"hub":"h"}', '{"hub":"h","table":"table-07","token":"x\\ny"}']
)
def test_a_table_whose_access_nobody_can_read_has_joined_no_club(place: Place, text: str) -> None:
    place.let_in()
    place.club_file.write_text(text)
    link = place.start()
    wait_for(lambda: place.statuses() == ["unjoined"])
    ended(link)


def test_switched_off_at_the_table_it_ends(place: Place) -> None:
    place.let_in()
    link = place.start()
    wait_for(lambda: place.statuses() == [""])
    place.tell("off", SwitchedOff())
    _, err = link.communicate(timeout=60)
    assert (link.returncode, err) == (0, "")


def test_the_passwords_file_is_the_links_own(place: Place) -> None:
    place.want(enabled=False)
    link = place.start()
    wait_for(lambda: place.companion._linked)
    place.tell("password", HomePassword(password="correct horse"))  # noqa: S106  # of tests
    file = place.club_file.with_name("home-password")
    wait_for(file.exists)
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("correct horse\n", 0o600)
    ended(link)


def test_a_service_that_nobody_wants_ends_well(place: Place) -> None:
    place.companion.refuses = "off"
    link = place.start(STATE_DIRECTORY=str(place.folder / "state"))
    _, err = link.communicate(timeout=60)
    assert link.returncode == 0, "systemd would start it again"
    assert "the companion has the link switched off" in err


def test_a_companion_that_comes_later_is_waited_for(tmp_path: Path, hub: FakeHub) -> None:
    place = Place(tmp_path, hub)
    link = place.start()
    assert link.stderr is not None
    assert "no companion is there" in link.stderr.readline()
    with in_a_thread(place.companion):
        wait_for(lambda: place.statuses() == ["unjoined"])
        ended(link)


@pytest.mark.parametrize(
    ("error", "sentence", "status"),
    [("forbidden", "does not let this user", 2), ("taken", "another link runs already", 0)],
)
def test_a_place_that_is_not_given_is_told_of(
    place: Place, error: str, sentence: str, status: int
) -> None:
    place.companion.refuses = error
    link = place.start()
    assert link.stderr is not None
    assert sentence in link.stderr.readline()
    if not status:
        link.terminate()
    link.communicate(timeout=60)
    assert link.returncode == status
