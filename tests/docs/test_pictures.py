"""Pictures show the program as it is: drawn again, they equal the committed ones."""

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from PIL import Image, ImageDraw

from tests.docs.pages import ROOT, pages
from tools.pictures import FOLDER, frame_of, is_same, pictures, scenes


def test_make_pictures_leaves_no_difference() -> None:
    stale = [
        name
        for name, content in pictures()
        if not (FOLDER / name).exists() or not is_same(name, (FOLDER / name).read_bytes(), content)
    ]
    assert not stale, "make pictures draws them again"


def test_every_picture_is_made_and_shown_and_every_drawing_is_shown() -> None:
    made = {name for name, _ in pictures()}
    lying = {path.name for path in FOLDER.iterdir()}
    shown = {
        (each.path.parent / image).resolve()
        for each in pages()
        for image in each.images
        if "://" not in image
    }
    assert lying == made
    assert {path.name for path in shown if path.parent == FOLDER} == made
    assert set((ROOT / "docs" / "drawings").iterdir()) <= shown


def test_names_of_scenes_are_given_once() -> None:
    files = [scene.file for scene in scenes()]
    assert len(files) == len(set(files))


@pytest.mark.parametrize("name", ["", "home-name"])
def test_drawing_closes_the_table_it_played_at(
    name: str, open_databases: Callable[[], int]
) -> None:
    frame_of(replace(scenes()[0], scene=name))
    assert open_databases() == 0


def _png(size: tuple[int, int], stone: int = 0, shade: int = 0) -> bytes:
    image = Image.new("RGB", size, (shade, shade, shade))
    if stone:
        ImageDraw.Draw(image).ellipse((50, 50, 50 + stone, 50 + stone), fill="yellow")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(
    ("alike", "one", "other"),
    [
        (True, _png((408, 216)), _png((408, 216))),
        (False, _png((408, 216)), _png((408, 216), stone=1)),
        (True, _png((800, 480)), _png((800, 480), shade=1)),
        (False, _png((800, 480)), _png((800, 480), stone=20)),
        (False, _png((800, 480)), _png((816, 480))),
    ],
    ids=["equal", "one dot on the OLED", "letters hinted anew", "a stone more", "another size"],
)
def test_pictures_are_told_apart_by_what_they_show(
    *, alike: bool, one: bytes, other: bytes
) -> None:
    assert is_same("x.png", one, other) is alike
