"""The checks that all games share on players, start and house rules."""

from collections.abc import Mapping

import pytest

from engines.game import HouseRule, Player, Setup
from engines.notation import Fault
from engines.seating import check_table

COLOURS = ("yellow", "red", "green")
RULES = (HouseRule("rounds", "0", least=1), HouseRule("secured", "open", ("open", "closed")))


def check(
    *seats: str, start: int = 0, rules: Mapping[str, str] | None = None, teams: bool = False
) -> None:
    players = tuple(Player(*seat.rsplit(" ", 1)) for seat in seats)
    setup = Setup(players, start, rules=rules or {})
    check_table(setup, COLOURS, {2, 3}, RULES, teams=teams)


def test_a_table_that_fits_passes() -> None:
    check("Anna yellow", "Ben red", start=1, rules={"rounds": "3", "secured": "closed"})


@pytest.mark.parametrize(
    ("seats", "start", "rules", "tag"),
    [
        (("Anna yellow",), 0, {}, "Players"),
        (("Anna yellow", "Ben blue"), 0, {}, "Players"),
        (("Anna yellow", "Anna red"), 0, {}, "Players"),
        (("Anna yellow", "Ben yellow"), 0, {}, "Players"),
        (("Anna yellow", "Ben red"), 2, {}, "Start"),
        (("Anna yellow", "Ben red"), -1, {}, "Start"),
        (("Anna yellow", "Ben red"), 0, {"lucky": "yes"}, "Rules"),
        (("Anna yellow", "Ben red"), 0, {"rounds": "0"}, "Rules"),
        (("Anna yellow", "Ben red"), 0, {"secured": "maybe"}, "Rules"),
    ],
)
def test_a_contradiction_names_its_tag(
    seats: tuple[str, ...], start: int, rules: Mapping[str, str], tag: str
) -> None:
    with pytest.raises(Fault) as caught:
        check(*seats, start=start, rules=rules)
    assert caught.value.place == tag


def test_teams_share_a_colour_but_no_name() -> None:
    check("Anna yellow", "Ben yellow", teams=True)
    with pytest.raises(Fault):
        check("Anna yellow", "Anna yellow", teams=True)
