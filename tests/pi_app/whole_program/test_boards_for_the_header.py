"""Each board on simulated pins: every key of it, its display, and a game on it."""

from pathlib import Path

import pytest

from hardware.boards import board_words
from hardware.config import boot_lines
from hardware.framebuffer import Framebuffer
from hardware.inputs.buttons import joystick_keys
from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.settings.file import SettingsError, parse
from pi_app.settings.schema import Settings
from tests.golden import check_golden
from tests.options import Options
from tests.pi_app.whole_program.test_rig_game import SCAN_S, TAGS, RigTable

BOOT = {
    "adafruit-oled-bonnet": ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"),
    "allo-boss2": ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"),
    "iqaudio-cosmic-controller": ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"),
    "waveshare-oled-1in3": ("dtparam=spi=on",),
    "waveshare-oled-1in3-i2c": ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"),
}
"""What each board needs in config.txt; no power button takes one of its pins."""


def settings_of(word: str, more: str = "") -> Settings:
    return parse({Path("rig.toml"): f'[rig]\nboard = "{word}"\n{more}'}).settings


class BoardTable(RigTable):
    """A companion on a board."""

    def glass(self) -> Framebuffer:
        """Return what somebody sees who holds the board upright."""
        return self.simulated.glass()

    def settled(self) -> bool:
        assert self.program.frame is not None
        return self.glass() == paint(self.program.frame)

    def poll(self, seconds: float) -> None:
        """Let time pass without answering a key."""
        for _ in range(round(seconds / SCAN_S)):
            self.now += SCAN_S
            self.output.rig.poll()

    def turn(self, clicks: int) -> None:
        self.simulated.turn(clicks)
        self.wait(0.05)


def table_on(word: str) -> BoardTable:
    return BoardTable(TAGS, settings_of(word))


@pytest.mark.parametrize("word", board_words())
def test_every_key_of_a_board_is_heard_short_and_held(word: str) -> None:
    table = table_on(word)
    keys = list(joystick_keys(table.ctx.settings.joystick).values())
    if table.ctx.settings.encoder.enabled:
        keys.append(Key.PUSH)
    for key in keys:
        presses = [(key, 0.05)] + ([(key.held, 0.7)] if key.held else [])
        for press, seconds in presses:
            table.simulated.down(key)
            table.poll(seconds)
            table.simulated.up(key)
            table.poll(0.05)
            assert table.queue.get(0) is press
    assert Key.PUSH in keys


@pytest.mark.parametrize("word", board_words())
def test_a_board_shows_a_game_and_plays_it(word: str, options: Options) -> None:
    table = table_on(word)
    check_golden({f"boards/{word}-turn": table.glass().to_image()}, options)
    if table.ctx.settings.encoder.enabled:
        table.turn(2)
    else:
        table.play([Key.STICK_UP, Key.STICK_UP])
    table.play([Key.PUSH])
    check_golden({f"boards/{word}-card": table.glass().to_image()}, options)
    table.play([Key.PUSH_HELD])
    assert table.tokens() == ("9",)
    assert table.settled()
    table.output.close()


@pytest.mark.parametrize("word", board_words())
def test_the_boot_lines_follow_the_board(word: str) -> None:
    assert boot_lines(settings_of(word)) == BOOT[word]


def test_what_the_settings_say_beside_a_board_counts_more() -> None:
    lamp = "[lamp]\nenabled = true\nred = 12\ngreen = 17\nblue = 27\n[oled]\nrotate = 0"
    settings = settings_of("waveshare-oled-1in3", lamp)
    assert settings.lamp.enabled
    assert (settings.oled.rotate, settings.oled.dc) == (0, 24)


def test_a_pin_that_a_board_takes_is_refused_to_another_part() -> None:
    with pytest.raises(SettingsError) as refused:
        settings_of("waveshare-oled-1in3", "[buzzer]\nenabled = true\npin = 26")
    assert refused.value.code == "same-pin"


def test_a_board_that_nobody_knows_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(SettingsError) as refused:
        settings_of("waveshare")
    assert (refused.value.line, refused.value.key) == (2, "rig.board")
    assert all(word in str(refused.value) for word in ("none", "adafruit-oled-bonnet"))


def test_a_board_of_ones_own_is_one_file_and_its_mistakes_have_a_line(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[oled]\nenabled = true\n[joystick]\nenabled = true\nup = 4\npush = 5\n")
    settings = settings_of(str(own))
    assert (settings.joystick.up, settings.keypad.enabled) == (4, False)
    own.write_text("[oled]\nenabled = true\ndriver = 'ssd1309'\n")
    with pytest.raises(SettingsError) as refused:
        settings_of(str(own))
    assert (refused.value.file, refused.value.line) == (own, 3)
