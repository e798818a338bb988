"""The system menu: settings changed at the table, what the companion is, switching off."""

import logging
from collections import namedtuple
from datetime import datetime
from pathlib import Path

import pytest

from pi_app.run.session import farewell
from pi_app.screens.base import Quit
from pi_app.screens.players_and_settings import every_setting
from pi_app.settings.schema import Settings
from pi_app.system.host import addresses
from pi_app.system.log import Errors
from pi_app.system.starts import Before
from pi_app.view.frame import Signal
from pi_app.view.output import Output
from tests.pi_app.pilot import Pilot, choices_of

HEALTH = "pi_app.screens.players_and_settings.health"


def system(game: bool = False, *, appliance: bool = False) -> Pilot:
    """Return a pilot with the system menu open."""
    pilot = Pilot.game("just4fun") if game else Pilot()
    pilot.ctx.appliance = appliance
    if game:
        pilot.key("?")
    pilot.choose("System")
    assert pilot.frame.header.title == "System"
    return pilot


def test_the_language_changes_at_once_and_is_kept() -> None:
    pilot = system()
    kept: list[tuple[str, object]] = []
    pilot.ctx.save = lambda key, value: kept.append((key, value))
    pilot.choose("Language")
    frame = pilot.choose("Deutsch")
    assert choices_of(frame).items[0] == "Sprache"
    assert kept == [("language", "de")]
    assert pilot.ctx.settings.language == "de"


def test_sounds_and_brightness_reach_the_outputs_at_once() -> None:
    pilot = system()
    seen: list[Settings] = []

    class Follower(Output):
        def configure(self, settings: Settings) -> None:
            seen.append(settings)

    pilot.program.outputs = [*pilot.program.outputs, Follower()]
    pilot.choose("Displays")
    pilot.choose("Brightness: 80 %")
    pilot.key("25# <")
    pilot.choose("Sounds")
    pilot.choose("Key: yes")
    frame = pilot.choose("no")
    assert choices_of(frame).items[0] == "Key: no"
    assert [s.display.brightness for s in seen] == [25, 25]
    assert [s.sounds.tick for s in seen] == [True, False]


@pytest.mark.parametrize(("item", "power"), [("Switch off", "off"), ("Restart", "restart")])
def test_an_appliance_can_be_switched_off_and_restarted_after_a_question(
    item: str, power: str
) -> None:
    pilot = system(appliance=True)
    pilot.choose(item)
    pilot.choose("no")
    assert pilot.program.quit is None
    pilot.choose(item)
    pilot.choose("yes")
    assert pilot.program.quit is not None
    assert pilot.program.quit.power == power


def test_the_voice_is_set_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_setting, "has_program", lambda _: True)
    pilot = system()
    kept: list[tuple[str, object]] = []
    pilot.ctx.save = lambda key, value: kept.append((key, value))
    pilot.choose("Voice")
    pilot.choose("Level: nothing")
    frame = pilot.choose("everything")
    assert choices_of(frame).items[:2] == ("Level: everything", "Volume: 80 %")
    pilot.choose("Volume: 80 %")
    pilot.key("100#")
    assert kept == [("voice.level", "everything"), ("voice.volume", 100)]
    assert pilot.ctx.speaks


def test_a_voice_without_a_program_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_setting, "has_program", lambda _: False)
    pilot = system()
    pilot.choose("Voice")
    pilot.choose("Level: nothing")
    frame = pilot.choose("calls")
    assert frame.body.lines == ("Nothing speaks here: sudo apt install espeak-ng",)


def test_somebody_elses_machine_is_not_switched_off() -> None:
    pilot = system()
    choices = choices_of(pilot.frame)
    assert choices.items == (
        "Language",
        "Sounds",
        "Voice",
        "Displays",
        "Phone",
        "All settings",
        "Health",
        "Quit",
    )
    pilot.choose("Quit")
    assert pilot.program.quit == Quit((Signal.TICK,))


@pytest.mark.parametrize("keys", ["", '@"System"', '@"numeri" # @"Start" ?'])
def test_an_appliance_has_no_quit_that_leaves_the_table_dark(keys: str) -> None:
    pilot = Pilot()
    pilot.ctx.appliance = True
    choices = choices_of(pilot.key(keys))
    assert "Quit" not in choices.items


@pytest.fixture(name="machine")
def _machine(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Return what the machine tells, to be changed by a test."""
    told: dict[str, object] = {
        "addresses": ("192.168.1.7",), "throttling": (), "temperature_c": 48.3,
        "known_errors": Errors(),
    }  # fmt: skip
    for name in tuple(told):
        monkeypatch.setattr(f"{HEALTH}.{name}", lambda name=name: told[name])
    told["free"] = 25_100_000_000
    space = namedtuple("space", "free")
    monkeypatch.setattr(f"{HEALTH}.shutil.disk_usage", lambda _: space(told["free"]))
    return told


def test_what_ails_the_machine_is_said_in_words(machine: dict[str, object]) -> None:
    errors = Errors()
    log = logging.getLogger("halma")
    for text in ("the first", "the screen X failed\nbecause"):
        errors.filter(log.makeRecord("halma", logging.ERROR, "", 0, text, (), None))
    errors.filter(log.makeRecord("halma", logging.WARNING, "", 0, "less", (), None))
    errors.at_s = 0.0
    machine |= {
        "addresses": (), "throttling": ("under-voltage-since-start", "hot-now"),
        "temperature_c": 83.0, "known_errors": errors, "free": 120_000_000,
    }  # fmt: skip
    pilot = system()
    pilot.ctx.before = Before(clean=False, failed=0)
    frame = pilot.choose("Health")
    first = datetime.fromtimestamp(0).astimezone().strftime("%Y-%m-%d %H:%M")
    assert frame.body.lines[1:] == (
        "No network.",
        "Under-voltage: use a stronger power supply.",
        "The Pi slowed down: too hot or short of power.",
        "The processor is too hot: 83 °C. Give it air.",
        "Only 120 MB are free on the card: make room.",
        "2 errors since the start.",
        f"The last one, {first}: the screen X failed",
        "Last time the power went or it failed.",
    )


def test_a_machine_that_tells_nothing_is_not_called_healthy(machine: dict[str, object]) -> None:
    machine |= {"throttling": None, "temperature_c": None}
    frame = system().choose("Health")
    assert not [line for line in frame.body.lines if "fine" in line or "°C" in line]


def test_the_last_frame_says_that_the_plug_may_be_pulled() -> None:
    pilot = Pilot()
    assert farewell(pilot.ctx, "off").body.lines == ("You may unplug now.",)
    assert farewell(pilot.ctx, "restart").body.lines == ("Restarting ...",)


TRIE = """Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 127.0.0.0/8 2 0 2
        |-- 127.0.0.1
           /32 host LOCAL
     |-- 192.168.1.0
        /24 link UNICAST
     |-- 192.168.1.7
        /32 host LOCAL
Local:
     |-- 192.168.1.7
        /32 host LOCAL
     |-- 192.168.1.255
        /32 link BROADCAST
"""


def test_addresses_are_read_from_the_kernels_table(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "fib_trie").write_text(TRIE)
    assert addresses(tmp_path) == ("192.168.1.7",)
    assert addresses(tmp_path / "nowhere") == ()


def test_safe_mode_is_left_from_the_menu_and_only_from_there() -> None:
    pilot = system(appliance=True)
    assert "Normal start" not in choices_of(pilot.frame).items
    pilot = Pilot()
    pilot.ctx.appliance, pilot.ctx.before = True, Before(clean=False, failed=2)
    pilot.choose("System")
    pilot.choose("Normal start")
    assert pilot.program.quit is not None
    assert pilot.program.quit.power == "again"
    assert farewell(pilot.ctx, "again").body.lines == ("Restarting ...",)
