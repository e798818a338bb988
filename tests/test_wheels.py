"""The wheel for a Pi with 64 bits holds compiled play-outs of every game, or there is none."""

import struct
import zipfile
from pathlib import Path

import pytest

from engines.games import SHIPPED
from tools import wheels

PI, DESKTOP = 183, 62
"""The machines' numbers in ELF."""


def wheel_of(folder: Path, machine: int, games: list[str]) -> Path:
    wheel = folder / "beisitzer-0.1.0-cp311-abi3-some.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for game in games:
            head = b"\x7fELF".ljust(18, b"\0") + struct.pack("<H", machine)
            file.writestr(f"ai/{game}/playouts.abi3.so", head)
    return wheel


def test_a_wheel_for_the_pi_is_let_through(tmp_path: Path) -> None:
    wheels.check(wheel_of(tmp_path, PI, list(SHIPPED)))


@pytest.mark.parametrize(
    ("machine", "games", "why"),
    [(DESKTOP, list(SHIPPED), "is not for a 64-bit Pi"), (PI, list(SHIPPED)[1:], "has no ai/")],
    ids=["for a desktop", "one is missing"],
)
def test_a_wheel_without_all_of_it_is_refused(
    tmp_path: Path, machine: int, games: list[str], why: str
) -> None:
    with pytest.raises(SystemExit, match=why):
        wheels.check(wheel_of(tmp_path, machine, games))


def test_without_its_compiler_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "find_spec", lambda _: None)
    with pytest.raises(SystemExit, match="ziglang is missing"):
        wheels.build(tmp_path)
