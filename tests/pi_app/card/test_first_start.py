"""The first start: few keys to the first move, each question passed over, nothing asked twice."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import pytest

from hardware.config import Devices, boot_lines
from hardware.keys import Key
from pi_app.card.first_start import (
    ALONE_S,
    DONE,
    QUESTIONS,
    FirstStart,
    MachineMenu,
    progress_file,
    read_progress,
)
from pi_app.card.helper import HelperError
from pi_app.card.machine import Network, System
from pi_app.card.machine_pages import clock_line
from pi_app.phones.menu import PairScreen, WelcomeScreen
from pi_app.phones.pairing import GUESS_LIMIT, Refused
from pi_app.settings.file import load
from pi_app.system.host import WIFI_SOCKET
from tests.hardware.pads.fakes import pad
from tests.pi_app.pilot import Pilot, choices_of, entry_of


@dataclass
class FakeSystem(System):
    """A machine that notes what was asked of it."""

    asked: list[tuple[object, ...]] = field(default_factory=list)
    fault: str = ""
    card: bool = True
    follows: bool = False
    header: tuple[str, ...] = boot_lines(Devices())
    time_zone: str = "Europe/Berlin"
    seen: tuple[Network, ...] = (
        Network("Home", 80, "wpa-psk"), Network("Office", 60, "other"), Network("Café", 20, "open"),
    )  # fmt: skip

    def note(self, *what: object) -> None:
        self.asked.append(what)
        if self.fault:
            raise HelperError(self.fault)

    def networks(self) -> list[Network]:
        return list(self.seen)

    def join(self, network: Network, password: str) -> None:
        self.note("join", network.name, password)

    def set_clock(self, now: datetime) -> None:
        self.note("clock", now)

    def set_zone(self, zone: str) -> None:
        self.note("zone", zone)
        self.time_zone = zone

    def set_name(self, name: str) -> None:
        self.note("name", name)

    def name(self) -> str:
        return "beisitzer"

    def zone(self) -> str:
        return self.time_zone

    def follows_network_time(self) -> bool:
        return self.follows

    def is_card(self) -> bool:
        return self.card

    def header_lines(self) -> tuple[str, ...]:
        return self.header

    def set_header(self, lines: tuple[str, ...]) -> None:
        self.note("header", *lines)
        self.header = lines


class FirstTable(Pilot):
    """A table at its first start, with settings in a file of its own."""

    def __init__(
        self, folder: Path, system: FakeSystem | None = None, language: str = "en"
    ) -> None:
        super().__init__(None, language)
        self.environ = self.keep_settings(folder / "settings.toml")
        self.ctx.appliance = True
        self.ctx.urls = lambda _: ()
        self.system = system or FakeSystem()
        self.ended = 0
        self.first = FirstStart(
            self.ctx,
            self.system,
            folder / "games",
            True,
            lambda: WelcomeScreen(self.ctx, self.pairing, lambda _: None),
            self._end,
        )
        self.begin()

    def _end(self) -> None:
        self.ended += 1

    def begin(self) -> None:
        """Show what a start shows."""
        self.program.quit = None
        self.program.stack = [self.first.begin()]
        self.program.show()

    @property
    def title(self) -> str:
        return self.frame.header.title


def welcomed(table: FirstTable) -> None:
    table.ctx.urls = lambda port: (f"http://192.168.1.7:{port}",)
    table.wait(3)
    assert isinstance(table.program.screen, WelcomeScreen)


def test_wrong_guesses_count_over_all_codes_of_the_first_start(table: FirstTable) -> None:
    """With ten for each code, whoever guesses for a night would be in."""
    welcomed(table)
    guesses = 0
    for _minute in range(30):
        while table.pairing.code:
            refused = table.pairing.pair("000000", "a stranger")
            assert isinstance(refused, Refused)
            guesses += refused.error != "wait"
            table.wait(refused.wait_s or 0.01)
        table.wait(61)
    assert guesses == GUESS_LIMIT
    assert not isinstance(table.program.screen, WelcomeScreen)
    assert table.pairing.pair("482913", "a phone") == Refused("closed")


def test_an_alert_waits_until_the_code_has_been_read_by_somebody_without_keys(
    table: FirstTable,
) -> None:
    table.program.bulletin.tell("The card cannot be written.")
    table.program.show()
    covered = [table.frame.alert is not None]
    welcomed(table)
    covered.append(table.frame.alert is not None)
    assert table.frame.body.big == "482 913"
    assert isinstance(table.pairing.pair("482913", "a phone"), str)
    table.wait(0)
    assert table.title == "Language · Sprache"
    covered.append(table.frame.alert is not None)
    assert covered == [True, False, True]


def test_the_first_starts_offer_ends_after_an_hour(table: FirstTable) -> None:
    welcomed(table)
    for _minute in range(58):
        table.wait(60)
    assert isinstance(table.program.screen, WelcomeScreen)
    for _minute in range(4):
        table.wait(60)
    assert not isinstance(table.program.screen, WelcomeScreen)
    assert table.pairing.pair("482913", "a phone") == Refused("closed")


@pytest.fixture(autouse=True)
def _no_machine_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what this machine has out of the tests: its addresses, its keyboards."""
    monkeypatch.setattr("pi_app.card.first_start.addresses", tuple)
    monkeypatch.setattr("pi_app.card.first_start.find", list)


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> FirstTable:
    return FirstTable(tmp_path)


@pytest.mark.parametrize("looked_for", [True, False])
def test_a_pad_is_named_where_pads_are_looked_for(
    table: FirstTable, monkeypatch: pytest.MonkeyPatch, *, looked_for: bool
) -> None:
    monkeypatch.setattr("pi_app.card.first_start.find", lambda: [pad("/dev/input/event1")])
    pads = replace(table.ctx.settings.pads, enabled=looked_for)
    table.ctx.settings = replace(table.ctx.settings, pads=pads)
    lines = table.key("#").body.lines
    assert table.title == "What is here?"
    assert any(line.startswith("Plugged in: ") for line in lines) is looked_for


def test_five_keys_lead_to_the_games_and_are_not_asked_for_again(table: FirstTable) -> None:
    titles = [table.title]
    for key in "2####":
        table.key(key)
        titles.append(table.title)
    assert titles == ["Language · Sprache", "Was ist da?", "WLAN", "Uhr", "Name", "Beisitzer"]
    assert read_progress(table.first.store) == DONE
    assert table.ended == 1
    assert load(table.environ).settings.language == "de"


@pytest.mark.parametrize("keys", ["", "1", "1#", "1##", "1###"])
def test_star_leaves_out_the_rest_at_every_question(table: FirstTable, keys: str) -> None:
    table.key(keys)
    assert (Key.STAR, "later") in [(soft.key, soft.label) for soft in table.frame.keys.soft]
    table.key("*")
    assert table.title == "Beisitzer"
    assert read_progress(table.first.store) == DONE


@pytest.mark.parametrize("answered", range(1, len(QUESTIONS)))
def test_after_a_power_cut_it_goes_on_where_it_was(tmp_path: Path, answered: int) -> None:
    table = FirstTable(tmp_path)
    table.key("1###"[:answered])
    there = table.title
    again = FirstTable(tmp_path)
    assert again.title == there


def test_back_leads_to_the_question_before(table: FirstTable) -> None:
    table.key("1###")
    titles = [table.key("<").header.title for _ in range(5)]
    assert titles == ["Clock", "Wi-Fi", "What is here?", "Language · Sprache", "Language · Sprache"]


def test_a_board_counts_from_the_start_that_follows_at_once(table: FirstTable) -> None:
    table.key("1")
    table.choose("Adafruit OLED Bonnet")
    assert table.program.quit is not None
    assert table.program.quit.power == "again"
    settings = load(table.environ).settings
    assert settings.rig.board == "adafruit-oled-bonnet"
    assert settings.joystick.enabled
    assert read_progress(table.first.store) == "wifi"
    table.ctx.settings = settings
    table.begin()
    assert table.title == "Wi-Fi"
    table.key("<")
    table.key("#")  # the board is marked now
    assert table.program.quit is None
    assert table.title == "Wi-Fi"


def test_die_buttons_choose_like_digits_where_there_are_no_others(table: FirstTable) -> None:
    table.key([Key.DIE2])
    assert table.title == "Was ist da?"


def test_what_answers_itself_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.card.first_start.addresses", lambda: ("192.168.1.7",))
    table = FirstTable(tmp_path, FakeSystem(card=False, follows=True))
    assert table.key("1#").header.title == "Beisitzer"


def test_german_brings_its_time_zone_unless_one_was_set(tmp_path: Path) -> None:
    table = FirstTable(tmp_path, FakeSystem(time_zone="Etc/UTC"))
    table.key("2")
    assert table.frame.body.lines == ("Einen Moment ...",)  # no clock is keyed before it counts
    assert table.wait(0).header.title == "Was ist da?"
    assert table.system.asked == [("zone", "Europe/Berlin")]
    deaf = FirstTable(tmp_path, FakeSystem(time_zone="Etc/UTC", fault="no-helper"))
    deaf.first.again()
    deaf.begin()
    deaf.key("2")
    assert deaf.wait(0).header.title == "Was ist da?"
    other = FirstTable(tmp_path, FakeSystem(time_zone="Europe/Vienna"))
    other.first.again()
    other.begin()
    other.key("2")
    assert other.system.asked == []


def test_wifi_is_joined_with_a_password_keyed_exactly(table: FirstTable) -> None:
    table.key("1##")
    assert table.title == "Clock"
    table.key("<2")
    table.wait(0)
    choices = choices_of(table.frame)
    assert choices.items == ("Without Wi-Fi", "Home", "Café")
    frame = table.key("2")
    assert frame.keys.exact
    table.write("sEcret/1")
    assert entry_of(table.frame).text == "*******1_"
    table.key("#")
    table.wait(0)
    assert table.system.asked == [("join", "Home", "sEcret/1")]
    assert table.title == "Clock"


def test_a_wrong_password_is_said_and_can_be_keyed_again(table: FirstTable) -> None:
    table.system.fault = "wrong-password"
    table.key("1#2")
    table.wait(0)
    table.key("2")
    table.write("wrong")
    assert entry_of(table.frame).verdict == "a password has 8 to 63 characters"
    table.write("-one")
    table.key("#")
    frame = table.wait(0)
    assert frame.body.lines == ("The password is wrong.",)
    assert table.key("<").header.title == "Wi-Fi"


def test_an_open_network_asks_for_no_password(table: FirstTable) -> None:
    table.key("1#2")
    table.wait(0)
    table.key("3")
    table.wait(0)
    assert table.system.asked == [("join", "Café", "")]


def test_the_clock_is_keyed_as_twelve_digits(table: FirstTable) -> None:
    table.key("1##2")
    frame = table.key("2026113")
    assert entry_of(frame).text == "2026-11-3_ __:__"
    assert table.key("90510").body.entry == replace(
        entry_of(table.frame), verdict="There is no such time."
    )
    table.key([Key.BACK] * 5)
    table.key("00510#")
    table.wait(0)
    (what, when), *_ = table.system.asked
    assert what == "clock"
    assert isinstance(when, datetime)
    assert when.strftime("%Y-%m-%d %H:%M") == "2026-11-30 05:10"
    assert table.title == "Clock"


def test_a_zone_is_found_by_its_region(table: FirstTable) -> None:
    table.key("1##3")
    table.choose("Asia", "Kolkata")
    table.wait(0)
    assert table.system.asked == [("zone", "Asia/Kolkata")]
    assert "Asia/Kolkata" in table.frame.body.lines[0]


def test_the_table_takes_another_name(table: FirstTable) -> None:
    table.key("1###2")
    table.write("A")
    assert entry_of(table.frame).verdict
    table.key("<")
    table.write("attic-2")
    table.key("#")
    table.wait(0)
    assert table.system.asked == [("name", "attic-2")]
    assert table.title == "Beisitzer"


def test_a_phone_is_invited_as_soon_as_there_is_a_network(table: FirstTable) -> None:
    assert table.wait(3).header.title == "Language · Sprache"
    table.ctx.urls = lambda port: (f"http://192.168.1.7:{port}",)
    table.wait(3)
    assert isinstance(table.program.screen, WelcomeScreen)
    assert table.frame.body.big == "482 913"
    table.wait(61)
    assert table.frame.body.big == "482 913"  # another code, of the same test
    table.key("#")
    assert table.title == "Language · Sprache"
    table.wait(10)
    assert table.title == "Language · Sprache"


def test_without_keys_and_without_a_network_the_table_opens_its_own(table: FirstTable) -> None:
    opened: list[float] = []
    table.first.open_wifi = lambda: opened.append(table.clock.now)
    table.begin()
    begun = table.clock.now
    for _ in range(40):
        table.wait(3)
    assert [moment - begun >= ALONE_S for moment in opened] == [True]
    opened.clear()
    table.begin()
    table.key("v")  # somebody has keys
    table.wait(2 * ALONE_S)
    assert opened == []


def test_who_has_keys_is_not_interrupted_by_an_invitation(table: FirstTable) -> None:
    table.key("v")
    table.ctx.urls = lambda port: (f"http://192.168.1.7:{port}",)
    table.wait(10)
    assert not isinstance(table.program.screen, PairScreen)


def test_a_full_card_does_not_stop_the_first_start(table: FirstTable) -> None:
    progress_file(table.first.store).mkdir()
    for key in "1####":
        table.key(key)
    assert table.title == "Beisitzer"


def test_the_machines_menu_asks_each_question_and_all_of_them(table: FirstTable) -> None:
    table.program.stack.append(MachineMenu(table.first))
    table.program.show()
    choices = choices_of(table.frame)
    assert choices.items == ("Wi-Fi", "Set the clock", "Time zone", "Name", "First start")
    assert table.frame.body.lines == (clock_line(table.ctx, table.first.system),)
    table.key("5")
    assert table.title == "Language · Sprache"
    assert read_progress(table.first.store) == "language"


NOWHERE: dict[str, object] = {
    "link": "own", "name": "", "asked": "", "fault": "",
    "networks": [{"name": "Home", "signal": 70, "kind": "sae"}],
}  # fmt: skip
ON_THE_WAY: dict[str, object] = {**NOWHERE, "link": "joining", "name": "Home", "asked": "Home"}


def test_joining_waits_for_an_address_and_says_why_there_is_none(tmp_path: Path) -> None:
    def answers(*statuses: dict[str, object]) -> System:
        row: Iterator[dict[str, object]] = iter(({}, *statuses))
        return System(tmp_path, lambda *_, **__: next(row), lambda _: None)

    home = Network("Home", 70, "sae")
    answers(ON_THE_WAY, {**ON_THE_WAY, "link": "joined"}).join(home, "long enough")
    wrong = {**NOWHERE, "fault": "wrong-password"}
    with pytest.raises(HelperError) as raised:
        answers(ON_THE_WAY, ON_THE_WAY, wrong).join(home, "long enough")
    assert raised.value.code == "wrong-password"
    with pytest.raises(HelperError) as raised:
        answers(*[ON_THE_WAY] * 1000).join(home, "long enough")
    assert raised.value.code == "no-address"


def test_the_helpers_are_asked_in_their_own_words(tmp_path: Path) -> None:
    answers = iter([{**ON_THE_WAY, "link": "joined"}])
    asked: list[dict[str, object]] = []

    def ask(name: str, /, **values: object) -> dict[str, object]:
        at = values.pop("at", None)
        asked.append({"call": name, **values})
        assert (at == WIFI_SOCKET) == (name in ("look", "join", "status"))
        return next(answers) if name == "status" else NOWHERE

    system = System(tmp_path, ask)
    (home,) = system.networks()
    system.join(home, "long enough")
    system.set_clock(datetime.fromisoformat("2026-11-24T06:10+01:00"))
    system.set_zone("Europe/Berlin")
    system.set_name("attic")
    system.set_header(("dtparam=spi=on",))
    assert asked == [
        {"call": "look"},
        {"call": "join", "name": "Home", "password": "long enough", "kind": "sae"},
        {"call": "status"},
        {"call": "clock-set", "utc": "2026-11-24T05:10"},
        {"call": "zone-set", "zone": "Europe/Berlin"},
        {"call": "host-set", "name": "attic"},
        {"call": "header-set", "lines": "dtparam=spi=on\n"},
    ]


def test_the_time_zone_is_read_through_the_cards_links(tmp_path: Path) -> None:
    system = System(tmp_path)
    assert system.zone() == ""
    (tmp_path / "etc").mkdir()
    (tmp_path / "data/machine").mkdir(parents=True)
    (tmp_path / "etc/localtime").symlink_to("/data/machine/localtime")
    (tmp_path / "data/machine/localtime").symlink_to("/usr/share/zoneinfo/Europe/Berlin")
    assert system.zone() == "Europe/Berlin"


def test_an_encoder_alone_leads_through_it(table: FirstTable) -> None:
    keypad = replace(table.ctx.settings.keypad, enabled=False)
    table.ctx.settings = replace(table.ctx.settings, keypad=keypad)
    table.key([Key.TURN_RIGHT])
    titles = [table.key([Key.PUSH]).header.title for _ in range(5)]
    assert titles == ["Was ist da?", "WLAN", "Uhr", "Name", "Beisitzer"]


def test_nothing_starts_anew_where_nothing_was_opened_and_nothing_is_wanted(
    table: FirstTable,
) -> None:
    table.first.has_parts = lambda: False
    table.key("1")
    table.choose(choices_of(table.frame).items[-1])
    assert load(table.environ).settings.rig.enabled is False
    assert table.program.quit is None
    assert table.title == "Wi-Fi"
