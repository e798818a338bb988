"""Samples of Nine Men's Morris for the suites that hold for every game."""

from pathlib import Path
from random import Random

from tests.samples import Samples


def _nothing(_chance: Random) -> None:
    """Nothing is hidden: a move depends on the board alone."""


SAMPLES = Samples(
    players="Anna white, Ben red",
    keys=("11#", "41#"),
    tokens=("a1", "d1"),
    other=("77#", "g7"),
    given=_nothing,
    codes="""
        game-over bad-move must-place no-stone-left not-own point-taken too-far no-mill must-take
        nothing-to-take in-mill placed moved mill taken agreed corrected""",
    longest={"end": "d6", "start": "d7"},
    records=Path(__file__).parents[1] / "records",
)
