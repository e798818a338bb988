"""Pictures show the program as it is: each carries the hash of the frame that it shows."""

import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, pages
from tools.pictures import FOLDER, carried_by, draw, frame_of, hash_of, pictures, scenes


def test_make_pictures_leaves_no_difference() -> None:
    stale = [
        scene.file
        for scene, frames in pictures()
        if carried_by(FOLDER / scene.file) != hash_of(*frames)
    ]
    assert not stale, "make pictures draws them again"


def test_every_picture_is_made_and_shown_and_every_drawing_is_shown() -> None:
    made = [scene.file for scene in scenes()]
    shown = {
        (each.path.parent / image).resolve()
        for each in pages()
        for image in each.images
        if "://" not in image
    }
    assert {path.name for path in FOLDER.iterdir()} == {*made}
    assert {path.name for path in shown if path.parent == FOLDER} == {*made}
    assert set((ROOT / "docs" / "drawings").iterdir()) <= shown
    assert len(made) == len({*made})


@pytest.mark.parametrize("display", ["oled", "window"])
def test_another_frame_has_another_hash_and_its_picture_carries_it(
    display: str, tmp_path: Path
) -> None:
    scene = next(scene for scene in scenes() if scene.on == display)
    frame = frame_of(scene)
    other = replace(frame, header=replace(frame.header, title=f"{frame.header.title}!"))
    assert hash_of(frame) == hash_of(frame_of(scene)) != hash_of(other)
    (tmp_path / scene.file).write_bytes(draw(scene, other))
    assert carried_by(tmp_path / scene.file) == hash_of(other)


@pytest.mark.parametrize("name", ["", "home-name"])
def test_drawing_closes_the_table_it_played_at(
    name: str, open_databases: Callable[[], int]
) -> None:
    still = next(scene for scene in scenes() if scene.on == "oled")
    frame_of(replace(still, scene=name))
    assert open_databases() == 0


def test_the_picture_of_the_house_has_every_room_on_its_floor() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    floors = next(
        each["layers"] for each in contracts["contracts"] if each.get("containers") == ["pi_app"]
    )
    drawing = (ROOT / "docs/drawings/house.svg").read_text()
    heights = {name: int(y) for y, name in re.findall(r'y="(\d+)"[^>]*>(\w+)/?</text>', drawing)}
    drawn = [{heights.get(room) for room in floor.split(" | ")} for floor in floors[1:]]
    assert all(None not in floor and len(floor) == 1 for floor in drawn)
    tops = [top for floor in drawn for top in floor if top is not None]
    assert tops == sorted(set(tops))
