"""Whole companions with their links play rounds of a club's evening."""

from __future__ import annotations

import json
import random
from pathlib import Path

from tests.club.companions import RealCompanion
from tests.club.parts import Club, wait_for


def test_a_round_goes_from_the_hub_to_the_screen_and_its_result_back(
    club: Club, tmp_path: Path
) -> None:
    club.people(tmp_path, 4)
    table = RealCompanion(tmp_path / "a", json.loads(club.do("add-table"))).start()
    chance = random.Random(1)
    try:
        club.do("evening", "--game", "just4fun", "--mode", "tables", "--rules", "rounds=1")
        for number in (1, 2):
            club.do("pair")
            wait_for(table.take_offer, f"round {number} on the screen")
            while table.move(chance):
                pass
            wait_for(lambda number=number: len(club.counted()) == number, "the result")  # type: ignore[misc]
    finally:
        table.end()
    assert {each["table"] for each in club.counted()} == {table.id}
