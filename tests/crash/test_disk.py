"""The companion on a real disk that fills and empties, with a card's and a stick's file systems."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.crash.process import GAME, Process, stored

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a disk"),
]
SIZE = 2 << 20
BLOCK = 4096
LINE = 95
"""The bytes that a move takes."""


def run(*command: object) -> None:
    subprocess.run(list(map(str, command)), check=True, capture_output=True)


@pytest.fixture(params=["tmpfs", "ext4", "vfat"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of two megabytes."""
    place, image, kind = tmp_path / "disk", tmp_path / "image", request.param
    place.mkdir()
    if kind == "tmpfs":
        run("mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", place)
    else:
        image.write_bytes(bytes(SIZE))
        run(f"mkfs.{kind}", image)
        if kind not in Path("/proc/filesystems").read_text().split():
            pytest.skip(f"this kernel has no {kind}")
        run("mount", "-o", "loop", image, place)
    try:
        yield place
    finally:
        run("umount", "--lazy", place)


def fill(disk: Path) -> Path:
    """Take all room that the disk has."""
    file = disk / "photos"
    with suppress(OSError), file.open("ab", buffering=0) as rest:
        while True:
            rest.write(bytes(512))
    return file


def test_a_disk_that_fills_and_empties_loses_no_move_tells_it_at_once_and_is_well_again(
    disk: Path, tmp_path: Path
) -> None:
    state = {"XDG_STATE_HOME": str(tmp_path)}
    probe = Process(tmp_path / "probe", *GAME, "--tag", f"Event={'x' * BLOCK}", environ=state)
    assert probe.end() == (0, "")
    (file,) = (tmp_path / "probe").glob("0001-*")
    room = BLOCK - file.stat().st_size % BLOCK
    # two moves still fit into the last block of the game's file
    event = "x" * (BLOCK + room - 2 * LINE - 20)
    path = disk / "games"
    process = Process(path, *GAME, "--tag", f"Event={event}", environ=state)
    moves: list[str] = []

    def play(move: str) -> bool:
        """Play a move; return whether the disk's trouble is shown after it."""
        name = "Ben" if len(moves) % 2 else "Anna"
        moves.append(move)
        process.keys(f"{move} #")
        assert process.wait_for(lambda: process.shows_move(name, move)), process.frames[-1:]
        return is_told()

    def is_told() -> bool:
        return str(process.frame.get("corner", "")).startswith("!")

    assert not play("5")
    photos = fill(disk)
    told = [play(move) for move in ("6", "7", "8", "9")]
    assert told == sorted(told)
    assert told[-1]
    assert stored(path)[0] == tuple(moves[: 1 + told.count(False)])
    photos.unlink()
    assert process.wait_for(lambda: not is_told(), 60)
    assert stored(path)[0] == tuple(moves)
    assert not play("10")
    assert process.end() == (0, "")
    assert stored(path) == (tuple(moves), ())
