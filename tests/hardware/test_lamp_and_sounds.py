"""Lamp and buzzer of a whole rig on mock pins: colours, sounds, and what is heard when."""

from typing import Any

import pytest

from hardware.config import (
    BuzzerConfig,
    Devices,
    LampConfig,
)
from hardware.outputs.buzzer import SOUNDS, Sound
from tests.hardware.rig_bench import Bench


@pytest.mark.parametrize("common", ["cathode", "anode"])
def test_the_lamp_shines_in_its_colour(common: Any) -> None:
    bench = Bench(Devices(lamp=LampConfig(common=common, brightness=100)))
    assert bench.simulated.colour() == "000000"
    bench.rig.light("FF8000")
    assert bench.simulated.colour() == "FF8000"
    bench.rig.light("000000")
    assert bench.simulated.colour() == "000000"


def test_a_colour_of_whole_parts_needs_no_pwm(bench: Bench) -> None:
    pins = [bench.simulated.factory.pin(pin) for pin in (9, 10, 11)]
    for colour, modulated in (("FFFF00", 0), ("FF00FF", 0), ("FF8000", 1), ("000000", 0)):
        bench.rig.light(colour)
        assert bench.simulated.colour() == colour
        assert sum(pin.frequency is not None for pin in pins) == modulated


def test_the_lamp_keeps_to_its_brightness() -> None:
    bench = Bench(Devices(lamp=LampConfig(brightness=50)))
    bench.rig.light("ff0000")
    assert bench.simulated.colour() == "800000"


@pytest.mark.parametrize("sound", list(SOUNDS))
def test_a_sound_is_played_to_its_end_without_blocking(bench: Bench, sound: Sound) -> None:
    bench.rig.sound(sound)
    tones: list[int] = []
    for _ in range(300):
        bench.rig.poll()
        tone = int(bench.simulated.tone() or 0)
        if not tones or tones[-1] != tone:
            tones.append(tone)
        bench.now += 0.005
    expected = [tone.hz for tone in SOUNDS[sound]] + [0]
    assert tones == expected
    assert not bench.rig.poll()


def test_a_tick_does_not_cut_a_sound_short_but_another_sound_does(bench: Bench) -> None:
    bench.rig.sound("win")
    bench.rig.sound("tick")
    bench.rig.poll()
    assert bench.simulated.tone() == SOUNDS["win"][0].hz
    bench.rig.sound("bad")
    bench.rig.poll()
    assert bench.simulated.tone() == SOUNDS["bad"][0].hz


def test_that_it_is_somebodys_turn_waits_for_the_sound_before_it(bench: Bench) -> None:
    bench.rig.sound("ok")
    bench.rig.sound("turn")
    tones: list[int] = []
    for _ in range(200):
        bench.rig.poll()
        tones.append(int(bench.simulated.tone() or 0))
        bench.now += 0.005
    heard = [tone for tone, before in zip(tones, [0, *tones], strict=False) if tone != before]
    assert heard == [1568, 2093, 0, 2349, 0, 2349, 0]


def test_every_sound_has_a_pattern_of_its_own() -> None:
    rhythms = {
        sound: tuple((tone.hz > 0, tone.ms) for tone in tones) for sound, tones in SOUNDS.items()
    }
    assert len(set(rhythms.values())) == len(rhythms)


def test_an_active_buzzer_is_switched_on_and_off() -> None:
    bench = Bench(Devices(buzzer=BuzzerConfig(kind="active")))
    pin = bench.simulated.factory.pin(18)
    bench.rig.sound("tick")
    bench.rig.poll()
    assert pin.state
    bench.wait(0.1)
    assert not pin.state
