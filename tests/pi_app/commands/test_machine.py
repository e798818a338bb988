"""The first start of `beisitzer play`: on a flashed card, once, and nowhere else."""

import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.card.first_start import DONE, FirstStart, LanguageQuestion, progress_file
from pi_app.commands.machine import add_machine, is_first_start, show_everywhere
from pi_app.phones.menu import WelcomeScreen
from pi_app.settings.schema import DisplaySettings, Settings
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
    assert not is_first_start(None, card=card)  # a script's table
    assert not is_first_start(store, card=tmp_path / "none")
    progress_file(store).write_text(DONE)
    assert not is_first_start(store, card=card)


def test_every_display_shows_the_first_start_unless_some_were_named() -> None:
    assert show_everywhere(Settings()).display.show == ("oled", "window")
    named = Settings(display=DisplaySettings(show=("terminal",)))
    assert show_everywhere(named) == named


def begin(table: Pilot, card: Path, helper: Path) -> FirstStart:
    """Begin the first start and return it."""
    add_machine(table.program, first=True, card=card, helper=helper)
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
    assert not table.ctx.settings.web.enabled  # nothing listens before there is a network
    table.ctx.urls = lambda _: ("http://192.168.1.7",)
    table.wait(3)
    assert isinstance(table.program.screen, WelcomeScreen)
    assert table.ctx.settings.web.enabled
    assert table.pairing.welcomes
    table.key("#")
    assert not table.pairing.welcomes
    assert not table.ctx.settings.web.enabled
    begin(table, card, helper)
    table.ctx.urls = lambda _: ("http://192.168.1.7",)
    table.wait(3)
    table.pairing.pair("482913", "a phone")
    table.wait(0)
    assert isinstance(table.program.screen, LanguageQuestion)
    assert table.ctx.settings.web.enabled
    assert not table.pairing.welcomes
    assert saved == [("web.enabled", True)]


def test_a_game_that_was_begun_goes_on_instead(tmp_path: Path, card: Path, helper: Path) -> None:
    table = Pilot({"Game": "just4fun", "Players": "Anna yellow, Ben red"}, store=tmp_path / "g.db")
    add_machine(table.program, first=True, card=card, helper=helper)
    assert not isinstance(table.program.screen, LanguageQuestion)


def test_the_machine_is_offered_where_root_has_a_helper(
    table: Pilot, tmp_path: Path, helper: Path
) -> None:
    none = tmp_path / "none"
    add_machine(table.program, first=False, card=none, helper=none)
    assert not table.ctx.system_items
    add_machine(table.program, first=False, card=none, helper=helper)
    table.choose("System", "Machine")
    choices = choices_of(table.frame)
    assert choices.items == ("Wi-Fi", "Clock", "First start")  # the owner has named it


def test_settings_that_name_displays_are_kept(table: Pilot, card: Path, helper: Path) -> None:
    display = replace(table.ctx.settings.display, show=("terminal",))
    table.ctx.settings = replace(table.ctx.settings, display=display)
    begin(table, card, helper).end()
    assert table.ctx.settings.display.show == ("terminal",)
