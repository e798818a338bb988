"""Every scene looks on the OLED as somebody last approved it, in German: its texts are longer.

That a scene's English is whole there too is held by `test_walk.py`, without pictures.
"""

import pytest

from pi_app.displays.oled import paint
from tests.golden import FOLDER, check_golden
from tests.options import Options
from tests.pi_app.pilot import frame_of
from tests.scenes import scenes


@pytest.mark.usefixtures("only_shipped_games")
def test_scenes_look_on_the_oled_as_approved(options: Options) -> None:
    images = {f"oled/{it.name}-de": paint(frame_of(it, "de")).to_image() for it in scenes()}
    check_golden(images, options)
    stored = {f"oled/{path.stem}" for path in (FOLDER / "oled").iterdir()}
    assert stored == images.keys(), "a picture is kept of what is no scene any more"
