"""The first start of `beisitzer play`: on a flashed card, once, and nowhere else."""

import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.card.first_start import DONE, FirstStart, LanguageQuestion, progress_file
from pi_app.extras import machine as module
from pi_app.extras.machine import FirstStartExtra, MachineExtra, is_first_start, show_everywhere
from pi_app.phones.menu import WelcomeScreen
from pi_app.phones.protocol import WebSettings
from pi_app.run.extras import Start
from pi_app.settings.schema import DisplaySettings, Settings, value_of
from tests.pi_app.pilot import Pilot, choices_of


@pytest.fixture(name="card")
def _card(tmp_path: Path) -> Path:
    card = tmp_path / "beisitzer-card"
    card.write_text("0.3\n")
    return card


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Pilot:
    return Pilot(store=tmp_path / "games")


@pytest.fixture(name="helper")
def _helper(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "helper.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        yield place


def test_only_a_fresh_card_has_a_first_start(tmp_path: Path, card: Path) -> None:
    store = tmp_path / "games"
    assert is_first_start(store, card=card)
    assert not is_first_start(store, card=tmp_path / "none")
    progress_file(store).write_text(DONE)
    assert not is_first_start(store, card=card)


def test_every_display_shows_the_first_start_unless_some_were_named() -> None:
    assert show_everywhere(Settings()).display.show == ("oled", "window")
    named = Settings(display=DisplaySettings(show=("terminal",)))
    assert show_everywhere(named) == named


def attach(table: Pilot, card: Path, helper: Path) -> None:
    """Attach what a card has, as at the start with the screen that is there."""
    for extra in (FirstStartExtra(card), MachineExtra(card, helper)):
        extra.attach(table.program, Start())
    table.program.begin(table.program.screen)


def begin(table: Pilot, card: Path, helper: Path) -> FirstStart:
    """Begin the first start and return it."""
    attach(table, card, helper)
    table.program.show()
    assert isinstance(table.program.screen, LanguageQuestion)
    return table.program.screen.start


def test_phones_may_join_while_they_are_invited_and_stay_if_one_has(
    table: Pilot, card: Path, helper: Path
) -> None:
    saved: list[tuple[str, object]] = []
    table.ctx.save = lambda key, value: saved.append((key, value))
    start = begin(table, card, helper)
    assert not start.has_parts()
    assert not table.ctx.settings.of(
        WebSettings
    ).enabled  # nothing listens before there is a network
    table.ctx.urls = lambda _: ("http://192.168.1.7",)
    table.wait(3)
    assert isinstance(table.program.screen, WelcomeScreen)
    assert table.ctx.settings.of(WebSettings).enabled
    assert table.pairing.welcomes
    table.key("#")
    assert not table.pairing.welcomes
    assert not table.ctx.settings.of(WebSettings).enabled
    begin(table, card, helper)
    table.ctx.urls = lambda _: ("http://192.168.1.7",)
    table.wait(3)
    table.pairing.pair("482913", "a phone")
    table.wait(0)
    assert isinstance(table.program.screen, LanguageQuestion)
    assert table.ctx.settings.of(WebSettings).enabled
    assert not table.pairing.welcomes
    assert saved == [("web.enabled", True)]


def test_the_wifi_that_a_first_start_opened_stays_if_a_phone_has_joined_by_it(
    table: Pilot, card: Path, helper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "has_wifi_service", lambda: True)
    saved: list[tuple[str, object]] = []
    table.ctx.save = lambda key, value: saved.append((key, value))
    begin(table, card, helper)
    table.ctx.urls = lambda _: ()
    for _ in range(20):
        table.wait(2)
    wanted = [value_of(table.ctx.settings, key) for key in ("wifi.own", "web.enabled")]
    assert wanted == ["needed", True]
    assert saved == []
    table.ctx.urls = lambda _: ("http://10.43.77.1",)
    table.wait(3)
    assert isinstance(table.program.screen, WelcomeScreen)
    table.pairing.pair("482913", "a phone")
    table.wait(0)
    assert saved == [("web.enabled", True), ("wifi.own", "needed")]


def test_a_game_that_was_begun_goes_on_instead(tmp_path: Path, card: Path, helper: Path) -> None:
    table = Pilot({"Game": "just4fun", "Players": "Anna yellow, Ben red"}, store=tmp_path / "g.db")
    attach(table, card, helper)
    assert not isinstance(table.program.screen, LanguageQuestion)


def test_the_machine_is_offered_where_root_has_a_helper(
    table: Pilot, tmp_path: Path, helper: Path
) -> None:
    none = tmp_path / "none"
    MachineExtra(none, none).attach(table.program, Start())
    assert not table.ctx.system_items
    MachineExtra(none, helper).attach(table.program, Start())
    table.choose("System", "Machine")
    choices = choices_of(table.frame)
    assert choices.items == (
        "Wi-Fi",
        "Set the clock",
        "Time zone",
        "First start",
    )  # the owner has named it


def test_settings_that_name_displays_are_kept(table: Pilot, card: Path, helper: Path) -> None:
    display = replace(table.ctx.settings.display, show=("terminal",))
    table.ctx.settings = replace(table.ctx.settings, display=display)
    begin(table, card, helper).end()
    assert table.ctx.settings.display.show == ("terminal",)
