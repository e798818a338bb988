"""The buses of a card's header follow the settings, without an editor."""

from dataclasses import replace
from pathlib import Path

import pytest

from hardware.config import Devices, boot_lines
from pi_app.card.helper import HelperError
from pi_app.card.machine import HeaderCheck, System
from pi_app.screens.base import Quit
from tests.pi_app.card.test_first_start import FakeSystem
from tests.pi_app.pilot import TWO, Pilot, at_once
from tests.pi_app.whole_program.test_boards_for_the_header import settings_of

SPI = settings_of("waveshare-oled-1in3")


class BusySystem(FakeSystem):
    """A system whose helper is not there."""

    def set_header(self, lines: tuple[str, ...]) -> None:
        raise HelperError("no-helper", lines)


@pytest.fixture(name="pilot")
def _pilot() -> Pilot:
    pilot = Pilot({"Game": "just4fun", "Players": TWO})
    pilot.ctx.worker.attach(at_once, lambda work: work())
    pilot.ctx.settings = replace(pilot.ctx.settings, oled=SPI.oled, power_button=SPI.power_button)
    return pilot


def checked(pilot: Pilot, system: FakeSystem, *, first: bool) -> HeaderCheck:
    """Let the check have two turns of the loop."""
    check = HeaderCheck(pilot.program, system, first=first)
    assert check.poll_every_s() is not None
    check.poll()
    check.poll()
    assert check.poll_every_s() is None
    return check


def test_a_board_on_another_bus_starts_the_machine_anew_at_the_first_start(pilot: Pilot) -> None:
    system = FakeSystem()
    checked(pilot, system, first=True)
    assert system.header == boot_lines(pilot.ctx.settings)
    assert "dtparam=spi=on" in system.header
    assert pilot.program.quit == Quit(power="restart")


def test_later_the_table_is_told_and_plays_on(pilot: Pilot) -> None:
    system = FakeSystem()
    checked(pilot, system, first=False)
    pilot.program.show()
    assert pilot.program.quit is None
    assert pilot.frame.alert is not None
    assert "restart" in pilot.frame.alert.text


def test_after_that_start_nothing_is_written_again(pilot: Pilot) -> None:
    system = FakeSystem(header=boot_lines(pilot.ctx.settings))
    checked(pilot, system, first=True)
    assert not system.asked
    assert pilot.program.quit is None


def test_without_the_helper_it_plays_as_it_is(pilot: Pilot) -> None:
    checked(pilot, BusySystem(), first=True)
    assert pilot.program.quit is None


def test_a_card_that_was_told_nothing_has_what_the_image_has(tmp_path: Path) -> None:
    system = System(tmp_path)
    assert system.header_lines() == boot_lines(Devices())
    (tmp_path / "data/machine").mkdir(parents=True)
    (tmp_path / "data/machine/header.txt").write_text("dtparam=spi=on\n")
    assert system.header_lines() == ("dtparam=spi=on",)
