"""The companion's cards: keyed one by one, blank at once, asked for again, corrected."""

import json

import pytest

from hardware.keys import Key
from pi_app.screens import chair_turn
from pi_app.screens.chair import ChairHand
from pi_app.screens.chair_cards import ChairCardsScreen
from pi_app.screens.playing.turn import TurnScreen
from pi_app.store.store import Store
from pi_app.table.players import Chairs
from pi_app.view.frame import Entry, Frame, Tone
from tests.pi_app.desk import Desk
from tests.pi_app.whole.test_empty_chair import holding

TAGS = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}


@pytest.fixture(autouse=True)
def little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chair_turn, "EFFORT_S", 0.001)


def just4fun(language: str = "en", **tags: str) -> Desk:
    """Return a desk of Just 4 Fun with the companion on Ben's seat."""
    store = Store(":memory:")
    Chairs(store, store.begin({**TAGS, **tags})).give({"Ben": "club"})
    return Desk(language=language, store=store)


def hand(desk: Desk) -> tuple[str, ...]:
    """Return Ben's cards as the store has them."""
    screen = desk.program.stack[0]
    assert isinstance(screen, TurnScreen)
    chairs = Chairs(desk.ctx.store, screen.table.id)
    return ChairHand(screen.table, chairs, holding(screen.table.game.name), 1).cards()


def entry(frame: Frame) -> Entry:
    assert frame.entry is not None
    return frame.entry


def test_its_hand_is_asked_for_at_the_start_and_each_card_is_blank_at_once() -> None:
    desk = just4fun()
    assert desk.frame.title == "Ben"
    assert desk.frame.lines[-1] == "Key 4 cards of Ben, seen by nobody else."
    assert not desk.frame.secret
    frame = desk.key("1")
    assert frame.secret
    assert entry(frame).text == "1"
    assert desk.key("3").entry == Entry("13")
    frame = desk.key("#")
    assert (frame.entry, frame.lines[0]) == (None, "1 of 4 cards known.")
    assert "13" not in str(frame)
    desk.key("2*7*")
    assert desk.key("1#").title == "Anna"
    assert hand(desk) == ("13", "2", "7", "1")


def test_a_key_says_that_the_hand_is_to_be_keyed_by_itself_too() -> None:
    desk = just4fun()
    assert desk.key("#").secret
    assert desk.frame.lines[0] == "0 of 4 cards known."


def test_it_says_which_cards_to_lay_and_where_they_lie() -> None:
    desk = just4fun(Position="yellow 1x2 3x2 2x2 6x2 4x2 7x2 9x2 8x2 5x2 11x2", Start="Ben")
    desk.key("1# 2# 4# 4#")
    frame = desk.key("#")
    assert frame.lines[:2] == (
        "Lay the cards 2, 4, 4, a stone on field 10.",
        "In its row: cards 2, 3, 4.",
    )
    assert frame.big == "2+4+4"
    assert not frame.secret
    frame = desk.key("#")
    assert desk.tokens() == ("2+4+4",)
    assert hand(desk) == ("1",)
    assert frame.lines == (
        "Ben: stone on 10.",
        "Ben draws 3 cards.",
        "Key 3 cards of Ben, seen by nobody else.",
    )
    desk.key("5# 6# 7#")
    assert hand(desk) == ("1", "5", "6", "7")


def test_it_says_so_in_german() -> None:
    desk = just4fun("de", Position="yellow 1x2 3x2 2x2 6x2 4x2 7x2 9x2 8x2 5x2 11x2", Start="Ben")
    assert desk.frame.lines[-1] == "Tippe 4 Karten von Ben, von niemand sonst gesehen."
    desk.key("1# 2# 4# 4#")
    assert desk.key("#").lines[:2] == (
        "Legt die Karten 2, 4, 4, einen Stein auf Feld 10.",
        "In seiner Reihe: Karten 2, 3, 4.",
    )


def test_without_a_free_field_it_shows_and_exchanges_its_cards() -> None:
    desk = just4fun(Position="yellow 1x2 3x2 2x2 6x2 4x2 7x2 9x2 8x2 5x2 10x2", Start="Ben")
    desk.key("1# 2# 3# 4#")
    frame = desk.key("#")
    assert frame.lines[:2] == (
        "No field is free. Show and exchange 1, 2, 3, 4.",
        "In its row: cards 1, 2, 3, 4.",
    )
    desk.key("#")
    assert desk.tokens() == ("x1+2+3+4",)
    assert hand(desk) == ()


def test_a_card_that_the_deck_has_not_is_refused_and_asked_for_again() -> None:
    desk = just4fun()
    desk.key("13#")
    frame = desk.key("13#")
    assert entry(frame).verdict == "it holds all of these already"
    assert entry(frame).tone is Tone.BAD
    assert desk.key("13#").entry == entry(frame)
    assert desk.key("20").entry == Entry("2")
    assert hand(desk) == ("13",)


def test_a_card_that_was_seen_is_refused_and_believed_if_it_is_keyed_again() -> None:
    """What was keyed of others may be wrong too: then nobody should have to give up."""
    desk = just4fun(Start="Ben")
    desk.key("13# 2# 3# 4# ^")
    desk.choose("Key a move")
    desk.key("13#")
    frame = desk.key("13#")
    assert entry(frame).verdict == "all of these were seen. Look again!"
    assert hand(desk) == ("2", "3", "4")
    assert desk.key("13#").title == "Anna"
    assert hand(desk) == ("2", "3", "4", "13")


def test_c_takes_the_last_card_back_and_leads_out() -> None:
    desk = just4fun()
    desk.key("13# 2# 1")
    assert desk.key("<").entry is None
    assert hand(desk) == ("13", "2")
    assert desk.key("<").lines[0] == "1 of 4 cards known."
    assert desk.key("<").lines[0] == "0 of 4 cards known."
    assert not desk.key("<").secret


def test_it_hides_when_nobody_keys_and_knows_what_was_keyed() -> None:
    desk = just4fun()
    desk.key("13# 2")
    assert desk.wait(19.9).secret
    frame = desk.wait(0.2)
    assert not frame.secret
    assert frame.lines[-1] == "Key 3 cards of Ben, seen by nobody else."
    desk.restart()
    assert desk.frame.lines[-1] == "Key 3 cards of Ben, seen by nobody else."
    assert hand(desk) == ("13",)


def test_others_may_play_first_but_it_cannot_play_without_its_cards() -> None:
    desk = just4fun()
    assert desk.key("<").title == "Anna"
    assert desk.key("7#").lines[-1] == "Key 4 cards of Ben, seen by nobody else."
    desk.key("<")
    assert desk.frame.lines[-1] == "Key 4 cards of Ben, seen by nobody else."
    desk.key("1# 2# 3# 4#")
    desk.key([Key.BACK_HELD])
    assert desk.tokens() == ()
    assert hand(desk) == ("1", "2", "3", "4"), "the cards were there before Anna moved"


def test_all_its_cards_can_be_keyed_anew() -> None:
    desk = just4fun()
    desk.key("1# 2# 3# 4# 7#")
    desk.key("^")
    desk.choose("Its cards anew")
    assert isinstance(desk.program.screen, ChairCardsScreen)
    assert desk.frame.lines[0] == "0 of 4 cards known."
    desk.key("5# 6# 8# 9#")
    assert hand(desk) == ("5", "6", "8", "9")


def test_a_move_that_needs_other_cards_than_were_keyed_asks_for_them_all() -> None:
    desk = just4fun(Start="Ben")
    desk.key("1# 2# 3# 4#")
    desk.key("^")
    desk.choose("Key a move")
    desk.key("9#")
    assert desk.tokens() == ("9",)
    assert hand(desk) == ()
    assert desk.frame.lines[-1] == "Key 4 cards of Ben, seen by nobody else."


def test_a_card_drawn_in_a_course_that_was_taken_back_does_not_count() -> None:
    desk = just4fun(Start="Ben")
    desk.key("1# 2# 3# 4#")
    desk.key("^")
    desk.choose("Key a move")
    desk.key("1#")
    desk.key("12#")
    assert hand(desk) == ("2", "3", "4", "12")
    desk.key([Key.BACK_HELD])
    assert hand(desk) == ("1", "2", "3", "4")
    desk.key("^")
    desk.choose("Key a move")
    desk.key("2#")
    assert hand(desk) == ("1", "3", "4")


def test_its_hand_is_forgotten_at_the_end() -> None:
    desk = just4fun(Position="yellow 1 left=1; red 20 left=1")
    desk.key("1# 2# 3# 4#")
    assert desk.ctx.store.recall("chairs/1") != json.dumps({"Ben": ["club", []]})
    assert desk.key("4#").title == "Ben"
    desk.key("# #")
    assert desk.frame.title == "Game over"
    assert desk.ctx.store.recall("chairs/1") == json.dumps({"Ben": ["club", []]})
    desk.key([Key.BACK_HELD])
    assert desk.frame.lines[-1] == "Key 4 cards of Ben, seen by nobody else."


def test_a_hand_in_the_store_that_cannot_be_read_is_asked_for_anew() -> None:
    desk = just4fun()
    desk.ctx.store.remember("chairs/1", '{"Ben": ["club", [["x"]]]}')
    desk.restart()
    assert desk.frame.title == "Anna"
    desk.ctx.store.remember("chairs/1", '{"Ben": ["genius", []]}')
    desk.restart()
    assert desk.frame.title == "Anna"


def test_who_has_no_stones_left_needs_no_cards() -> None:
    desk = just4fun(Position="yellow 1 left=3; red 20 left=0")
    assert desk.frame.title == "Anna"
    assert "cards of Ben" not in str(desk.key("4#").lines)
