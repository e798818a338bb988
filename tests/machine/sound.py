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


def likeness(heard: list[float], wanted: list[float]) -> float:
    """Return the best correlation of `wanted` with a piece of `heard`, 1 for the same sound."""
    pieces = range(len(heard) - len(wanted) + 1)
    return max((_correlation(heard[at : at + len(wanted)], wanted) for at in pieces), default=0.0)


def _correlation(one: list[float], other: list[float]) -> float:
    a, b = (_centred(values) for values in (one, other))
    size = (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5
    return sum(x * y for x, y in zip(a, b, strict=True)) / size if size else 0.0


def _centred(values: list[float]) -> list[float]:
    mean = sum(values) / len(values)
    return [value - mean for value in values]
