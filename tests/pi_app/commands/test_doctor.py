"""`beisitzer doctor`: what it says about parts that are there, are not, or misbehave."""

import os
import pty
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from hardware.boards import known_boards
from hardware.config import OledConfig, Says
from hardware.errors import REASONS, DeviceError, device_error
from hardware.keys import Put
from hardware.pads import InputDevice
from hardware.pads.table import CODES
from hardware.probe import find_addresses, i2c_hz, temperature_c, throttling
from hardware.rig import Rig
from pi_app.commands import doctor as doctor_module
from pi_app.commands.device_sentences import port_trouble, reason, remedy
from pi_app.displays.window import opening
from pi_app.settings.file import ENVIRONMENT
from pi_app.settings.schema import Settings
from pi_app.texts.language import Texts
from tests.firmware.rig import Firmware
from tests.pi_app.commands import called
from tools import simulation
from tools.simulation import SimulatedI2c, SimulatedOled, SimulatedRig


@pytest.fixture(name="run")
def _run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setattr("hardware.serial_panel.port.candidates", lambda _config: [])
    monkeypatch.setattr("hardware.pads.find", list)
    monkeypatch.setattr(doctor_module, "is_wanted", lambda _config: True)

    def on_simulated_pins(settings: Settings, put: Put, **more: Any) -> Rig:
        rig = simulation.SimulatedRig(settings)
        find = partial(find_addresses, bus=rig.bus)
        monkeypatch.setattr(doctor_module, "find_addresses", find)
        return Rig(settings, put, ports=rig.ports(), **more)

    monkeypatch.setattr(doctor_module, "Rig", on_simulated_pins)

    def run(settings: str = "", *arguments: str) -> Result:
        file = tmp_path / "settings.toml"
        file.write_text(settings)
        environ = {ENVIRONMENT: str(file), "LC_ALL": "C"}
        return called.run("doctor", *arguments, environ=environ)

    return run


def test_where_no_rig_is_used_only_what_is_beside_it_is_examined(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_module, "is_wanted", lambda _config: False)
    result = run()
    assert result.exit_code == 0
    first, *rest = result.output.splitlines()
    assert first == "No rig is used on this machine."
    assert any("Voice" in line for line in rest)
    assert not any("OLED" in line or "board:" in line or "can be used" in line for line in rest)
    assert "rig none" in run("", "--codes").output.splitlines()


def test_the_reference_rig_is_examined_and_good(run: Callable[..., Result]) -> None:
    result = run()
    assert result.exit_code == 0
    assert "ok: OLED: SSD1306, I2C 1, 0x3C" in result.output
    assert "ok: Keypad: GPIO 5 6 13 19 12 16 20 21" in result.output


def test_an_spi_panel_of_the_other_controller_is_examined(run: Callable[..., Result]) -> None:
    result = run(
        "oled.bus = 'spi'\noled.driver = 'sh1106'\nlamp.enabled = false\n"
        "encoder.push = 'none'\npower_button.enabled = false\n"
    )
    assert result.exit_code == 0, result.output
    assert "ok: OLED: SH1106, SPI" in result.output
    assert "off: Lamp" in result.output


KEYS = frozenset(code for name, code in CODES.items() if name.startswith("KP"))


@pytest.mark.parametrize(
    ("settings", "error", "said", "status"),
    [
        ("", None, "ok: Number pads: Numpad (usb-1)", 0),
        ("pads.name = 'other'", None, "off: Number pads: Numpad (usb-1) is left alone here", 1),
        ("pads.enabled = false", None, "off: Number pads: switched off in the settings", 1),
        (
            "",
            DeviceError("pads", "no-evdev"),
            "MISSING: Number pads: Numpad: python-evdev is not installed. "
            "Do: sudo apt install python3-evdev",
            1,
        ),
    ],
)
def test_a_number_pad_replaces_the_keypad_if_it_is_taken_and_can_be_read(
    run: Callable[..., Result],
    monkeypatch: pytest.MonkeyPatch,
    settings: str,
    error: DeviceError | None,
    said: str,
    status: int,
) -> None:
    pad = InputDevice("/dev/input/event3", "Numpad", "usb-1", KEYS)
    monkeypatch.setattr("hardware.pads.find", lambda: [pad])
    monkeypatch.setattr("hardware.pads.try_open", lambda _path: error)
    result = run(f"keypad.enabled = false\nencoder.enabled = false\n{settings}")
    assert said in result.output
    assert result.exit_code == status, result.output


def test_without_a_keypad_and_a_dial_the_rig_is_not_usable(run: Callable[..., Result]) -> None:
    result = run("keypad.enabled = false\nencoder.enabled = false")
    assert result.exit_code == 1
    assert "off: Keypad" in result.output
    assert run("keypad.enabled = false").exit_code == 0


def test_a_board_is_examined(run: Callable[..., Result]) -> None:
    result = run("rig.board = 'waveshare-oled-1in3'")
    assert result.exit_code == 0, result.output
    assert "ok: Joystick: GPIO 6 19 5 26 13 20 16 21" in result.output
    assert "ok: OLED: SH1106, SPI" in result.output
    assert "board:" not in result.output


@pytest.mark.parametrize(("answers", "bus"), [((0x3C,), "i2c"), ((), "spi")])
def test_on_a_pi_one_line_asks_for_the_board_and_names_those_that_fit_what_answers(
    run: Callable[..., Result],
    monkeypatch: pytest.MonkeyPatch,
    answers: tuple[int, ...],
    bus: str,
) -> None:
    class Answering(SimulatedRig):
        def __init__(self, config: Any) -> None:
            super().__init__(config)
            self.bus.dead = not answers

    monkeypatch.setattr(simulation, "SimulatedRig", Answering)
    (line,) = [line for line in run().output.splitlines() if line.startswith("board:")]
    named = {board.word for board in known_boards() if f'"{board.word}" ({board.name})' in line}
    assert named == {board.word for board in known_boards() if board.bus == bus}


@dataclass(frozen=True)
class Expander:
    """A device of somebody's own on a bus."""

    enabled: Annotated[bool, Says("whether there is one")] = True
    port: Annotated[int, Says("the bus", 0, 9)] = 1
    address: Annotated[int, Says("its address", 0x20, 0x27, hexadecimal=True)] = 0x21


@dataclass(frozen=True)
class Display:
    """A device of somebody's own on two pins."""

    clock: Annotated[int, Says("its clock", 0, 27, pins=True)] = 5
    data: Annotated[int, Says("its data", 0, 27, pins=True)] = 6


@pytest.mark.parametrize(
    ("config", "words"), [(Expander(), "port 1, address 0x21"), (Display(), "GPIO 5 6")]
)
def test_a_device_of_ones_own_is_told_by_its_pins_or_settings(config: object, words: str) -> None:
    assert doctor_module.connection_of("own", config) == words


def test_a_dead_oled_is_missing_with_advice(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dead(SimulatedRig):
        def __init__(self, config: Any) -> None:
            super().__init__(config)
            self.bus.dead = True

    monkeypatch.setattr(simulation, "SimulatedRig", Dead)
    result = run()
    assert result.exit_code == 1
    assert "MISSING: OLED: it does not answer. Check its four wires" in result.output


def test_an_oled_at_the_other_address_is_found(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Elsewhere(SimulatedRig):
        def __init__(self, config: Any) -> None:
            super().__init__(config)
            self.bus = SimulatedI2c(self.oled, 0x3D)

    monkeypatch.setattr(simulation, "SimulatedRig", Elsewhere)
    result = run()
    assert result.exit_code == 1
    assert "Set oled.address to 0x3D: there it answers." in result.output


@pytest.mark.parametrize(
    ("module", "missing", "advice"),
    [
        ("gpiozero", "gpiozero", f"{sys.executable} -m pip install gpiozero luma.oled"),
        (
            "lgpio",
            "lgpio",
            "sudo apt install python3-lgpio. Only Raspberry Pi OS has this package; on plain Debian"
            " the serial panel, pads and a screen can be used.",
        ),
        ("spidev", "spidev", "sudo apt install python3-spidev"),
        ("RPi", "RPi.GPIO", f"{sys.executable} -m pip install RPi.GPIO"),
    ],
)
def test_a_missing_library_is_named_with_what_installs_it(
    module: str,
    missing: str,
    advice: str,
) -> None:
    gone = ModuleNotFoundError(f"No module named '{module}'", name=module)
    error, tx = device_error("oled", gone), Texts("en")
    assert reason(tx, error) == f"{missing} is not installed"
    assert remedy(tx, error, Settings()) == f"Do: {advice}"


def test_a_library_that_does_not_load_is_not_called_missing() -> None:
    """Pillow on a Raspberry Pi without this library is what people report most."""
    message = "libopenjp2.so.7: cannot open shared object file: No such file or directory"
    error, tx = device_error("oled", ImportError(message, name="luma.core")), Texts("en")
    assert reason(tx, error) == f"a library does not load ({message})"
    assert remedy(tx, error, Settings()) == "Do: sudo apt install libopenjp2-7"


@pytest.mark.parametrize(
    ("drivers", "told"), [("kmsdrm", "ok: window"), ("x11", "MISSING: window")]
)
def test_only_a_window_without_a_desktop_is_examined(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, drivers: str, told: str
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pi_app.displays.window.video_drivers", lambda: (drivers,))
    monkeypatch.setattr(opening.bare_trouble, "__defaults__", ((),))
    assert told in run("display.show = ['oled', 'window']").output
    assert "window:" not in run().output
    monkeypatch.setenv("DISPLAY", ":0")
    assert "window:" not in run("display.show = ['oled', 'window']").output


def test_under_voltage_is_told(run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_module, "throttling", lambda: ("under-voltage-since-start",))
    assert "WARNING: under-voltage" in run().output
    monkeypatch.setattr(doctor_module, "throttling", lambda: ("hot-now",))
    assert "too hot" in run().output
    monkeypatch.setattr(doctor_module, "throttling", lambda: ())
    assert "ok: Pi: power supply" in run().output


@pytest.mark.parametrize("code", sorted(REASONS))
@pytest.mark.parametrize("bus", ["i2c", "spi"])
def test_every_reason_has_a_sentence_and_advice_in_both_languages(code: str, bus: Any) -> None:
    settings = Settings(oled=OledConfig(bus=bus))
    error = DeviceError("oled", code, "details")
    said = {
        (reason(Texts(language), error), remedy(Texts(language), error, settings))
        for language in ("en", "de")
    }
    assert len(said) == 2
    assert all(part for pair in said for part in pair)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_chips_are_named_if_none_has_the_headers_pins(language: str) -> None:
    error = DeviceError("oled", "no-header", "gpiochip11 gpio-brcmstb")
    assert "gpiochip11 gpio-brcmstb" in reason(Texts(language), error)


def test_the_group_to_join_is_that_of_the_bus() -> None:
    tx = Texts("en")
    denied = DeviceError("oled", "no-permission")
    assert "-aG i2c" in remedy(tx, denied, Settings())
    assert "-aG spi" in remedy(tx, denied, Settings(oled=OledConfig(bus="spi")))
    assert "-aG gpio" in remedy(tx, DeviceError("keypad", "no-permission"), Settings())


@pytest.mark.parametrize("problem", ["absent", "busy", "denied", "not-serial"])
def test_a_port_in_trouble_is_told_in_both_languages(problem: str) -> None:
    english, german = (port_trouble(Texts(language), problem) for language in ("en", "de"))
    assert english
    assert english != german


def test_the_bus_speed_is_read_from_the_device_tree(tmp_path: Path) -> None:
    node = tmp_path / "class/i2c-adapter/i2c-1/of_node"
    node.mkdir(parents=True)
    assert i2c_hz(1, tmp_path) is None
    (node / "clock-frequency").write_bytes((400_000).to_bytes(4, "big"))
    assert i2c_hz(1, tmp_path) == 400_000


FLAGS = {
    0x1: "under-voltage-now",
    0x2: "capped-now",
    0x4: "throttled-now",
    0x8: "hot-now",
    0x10000: "under-voltage-since-start",
    0x20000: "capped-since-start",
    0x40000: "throttled-since-start",
    0x80000: "hot-since-start",
}


@given(st.sets(st.sampled_from(sorted(FLAGS))), st.sampled_from(["0", "1", "junk", None]))
def test_each_complaint_is_told_whatever_else_is_wrong(bits: set[int], alarm: str | None) -> None:
    with TemporaryDirectory() as name:
        file = Path(name) / "devices/platform/soc/soc:firmware/get_throttled"
        watch = Path(name) / "class/hwmon/hwmon0"
        for folder in (file.parent, watch):
            folder.mkdir(parents=True)
        file.write_text(f"{sum(bits):x}\n")
        if alarm is not None:
            (watch / "name").write_text("rpi_volt\n")
            (watch / "in0_lcrit_alarm").write_text(alarm)
        expected = bits | ({1} if alarm == "1" else set())
        assert throttling(Path(name)) == tuple(FLAGS[bit] for bit in sorted(expected))


def test_the_processors_temperature_is_read_and_no_other(tmp_path: Path) -> None:
    assert temperature_c(tmp_path) is None
    for number, (kind, text) in enumerate((("wifi", "9000"), ("cpu-thermal", "48312\n"))):
        zone = tmp_path / f"class/thermal/thermal_zone{number}"
        zone.mkdir(parents=True)
        (zone / "type").write_text(f"{kind}\n")
        (zone / "temp").write_text(text)
    assert temperature_c(tmp_path) == 48.312
    (zone / "temp").write_text("junk")
    assert temperature_c(tmp_path) is None


@pytest.mark.parametrize(
    ("alarm", "flags"), [("1\n", ("under-voltage-now",)), ("0\n", ()), ("junk", None)]
)
def test_under_voltage_is_read_from_the_kernels_watch_that_a_pi_5_has_too(
    tmp_path: Path, alarm: str, flags: tuple[str, ...] | None
) -> None:
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        watch = tmp_path / f"class/hwmon/hwmon{number}"
        watch.mkdir(parents=True)
        (watch / "name").write_text(f"{name}\n")
        (watch / "in0_lcrit_alarm").write_text(alarm if name == "rpi_volt" else "1\n")
    assert throttling(tmp_path) == flags


@pytest.mark.parametrize(
    ("holder", "advice"),
    [
        ("spi0 CS0", "Choose another pin, or do: sudo raspi-config nonint do_spi 1, and restart"),
        ("gpio-fan", "Choose another pin, or end what holds it."),
        ("lg", "Do: sudo systemctl stop beisitzer"),
    ],
)
def test_a_busy_pin_names_what_holds_it(holder: str, advice: str) -> None:
    tx = Texts("en")
    error = DeviceError("encoder", "pin-in-use").with_holders({8: holder})
    assert reason(tx, error) == f"GPIO 8 is held by {holder}"
    assert remedy(tx, error, Settings()) == advice
    assert str(error).endswith(f"(GPIO 8: {holder})")


def test_addresses_that_answer_are_found() -> None:
    assert find_addresses(OledConfig(), SimulatedI2c(SimulatedOled(), 0x3D)) == (0x3D,)
    assert find_addresses(OledConfig(port=22)) == ()


def test_a_panel_that_answers_is_named_with_its_firmware(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with Firmware(tmp_path) as firmware:
        monkeypatch.setattr(
            "hardware.serial_panel.port.candidates", lambda _config: [firmware.port]
        )
        result = run()
    assert result.exit_code == 0
    assert f"ok: Serial panel: {firmware.port}, desk 1.0\n" in result.output


def test_a_port_on_which_nothing_answers_is_said_so(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    near, far = pty.openpty()
    path = os.ttyname(far)
    monkeypatch.setattr("hardware.serial_panel.port.candidates", lambda _config: [path])
    output = run().output
    os.close(near)
    os.close(far)
    assert f"MISSING: {path}: no panel answers. Flash its firmware.\n" in output


VOICES = [
    ('[voice]\nlevel = "calls"\ncommand = "sh {text}"\n', "ok: Voice: sh, calls, 80 %"),
    ('[voice]\ncommand = "sh {text}"\n', "off: Voice: switched off in the settings"),
    (
        '[voice]\nlevel = "everything"\ncommand = "no-such-thing {text}"\n',
        "MISSING: Voice: nothing runs as no-such-thing {text}. Do: sudo apt install espeak-ng",
    ),
    (
        '[voice]\ncommand = "no-such-thing {text}"\n',
        "off: Voice: nothing runs as no-such-thing {text}. Do: sudo apt install espeak-ng",
    ),
]


@pytest.mark.parametrize(("settings", "line"), VOICES)
def test_the_voice_is_there_off_or_says_what_to_install(
    run: Callable[..., Result], settings: str, line: str
) -> None:
    result = run(settings, "--lang", "en")
    assert line in result.output.splitlines()
    assert result.exit_code == 0
