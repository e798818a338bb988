"""Rounds, results and standings as text for other programs."""

from collections.abc import Iterable, Sequence

from club.pairing.exports import (
    results_table,
    round_json,
    round_table,
    standings_json,
    standings_table,
)
from club.pairing.model import Round, Scored, Seating, TableResult
from club.pairing.standings import standings

RESULT = TableResult(1, "numeri", (Scored("p1", 1, 9), Scored("p2", 1, 9), Scored("p3", 3)))
NAMES = {"p1": "Anna", "p2": '=HYPERLINK("x")', "p3": "Meier, Ben"}


def rows(table: tuple[Sequence[str], Iterable[Sequence[object]]]) -> list[dict[str, object]]:
    heading, cells = table
    return [dict(zip(heading, row, strict=True)) for row in cells]


def test_a_round_has_the_contracts_form() -> None:
    paired = Round(3, (Seating(("p17", "p2")),), ("p3",))
    seats = [{"seat": 1, "p": "p17", "team": 1}, {"seat": 2, "p": "p2", "team": 2}]
    assert round_json(paired) == {
        "round": 3,
        "rev": 1,
        "tables": [{"table": None, "seats": seats}],
        "byes": ["p3"],
    }


def test_standings_have_the_contracts_form_and_exact_numbers() -> None:
    assert standings_json(standings([], [RESULT]))[:1] == [
        {"p": "p2", "points": 4, "wins": 1, "rank": 1, "decided_by": "first_moves"}
    ]


def test_tables_have_a_row_each() -> None:
    (line, *_) = rows(standings_table(standings([], [RESULT]), NAMES))
    assert line["name"] == NAMES["p2"]
    seats = rows(results_table([RESULT], NAMES))
    assert [
        (seat["seat"], seat["rank"], seat["points"], seat["evening_points"]) for seat in seats
    ] == [
        (1, 1, 9, 4),
        (2, 1, 9, 4),
        (3, 3, None, 1),
    ]
    assert seats[2]["name"] == "Meier, Ben"


def test_a_round_for_the_wall_names_tables_and_who_sits_out() -> None:
    paired = Round(2, (Seating(("p1", "p2")), Seating(("p4", "p5"))), ("p3",))
    seats = rows(round_table(paired, NAMES, ["By the door"]))
    assert [(seat["table"], seat["seat"], seat["p"]) for seat in seats] == [
        ("By the door", 1, "p1"),
        ("By the door", 2, "p2"),
        (2, 1, "p4"),
        (2, 2, "p5"),
        ("", "", "p3"),
    ]
