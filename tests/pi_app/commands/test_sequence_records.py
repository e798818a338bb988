"""`beisitzer check` and `legal` on records of Sequence."""

import pytest

from tests.pi_app.commands.called import lines, run

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


UNNAMED = """[Game "sequence"]
[Players "Anna blue, Ben green"]
[Rules "one_eyed_breaks=yes"]
[Position "green r5c3 r5c4 r5c5 r5c6 r5c7 r9c2-r9c6 r9c7"]

{moves}
"""


def remark(*squares: str, team: str = "green") -> dict[str, object]:
    return {"remark": "unnamed-five", "team": team, "squares": list(squares)}


ROW_5 = ("r5c3", "r5c4", "r5c5", "r5c6", "r5c7")
ROW_9 = ("r9c3", "r9c4", "r9c5", "r9c6", "r9c7")


@pytest.mark.parametrize(
    ("moves", "remarks"),
    [
        ("2S@r1c2", [[remark(*ROW_5)], None]),
        ("<green r5c3-r5c7>", [[remark(*ROW_5)], None]),
        ("<green r5c3-r5c6>", [[remark(*ROW_5)], None]),
        (
            "<green r1c2> <green r5c3 r5c4 r5c5 r5c6 r5c7>",
            [[remark(*ROW_5)], None, [remark(*ROW_5)]],
        ),
        ("JS-r9c2", [[remark(*ROW_5)], [remark(*ROW_9)]]),
        ("JS-r9c7", [[remark(*ROW_5)], None]),
        (
            "<blue r1c2 r1c3 r1c4 r1c5>",
            [[remark(*ROW_5)], [remark("r1c1", "r1c2", "r1c3", "r1c4", "r1c5", team="blue")]],
        ),
    ],
)
def test_check_remarks_where_five_in_a_line_begin_to_count_nothing(
    moves: str, remarks: list[object]
) -> None:
    record = UNNAMED.format(moves=moves)
    said = lines(run("check", "-", "--json", text=record))
    assert [line.get("remarks") for line in said[:-1]] == remarks


def test_a_remark_is_a_sentence_and_no_violation() -> None:
    result = run("check", "-", "--lang", "en", text=UNNAMED.format(moves="JS-r9c2"))
    assert result.exit_code == 0
    first, move = result.stdout.splitlines()[1:3]
    assert first == "Green: five in a line, 5-3 to 5-7, count nothing: nobody named a sequence."
    assert move.endswith(
        "Green: five in a line, 9-3 to 9-7, count nothing: nobody named a sequence."
    )
