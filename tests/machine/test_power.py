"""The plug is pulled while people key: what was shown is there after the next boot."""

import os
import random
from pathlib import Path

from tests.machine.conftest import Installed, Workshop
from tests.machine.hand import Hand
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import NAMES, Figures, begin, course, keys, on_disk

CUTS = int(os.environ.get("BEISITZER_CUTS", "20"))
SEED = int(os.environ.get("BEISITZER_SEED", "21"))
BOOT_EVERY = 5
"""Of so many cuts one kills the machine; the others copy its disk at a moment it is halted."""
AT_ONCE = 3
LONGEST_S = 2.0


class Cuts:
    """A game that goes on over cuts: what was keyed, what was shown, what is stored."""

    def __init__(self, workshop: Workshop, installed: Installed) -> None:
        self.workshop = workshop
        self.disk = copy_disk(installed.disk, workshop.folder / "power")
        self.games = copy_disk(installed.games, workshop.folder / "power" / "store")
        self.chance = random.Random(SEED)
        self.seed = SEED
        self.moves: tuple[str, ...] = ()
        self.keyed = self.before = 0
        self.shown = self.lost = self.amid = self.boots = 0

    def boot(self, hand: Hand) -> Machine:
        machine = Machine(self.workshop.image, self.disk, games=self.games, panel=hand)
        hand.shows("Just 4 Fun" if not self.moves else NAMES[self.before % 2], timeout_s=900)
        return machine

    def seen(self, hand: Hand) -> int:
        """Return how many moves the panel has shown as counted, by whose turn it showed."""
        return self.before + max(0, len(hand.turns(NAMES)) - 1)

    def compare(self, disk: Path, shown: int) -> int:
        """Hold what a disk has after a cut to what was shown; return how many moves it has."""
        stored = on_disk(disk, self.disk.parent / "read")
        assert stored == self.moves[: len(stored)]
        assert shown <= len(stored) <= self.keyed, (shown, stored, self.moves[: self.keyed])
        self.amid += shown < self.keyed
        return len(stored)

    def key(self, hand: Hand) -> None:
        """Key a few moves at once, and wait for a moment of chance while they are on their way."""
        batch = self.moves[self.keyed : self.keyed + AT_ONCE]
        self.keyed += len(batch)
        hand.press(" ".join(map(keys, batch)))
        wait = self.chance.uniform(0, LONGEST_S)
        hand.wait_for(lambda _: False, wait)

    def run(self, machine: Machine, hand: Hand, cuts: int) -> None:
        """Cut so many times while the machine goes on, then once more for good."""
        for cut in range(cuts):
            if self.keyed + AT_ONCE > len(self.moves) - 1:
                self.seed += 1
                self.moves = course(self.seed)
                self.keyed = self.before = 0
                begin(machine, hand)
            self.key(hand)
            shown = self.seen(hand)
            if cut == cuts - 1:
                machine.kill()
                self.boots += 1
                copy = self.disk.parent / "copy"
                copy.write_bytes(self.games.read_bytes())
            else:
                copy = self.disk.parent / "copy"
                machine.cut(self.games, copy)
            self.shown += shown - self.before
            stored = self.compare(copy, shown)
            if cut == cuts - 1:
                self.before = self.keyed = stored
                return
            hand.shows(NAMES[self.keyed % 2])
            good = hand.wait_for(lambda _: self.seen(hand) >= self.keyed, 120)
            assert good, (self.seen(hand), self.keyed, hand.rows())
            self.before = self.keyed
            hand.lines[:] = [f"TEXT {number} {row}" for number, row in enumerate(hand.rows())]


def test_what_was_shown_is_there_after_every_power_cut(
    workshop: Workshop, installed: Installed, figures: Figures
) -> None:
    cuts = Cuts(workshop, installed)
    left = CUTS
    first = True
    while left or not first:
        with Hand(cuts.disk.parent / f"hand-{left}") as hand:
            machine = cuts.boot(hand)
            try:
                if first:
                    figures.start(machine, "with a panel")
                first = False
                if not left:
                    machine.wait_for("systemctl is-active beisitzer")
                    break
                now = min(left, BOOT_EVERY)
                cuts.run(machine, hand, now)
                left -= now
            finally:
                machine.kill()
    figures.note(
        f"{CUTS} power cuts, {cuts.boots} of them with a boot, {cuts.amid} while moves were on"
        f" their way, {cuts.shown} moves shown before a cut, none lost"
    )
    assert cuts.amid > CUTS // 4, "the cuts come too late to prove anything"
