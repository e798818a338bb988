"""The own Wi-Fi at the table: asked once, shown as a code, told to its service."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Condition
from typing import Any

import pytest

from hardware.keys import Key
from pi_app.card.helper import HelperError
from pi_app.network import pages
from pi_app.network.follow import WifiFollower, wish_of
from pi_app.network.names import join_code
from pi_app.network.pages import (
    TURN_S,
    CodeScreen,
    OwnWifiMenu,
    before_pairing,
    reason_line,
    status_line,
)
from pi_app.network.phone import answer_phone
from pi_app.network.settings import WifiSettings
from pi_app.phones.menu import PairScreen, WelcomeScreen, matrix
from pi_app.phones.protocol import REQUESTS, WebSettings
from pi_app.settings.file import load
from pi_app.system.host import OWN_WIFI
from pi_app.system.worker import Job
from pi_app.view.frame import Frame, Header
from tests.pi_app.pilot import Pilot, choices_of

NAME, SECRET = "Beisitzer-abc", "ghjk2345mn"
STATUS: dict[str, Any] = {
    "link": "own", "name": "", "radio": True, "cable": False, "asked": "", "fault": "",
    "reason": "wrong-password", "about": "Home", "own": NAME, "age_s": 5, "known": ["Attic"],
    "networks": [{"name": "Home", "signal": 60, "kind": "wpa-psk"}],
}  # fmt: skip


@dataclass
class Service:
    """A service that only notes what it is asked."""

    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    fault: str = ""

    def __call__(self, call: str, /, **values: Any) -> dict[str, Any]:
        self.asked.append((call, values))
        if self.fault:
            raise HelperError(self.fault)
        if call == "code":
            return {"name": NAME, "password": SECRET}
        return STATUS if call in ("status", "look") else {}


class Table(Pilot):
    """A table with settings in a file of its own."""

    def __init__(self, folder: Path, language: str = "en") -> None:
        super().__init__(None, language)
        self.folder = folder
        self.environ = self.keep_settings(folder / "settings.toml")
        self.service = Service()
        # what it asks of other threads is done at once
        self.ctx.worker.queue = self._do  # type: ignore[method-assign]

    def _do(self, work: Callable[[Job], None]) -> Job:
        job = Job(Condition(), lambda _: False, idle=False)
        work(job)
        return job

    def set(self, **values: Any) -> None:
        settings = self.ctx.settings
        self.ctx.settings = settings.plus(replace(settings.of(WifiSettings), **values))

    def open_menu(self) -> Frame:
        self.program.stack.append(OwnWifiMenu(self.ctx, self.service))
        self.program.show()
        return self.frame

    def items(self) -> tuple[str, ...]:
        choices = choices_of(self.frame)
        return choices.items


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.mark.parametrize("opened", [False, True])
def test_the_first_start_shows_by_turns_how_a_phone_joins_the_own_wifi_and_the_table(
    table: Table, monkeypatch: pytest.MonkeyPatch, *, opened: bool
) -> None:
    monkeypatch.setattr(pages, "is_open", lambda: opened)
    joined: list[bool] = []
    table.program.stack.append(
        pages.welcome(table.ctx, table.pairing, joined.append, table.service)
    )
    table.program.show()
    seen = []
    for _ in range(4):
        table.wait(0)
        seen.append(table.frame.body.big or table.frame.body.lines)
        table.wait(TURN_S)
    assert seen == ([(NAME, SECRET), "482 913"] * 2 if opened else ["482 913"] * 4)
    assert any("join this Wi-Fi" in line for line in table.frame.extras.details) == opened
    table.pairing.pair(table.pairing.code, "a phone")
    table.wait(TURN_S)
    assert joined == [True]
    assert not isinstance(table.program.screen, WelcomeScreen)


def test_the_menu_says_when_it_opens_and_changes_it(table: Table) -> None:
    table.open_menu()
    assert table.items() == ("Open: never",)
    table.key("1")
    assert table.items() == ("never", "if needed", "always")
    table.key("2")
    assert table.items()[0] == "Open: if needed"
    assert {"Country: GB", "Channel: auto"} <= set(table.items())
    assert load(table.environ).settings.of(WifiSettings).own == "needed"


def test_its_code_is_shown_as_text_and_picture_and_no_phone_sees_it(table: Table) -> None:
    table.set(own="needed")
    table.open_menu()
    table.key("2")
    frame = table.wait(0)
    assert frame.body.lines == (NAME, SECRET)
    assert frame.board.code == matrix(join_code(NAME, SECRET))
    assert frame.secret
    assert Key.ENTER not in [soft.key for soft in frame.keys.soft]
    table.key("<")
    assert table.frame.header.title == "Own Wi-Fi"


def test_whoever_lets_a_phone_in_gets_the_way_into_the_wifi_first(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pair() -> PairScreen:
        return PairScreen(table.ctx, table.pairing)

    monkeypatch.setattr("pi_app.network.pages.is_open", lambda: False)
    assert isinstance(before_pairing(table.ctx, pair, table.service), PairScreen)
    monkeypatch.setattr("pi_app.network.pages.is_open", lambda: True)
    table.program.stack.append(before_pairing(table.ctx, pair, table.service))
    table.program.show()
    table.wait(0)
    assert isinstance(table.program.screen, CodeScreen)
    table.key("#")
    assert isinstance(table.program.screen, PairScreen)


def test_the_own_wifi_is_known_by_the_machines_address() -> None:
    from pi_app.network.pages import is_open

    assert is_open(lambda: ("192.168.1.2", OWN_WIFI))
    assert not is_open(lambda: ("192.168.1.2",))


def test_a_new_password_is_asked_about_first(table: Table) -> None:
    table.set(own="always")
    table.open_menu()
    table.key("6")
    assert table.frame.body.lines[:1] == ("Phones have to join anew.",)
    table.key("#")
    assert table.service.asked == []
    table.key("62")
    table.wait(0)
    frame = table.wait(0)
    assert [call for call, _ in table.service.asked] == ["password", "code"]
    assert frame.body.lines == (NAME, SECRET)


def test_how_it_is_says_where_the_table_is_and_why(table: Table) -> None:
    table.set(own="needed")
    table.open_menu()
    table.key("3")
    frame = table.wait(0)
    assert frame.body.lines == (
        f"The table is in its own Wi-Fi, {NAME}.", "Home: the password is wrong.",
    )  # fmt: skip


def test_a_service_that_is_away_gives_a_sentence(table: Table) -> None:
    table.set(own="needed")
    table.service.fault = "no-helper"
    table.open_menu()
    table.key("3")
    assert table.wait(0).body.lines == ("This machine cannot do it: install Beisitzer anew.",)


@pytest.mark.parametrize("link", ["none", "joining", "joined", "own"])
def test_every_state_and_reason_has_a_sentence(table: Table, link: str) -> None:
    assert status_line(table.ctx.texts, {**STATUS, "link": link, "name": "Home"})
    assert reason_line(table.ctx.texts, {**STATUS, "reason": ""}) == ""
    assert "Home" in reason_line(table.ctx.texts, {**STATUS, "reason": "gone"})


def test_the_wish_is_told_at_the_start_and_after_a_change_and_not_else(table: Table) -> None:
    table.set(own="needed")
    follower = WifiFollower(table.ctx, table.service)
    for _ in range(3):
        follower.show(Frame(Header("x")))
        table.wait(0)
    assert table.service.asked == [
        ("wish", {"own": "needed", "phones": False, "country": "GB", "channel": 0})
    ]
    assert follower.poll_every_s() is None
    table.ctx.settings = table.ctx.settings.plus(WebSettings(enabled=True))
    follower.configure(table.ctx.settings)
    table.wait(0)
    assert table.service.asked[1:] == [("wish", dict(wish_of(table.ctx)))]


def test_a_wish_that_could_not_be_told_is_told_later(table: Table) -> None:
    table.set(own="needed")
    table.service.fault = "no-helper"
    follower = WifiFollower(table.ctx, table.service)
    follower.show(Frame(Header("x")))
    table.wait(0)
    assert follower.poll_every_s() is not None
    table.service.fault = ""
    follower.poll()
    table.wait(0)
    assert follower.poll_every_s() is None


def test_a_phone_is_told_networks_where_the_table_is_and_why(table: Table) -> None:
    found = answer_phone(table.ctx, REQUESTS["networks"].read({"token": "x"}), table.service)
    assert found["where"] == f"The table is in its own Wi-Fi, {NAME}."
    assert found["why"] == "Home: the password is wrong."
    assert found["networks"] == STATUS["networks"]
    assert "password" not in str(found["networks"])


def test_a_phone_joins_and_forgets_networks(table: Table) -> None:
    join = {"name": "Home", "password": SECRET, "security": "wpa-psk"}
    assert answer_phone(table.ctx, REQUESTS["join"].read(join), table.service) == {"ok": True}
    assert answer_phone(table.ctx, REQUESTS["forget"].read({"name": "Attic"}), table.service)["ok"]
    assert answer_phone(table.ctx, REQUESTS["look"].read({}), table.service)["ok"]
    assert table.service.asked == [
        ("join", {"name": "Home", "password": SECRET, "kind": "wpa-psk"}),
        ("forget", {"name": "Attic"}),
        ("status", {}),
        ("look", {}),
    ]


@pytest.mark.parametrize(
    ("fault", "error"),
    [("argument", "argument-wifi"), ("no-radio", "no-wifi"), ("stays", "stays")],
)
def test_what_the_service_refuses_a_phone_is_told_in_a_sentence(
    table: Table, fault: str, error: str
) -> None:
    table.service.fault = fault
    join = {"name": "Home", "password": "short", "security": "wpa-psk"}
    found = answer_phone(table.ctx, REQUESTS["join"].read(join), table.service)
    assert found["error"] == error
    assert found["text"]
