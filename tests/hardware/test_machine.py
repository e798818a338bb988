"""The rig under the real lgpio, on a GPIO chip that is not there: what edges and idling cost."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from hardware.keys import Key
from tools.gpio import Machine, NoMachineError, build
from tools.gpio.rig import picture

A, B, PUSH = 25, 26, 8
ROW, COLUMN = 5, 12
"""The key 1 of the reference rig."""

IDLE_CALLS, IDLE_WAKEUPS = 20, 60
"""A second; lgpio's own thread wakes 50 times."""


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chip")
    try:
        build(folder)
    except NoMachineError as error:
        pytest.skip(str(error))
    return folder


@pytest.fixture(name="machine")
def _machine(folder: Path) -> Iterator[Machine]:
    with Machine(folder) as machine:
        yield machine


def _turn(machine: Machine, *order: int) -> None:
    for line in order:
        machine.finger("low", line)
    for line in order:
        machine.finger("free", line)


def _has_heard(machine: Machine, keys: int) -> bool:
    return len(machine.heard) == keys


def test_every_click_of_the_encoder_counts_however_fast_it_is_turned(machine: Machine) -> None:
    for _ in range(100):
        _turn(machine, A, B)
    for _ in range(100):
        _turn(machine, B, A)
    machine.wait_for(lambda: len(machine.heard) >= 200)
    keys = [key for key, _ in machine.heard]
    assert keys == [Key.DOWN] * 100 + [Key.UP] * 100


def test_keys_buttons_and_the_push_are_heard_at_an_edge(machine: Machine) -> None:
    for word, *lines in (("join", ROW, COLUMN), ("low", 4), ("low", PUSH)):
        expected = len(machine.heard) + 1
        machine.finger(str(word), *map(int, lines))
        assert machine.wait_for(partial(_has_heard, machine, expected))
    assert [key for key, _ in machine.heard] == [Key.D1, Key.DIE1, Key.ENTER]


def test_a_second_key_in_the_column_of_a_held_one_is_heard(machine: Machine) -> None:
    machine.finger("join", ROW, COLUMN)
    assert machine.wait_for(lambda: len(machine.heard) == 1)
    machine.finger("join", 6, COLUMN)
    assert machine.wait_for(lambda: len(machine.heard) == 2)
    assert [key for key, _ in machine.heard] == [Key.D1, Key.D4]


def test_a_pin_that_the_kernel_holds_is_told_with_its_holder(folder: Path) -> None:
    with Machine(folder, "encoder", "held=8") as machine:
        assert machine.said.startswith(
            "missing encoder is not used: something else uses its pin (GPIO 8: somebody)"
        )


@pytest.mark.parametrize(
    "chips",
    [
        {10: "gpio-brcmstb@107d508500", 11: "gpio-brcmstb@107d517c00", 13: "pinctrl-rp1"},
        {4: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500"},
        {0: "pinctrl-bcm2712", 15: "pinctrl-rp1"},
        {0: "raspberrypi-exp-gpio", 1: "pinctrl-bcm2711"},
        {0: "mcp23017", 512: "pinctrl-bcm2835"},
    ],
    ids=str,
)
def test_the_headers_chip_is_found_by_its_label(folder: Path, chips: dict[int, str]) -> None:
    with Machine(folder, "encoder", chips=chips) as machine:
        assert machine.said == "encoder"
        _turn(machine, A, B)
        assert machine.wait_for(lambda: len(machine.heard) == 1)


@pytest.mark.parametrize(
    ("chips", "words"),
    [
        ({}, "this machine has no GPIO pins"),
        (
            {11: "gpio-brcmstb", 2: "mcp23017"},
            "no GPIO chip of this machine has the header's pins"
            " (gpiochip2 mcp23017, gpiochip11 gpio-brcmstb)",
        ),
    ],
)
def test_without_the_headers_chip_those_that_were_found_are_told(
    folder: Path, chips: dict[int, str], words: str
) -> None:
    with Machine(folder, "encoder", chips=chips) as machine:
        assert machine.said == f"missing encoder is not used: {words}"


def test_lgpio_is_imported_where_the_current_folder_cannot_be_written(folder: Path) -> None:
    with Machine(folder, "keypad", "cwd=/proc") as machine:
        assert machine.said == "keypad"


def test_an_idle_rig_leaves_the_machine_asleep_also_after_a_sound_and_while_a_lamp_shines(
    machine: Machine,
) -> None:
    assert machine.said == "lamp buzzer oled keypad die_buttons encoder"
    machine.say("sound tick")
    machine.say("light FFFF00")
    machine.load(0.5)  # the tick comes to its end
    load = machine.load(2)
    assert load.calls <= IDLE_CALLS
    assert load.wakeups <= IDLE_WAKEUPS


def _show(machine: Machine, text: str) -> None:
    shown = [word for word, _ in machine.heard].count("shown")
    machine.say(f"show {text}")
    assert machine.wait_for(lambda: [word for word, _ in machine.heard].count("shown") > shown)


def test_the_oled_shows_through_the_kernels_i2c_calls_what_the_rig_draws(folder: Path) -> None:
    with Machine(folder, "oled", "i2c") as machine:
        assert machine.said == "oled"
        for text in ("eins", "zwei"):
            _show(machine, text)
            assert machine.glass() == picture(text)


def test_an_oled_off_its_bus_is_missing_and_shows_all_when_it_is_back(folder: Path) -> None:
    with Machine(folder, "oled", "i2c") as machine:
        _show(machine, "eins")
        machine.finger("deaf", 1)
        _show(machine, "zwei")
        assert machine.glass() == picture("eins")
        machine.finger("deaf", 0)
        for _ in range(200):  # the rig pauses before each further try
            _show(machine, "drei")
            if machine.glass() == picture("drei"):
                break
            machine.wait_for(lambda: False, 0.05)
        assert machine.glass() == picture("drei")


def test_a_held_key_costs_few_calls_a_look(machine: Machine) -> None:
    machine.finger("join", ROW, COLUMN)
    assert machine.wait_for(lambda: len(machine.heard) == 1)
    assert machine.load(1).calls <= 200 * 10
