"""Samples of Nine Men's Morris for the suite that every game passes."""

from pathlib import Path

from beisitzer.testing.samples import Samples

SAMPLES = Samples(
    players="Anna white, Ben red",
    keys=("11#", "41#"),
    tokens=("a1", "d1"),
    other=("77#", "g7"),
    codes="""
        game-over bad-move must-place no-stone-left not-own point-taken too-far no-mill must-take
        nothing-to-take in-mill placed moved mill taken agreed corrected""",
    unlisted="=",
    longest={
        "least": "3",
        "most": "9",
        "player": "Maximilian-Josef",
        "point": "d7",
        "start": "d7",
        "stones": "9",
        "to": "d6",
    },
    records=Path(__file__).parents[1] / "records",
)
