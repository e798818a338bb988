"""The companion's cards: keyed one by one, blank at once, asked for again, corrected."""

import json
from dataclasses import replace
from random import Random

import pytest

from ai import AI
from engines.record import begin_game, setup_of
from engines.sequence.board import CARD_BITS, JACKS, ONE_EYED
from engines.sequence.notation import Place
from hardware.keys import Key
from pi_app.screens.empty_chair.cards import BotCardsScreen
from pi_app.screens.empty_chair.seat import BotHand
from pi_app.screens.playing.games import companion_of
from pi_app.screens.playing.turn import TurnScreen
from pi_app.store import Store
from pi_app.table.players import BotSeats
from pi_app.texts.language import Texts
from pi_app.view.frame import Board, Entry, Tone
from tests.pi_app.pilot import Pilot, entry_of
from tests.pi_app.whole_program.test_empty_chair import holding
from tests.samples import samples_of

TAGS = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}


def just4fun(language: str = "en", **tags: str) -> Pilot:
    """Return a pilot of Just 4 Fun with the companion on Ben's seat."""
    return table(language, **{**TAGS, **tags})


def table(language: str = "en", **tags: str) -> Pilot:
    """Return a pilot with the companion on Ben's seat."""
    store = Store(":memory:")
    BotSeats(store, store.begin(tags)).give({"Ben": "best"})
    return Pilot(language=language, store=store)


def sequence(language: str = "en", **tags: str) -> Pilot:
    """Return a pilot of Sequence, Ben to move; his seven cards are keyed."""
    tags = {"Game": "sequence", "Players": "Anna blue, Ben green", "Start": "Ben", **tags}
    return table(language, **tags)


def einmaleins(language: str = "en", **tags: str) -> Pilot:
    """Return a pilot of Einmaleins, Ben to move with three cards."""
    tags = {
        "Game": "einmaleins",
        "Players": "Anna yellow, Ben red",
        "Start": "Ben",
        "Position": "yellow 3; red 3; open 24=4x6",
        **tags,
    }
    return table(language, **tags)


SQUARES_OF_QH = ("r2c8", "r7c7")


def screen(pilot: Pilot) -> TurnScreen:
    bottom = pilot.program.stack[0]
    assert isinstance(bottom, TurnScreen)
    return bottom


def hand(pilot: Pilot) -> tuple[str, ...]:
    """Return Ben's cards as the store has them."""
    lies = screen(pilot).table
    bot_seats = BotSeats(pilot.ctx.store, lies.id)
    return BotHand(lies, bot_seats, holding(lies.game.name), 1).cards()


def test_its_hand_is_asked_for_at_the_start_and_each_card_is_blank_at_once() -> None:
    pilot = just4fun()
    assert pilot.frame.header.title == "Ben"
    assert pilot.frame.body.lines[-1] == "Key 4 cards of Ben, seen by nobody else."
    assert not pilot.frame.secret
    frame = pilot.key("1")
    assert frame.secret
    assert entry_of(frame).text == "1"
    assert pilot.key("3").body.entry == Entry("13")
    frame = pilot.key("#")
    assert (frame.body.entry, frame.body.lines[0]) == (Entry(""), "1 of 4 cards known.")
    assert "13" not in str(replace(frame, board=Board()))
    pilot.key("2*7*")
    assert pilot.key("1#").header.title == "Anna"
    assert hand(pilot) == ("13", "2", "7", "1")


def test_it_says_which_cards_to_lay_and_where_they_lie() -> None:
    pilot = just4fun(Position="yellow 1x2 3x2 2x2 6x2 4x2 7x2 9x2 8x2 5x2 11x2", Start="Ben")
    pilot.key("1# 2# 4# 4#")
    frame = pilot.key("#")
    assert frame.body.lines[:2] == (
        "For Ben, lay 2, 4 and 4. Put a stone on 10.",
        "In the row of Ben: cards no. 2, 3, 4.",
    )
    assert frame.body.big == "2+4+4"
    assert not frame.secret
    frame = pilot.key("#")
    assert pilot.tokens() == ("2+4+4",)
    assert hand(pilot) == ("1",)
    assert frame.body.lines == (
        "Ben: stone on 10.",
        "Ben draws 3 cards.",
        "Key 3 cards of Ben, seen by nobody else.",
    )
    pilot.key("5# 6# 7#")
    assert hand(pilot) == ("1", "5", "6", "7")


def test_what_a_move_asks_for_is_said_until_its_cards_are_keyed_and_no_longer() -> None:
    pilot = just4fun()
    pilot.key("1# 2# 3# 4#")
    pilot.key("5#")
    pilot.key("#")
    asked = pilot.key("#")
    assert asked.body.lines[0].startswith("Ben: stone on")
    assert (asked.header.title, asked.header.corner, asked.header.score) == ("Ben", "red", "")
    lacks = asked.body.lines[-1][len("Key ")]
    frame = pilot.key("7# 8# 9# 10#"[: 3 * int(lacks)])
    assert frame.header.title == "Anna"
    assert frame.body.lines[0] == "Key your cards, * between them, then #."


def test_the_first_cards_are_dealt_before_they_are_keyed_and_nobody_is_told_again() -> None:
    tags = {"Game": "einmaleins", "Players": "Anna yellow, Ben red", "Open": "24", "Hand": "3"}
    pilot = table(**tags)
    assert pilot.frame.body.lines[0] == "Deal 3 cards each. 24 lies open."
    frame = pilot.key("5# 6# 12#")
    assert (frame.header.title, frame.alert) == ("Anna", None)


def test_without_a_free_field_it_shows_and_exchanges_its_cards() -> None:
    pilot = just4fun(Position="yellow 1x2 3x2 2x2 6x2 4x2 7x2 9x2 8x2 5x2 10x2", Start="Ben")
    pilot.key("1# 2# 3# 4#")
    frame = pilot.key("#")
    assert frame.body.lines[:2] == (
        "No field is free. For Ben, show 1, 2, 3 and 4 and exchange.",
        "In the row of Ben: cards no. 1, 2, 3, 4.",
    )
    pilot.key("#")
    assert pilot.tokens() == ("x1+2+3+4",)
    assert hand(pilot) == ()


def test_a_wrong_digit_of_its_card_is_told_of_and_becomes_no_other_card() -> None:
    pilot = sequence()
    assert pilot.key("14").body.entry == Entry("14", "no rank 14: 1 to 13", Tone.BAD)
    assert pilot.key("*2#").body.entry == Entry("14", "no rank 14: 1 to 13", Tone.BAD)
    assert pilot.key("<*5").body.entry == Entry("A", "suit: 1 to 4", Tone.BAD)
    assert hand(pilot) == ()
    pilot.key("<2")
    assert hand(pilot) == ("AH",)


def test_a_card_that_was_seen_is_refused_and_believed_if_it_is_keyed_again() -> None:
    """What was keyed of others may be wrong too: then nobody should have to give up."""
    pilot = just4fun(Start="Ben")
    pilot.key("13# 2# 3# 4# ^")
    pilot.choose("Key a move")
    pilot.key("13#")
    frame = pilot.key("13#")
    assert entry_of(frame).verdict == "all of these were seen. Look again!"
    assert hand(pilot) == ("2", "3", "4")
    assert pilot.key("13#").header.title == "Anna"
    assert hand(pilot) == ("2", "3", "4", "13")


def test_c_takes_the_last_card_back_and_leads_out() -> None:
    pilot = just4fun()
    pilot.key("13# 2# 1")
    assert pilot.key("<").body.entry == Entry("")
    assert hand(pilot) == ("13", "2")
    frame = pilot.key("<")
    assert (frame.body.lines[0], frame.keys.soft[-1].label) == ("1 of 4 cards known.", "delete")
    assert pilot.key("<").keys.soft[-1].label == "back"
    assert pilot.frame.body.lines[0] == "Lay them face down in a row, new ones at the right."
    assert not pilot.key("<").secret


def test_it_hides_when_nobody_keys_and_knows_what_was_keyed() -> None:
    pilot = just4fun()
    pilot.key("13# 2")
    assert pilot.wait(19.9).secret
    frame = pilot.wait(0.2)
    assert not frame.secret
    assert frame.body.lines[-1] == "Key 3 cards of Ben, seen by nobody else."
    pilot.restart()
    assert pilot.frame.body.lines[-1] == "Key 3 cards of Ben, seen by nobody else."
    assert hand(pilot) == ("13",)


def test_others_may_play_first_but_it_cannot_play_without_its_cards() -> None:
    pilot = just4fun()
    assert pilot.key("<").header.title == "Anna"
    assert pilot.key("7#").body.lines[-1] == "Key 4 cards of Ben, seen by nobody else."
    pilot.key("<")
    assert pilot.frame.body.lines[-1] == "Key 4 cards of Ben, seen by nobody else."
    pilot.key("1# 2# 3# 4#")
    pilot.key([Key.BACK_HELD])
    assert pilot.tokens() == ()
    assert hand(pilot) == ("1", "2", "3", "4"), "the cards were there before Anna moved"


def test_all_its_cards_can_be_keyed_anew() -> None:
    pilot = just4fun()
    pilot.key("1# 2# 3# 4# 7#")
    pilot.key("^")
    pilot.choose("Key its cards again")
    assert isinstance(pilot.program.screen, BotCardsScreen)
    assert pilot.frame.body.lines[0] == "Lay them face down in a row, new ones at the right."
    pilot.key("5# 6# 8# 9#")
    assert hand(pilot) == ("5", "6", "8", "9")


def test_a_move_that_needs_other_cards_than_were_keyed_asks_for_them_all() -> None:
    pilot = just4fun(Start="Ben")
    pilot.key("1# 2# 3# 4#")
    pilot.key("^")
    pilot.choose("Key a move")
    pilot.key("9#")
    assert pilot.tokens() == ("9",)
    assert hand(pilot) == ()
    assert pilot.frame.body.lines[-1] == "Key 4 cards of Ben, seen by nobody else."


def test_a_card_drawn_in_a_course_that_was_taken_back_does_not_count() -> None:
    pilot = just4fun(Start="Ben")
    pilot.key("1# 2# 3# 4#")
    pilot.key("^")
    pilot.choose("Key a move")
    pilot.key("1#")
    pilot.key("12#")
    assert hand(pilot) == ("2", "3", "4", "12")
    pilot.key([Key.BACK_HELD])
    assert hand(pilot) == ("1", "2", "3", "4")
    pilot.key("^")
    pilot.choose("Key a move")
    pilot.key("2#")
    assert hand(pilot) == ("1", "3", "4")


def test_its_hand_is_forgotten_at_the_end() -> None:
    pilot = just4fun(Position="yellow 1 left=1; red 20 left=1")
    pilot.key("1# 2# 3# 4#")
    assert pilot.ctx.store.note(1, "chairs") != json.dumps({"Ben": ["best", []]})
    assert pilot.key("4#").header.title == "Ben"
    pilot.key("# #")
    assert pilot.frame.header.title == "Game over"
    assert pilot.ctx.store.note(1, "chairs") == json.dumps({"Ben": ["best", []]})
    pilot.key([Key.BACK_HELD])
    assert pilot.frame.body.lines[-1] == "Key 4 cards of Ben, seen by nobody else."


def test_a_hand_in_the_store_that_cannot_be_read_is_asked_for_anew() -> None:
    pilot = just4fun()
    pilot.ctx.store.set_note(1, "chairs", '{"Ben": ["club", [["x"]]]}')
    pilot.restart()
    assert pilot.frame.header.title == "Anna"
    pilot.ctx.store.set_note(1, "chairs", '{"Ben": ["genius", []]}')
    pilot.restart()
    assert pilot.frame.header.title == "Anna"


def test_who_has_no_stones_left_needs_no_cards() -> None:
    pilot = just4fun(Position="yellow 1 left=3; red 20 left=0")
    assert pilot.frame.header.title == "Anna"
    assert "cards of Ben" not in str(pilot.key("4#").body.lines)


def test_every_square_of_a_sequence_board_is_told_from_the_other_one_of_its_card() -> None:
    bot_seat, tx = holding("sequence"), Texts("en")
    begun = begin_game({"Game": "sequence", "Players": "Anna blue, Ben green"})[1]
    said: dict[tuple[str, str], str] = {}
    for card in sorted(CARD_BITS.keys() - ONE_EYED):
        for move in begun.legal((card,)):
            assert isinstance(move, Place)
            lines = bot_seat.to_do(tx, begun, move)
            assert len(lines) == 2, move.token
            assert said.setdefault((card, lines[1]), move.token) == move.token or card in JACKS


def test_in_sequence_a_dead_card_is_turned_in_and_it_goes_on() -> None:
    pilot = sequence(Position=f"blue {' '.join(SQUARES_OF_QH)}; green r9c9")
    pilot.key("12*2 2*1 3*1 4*1 5*1 6*1 7*1")
    assert pilot.key("#").body.lines[0] == "For Ben, turn in Q♥, which is dead. Draw another."
    frame = pilot.key("#")
    assert frame.body.lines[-1] == "Key 1 card of Ben, seen by nobody else."
    assert frame.header.title == "Ben"
    assert pilot.key("12*1").body.lines[0] == "Ben thinks ..."


def test_in_einmaleins_a_card_drawn_in_anothers_turn_is_asked_for() -> None:
    pilot = einmaleins(Start="Anna")
    pilot.key("28# 25# 81#")
    frame = pilot.key("36# 1")
    assert frame.body.lines[-1] == "Key 1 card of Ben, seen by nobody else."
    pilot.key("64#")
    assert hand(pilot) == ("28", "25", "81", "64")
    pilot.key([Key.BACK_HELD])
    assert hand(pilot) == ("28", "25", "81")


def test_in_einmaleins_what_lies_open_is_in_no_hand() -> None:
    pilot = einmaleins()
    assert entry_of(pilot.key("24#")).verdict == "all of these were seen. Look again!"
    assert entry_of(pilot.key("23")) == Entry("23", "23 is on no number card", Tone.BAD)
    without = einmaleins(Rules="free=0")
    assert entry_of(without.key("*")).verdict == "all of these are there already"


@pytest.mark.parametrize("game", ["just4fun", "sequence", "einmaleins"])
def test_every_move_of_the_companion_has_words_in_both_languages(game: str) -> None:
    """Whatever the AI may choose is said: also what the tables above do not come to."""
    chance = Random(5)
    samples = samples_of(game)
    setup = setup_of({"Game": game, "Players": samples.players, **samples.tags})[1]
    deal = AI[game].deal(setup, chance)
    bot_seat = companion_of(game)
    assert bot_seat is not None
    for _ in range(300):
        if deal.position.result is not None:
            deal = AI[game].deal(setup, chance)
        moves = deal.position.legal(deal.given())
        for tx in (Texts("en"), Texts("de")):
            for move in moves:
                assert all(bot_seat.to_do(tx, deal.position, move))
                assert isinstance(bot_seat.big(deal.position, move), str)
        deal.play(chance.choice(moves))
