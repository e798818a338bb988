"""The options that these tests add to pytest's own: how thorough, which seed, on which machine.

`make test` uses the defaults. `pytest --help` lists the options under "Beisitzer".
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, Self

import pytest


def _option(default: Any, words: str, kind: Callable[[str], Any] = int) -> Any:
    """Return a field with what `pytest_addoption` needs: the option's help and its type."""
    return field(default=default, metadata={"help": words, "type": kind})


@dataclass(frozen=True)
class Options:
    """What the tests were asked for; each field is an option of the same name."""

    times: int = _option(1, "how many times as many kills, cuts, bits, games and junk as usual")
    seed: int = _option(9, "what the moments of kills and power cuts and the flipped bits follow")
    golden: str = field(
        default="check",
        metadata={"help": "check the golden files, or write them", "choices": ("check", "write")},
    )
    test_rig: bool = field(
        default=False,
        metadata={"help": "test the devices of this Pi's settings too", "action": "store_true"},
    )
    card: str = _option("", "the card's image that is tested instead of the newest in dist/", str)
    installed: str = _option(
        "", "the folder that keeps the installed machine for the next run", str
    )
    screens: str = _option(
        "", "the folder that gets what the machine's screen shows beside the golden pictures", str
    )

    @property
    def cuts(self) -> int:
        """How many times the plug of a machine or a card is pulled."""
        return 20 * self.times

    @classmethod
    def of(cls, config: pytest.Config) -> Self:
        """Return what this run of pytest was asked for."""
        return cls(**{each.name: config.getoption(each.name) for each in fields(cls)})


def add_options(parser: pytest.Parser) -> None:
    """Declare every option: `--test-rig` for the field `test_rig`."""
    group = parser.getgroup("beisitzer", "Beisitzer")
    for each in fields(Options):
        words = {**each.metadata}
        if each.default:
            words["help"] += f" ({each.default})"
        group.addoption(f"--{each.name.replace('_', '-')}", default=each.default, **words)
