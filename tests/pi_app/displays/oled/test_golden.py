"""Every scene looks on the OLED as somebody last approved it, in German: its texts are longer.

That a scene's English is whole there too is held by `test_walk.py`, without pictures.
"""

import pytest

from pi_app.displays.oled import paint
from tests.golden import FOLDER, check_golden
from tests.options import Options
from tests.pi_app.pilot import frame_of
from tests.scenes import FILES, scenes, scenes_of


@pytest.mark.usefixtures("only_shipped_games")
@pytest.mark.parametrize("file", FILES)
def test_scenes_look_on_the_oled_as_approved(file: str, options: Options) -> None:
    scenes = scenes_of(file)
    images = {f"oled/{it.name}-de": paint(frame_of(it, "de")).to_image() for it in scenes}
    check_golden(images, options)


def test_no_picture_is_kept_of_what_is_no_scene_any_more() -> None:
    stored = {path.stem for path in (FOLDER / "oled").iterdir()}
    assert stored == {f"{scene.name}-de" for scene in scenes()}
