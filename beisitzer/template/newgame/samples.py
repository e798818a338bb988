"""Samples of NewGame for the suite that every game passes."""

from pathlib import Path

from beisitzer.testing.samples import Samples

SAMPLES = Samples(
    players="Anna yellow, Ben red",
    keys=("5#", "1#"),
    tokens=("5", "1"),
    other=("3#", "3"),
    codes="game-over bad-move field-taken placed corrected",
    records=Path(__file__).parent / "records",
)
