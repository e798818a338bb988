"""The options that these tests add to pytest's own: how many, which seed, on which machine.

`make test` uses the defaults. `pytest --help` lists the options under "Beisitzer".
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, Self

import pytest


def _option(default: Any, words: str, kind: Callable[[str], Any] = int) -> Any:
    """Return a field with what `pytest_addoption` needs: the option's help and its type."""
    return field(default=default, metadata={"help": words, "type": kind})


def _flag(words: str) -> Any:
    return field(default=False, metadata={"help": words, "action": "store_true"})


def _all_or_number(text: str) -> int | None:
    return None if text == "all" else int(text)


@dataclass(frozen=True)
class Options:
    """What the tests were asked for; each field is an option of the same name."""

    crashes: int = _option(20, "how many times a game is ended by kill -9")
    states: int | None = _option(None, "how many states of each power cut are tried (150; 40)")
    bits: int | None = _option(
        250, 'how many bits of each store are flipped, or "all"', _all_or_number
    )
    gigabytes: float = _option(0.0, "how large the large store is, which is else left out", float)
    cuts: int = _option(20, "how many times the machine's plug is pulled")
    joins: int = _option(3, "how many times each Wi-Fi is joined, left and refused")
    seed: int = _option(9, "what the moments of kills and power cuts and the flipped bits follow")
    fuzz: int = _option(6000, "how many lines of junk the companion's socket is sent")
    junk: int = _option(900, "how many junk requests the phones' process is sent")
    slow: int = _option(60, "how many slow connections are open meanwhile")
    storm: int = _option(3000, "how many keys are pressed in the storm on the panel's line")
    club_kills: int = _option(2, "how many times hub, broker and database of a club are killed")
    link_results: int = _option(60, "how many results the tables of an evening send a hub")
    link_tables: int = _option(3, "how many tables that evening has")
    club_people: int = _option(8, "how many people an evening of a club at whole companions has")
    club_rounds: int = _option(2, "how many rounds that evening has: 2 or more than 3")
    club_companions: int = _option(
        2, "how many whole companions play a club's evening through kills"
    )
    play_outs: int = _option(6, "how many games each table's compiled play-outs play")
    calibration: int = _option(40, "how many games the chances are compared with")
    evenings: int = _option(40, "how many evenings of a club are paired")
    golden: str = field(
        default="check",
        metadata={"help": "check the golden files, or write them", "choices": ("check", "write")},
    )
    test_rig: bool = _flag("test the devices of this Pi's settings too")
    phones: bool = _flag("play whole games of every kind on phones and a tablet too")
    machine: bool = _flag("test on a whole Debian in an emulator too")
    card: str = _option("", "the card's image that is tested in an emulator too", str)
    release: str = _option("", "the folder of a version whose wheels are installed too", str)
    installed: str = _option(
        "", "the folder that keeps the installed machine for the next run", str
    )

    screens: str = _option(
        "", "the folder that gets what the machine's screen shows beside the golden pictures", str
    )

    @classmethod
    def of(cls, config: pytest.Config) -> Self:
        """Return what this run of pytest was asked for."""
        return cls(**{each.name: config.getoption(each.name) for each in fields(cls)})


def add_options(parser: pytest.Parser) -> None:
    """Declare every option: `--play-outs` for the field `play_outs`."""
    group = parser.getgroup("beisitzer", "Beisitzer")
    for each in fields(Options):
        words = {**each.metadata}
        if each.default:
            words["help"] += f" ({each.default})"
        group.addoption(f"--{each.name.replace('_', '-')}", default=each.default, **words)
