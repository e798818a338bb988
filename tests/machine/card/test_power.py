"""The plug is pulled at the first start and in play: the card boots again, and no move is lost."""

import random
from contextlib import suppress
from pathlib import Path

from tests.machine.card.card import Card, copy_card, cut_out, set_up
from tests.machine.card.conftest import Image
from tests.machine.cuts import Cuts
from tests.machine.machine import Machine
from tests.machine.table import RUNS, Figures, on_disk
from tests.options import Options
from tests.players.panel import Hand

LONGEST_BOOT_S = 40


def test_a_cut_at_any_moment_of_the_first_start_is_made_good_by_the_next(
    image: Image, free: Path, figures: Figures, options: Options
) -> None:
    chance = random.Random(options.seed)
    copy = set_up(copy_card(image.card, free))
    moments = [chance.uniform(1, LONGEST_BOOT_S) for _ in range(options.cuts)]
    for moment in moments:
        with suppress(TimeoutError):  # it was not up yet
            Card(copy, image.boot, boot_s=moment).kill()
    with Card(copy, image.boot) as card:
        card.wait_for(RUNS, 900)
        card.wait_for("test $(df -m --output=size /data | tail -1) -gt 1500")
        assert card.ok("systemctl --failed --no-legend --plain") == ""
    figures.note(f"{len(moments)} power cuts in the first {LONGEST_BOOT_S} s, then it plays")


def test_what_was_shown_is_on_the_card_after_every_power_cut(
    image: Image, free: Path, figures: Figures, options: Options
) -> None:
    copy = set_up(copy_card(image.card, free))

    def start(hand: Hand) -> Machine:
        return Card(copy, image.boot, panel=hand)

    def read() -> tuple[str, ...]:
        cut_out(copy, 2, free / "data")
        return on_disk(free / "data", free / "read", "/state")

    cuts = Cuts(start, read, random.Random(options.seed))
    for cut in range(options.cuts + 1):
        with Hand(free / f"hand-{cut}") as hand:
            machine = cuts.boot(hand)
            try:
                if cut < options.cuts:
                    cuts.cut(machine, hand)
            finally:
                machine.kill()
    figures.note(
        f"{options.cuts} power cuts of the card, {cuts.amid} while moves were on their way,"
        f" {cuts.shown} moves shown before a cut, none lost"
    )
