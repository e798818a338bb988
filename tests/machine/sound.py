"""Sound that a machine's card wrote to a file: whether it holds a sentence."""

from array import array
from pathlib import Path

HEAD_BYTES = 44
SLICE_S = 0.03


def envelope(data: bytes, rate: int, channels: int) -> list[float]:
    """Return how loud each slice of 16-bit samples is."""
    samples = array("h", data[: len(data) // 2 * 2])
    size = round(rate * SLICE_S) * channels
    return [
        sum(map(abs, samples[at : at + size])) / size
        for at in range(0, len(samples) - size + 1, size)
    ]


def recorded(path: Path, rate: int = 48_000, channels: int = 2) -> list[float]:
    """Return how loud a recording is; its head has no length as long as it goes on."""
    return envelope(path.read_bytes()[HEAD_BYTES:], rate, channels)


def distance(heard: list[float], wanted: list[float]) -> float:
    """Return how far `wanted` is from the piece of `heard` that fits best, 0 for the same sound.

    An emulated card stutters: slices may be drawn out or left out (dynamic time warping).
    """
    known, heard = ([value / max(values) for value in values] for values in (wanted, heard))
    before = [0.0] * (len(heard) + 1)  # it may begin anywhere
    for each in known:
        row = [float("inf")]
        for at, value in enumerate(heard):
            row.append(abs(value - each) + min(before[at + 1], before[at], row[at]))
        before = row
    return min(before) / sum(known)
