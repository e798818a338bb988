"""What a player's own page is told: its place at the table, trials without help, its own undo."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pi_app.past.times_tables import tables_of
from pi_app.settings.schema import HelpLevel
from pi_app.table.players import KnownPlayer, save_players
from tests.pi_app.phones.client import Phone, Table, table

TWO = "Anna yellow, Ben red"
TEAMS = "Anna blue, Ben green"
ROW = ("1", "7", "14", "6", "30", "8", "24")
"""Whole: yellow has a row with the last one."""


@contextmanager
def seated(
    tags: dict[str, str], *players: KnownPlayer, language: str = "en"
) -> Iterator[tuple[Table, Phone, Phone]]:
    """Open a table whose two players have a phone each."""
    with table({"Players": TWO, **tags}, language=language) as opened:
        save_players(opened.ctx.store, players)
        with opened.phone("Anna's phone") as anna, opened.phone("Ben's phone") as ben:
            assert anna.sit(seat=0)["ok"]
            assert ben.sit(seat=1)["ok"]
            yield opened, anna, ben


def place(phone: Phone, seat: int) -> dict[str, Any]:
    found: dict[str, Any] = phone.own("seats")["seats"][seat]["place"]
    return found


def trial(phone: Phone, seat: int, **asked: str) -> list[dict[str, Any]]:
    answer = phone.own("hand", seat=seat, **{"cards": "5", **asked})
    assert answer.get("ok"), answer
    options: list[dict[str, Any]] = answer["options"]
    return options


def test_only_ones_own_place_is_told() -> None:
    with seated({"Game": "just4fun"}) as (_, anna, ben):
        assert [seat["place"] is None for seat in anna.own("seats")["seats"]] == [False, True]
        assert [seat["place"] is None for seat in ben.own("seats")["seats"]] == [True, False]


def test_a_place_says_what_was_done_and_what_follows() -> None:
    with seated({"Game": "just4fun"}) as (_, anna, ben):
        assert place(anna, 0)["hold"] == "Tap your 4 cards."
        assert place(anna, 0)["undo"] == ""
        assert anna.play(0, "5+11")["ok"]
        mine, his = place(anna, 0), place(ben, 1)
    assert mine["told"] == ["Anna: stone on 16.", "Anna draws 2 cards."]
    assert (mine["undo"], his["undo"]) == ("5+11 = 16", "")
    assert mine["laid"] == [{"n": 0, "token": "5+11", "cards": ["5", "11"]}]
    assert his["laid"] == [{"n": 0, "token": "5+11", "cards": []}], "by somebody else"
    assert [cell["name"] for cell in mine["picture"]["cells"] if "last" in cell["marks"]] == ["16"]


def test_a_move_keyed_at_the_table_is_told_to_the_phone_whose_seat_it_was() -> None:
    with seated({"Game": "just4fun"}) as (_, anna, ben):
        before = ben.newest["news"]
        ben.keys("9", "ENTER")
        assert place(anna, 0)["laid"] == [{"n": 0, "token": "9", "cards": ["9"]}]
        news = ben.newest["news"]
        assert news > before
        ben.keys("MENU")
        assert ben.newest["news"] == news, "only a position or a seat is news"


def test_a_card_that_lies_already_is_asked_about() -> None:
    with seated({"Game": "just4fun"}) as (_, anna, ben):
        for phone, seat, move in ((anna, 0, "19"), (ben, 1, "1"), (anna, 0, "19"), (ben, 1, "2")):
            phone.play(seat, move)
        assert anna.play(0, "19+3")["ok"]
        told = place(anna, 0)
    assert told["doubts"] == [line for line in told["told"] if "right?" in line]


def test_ones_own_last_move_is_taken_back_while_nobody_has_moved_since() -> None:
    with seated({"Game": "just4fun"}) as (opened, anna, ben):
        assert anna.undo(0)["error"] == "moved"
        assert anna.play(0, "5")["ok"]
        assert ben.undo(1)["error"] == "moved"
        assert ben.undo(0)["error"] == "unclaimed"
        assert anna.undo(0)["ok"]
        assert opened.tokens() == ()
        assert anna.play(0, "5")["ok"]
        assert ben.play(1, "7")["ok"]
        assert anna.undo(0)["error"] == "moved"
        assert ben.undo(1)["ok"]


def test_a_phone_takes_back_moves_but_no_edit_of_the_history() -> None:
    with seated({"Game": "just4fun"}) as (opened, anna, _):
        assert anna.play(0, "5")["ok"]
        # the menu, "Moves", the move, "Change", another card, yes
        anna.keys("MENU", "5", "ENTER", "2", "7", "ENTER", "ENTER")
        assert opened.tokens() == ("7",)
        assert place(anna, 0)["undo"] == ""
        assert anna.undo(0)["error"] == "moved"
        assert opened.tokens() == ("7",)


def test_the_end_is_told_with_who_won_and_can_be_taken_back_by_who_ended_it() -> None:
    with seated({"Game": "just4fun"}) as (_, anna, ben):
        for at, move in enumerate(ROW):
            assert (anna, ben)[at % 2].play(at % 2, move)["ok"] or move == "30"
            if move == "14":
                assert ben.play(1, "6")["ok"]
                assert anna.play(0, "9+10+11")["ok"]
                assert ben.play(1, "8")["ok"]
                assert anna.play(0, "12+12")["ok"]
                break
        assert place(ben, 1)["result"][0] == "Anna wins!"
        assert ben.undo(1)["error"] == "moved"
        assert anna.undo(0)["ok"]
        assert place(anna, 0)["result"] == []
        assert anna.own("seats")["seats"][0]["to_move"]


def test_a_browser_has_two_seats_and_another_may_take_one_over() -> None:
    with table({"Game": "just4fun", "Players": TWO}) as opened, opened.phone("one") as one:
        assert one.sit(seat=0)["ok"]
        both = one.sit(seat=1)["seats"]
        assert [seat["mine"] for seat in both] == [True, True]
        with opened.phone("other") as other:
            assert other.sit(seat=1)["error"] == "claimed"
            news = one.newest["news"]
            assert other.sit(seat=1, over=1)["seats"][1]["mine"]
            assert one.frame(lambda frame: frame["news"] > news)
            assert [seat["mine"] for seat in one.own("seats")["seats"]] == [True, False]
            assert one.play(1, "5")["error"] == "unclaimed"


def test_a_board_of_sequence_lies_as_its_player_sees_it() -> None:
    with seated({"Game": "sequence", "Players": TEAMS}) as (_, anna, ben):
        mine, his = place(anna, 0)["picture"], place(ben, 1)["picture"]
    assert mine["cells"][1]["name"] == his["cells"][-2]["name"]


# --- without help


def test_without_help_just_4_fun_plays_what_is_picked_and_judges_nothing_before() -> None:
    alone = KnownPlayer("Anna", help=HelpLevel.NONE)
    with seated({"Game": "just4fun"}, alone) as (_, anna, _):
        assert trial(anna, 0) == []
        (one,) = trial(anna, 0, picked="18 19")
        assert (one["token"], one["text"]) == ("18+19", "play 18+19")
        assert (one["legal"], one["why"], one["cell"]) == (None, "", "")
        sums, everything = trial(anna, 0, picked="18 19 17 16")
        assert (sums["token"], everything["token"]) == ("16+17+18+19", "x18+19+17+16")
        refused = anna.play(0, "18+19")
        assert (refused["error"], refused["text"]) == ("illegal", "37: too high")


def test_without_help_it_is_offered_only_in_turn() -> None:
    players = KnownPlayer("Anna", help=HelpLevel.NONE), KnownPlayer("Ben", help=HelpLevel.NONE)
    with seated({"Game": "just4fun"}, *players) as (_, _, ben):
        assert trial(ben, 1, picked="5") == []


def test_without_help_sequence_takes_a_card_and_a_square_whether_they_fit_or_not() -> None:
    alone = KnownPlayer("Anna", help=HelpLevel.NONE)
    with seated({"Game": "sequence", "Players": TEAMS}, alone) as (_, anna, _):
        (passing,) = trial(anna, 0, cards="QH 2S")
        assert [passing["token"]] == ["pass:QH,2S"]
        (dead,) = trial(anna, 0, picked="QH")
        assert [dead["token"]] == ["QH!"]
        (there,) = trial(anna, 0, picked="QH", cell="r5c5")
        assert [there["token"]] == ["QH@r5c5"]
        (take,) = trial(anna, 0, picked="JS", cell="r5c5")
        assert [take["token"]] == ["JS-r5c5"]
        assert trial(anna, 0, picked="QH", cell="nowhere") == []
        assert trial(anna, 0, picked="QH 2S") == []
        assert anna.play(0, "QH!")["error"] == "illegal"


def test_without_help_einmaleins_asks_for_the_task_where_two_fit_and_tells_no_more() -> None:
    alone = KnownPlayer("Anna", help=HelpLevel.NONE)
    with seated({"Game": "einmaleins", "Open": "24"}, alone) as (_, anna, _):
        (draw,) = trial(anna, 0)
        assert [draw["token"]] == ["d"]
        two = trial(anna, 0, picked="12")
        assert {option["text"] for option in two} == {"play 12"}
        assert [option["then"] for option in two] == ["2×6", "3×4"]
        (no,) = trial(anna, 0, picked="35")
        assert (no["text"], no["then"]) == ("play 35", "")
        assert anna.play(0, no["token"])["error"] == "illegal"
        (free, *_) = trial(anna, 0, picked="*", cell="18")
        assert free["token"].startswith("*18=")
        assert trial(anna, 0, picked="*") == []
        assert trial(anna, 0, picked="13") == []


def test_who_says_the_task_has_a_second_try_on_the_phone_and_the_first_one_counts() -> None:
    child = KnownPlayer("Anna", help=HelpLevel.NONE, says=True)
    with seated({"Game": "einmaleins", "Open": "24"}, child) as (opened, anna, ben):
        round_of(anna, ben)
        (option,) = trial(anna, 0, picked="12")
        assert (option["token"], option["then"]) == ("12=", "")
        wrong = anna.play(0, option["token"] + "3x5")
        assert wrong["text"] == "3×5 is not 12. Try once more."
        again = anna.play(0, "12=3x5", n=anna.n)
        assert again["text"] == wrong["text"], "a request that is repeated is no second try"
        assert anna.play(0, "12=11x1")["text"] == "Tasks go from 1×1 to 10×10."
        assert anna.play(0, "12=3x4")["ok"]
        assert opened.tokens()[2:] == ("12=3x4",)
        known = tables_of(opened.ctx.store, "Anna").tasks
    assert {(3, 5), (3, 4)} <= set(known)


def round_of(anna: Phone, ben: Phone) -> None:
    """Let both draw: a level of help counts from the next turn on."""
    assert anna.play(0, "d")["ok"]
    assert ben.play(1, "d")["ok"]


def test_after_two_wrong_tasks_the_phone_is_told_the_right_one() -> None:
    child = KnownPlayer("Anna", help=HelpLevel.NONE, says=True)
    with seated({"Game": "einmaleins", "Open": "24"}, child, language="de") as (_, anna, ben):
        round_of(anna, ben)
        anna.play(0, "12=3x5")
        assert "3×4" in anna.play(0, "12=3x3")["text"]
        assert anna.play(0, "12=3x4")["ok"]


@pytest.mark.parametrize("level", [HelpLevel.NONE, HelpLevel.LEGAL])
def test_a_roll_of_numeri_tells_what_can_be_done_with_it_at_every_level(level: HelpLevel) -> None:
    player = KnownPlayer("Anna", help=level)
    with seated({"Game": "numeri"}, player) as (_, anna, _):
        asked = anna.own("hand", seat=0, cards="4", picked="4")
        (option,) = asked["options"]
        assert option["text"] == "stone 4 from the start to field 1"
        assert option["uses"] == ["4"]
        assert anna.own("hand", seat=0, cards="7")["error"] == "cards"
        assert anna.play(0, option["token"])["ok"]
