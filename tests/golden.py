"""Golden images and texts: what came out when somebody last looked at it and said yes."""

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


def check_golden_text(path: Path, text: str, options: Options) -> None:
    """Compare with a golden file; with `--golden write`, write it if it differs, and fail."""
    if options.golden == "write" and (not path.exists() or path.read_text("utf-8") != text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        pytest.fail(f"{path.name} was written again: read it, then run the tests again")
    assert text == path.read_text("utf-8"), f"--golden write writes {path.name} again"


def _difference(path: Path, image: "Image") -> str | None:
    """Say where the image differs from the one in the file; None where it does not."""
    from PIL import Image, ImageChops

    with Image.open(path) as golden:
        if (golden.size, golden.mode) != (image.size, image.mode):
            return f"{golden.size} {golden.mode} became {image.size} {image.mode}"
        box = ImageChops.difference(golden, image).getbbox()
    return None if box is None else f"within {box}"
