"""Golden images and texts: what came out when somebody last looked at it and said yes."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.options import Options

if TYPE_CHECKING:
    from PIL.Image import Image

FOLDER = Path(__file__).parent / "golden"


def check_golden(images: Mapping[str, "Image"], options: Options) -> None:
    """Compare each image with `golden/NAME.png`; with `--golden write`, also write what differs.

    That fails too, so that new images are looked at before they count.
    """
    wrong = []
    for name, image in images.items():
        path = FOLDER / f"{name}.png"
        if difference := _difference(path, image):
            wrong.append(f"{path.name} {difference}: --golden write draws it again, look at it")
            if options.golden == "write":
                path.parent.mkdir(parents=True, exist_ok=True)
                image.save(path, optimize=True)
    assert not wrong, "\n".join(wrong)


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

    if not path.exists():
        return "is not there"

    with Image.open(path) as golden:
        if (golden.size, golden.mode) != (image.size, image.mode):
            return f"was {golden.size} {golden.mode}, is {image.size} {image.mode}"
        box = ImageChops.difference(golden, image).getbbox()
    return None if box is None else f"differs within {box}"
