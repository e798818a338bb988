"""The score display on the simulated TM1637: what it shows, and what happens without it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.config import Devices, ScoreConfig
from hardware.outputs.score import REFRESH_S, SimulatedScore, segments
from hardware.rig import Rig
from hardware.simulation import SimulatedRig


class Bench:
    """A rig with a score display and a clock that is moved by hand."""

    def __init__(self, brightness: int = 3) -> None:
        devices = replace(Devices(), score=ScoreConfig(enabled=True, brightness=brightness))
        self.now = 0.0
        simulated = SimulatedRig(devices)
        chip = simulated.parts["score"]
        assert isinstance(chip, SimulatedScore)
        self.chip = chip
        self.rig = Rig(
            devices,
            lambda _key: None,
            factory=simulated.factory,
            bus=simulated.bus,
            clock=lambda: self.now,
        )


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.mark.parametrize(
    ("score", "shown"),
    [
        ("", "    "),
        ("7", "   7"),
        ("2047", "2047"),
        ("29:31", "29:31"),
        ("4:12", " 4:12"),
        ("2:1/3", " 2: 1"),
        ("12:7:30", "  12"),
        ("102:97", " 102"),
        ("10000", "----"),
        ("٤٧", "----"),
    ],
)
def test_a_score_is_shown_as_far_as_it_has_room(bench: Bench, score: str, shown: str) -> None:
    bench.rig.score(score)
    assert bench.chip.visible_text() == shown
    assert "score" in bench.rig.working


@given(st.text(max_size=12))
def test_any_text_makes_four_digits(score: str) -> None:
    assert len(segments(score)) == 4


@pytest.mark.parametrize("brightness", [1, 8])
def test_it_is_as_bright_as_the_settings_say_and_dark_in_the_end(brightness: int) -> None:
    bench = Bench(brightness)
    bench.rig.score("47")
    assert bench.chip.level == brightness
    bench.rig.close()
    assert bench.chip.level == 0


def test_a_chip_that_does_not_answer_is_missing_and_shows_the_score_when_it_comes(
    bench: Bench,
) -> None:
    bench.chip.dead = True
    bench.rig.score("29:31")
    assert [(error.part, error.code) for error in bench.rig.missing] == [("score", "no-answer")]
    bench.chip.dead = False
    bench.now += 2
    bench.rig.tick()
    assert bench.chip.visible_text() == "29:31"


def test_a_chip_that_lost_its_power_shows_the_score_again(bench: Bench) -> None:
    bench.rig.score("47")
    bench.chip.digits[:] = bytes(4)
    bench.chip.level = 0
    bench.now += REFRESH_S
    bench.rig.tick()
    assert bench.chip.visible_text() == "  47"
