"""Pads are found by the keys that the kernel says they have, in a fake /sys."""

import struct
from pathlib import Path

import pytest

from hardware.config import PadsConfig
from hardware.pads import InputDevice, find, is_taken
from hardware.pads.table import CODES
from tests.hardware.pads.fakes import KEYBOARD_KEYS, PAD_KEYS, keyboard, pad

POWER = InputDevice("/dev/input/event0", "Power Button", "LNXPWRBN/button", frozenset({116}), 0x19)
SLEEP = InputDevice("/dev/input/event5", "Big Keyboard", "usb-2/input1", frozenset({142}), 0x03)
MOUSE = InputDevice(
    "/dev/input/event6", "Mouse", "usb-3", frozenset({0x110, 113}), 0x03, points=True
)
ALL = (pad(), keyboard(), POWER, SLEEP, MOUSE)


def words(members: frozenset[int]) -> str:
    """Return a set as the kernel writes it."""
    size = struct.calcsize("l") * 8
    bits = sum(1 << member for member in members)
    found: list[str] = []
    while bits or not found:
        found.append(f"{bits & (1 << size) - 1:x}")
        bits >>= size
    return " ".join(reversed(found))


def lay_out(sys: Path, device: InputDevice) -> None:
    about = sys / Path(device.path).name / "device"
    for name in ("capabilities", "id"):
        (about / name).mkdir(parents=True)
    (about / "name").write_text(f"{device.name}\n")
    (about / "phys").write_text(f"{device.port}\n")
    (about / "id" / "bustype").write_text(f"{device.bus:04x}\n")
    (about / "capabilities" / "key").write_text(f"{words(device.keys)}\n")
    moves = frozenset({0, 1, 8} if device.points else ())
    (about / "capabilities" / "rel").write_text(f"{words(moves)}\n")


def taken(*, appliance: bool, **config: str) -> list[str]:
    settings = PadsConfig(**config)  # type: ignore[arg-type]
    return [Path(each.path).name for each in ALL if is_taken(each, settings, appliance=appliance)]


def test_devices_are_read_as_the_kernel_writes_them(tmp_path: Path) -> None:
    for device in ALL:
        lay_out(tmp_path, device)
    lay_out(tmp_path, InputDevice("/dev/input/event7", "Lid", "", frozenset()))
    (tmp_path / "event9" / "device").mkdir(parents=True)  # it was pulled out meanwhile
    (tmp_path / "mouse0").mkdir()
    assert sorted(find(tmp_path), key=lambda each: each.path) == sorted(
        ALL, key=lambda each: each.path
    )


def test_a_machine_without_input_devices_has_no_pad(tmp_path: Path) -> None:
    assert find(tmp_path / "nothing") == []


def test_the_service_takes_keyboards_with_all_their_halves_and_leaves_the_power_button() -> None:
    assert taken(appliance=True) == ["event3", "event4", "event5"]
    assert taken(appliance=False, take="keyboards") == ["event3", "event4", "event5"]


def test_a_desktop_gives_only_number_pads_and_what_is_named() -> None:
    assert taken(appliance=False) == ["event3"]
    assert taken(appliance=True, take="pads") == ["event3"]
    assert taken(appliance=False, name="big") == ["event4"]
    assert taken(appliance=True, name="usb-1") == ["event3"]


def test_switched_off_takes_nothing() -> None:
    assert not any(is_taken(each, PadsConfig(enabled=False), appliance=True) for each in ALL)


@pytest.mark.parametrize("missing", ["KP5", "KPENTER"])
def test_what_lacks_a_digit_or_enter_is_no_pad(missing: str) -> None:
    device = InputDevice("", "remote", "", PAD_KEYS - {CODES[missing]})
    assert not device.is_keyboard


def test_a_pad_that_claims_all_letters_counts_as_a_keyboard() -> None:
    assert not InputDevice("", "cheap", "", KEYBOARD_KEYS).is_number_pad
    assert InputDevice("", "with a b c", "", PAD_KEYS | {30, 48, 46}).is_number_pad
