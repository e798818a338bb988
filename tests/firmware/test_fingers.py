"""A scripted key is held until the keypad believed it, however the machine stalls."""

from io import StringIO
from itertools import product

import pytest

from firmware.panel.keypad import DEBOUNCE_MS, Debouncer
from firmware.panel.script import HOLD_MS, TAP_MS, Fingers
from firmware.panel.session import Outputs, Session
from hardware.config import DieButtonsConfig, KeypadConfig
from hardware.keys import TIMES

STEP_MS = 5
LOOKS = 12


def _heard(script: str, stalls: dict[int, int], tap_ms: int) -> list[str]:
    """Press the script's keys; before the looks named, the machine stalls for so long."""
    session, keypad, fingers = Session(Outputs()), Debouncer(), Fingers(StringIO(script), tap_ms)
    session.session = "0a1b2c3d"
    heard, now, look, busy = [], 0, 0, True
    while busy:
        now += STEP_MS + stalls.get(look, 0)
        look += 1
        busy = fingers.step(session, now)
        heard += [name for name, down in keypad.sample(fingers.rows, fingers.buttons, now) if down]
    return heard


@pytest.mark.parametrize("stall_ms", [20, 60, 500])
@pytest.mark.parametrize("tap_ms", [25, TAP_MS])
def test_no_scripted_key_is_lost_wherever_the_machine_stalls(tap_ms: int, stall_ms: int) -> None:
    for first, second in product(range(LOOKS), range(LOOKS, 4 * LOOKS)):
        stalls = {first: stall_ms, second: stall_ms}
        assert _heard("5 5 DIE4 ENTER\n", stalls, tap_ms) == ["5", "5", "DIE4", "ENTER"]


def test_header_and_panel_agree_on_when_a_press_means_what() -> None:
    keypad = KeypadConfig()
    assert TIMES.debounce_s * 1000 == DEBOUNCE_MS
    assert TAP_MS < TIMES.hold_s * 1000 < HOLD_MS
    assert DieButtonsConfig().debounce_ms == keypad.debounce_ms == DEBOUNCE_MS
    assert keypad.repeat_after_ms == TIMES.repeat_after_s * 1000
    assert keypad.repeat_every_ms == TIMES.repeat_every_s * 1000
