"""Every scene in both languages looks on the OLED as somebody last approved it."""

import pytest

from pi_app.displays.oled import paint
from tests.golden import check_golden
from tests.pi_app.desk import Desk
from tests.scenes import Scene, scenes


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scene", scenes(), ids=lambda scene: scene.name)
def test_scene_looks_on_the_oled_as_approved(scene: Scene, language: str) -> None:
    desk = Desk.scene(scene, language)
    frame = desk.key(scene.keys)
    check_golden(f"oled/{scene.name}-{language}", paint(frame).to_image())
