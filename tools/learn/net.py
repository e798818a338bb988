"""Trains a net with one hidden layer, and writes its weights as whole numbers."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

BATCH = 2_048
"""Positions a step."""
SLOPE = 0.01
"""How much a unit that is cut off still learns, so that none is lost for ever."""
LARGEST = 8_000
"""The largest weight of an input, in whole numbers: the sums must fit 32 bits."""


class Net:
    """A net of `hidden` units, cut off at 0 and 1, whose sum is the log-odds of a chance.

    Its inputs are 0 to 1. It begins with small weights by chance, and `train` improves them.
    """

    def __init__(self, inputs: int, hidden: int, seed: int) -> None:
        self._np = import_module("numpy")
        self._chance = self._np.random.default_rng(seed)
        single = self._np.float32
        self.parts: list[Any] = [
            self._chance.normal(0, 0.25, (hidden, inputs)).astype(single),
            self._np.full(hidden, 0.2, single),
            self._chance.normal(0, 0.3, hidden).astype(single),
            self._np.zeros(1, single),
        ]
        """The weights of the units' inputs, what is added to them; the same of the units."""

    def log_odds(self, inputs: Any) -> Any:
        """Return the log-odds of each row of inputs."""
        inner, bias, outer, base = self.parts
        return self._np.clip(inputs @ inner.T + bias, 0, 1) @ outer + base

    def train(self, inputs: Any, chances: Any, unit: float, epochs: int, rate: float) -> None:
        """Fit the chances of the rows of inputs, which are whole numbers of which `unit` is 1.

        Adam, with a rate that falls to nothing.
        """
        np = self._np
        means = [np.zeros_like(part) for part in self.parts]
        squares = [np.zeros_like(part) for part in self.parts]
        steps = epochs * (len(chances) // BATCH)
        for step in range(1, steps + 1):
            if (step - 1) % (len(chances) // BATCH) == 0:
                order = self._chance.permutation(len(chances))
            first = (step - 1) * BATCH % (len(chances) // BATCH * BATCH)
            some = order[first : first + BATCH]
            slopes = self._slopes(inputs[some].astype(np.float32) / unit, chances[some])
            size = rate * (1 - step / steps) * (1 - 0.999**step) ** 0.5 / (1 - 0.9**step)
            for index, slope in enumerate(slopes):
                means[index] += 0.1 * (slope - means[index])
                squares[index] += 0.001 * (slope * slope - squares[index])
                way = means[index] / (np.sqrt(squares[index]) + 1e-8)
                self.parts[index] -= np.float32(size) * way

    def _slopes(self, inputs: Any, chances: Any) -> list[Any]:
        """Return how the log loss changes with each part."""
        np = self._np
        inner, bias, outer, base = self.parts
        sums = inputs @ inner.T + bias
        units = np.clip(sums, 0, 1)
        wrong = (1 / (1 + np.exp(-(units @ outer + base))) - chances) / len(chances)
        open_ = np.where((sums > 0) & (sums < 1), np.float32(1), np.float32(SLOPE))
        back = wrong[:, None] * outer * open_
        return [back.T @ inputs, back.sum(0), units.T @ wrong, wrong.sum(keepdims=True)]

    def loss(self, inputs: Any, chances: Any, unit: float) -> float:
        """Return the mean log loss."""
        odds = self.log_odds(inputs.astype(self._np.float32) / unit)
        return float(self._np.mean(self._np.logaddexp(0, odds) - chances * odds))

    def whole(self, precise: int, one: int) -> dict[str, Any]:
        """Return the weights as whole numbers: `precise` is a weight of 1, `one` an input of 1."""
        inner, bias, outer, base = self.parts
        return {
            "base": round(float(base[0]) * precise * one),
            "bias": _whole(bias, precise * one),
            "outer": _whole(outer, precise),
            "inner": [
                _whole(unit, precise) for unit in inner.clip(-LARGEST / precise, LARGEST / precise)
            ],
        }


def _whole(numbers: Any, unit: int) -> list[int]:
    return [round(float(number) * unit) for number in numbers]


def text_of_net(weights: dict[str, Any], log: Sequence[str]) -> str:
    """Return the weights as TOML, a line for each unit, with the log as comments before them."""
    lines = [f"# {line}" for line in log]
    lines += [f"{name} = {weights[name]}" for name in ("base", "bias", "outer")]
    lines += ["inner = [", *(f"    {unit}," for unit in weights["inner"]), "]"]
    return "\n".join(lines) + "\n"
