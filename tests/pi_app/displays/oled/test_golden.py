"""Every scene in both languages looks on the OLED as somebody last approved it."""

import pytest

from pi_app.displays.oled import paint
from tests.golden import FOLDER, check_golden
from tests.options import Options
from tests.pi_app.pilot import frame_of
from tests.scenes import Scene, scenes


@pytest.mark.usefixtures("only_shipped_games")
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scene", scenes(), ids=lambda scene: scene.name)
def test_scene_looks_on_the_oled_as_approved(scene: Scene, language: str, options: Options) -> None:
    image = paint(frame_of(scene, language)).to_image()
    check_golden(f"oled/{scene.name}-{language}", image, options)


def test_no_picture_is_kept_of_what_is_no_scene_any_more() -> None:
    stored = {path.stem for path in (FOLDER / "oled").iterdir()}
    assert stored <= {f"{scene.name}-{language}" for scene in scenes() for language in ("en", "de")}
