"""The plug is pulled while people key: what was shown is there after the next boot."""

import random

import pytest

from tests.machine.conftest import Installed, Workshop
from tests.machine.hand import Hand
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import NAMES, Figures, begin, keys, on_disk, random_moves
from tests.options import Options

TABLES = 2
"""The cuts are shared among so many games, each on a disk of its own, side by side."""
AT_ONCE = 3
LONGEST_S = 0.1
"""So long after a key the plug is pulled at most: a fast machine has played three moves soon."""


class Cuts:
    """A game that goes on over cuts: what was keyed, what was shown, what is stored."""

    def __init__(self, workshop: Workshop, installed: Installed, table: int, seed: int) -> None:
        folder = workshop.folder / f"power-{table}"
        self.workshop = workshop
        self.disk = copy_disk(installed.disk, folder)
        self.games = copy_disk(installed.games, folder / "store")
        self.chance = random.Random(seed * 100 + table)
        self.moves: tuple[str, ...] = ()
        self.keyed = self.stored = 0
        self.shown = self.amid = 0

    def boot(self, hand: Hand) -> Machine:
        """Boot the machine, and wait for what its disk has to be on the panel."""
        machine = Machine(self.workshop.image, self.disk, games=self.games, panel=hand)
        if self.moves:
            hand.sees_turn(NAMES[self.stored % 2], timeout_s=900)
        else:
            hand.shows("Just 4 Fun", timeout_s=900)
        return machine

    def begin(self, machine: Machine, hand: Hand) -> None:
        """Lay out a new game, for a number of moves nobody knows before."""
        self.moves = random_moves(self.chance.randrange(1000))
        self.keyed = self.stored = 0
        begin(machine, hand)

    def cut(self, machine: Machine, hand: Hand) -> None:
        """Key a few moves, pull the plug at a moment of chance, and hold the disk to the panel."""
        if self.keyed + AT_ONCE > len(self.moves) - 1:
            self.begin(machine, hand)
        batch = self.moves[self.keyed : self.keyed + AT_ONCE]
        self.keyed += len(batch)
        before = len(hand.lines)
        hand.press(" ".join(map(keys, batch)))
        # some of the keys have come through, however slow the machine is, and then a moment more
        some = self.chance.randrange(sum(len(keys(move)) for move in batch))
        hand.wait_for(lambda lines: len(_beeps(lines[before:])) >= some, 300)
        hand.wait_for(lambda _: False, self.chance.uniform(0, LONGEST_S))
        shown = self.stored + max(0, len(hand.turns(NAMES)) - 1)
        machine.kill()
        (copy := self.disk.parent / "copy").write_bytes(self.games.read_bytes())
        stored = on_disk(copy, self.disk.parent / "read")
        assert stored == self.moves[: len(stored)]
        assert shown <= len(stored) <= self.keyed, (shown, stored, self.moves[: self.keyed])
        self.shown += shown - self.stored
        self.amid += shown < self.keyed
        self.keyed = self.stored = len(stored)


def _beeps(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("BEEP")]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Share the cuts among the tables."""
    if "table" in metafunc.fixturenames:
        metafunc.parametrize("table", range(min(TABLES, Options.of(metafunc.config).cuts)))


def test_what_was_shown_is_there_after_every_power_cut(
    workshop: Workshop, installed: Installed, figures: Figures, table: int, options: Options
) -> None:
    cuts = Cuts(workshop, installed, table, options.seed)
    count = len(range(table, options.cuts, TABLES))
    for cut in range(count + 1):
        with Hand(cuts.disk.parent / f"hand-{cut}") as hand:
            machine = cuts.boot(hand)
            try:
                if cut == 0:
                    figures.start(machine, "with a panel")
                if cut < count:
                    cuts.cut(machine, hand)
            finally:
                machine.kill()
    figures.note(
        f"{count} power cuts with a boot after each, {cuts.amid} while moves were on their way,"
        f" {cuts.shown} moves shown before a cut, none lost"
    )
    assert cuts.amid > count // 4, "the cuts come too late to prove anything"
