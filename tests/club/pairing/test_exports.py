"""Rounds and standings as text for other programs."""

from club.pairing.exports import round_json, standings_json
from club.pairing.model import Scored, TableResult
from club.pairing.standings import standings

RESULT = TableResult(1, "numeri", (Scored("p1", 1), Scored("p2", 1), Scored("p3", 3)))


def test_a_round_has_the_contracts_form() -> None:
    seats = [{"seat": 1, "p": "p17", "team": 1}, {"seat": 2, "p": "p2", "team": 2}]
    assert round_json(3, [(None, "", ("p17", "p2"))], ("p3",)) == {
        "round": 3,
        "rev": 1,
        "tables": [{"table": None, "seats": seats}],
        "byes": ["p3"],
    }


def test_standings_have_the_contracts_form_and_exact_numbers() -> None:
    assert standings_json(standings([], [RESULT]))[:1] == [
        {"p": "p2", "points": 4, "wins": 1, "rank": 1, "decided_by": "first_moves", "games": 1}
    ]
