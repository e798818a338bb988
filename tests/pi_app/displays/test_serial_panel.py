"""A Frame in four rows of twenty characters, and the lamps of the die buttons."""

import pytest

from hardware.keys import Key
from hardware.serial_panel import BeepKind
from pi_app.displays.serial_panel import beep_of, lamp_colours
from pi_app.displays.text import text_rows
from pi_app.view.frame import Alert, Body, Choices, Entry, Frame, Header, KeySet, Signal, Tone, soft
from tests.pi_app.pilot import Pilot

KEYS = soft((Key.ENTER, "ok"), (Key.BACK, "back"), (Key.MENU, "menu"))


def test_title_entry_verdict_and_keys() -> None:
    frame = Frame(
        Header("Anna", corner="yellow"), Body(entry=Entry("5*11*13", "29 blocked: Ben leads by 2"))
    )
    assert text_rows(frame, 20, 4) == [
        "Anna          yellow",
        "5*11*13",
        "29 blocked: Ben",
        "leads by 2",
    ]
    frame = Frame(Header("Anna"), Body(entry=Entry("5*11", "16 free", Tone.GOOD)), keys=KEYS)
    assert text_rows(frame, 20, 4) == [
        "Anna                ",
        "5*11 16 free",
        "",
        "#:ok C:back D:menu",
    ]


@pytest.mark.parametrize(
    ("corner", "score", "expected"),
    [
        ("yellow", "12:3", "Anna     yellow 12:3"),
        ("0:1/2", "0:1/2", "Anna           0:1/2"),
        ("yellow", "12:3:44:100", "Anna          yellow"),
    ],
    ids=["both", "said once", "no room"],
)
def test_the_score_stands_beside_the_colour_where_both_fit(
    corner: str, score: str, expected: str
) -> None:
    assert text_rows(Frame(Header("Anna", corner=corner, score=score)), 20, 4)[0] == expected


def test_colour_is_not_the_only_sign_of_a_refusal() -> None:
    frame = Frame(Header("Anna"), Body(entry=Entry("5", "5 blocked", Tone.BAD)))
    assert text_rows(frame, 20, 4)[1] == "5 ! 5 blocked"
    assert text_rows(Frame(Header("Anna"), alert=Alert("No.")), 20, 4)[1] == "! No."


def test_an_entry_of_which_nothing_is_keyed_yet_takes_no_row() -> None:
    frame = Frame(Header("Anna"), Body(entry=Entry(""), lines=("Key a card.",)))
    assert text_rows(frame, 20, 4)[1] == "Key a card."


def test_an_alert_covers_everything_but_the_title() -> None:
    frame = Frame(
        Header("A"),
        Body(entry=Entry("5"), lines=("x",)),
        alert=Alert("one two three four five six"),
    )
    assert text_rows(frame, 20, 4)[1:] == ["! one two three four", "five six"]


def test_the_chosen_item_is_always_in_sight_with_a_pointer() -> None:
    items = tuple("abcdefg")
    for selected in range(len(items)):
        rows = text_rows(Frame(Header("T"), Body(choices=Choices(items, selected))), 20, 4)
        assert len(rows) == 4
        assert [row for row in rows if row.startswith("▶")] == [
            f"▶{selected + 1} {items[selected]}"
        ]


def test_a_question_stays_above_its_choices() -> None:
    frame = Frame(Header("T"), Body(lines=("Really?",), choices=Choices(("yes", "no"), 1)))
    assert text_rows(frame, 20, 4)[1:] == ["Really?", " 1 yes", "▶2 no"]
    assert text_rows(frame, 16, 4)[1:] == ["Really?", " yes", "▶no"]  # no room to spare


def test_what_cannot_be_chosen_has_a_dash() -> None:
    frame = Frame(Header("T"), Body(choices=Choices(("yes", "no"), greyed=frozenset({0}))))
    assert text_rows(frame, 20, 4)[1:3] == ["-1 yes", " 2 no"]


def test_an_arrow_says_that_more_follows() -> None:
    lines = tuple(f"line {number}" for number in range(6))
    assert text_rows(Frame(Header("T"), Body(lines=lines)), 20, 4)[3] == "line 2             ▼"
    last = text_rows(Frame(Header("T"), Body(lines=lines, top=3)), 20, 4)[1:]
    assert [row.rstrip() for row in last] == ["line 3             ▲", "line 4", "line 5"]


@pytest.mark.parametrize("rows", range(6))
@pytest.mark.parametrize("columns", [0, 1, 7, 20, 40])
def test_no_panel_gets_more_than_it_has(columns: int, rows: int) -> None:
    frames = [
        Frame(
            Header("A long title indeed", corner="corner"), Body(big="wins!", lines=("word " * 30,))
        ),
        Frame(Header("T"), Body(entry=Entry("1*2*3*4*5*6*7*8*9*10*11", "verdict " * 9, Tone.BAD))),
        Frame(
            Header("T"), Body(lines=("a", "b", "c"), choices=Choices(("one", "two", "three"), 2))
        ),
        Frame(Header("T"), alert=Alert("word " * 30)),
        Frame(Header("T"), Body(choices=Choices(()))),
        Frame(Header(""), keys=KEYS),
    ]
    for frame in frames:
        shown = text_rows(frame, columns, rows)
        assert len(shown) <= rows
        assert all(len(row) <= columns for row in shown)


def test_lamps_shine_in_the_players_colour_where_a_die_button_means_something() -> None:
    frame = Frame(Header("Anna", colour="red"), keys=KeySet(dice=(4,)))
    assert lamp_colours(frame, 6) == [0, 0, 0, 0xFF0000, 0, 0]
    assert lamp_colours(Frame(Header("Anna"), keys=KEYS), 6) == [0] * 6
    assert lamp_colours(frame, 0) == []


def test_numeri_lights_all_dice_until_one_is_rolled_that_needs_a_choice() -> None:
    pilot = Pilot.game("numeri", Position="yellow 6@38; red 1@1")
    assert lamp_colours(pilot.frame, 6).count(0) == 0
    assert pilot.key("d6").keys.dice == (6,)


@pytest.mark.parametrize("signal", list(Signal))
def test_every_signal_has_a_beep(signal: Signal) -> None:
    assert beep_of(signal) in BeepKind
