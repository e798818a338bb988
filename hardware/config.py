"""The settings of each device: frozen values whose defaults are the reference rig.

Every field carries a `Says` with its meaning, unit and range, which the checks of the settings
file, `beisitzer config` and the documentation read. Pins are BCM numbers; the string "none"
leaves a part of a device out. `device` names the class that the rig opens with these settings,
as MODULE:CLASS, `called` what people call the device.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Annotated, Any, Literal

from hardware.keys import TIMES


@dataclass(frozen=True)
class Says:
    """One field's meaning, and for numbers the least and greatest allowed value and the unit.

    `pattern` must match a whole text; `pins`: the numbers are BCM pins; `hexadecimal`: shown so.
    `called` is its short name in a list, "" for one that people with tools change, such as a pin;
    `zero` is a word for 0.
    """

    text: str
    low: float | None = None
    high: float | None = None
    unit: str = ""
    pattern: str = ""
    pins: bool = False
    hexadecimal: bool = False
    called: str = ""
    zero: str = ""


_DEBOUNCE_MS = round(TIMES.debounce_s * 1000)

LAST_PIN = 27
"""The highest BCM number on the 40-pin header."""

KEYPAD_ROW = "[0-9A-D*#]{4}"
"""The pattern of what is printed on a keypad's row."""

_There = Annotated[bool, Says("whether there is one", called="On")]
PinOrNone = int | Literal["none"]
Four = tuple[int, int, int, int]
Six = tuple[int, int, int, int, int, int]
FourPins = tuple[str, str, str, str]


def _pin(text: str) -> Says:
    return Says(text, 0, LAST_PIN, pins=True)


@dataclass(frozen=True)
class RigConfig:
    """The GPIO header as a whole."""

    called = "Board and pins"

    enabled: Annotated[
        bool | Literal["auto"],
        Says('whether devices on the GPIO pins are used; "auto": on a Pi', called="On"),
    ] = "auto"
    pin_factory: Annotated[
        Literal["auto", "lgpio", "rpigpio", "mock"],
        Says('the pin library; "auto": lgpio, and RPi.GPIO where lgpio cannot be had'),
    ] = "auto"
    board: Annotated[
        str,
        Says(
            "the board on the header, which sets all parts; a path ending in .toml: a board of "
            'your own; "none": parts that were wired one by one',
            called="Board",
        ),
    ] = "none"


@dataclass(frozen=True)
class KeypadConfig:
    """The 4x4 matrix keypad."""

    device = "hardware.inputs.keypad:Keypad"
    called = "Keypad"
    enabled: _There = True
    rows: Annotated[Four, _pin("pins of the four rows, top first")] = (5, 6, 13, 19)
    columns: Annotated[Four, _pin("pins of the four columns, left first")] = (12, 16, 20, 21)
    layout: Annotated[
        FourPins,
        Says("what is printed on the keys, row by row", pattern=KEYPAD_ROW),
    ] = ("123A", "456B", "789C", "*0#D")
    debounce_ms: Annotated[int, Says("how long a contact must be quiet", 1, 200, "ms")] = (
        _DEBOUNCE_MS
    )
    scan_ms: Annotated[int, Says("time between two scans of the matrix", 1, 50, "ms")] = 5
    repeat_after_ms: Annotated[
        int, Says("how long A or B is held before it repeats; 0: never", 0, 5000, "ms")
    ] = round(TIMES.repeat_after_s * 1000)
    repeat_every_ms: Annotated[int, Says("time between two repeats", 20, 2000, "ms")] = round(
        TIMES.repeat_every_s * 1000
    )


@dataclass(frozen=True)
class DieButtonsConfig:
    """The six buttons with the faces of a die."""

    device = "hardware.inputs.buttons:DieButtons"
    called = "Die buttons"
    enabled: _There = True
    pins: Annotated[Six, _pin("pins of the buttons 1 to 6, each closing to ground")] = (
        4,
        17,
        27,
        22,
        23,
        24,
    )
    debounce_ms: Annotated[int, Says("how long a contact must be quiet", 1, 200, "ms")] = (
        _DEBOUNCE_MS
    )


@dataclass(frozen=True)
class JoystickConfig:
    """A joystick or five keys, and keys beside it; each closes to ground."""

    device = "hardware.inputs.buttons:Joystick"
    called = "Joystick"
    enabled: Annotated[bool, Says("whether there is one, or five keys instead", called="On")] = (
        False
    )
    up: Annotated[PinOrNone, _pin("its pin")] = "none"
    down: Annotated[PinOrNone, _pin("its pin")] = "none"
    left: Annotated[PinOrNone, _pin("its pin")] = "none"
    right: Annotated[PinOrNone, _pin("its pin")] = "none"
    push: Annotated[PinOrNone, _pin("its pin")] = "none"
    a: Annotated[PinOrNone, _pin("its pin")] = "none"
    b: Annotated[PinOrNone, _pin("its pin")] = "none"
    c: Annotated[PinOrNone, _pin("its pin")] = "none"
    d: Annotated[PinOrNone, _pin("its pin")] = "none"
    debounce_ms: Annotated[int, Says("how long a contact must be quiet", 1, 200, "ms")] = (
        _DEBOUNCE_MS
    )


@dataclass(frozen=True)
class EncoderConfig:
    """The rotary encoder: a turn is UP or DOWN, a push ENTER; without a keypad it is a dial."""

    device = "hardware.inputs.encoder:Encoder"
    called = "Rotary encoder"
    enabled: _There = True
    a: Annotated[int, _pin("pin A (CLK)")] = 25
    b: Annotated[int, _pin("pin B (DT)")] = 26
    push: Annotated[PinOrNone, _pin("its pin")] = 8
    steps: Annotated[int, Says("edges on both pins together for one click", 1, 4)] = 4
    reverse: Annotated[bool, Says("whether a turn to the right is UP")] = False


@dataclass(frozen=True)
class LampConfig:
    """The RGB lamp."""

    device = "hardware.outputs.lamp:Lamp"
    called = "Lamp"
    enabled: _There = True
    red: Annotated[int, _pin("its pin")] = 9
    green: Annotated[int, _pin("its pin")] = 10
    blue: Annotated[int, _pin("its pin")] = 11
    common: Annotated[Literal["cathode", "anode"], Says("the leg the three parts share")] = (
        "cathode"
    )
    brightness: Annotated[int, Says("brightness", 1, 100, "%", called="Brightness")] = 100


@dataclass(frozen=True)
class BuzzerConfig:
    """The piezo buzzer."""

    device = "hardware.outputs.buzzer:Buzzer"
    called = "Buzzer"
    enabled: _There = True
    pin: Annotated[int, _pin("its pin")] = 18
    kind: Annotated[
        Literal["passive", "active"], Says("passive: needs a tone; active: has its own")
    ] = "passive"


@dataclass(frozen=True)
class OledConfig:
    """The OLED panel, 128x64 pixels."""

    device = "hardware.oled.display:Oled"
    called = "OLED"
    enabled: _There = True
    driver: Annotated[Literal["ssd1306", "sh1106"], Says("its controller")] = "ssd1306"
    bus: Annotated[
        Literal["i2c", "spi"],
        Says("how it is connected; i2c takes GPIO2 and GPIO3 (port 1), spi GPIO7 to GPIO11"),
    ] = "i2c"
    address: Annotated[int, Says("I2C address", 0x08, 0x77, hexadecimal=True)] = 0x3C
    port: Annotated[
        int, Says("number of the I2C bus (1: GPIO2 and GPIO3)", 0, 22, called="Port")
    ] = 1
    spi_device: Annotated[int, Says("chip select of the SPI bus", 0, 1)] = 0
    dc: Annotated[int, _pin("pin for data or command (SPI only)")] = 2
    reset: Annotated[PinOrNone, _pin("reset pin (SPI only)")] = 3
    offset: Annotated[
        int | Literal["auto"],
        Says('column of the controller that shows first; "auto": 0, SH1106 2', 0, 4),
    ] = "auto"
    rotate: Annotated[
        Literal[0, 180], Says("how the OLED is mounted", unit="degrees", called="Turned by")
    ] = 0
    refresh_s: Annotated[
        int,
        Says(
            "how often the whole picture is sent again, in case the OLED lost power", 5, 3600, "s"
        ),
    ] = 45

    @property
    def first_column(self) -> int:
        """The controller's column behind the leftmost pixel."""
        if self.offset == "auto":
            return 2 if self.driver == "sh1106" else 0
        return self.offset


@dataclass(frozen=True)
class PanelConfig:
    """The serial panel."""

    called = "Serial panel"

    enabled: _There = True
    port: Annotated[
        str, Says('its serial port; "auto": any USB port with a panel', called="Port")
    ] = "auto"


_PAD_KEY = (
    r"(KP([0-9]|DOT|COMMA|ENTER|PLUS|MINUS|ASTERISK|SLASH|EQUAL|PLUSMINUS|LEFTPAREN|RIGHTPAREN)"
    r"|[A-Z0-9]|F([1-9]|1[0-2])|ESC|MINUS|EQUAL|BACKSPACE|TAB|LEFTBRACE|RIGHTBRACE|ENTER"
    r"|SEMICOLON|APOSTROPHE|GRAVE|BACKSLASH|COMMA|DOT|SLASH|SPACE|102ND|(LEFT|RIGHT)(CTRL|SHIFT|ALT)"
    r"|(CAPS|NUM|SCROLL)LOCK|HOME|UP|PAGEUP|LEFT|RIGHT|END|DOWN|PAGEDOWN|INSERT|DELETE|CALC)"
)
"""The kernel's names of a keyboard's keys, those of `hardware.pads.table`."""


@dataclass(frozen=True)
class PadsConfig:
    """Number pads and keyboards on USB or Bluetooth."""

    called = "Number pads"

    enabled: _There = True
    take: Annotated[
        Literal["auto", "pads", "keyboards"],
        Says(
            "which ones serve the table and nothing else on this machine: number pads without "
            'letters, or all keyboards; "auto": the service takes all, a desktop number pads',
            called="Takes",
        ),
    ] = "auto"
    name: Annotated[
        str,
        Says('part of the name or port of the only ones to take, also keyboards; "any": all'),
    ] = "any"
    dice: Annotated[
        str,
        Says('part of the name or port of a pad whose 1 to 6 are die buttons; "none": of no pad'),
    ] = "none"
    layout: Annotated[
        Literal["auto", "de", "en"],
        Says('the letters of a keyboard, for names; "auto": those of the language'),
    ] = "auto"
    keys: Annotated[
        tuple[str, ...] | Literal["printed"],
        Says(
            'keys that do something else than "printed", such as "KPDOT=BACK" or "F7=none": the '
            "kernel's name of a key, and a key of the rig",
            pattern=_PAD_KEY + r"=([0-9]|STAR|ENTER|UP|DOWN|(BACK|MENU)(_HELD)?|DIE[1-6]|none)",
        ),
    ] = "printed"


@dataclass(frozen=True)
class PowerButtonConfig:
    """The power button, which the kernel's gpio-shutdown overlay serves."""

    called = "Power button"

    enabled: _There = True
    pin: Annotated[int, _pin("its pin")] = 7


@dataclass(frozen=True)
class Devices:
    """All devices; the names of the fields are the tables of the settings file."""

    rig: RigConfig = field(default_factory=RigConfig)
    keypad: KeypadConfig = field(default_factory=KeypadConfig)
    die_buttons: DieButtonsConfig = field(default_factory=DieButtonsConfig)
    joystick: JoystickConfig = field(default_factory=JoystickConfig)
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    lamp: LampConfig = field(default_factory=LampConfig)
    buzzer: BuzzerConfig = field(default_factory=BuzzerConfig)
    oled: OledConfig = field(default_factory=OledConfig)
    panel: PanelConfig = field(default_factory=PanelConfig)
    pads: PadsConfig = field(default_factory=PadsConfig)
    power_button: PowerButtonConfig = field(default_factory=PowerButtonConfig)


def has_dial(devices: Devices) -> bool:
    """Tell whether the header has a dial instead of digits: a joystick or an encoder, no keypad."""
    stick = devices.joystick
    # without its push a joystick could not confirm anything
    turns = devices.encoder.enabled or (stick.enabled and stick.push != "none")
    return turns and not devices.keypad.enabled


SPI_PINS = (7, 8, 9, 10, 11)
"""The pins of the SPI bus: both chip selects, MISO, MOSI and the clock."""

I2C_PINS = {0: (0, 1), 1: (2, 3)}
"""SDA and SCL by bus number; the other buses have pins that overlays choose."""


def pins_in_use(devices: Any) -> Iterator[tuple[str, int]]:
    """Yield (key, pin) for every pin of every enabled device, in the order of the file.

    `devices` is any dataclass; only its fields with device settings are read.
    """
    for part in fields(devices):
        config = getattr(devices, part.name)
        if not is_dataclass(config) or not getattr(config, "enabled", True):
            continue
        yield from pins_of(part.name, config)


def pins_of(name: str, config: Any) -> Iterator[tuple[str, int]]:
    """Yield (key, pin) for every pin of a device with these settings; none for one on a bus.

    An OLED's are those of its bus too. `name` is that of the settings' table.
    """
    if isinstance(config, OledConfig):
        yield from _oled_pins(name, config)
        return
    for item in fields(config):
        says = says_of(item.type)
        if says is not None and says.pins:
            yield from _pins(f"{name}.{item.name}", getattr(config, item.name))


def _pins(key: str, value: object) -> Iterator[tuple[str, int]]:
    for pin in value if isinstance(value, tuple) else (value,):
        # the string "none" is no pin
        if isinstance(pin, int):
            yield key, pin


def _oled_pins(name: str, config: OledConfig) -> Iterator[tuple[str, int]]:
    if config.bus == "i2c":
        # I2C needs neither chip select nor the pins `dc` and `reset`
        for pin in I2C_PINS.get(config.port, ()):
            yield f"{name}.port", pin
        return
    for pin in SPI_PINS:
        yield f"{name}.bus", pin
    yield from _pins(f"{name}.dc", config.dc)
    yield from _pins(f"{name}.reset", config.reset)


def says_of(hint: Any) -> Says | None:
    """Return the Says of an annotated type, None where it has none."""
    return next((extra for extra in getattr(hint, "__metadata__", ()) if type(extra) is Says), None)


def boot_lines(devices: Devices) -> tuple[str, ...]:
    """Return the lines that these devices need in a Pi's config.txt."""
    lines: tuple[str, ...] = ()
    oled, button = devices.oled, devices.power_button
    if oled.enabled and oled.bus == "spi":
        lines += ("dtparam=spi=on",)
    elif oled.enabled and oled.port == 1:  # other buses come from overlays with their own pins
        lines += ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000")
    if button.enabled:
        pin = f"gpio_pin={button.pin}"
        lines += (f"dtoverlay=gpio-shutdown,{pin},active_low=1,gpio_pull=up",)
    return lines
