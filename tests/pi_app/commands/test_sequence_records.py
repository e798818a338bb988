"""`beisitzer check` and `legal` on records of Sequence."""

import pytest

from tests.pi_app.commands.called import lines, refused, run

TAGS = """[Game "sequence"]
[Players "Anna blue, Ben green"]
[Position "blue r3c3 r7c7; green r2c8 r2c9"]
"""


def test_check_reports_each_violation_and_goes_on_from_the_same_position() -> None:
    result = run("check", "-", "--json", text=TAGS + "QH@r2c8 QH! 10H@r7c6~ JS-r3c3\n")
    assert result.exit_code == 1
    said = lines(result)
    assert [move.get("violation") for move in said[1:-1]] == ["square-taken", None, None, None]
    assert said[3]["events"] == [
        {"event": "placed", "square": "r7c6"},
        {"event": "no-draw", "player": "Anna"},
    ]
    assert said[-1] == {"to_move": "Anna", "result": None}


@pytest.mark.parametrize(
    ("hand", "moves"),
    [
        ("JH,QH,7S,7S", ["JH-r2c8", "JH-r2c9", "QH!", "7S@r1c7", "7S@r9c2"]),
        ("10H", ["10H@r7c6"]),
    ],
)
def test_legal_lists_the_moves_of_a_hand_in_its_order(hand: str, moves: list[str]) -> None:
    result = run("legal", "-", "--hand", hand, "--json", text=TAGS)
    assert result.exit_code == 0
    assert lines(result) == [{"player": "Anna", "moves": moves}]


def test_a_hand_without_a_move_is_shown_with_a_pass() -> None:
    nothing = TAGS.replace("; green r2c8 r2c9", "")
    shown = lines(run("legal", "-", "--hand", "JS,JH", "--json", text=nothing))
    assert shown == [{"player": "Anna", "moves": ["pass:JS,JH"]}]


@pytest.mark.parametrize("hand", ["QX", "7S,7S,7S", ""])
def test_an_impossible_or_missing_hand_is_status_two(hand: str) -> None:
    refused("legal", "-", "--hand", hand, text=TAGS)
