"""The plug is pulled while people key: what was shown is there after the next boot."""

import random

import pytest

from tests.machine.conftest import Installed, Workshop
from tests.machine.cuts import Cuts
from tests.machine.machine import Machine, copy_disk
from tests.machine.table import Figures, on_disk
from tests.options import Options
from tests.players.panel import Hand

TABLES = 2
"""The cuts are shared among so many games, each on a disk of its own, side by side."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Share the cuts among the tables."""
    if "table" in metafunc.fixturenames:
        metafunc.parametrize("table", range(TABLES))


def test_what_was_shown_is_there_after_every_power_cut(
    workshop: Workshop, installed: Installed, figures: Figures, table: int, options: Options
) -> None:
    folder = workshop.folder / f"power-{table}"
    disk = copy_disk(installed.disk, folder)
    games = copy_disk(installed.games, folder / "store")

    def start(hand: Hand) -> Machine:
        return Machine(workshop.image, disk, games=games, panel=hand)

    def read() -> tuple[str, ...]:
        (folder / "copy").write_bytes(games.read_bytes())
        return on_disk(folder / "copy", folder / "read")

    cuts = Cuts(start, read, random.Random(options.seed * 100 + table))
    count = len(range(table, options.cuts, TABLES))
    for cut in range(count + 1):
        with Hand(folder / f"hand-{cut}") as hand:
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
