"""The card of a table that has joined is copied, and both go into a machine: each side names it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.club.companions import RealCompanion
from tests.club.parts import Club
from tests.stand_ins.waiting import wait_for

LONGEST_S = 600.0
"""The links take each other's place many times before they are sure."""


@pytest.mark.nightly
@pytest.mark.timeout(1800)
def test_a_copied_card_is_named_at_the_table_and_by_the_hub(club: Club, tmp_path: Path) -> None:
    access = json.loads(club.do("add-table"))
    first = RealCompanion(tmp_path / "a", access, "board-a").start()
    try:
        wait_for(lambda: json.loads(club.do("tables", "--json"))[0]["online"], "the first one")
        first.kill()
        (tmp_path / "b").mkdir()
        shutil.copy(first.store, tmp_path / "b" / "games.db")
        second = RealCompanion(tmp_path / "b", access, "board-b").start()
        first.start()
        try:
            wait_for(
                lambda: "the same card is in two machines" in first.link_log() + second.link_log(),
                "that one of the links names it",
                LONGEST_S,
            )
            wait_for(
                lambda: first.shows("in two machines") or second.shows("in two machines"),
                "that its table shows it",
                LONGEST_S,
            )
            wait_for(
                lambda: json.loads(club.do("tables", "--json"))[0]["doubt"],
                "that the hub names it",
                LONGEST_S,
            )
        finally:
            second.end()
    finally:
        first.end()
