"""Golden images: what a display showed when somebody last looked at it and said yes."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.options import Options

if TYPE_CHECKING:
    from PIL.Image import Image

FOLDER = Path(__file__).parent / "golden"


def check_golden(name: str, image: "Image", options: Options) -> None:
    """Compare with `golden/NAME.png`; with `--golden write`, write it and fail.

    Writing fails the run so that new images are looked at before they count.
    """
    path = FOLDER / f"{name}.png"
    if options.golden == "write":
        if path.exists() and _difference(path, image) is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        image.save(path, optimize=True)
        pytest.fail(f"{path.name} was drawn again: look at it, then run the tests again")
    if not path.exists():
        pytest.fail(f"there is no {path}: --golden write draws it")
    difference = _difference(path, image)
    assert difference is None, f"{path.name} differs ({difference}): --golden write draws it again"


def _difference(path: Path, image: "Image") -> str | None:
    """Say where the image differs from the one in the file; None where it does not."""
    from PIL import Image, ImageChops

    with Image.open(path) as golden:
        if (golden.size, golden.mode) != (image.size, image.mode):
            return f"{golden.size} {golden.mode} became {image.size} {image.mode}"
        box = ImageChops.difference(golden, image).getbbox()
    return None if box is None else f"within {box}"
