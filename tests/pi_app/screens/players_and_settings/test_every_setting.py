"""Every setting can be reached under System, with the checks of the file, and taken back."""

from dataclasses import replace
from pathlib import Path

import pytest

from beisitzer.testing.pilot import keys_to
from hardware.keys import Key
from pi_app.screens.base import Screen
from pi_app.screens.players_and_settings.every_setting import (
    LaterScreen,
    NumberEntry,
    SettingsList,
    ValuesScreen,
    read_value,
    setting_screen,
)
from pi_app.screens.players_and_settings.setting_words import (
    VALUES,
    describe,
    name_of,
    table_words,
)
from pi_app.screens.text_entry import ExactEntry
from pi_app.settings.file import load, save
from pi_app.settings.schema import (
    NOT_ALLOWED,
    Settings,
    definitions,
    toml_value,
    value_of,
)
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from tests.pi_app.pilot import Pilot, choices_of, entry_of


class Rig(Pilot):
    """A table whose settings are in a file of its own."""

    def __init__(self, file: Path, language: str = "en") -> None:
        super().__init__(None, language)
        self.environ = self.keep_settings(file)

    @property
    def stored(self) -> Settings:
        return load(self.environ).settings

    @property
    def screen(self) -> Screen:
        return self.program.screen

    def take(self, item: str) -> Frame:
        """Mark an entry of the list on show, and choose it."""
        choices = choices_of(self.frame)
        return self.key(keys_to(choices, choices.items.index(item)))

    def open(self, key: str) -> Frame:
        """Go from the System menu to a setting by the words of the lists."""
        tx, table = self.ctx.texts, key.partition(".")[0]
        self.program.stack = self.program.stack[:1]
        self.program.show()
        self.choose("System", "All settings")
        self.take(table_words(tx, table))
        return self.frame if key == table else self.take(describe(self.ctx, key))


@pytest.fixture(name="rig")
def _rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path / "settings.toml")


OTHERS: dict[str, str] = {
    "display.show": "window terminal",
    "sounds.command": "paplay --raw",
    "voice.command": 'say "{text}" -v=[{language}]',
    "store.path": "/var/lib/My_Games/g~2.db",
    "club.host": "hub.local",
    "home.host": "broker.local",
    "home.user": "table-07",
    "wifi.country": "AT",
    "rig.board": "adafruit-oled-bonnet",
    "keypad.rows": "0 1 14 15",
    "keypad.columns": "15 0 1 14",
    "keypad.layout": "#0*D 789C 456B 123A",
    "die_buttons.pins": "4 17 27 22 23 0",
    "oled.address": "0x3D",
    "panel.port": "/dev/ttyACM0",
    "pads.name": "Num Pad (2)",
    "pads.dice": "usb-1.2",
    "pads.keys": "KPDOT=BACK F7=none",
}
"""A value of each setting that is keyed as a text."""
FIRST_OFF = {"oled.bus": ("lamp.enabled", "encoder.enabled", "power_button.enabled")}
"""What must be switched off before a setting has pins enough."""
FREE = 0
"""A pin that the reference rig leaves free."""


def change_it(rig: Rig, key: str) -> object:
    """Give the open setting another value, by keys alone; return this value."""
    screen = rig.screen
    if isinstance(screen, ValuesScreen) and key not in OTHERS and screen.values[1:]:
        at = (screen.selected + 1) % len(screen.values)
        value = screen.values[at]
        rig.take(screen.items[at])
        return value
    if isinstance(screen, ValuesScreen):
        rig.take(screen.items[-1])
    if isinstance(rig.screen, NumberEntry):
        _, says = definitions()[key]
        default = value_of(Settings(), key)
        other = FREE if says.pins else int(says.low or 0)
        other += other == default
        rig.key([Key(digit) for digit in str(other)] + [Key.ENTER])
        return other
    assert isinstance(rig.screen, ExactEntry), key
    rig.write(OTHERS[key])
    rig.key([Key.ENTER])
    return read_value(key, OTHERS[key])


@pytest.mark.parametrize("key", definitions())
def test_a_setting_is_reached_changed_stored_and_taken_back_with_one_key(
    rig: Rig, key: str
) -> None:
    for part in FIRST_OFF.get(key, ()):
        save(part, False, rig.environ)
    before = value_of(rig.ctx.settings, key)
    rig.open(key)
    value = change_it(rig, key)
    assert value is not NOT_ALLOWED
    assert value != before
    assert value_of(rig.stored, key) == value
    assert value_of(rig.ctx.settings, key) == value
    if isinstance(rig.screen, LaterScreen):
        rig.key([Key.ENTER])
    assert isinstance(rig.screen, SettingsList)
    # the screen itself: without a keypad the frame on show has the keys of a dial
    undo = [soft for soft in rig.screen.frame().keys.soft if soft.key is Key.STAR]
    assert undo
    frame = rig.key([Key.STAR])
    assert value_of(rig.stored, key) == before
    assert value_of(rig.ctx.settings, key) == before
    assert frame.body.lines == (
        rig.ctx.texts("line", "Again: {what}", what=describe(rig.ctx, key)),
    )


def test_every_setting_and_table_has_a_word() -> None:
    tx = Texts("en")
    for key in definitions():
        assert name_of(tx, key)
        assert table_words(tx, key.partition(".")[0])


def test_every_value_that_has_a_word_exists() -> None:
    kinds = str([kind for kind, _ in definitions().values()])
    words = {str(value) for value in VALUES if str(value) not in kinds}
    assert words <= {"sums", "legal", "tips", "any"}  # those of an enum, and of texts


@pytest.mark.parametrize("key", definitions())
def test_a_value_is_read_as_it_is_written(key: str) -> None:
    value, (_, says) = value_of(Settings(), key), definitions()[key]
    text = " ".join(map(str, value)) if isinstance(value, tuple) else toml_value(value, says)
    if not isinstance(value, bool):
        assert read_value(key, text.strip('"').replace("\\", "")) == value


def test_a_pin_that_is_taken_is_refused_with_the_files_own_words(rig: Rig) -> None:
    rig.open("buzzer.pin")
    rig.key("11#")  # the lamp's
    assert rig.frame.body.lines[0].startswith("settings: buzzer.pin: GPIO11 is taken by lamp.blue")
    assert value_of(rig.ctx.settings, "buzzer.pin") == 18
    assert not rig.ctx.changed
    assert value_of(rig.stored, "buzzer.pin") == 18
    rig.key("<")
    assert isinstance(rig.screen, SettingsList)


def test_a_number_out_of_range_is_refused_and_says_what_may_be(rig: Rig) -> None:
    rig.open("display.brightness")
    frame = rig.key("101#")
    assert isinstance(rig.screen, NumberEntry)
    assert entry_of(frame).verdict == "Allowed: a whole number from 1 to 100"
    rig.key("<#")
    assert rig.ctx.settings.display.brightness == 10


def test_a_full_card_is_said_and_the_change_holds(rig: Rig) -> None:
    def full(key: str, value: object) -> None:
        raise OSError(28, f"No space left for {key} = {value}")

    rig.ctx.save = full
    rig.open("display.brightness")
    frame = rig.key("7#")
    assert "could not be stored" in frame.body.lines[0]
    assert rig.ctx.settings.display.brightness == 7


def test_what_counts_later_offers_the_start_on_a_table_of_its_own(rig: Rig) -> None:
    rig.ctx.appliance = True
    rig.open("lamp.enabled")
    rig.take("no")
    rig.take("Start anew now")
    assert rig.program.quit is not None
    assert rig.program.quit.power == "again"


def test_changes_are_taken_back_one_after_the_other_in_any_menu(rig: Rig) -> None:
    rig.open("display.brightness")
    rig.key("7#")
    rig.open("language")
    rig.take("Deutsch")
    assert rig.frame.header.title == "Alle Einstellungen"
    rig.key("*")
    assert rig.frame.header.title == "All settings"
    rig.key("*")
    assert rig.stored == Settings()
    assert not [soft for soft in rig.frame.keys.soft if soft.key is Key.STAR]


def test_choosing_the_value_that_is_there_is_nothing_to_take_back(rig: Rig) -> None:
    rig.open("display.theme")
    rig.take("light")
    rig.open("display.board")
    rig.take("as it lies")
    rig.key("*")
    assert rig.stored == Settings()


def test_a_dial_alone_keys_numbers_and_texts(rig: Rig) -> None:
    keypad = replace(rig.ctx.settings.keypad, enabled=False)
    rig.ctx.settings = replace(rig.ctx.settings, keypad=keypad)
    rig.program.stack.append(setting_screen(rig.ctx, "display.brightness"))
    rig.program.show()
    rig.key([Key.TURN_RIGHT, Key.TURN_RIGHT, Key.PUSH, Key.PUSH_HELD])  # from 1 on
    assert rig.ctx.settings.display.brightness == 3
    rig.program.stack.append(setting_screen(rig.ctx, "panel.port"))
    rig.program.show()
    rig.key([Key.PUSH, Key.TURN_RIGHT, Key.PUSH, Key.PUSH_HELD])
    assert rig.ctx.settings.panel.port == "ab"
