"""A game that goes on over power cuts: what was keyed, what was shown, what the disk has."""

import random
from collections.abc import Callable

from tests.machine.machine import Machine
from tests.machine.table import NAMES, begin, keys, random_moves
from tests.players.panel import Hand

AT_ONCE = 3
LONGEST_S = 0.1
"""So long after a key the plug is pulled at most: a fast machine has played three moves soon."""


class Cuts:
    """A game that goes on over cuts: what was keyed, what was shown, what is stored."""

    def __init__(
        self,
        start: Callable[[Hand], Machine],
        read: Callable[[], tuple[str, ...]],
        chance: random.Random,
    ) -> None:
        """Take how to start the machine, and how to read the moves on its disk once it is off."""
        self.start = start
        self.read = read
        self.chance = chance
        self.moves: tuple[str, ...] = ()
        self.keyed = self.stored = 0
        self.shown = self.amid = 0

    def boot(self, hand: Hand) -> Machine:
        """Boot the machine, and wait for what its disk has to be on the panel."""
        machine = self.start(hand)
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
        stored = self.read()
        assert stored == self.moves[: len(stored)]
        assert shown <= len(stored) <= self.keyed, (shown, stored, self.moves[: self.keyed])
        self.shown += shown - self.stored
        self.amid += shown < self.keyed
        self.keyed = self.stored = len(stored)


def _beeps(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("BEEP")]
