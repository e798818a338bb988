"""What moves on the OLED: a die, a row, a win; briefly and for few bytes on the bus."""

from itertools import pairwise

import pytest

from hardware.config import OledConfig
from hardware.oled import Oled, open_wire
from hardware.simulation import SimulatedI2c, SimulatedOled
from pi_app.displays.oled import paint
from pi_app.displays.oled.motion import LONGEST_S, STEP_S, motion
from pi_app.view.frame import Frame
from tests.pi_app.pilot import Pilot
from tests.scenes import Scene, scenes

SCENES = {scene.name: scene for scene in scenes()}
MOVING = ("numeri-choose", "just4fun-row", "just4fun-points", "sequence-won")


def before_and_after(scene: Scene) -> tuple[Frame, Frame]:
    """Return a scene's last frame but one, and its last."""
    pilot = Pilot.scene(scene, "en")
    pilot.key(scene.keys)
    frames = pilot.recorder.frames
    return frames[-2], frames[-1]


@pytest.mark.parametrize("name", MOVING)
def test_a_die_a_row_and_a_win_move(name: str) -> None:
    before, after = before_and_after(SCENES[name])
    steps = motion(before, after)
    assert steps
    assert len(steps) * STEP_S <= LONGEST_S
    pictures = [bytes(paint(step)) for step in (*steps, after)]
    assert any(one != other for one, other in pairwise(pictures))
    assert motion(after, after) == ()


@pytest.mark.parametrize("name", ["just4fun-free", "sequence-two-free", "home-set-up"])
def test_nothing_else_moves(name: str) -> None:
    assert motion(*before_and_after(SCENES[name])) == ()


@pytest.mark.parametrize("name", MOVING)
def test_a_motion_costs_few_bytes(name: str) -> None:
    before, after = before_and_after(SCENES[name])
    bus = SimulatedI2c(SimulatedOled("ssd1306"))
    oled = Oled(open_wire(OledConfig(), bus=bus), OledConfig(), clock=lambda: 0.0)
    steps = (*motion(before, after), after)
    oled.show(paint(steps[0]))
    sent = bus.sent
    for step in steps[1:]:
        oled.show(paint(step))
    assert 0 < bus.sent - sent <= 160 * len(steps)
