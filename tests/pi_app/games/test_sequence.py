"""Sequence at the table: what is keyed, what is said, what counts."""

import pytest

from engines.sequence.rules import HAND_SIZES, SequencePosition
from hardware.keys import Key
from pi_app.games.sequence.picture import seat_side
from pi_app.view.frame import Entry, Frame, Mark, Signal, Tone
from tests.pi_app.pilot import Pilot, choices_of, entry_of, marked, picture_of

TWO = "Anna blue, Ben green"
THREE = "Anna blue, Ben green, Cleo red"
FOUR = "Anna blue, Ben green, Cleo blue, Dora green"
QUEENS = "blue r3c3 r7c7; green r2c8"
"""Both squares of the queen of hearts are taken."""


def desk_with(position: str = "", players: str = TWO, **tags: str) -> Pilot:
    if position:
        tags["Position"] = position
    return Pilot.game("sequence", players, **tags)


def verdict(frame: Frame) -> tuple[str, Tone]:
    entry = entry_of(frame)
    return entry.verdict, entry.tone


def position_of(pilot: Pilot) -> SequencePosition:
    position = pilot.table.position
    assert isinstance(position, SequencePosition)
    return position


@pytest.mark.parametrize(
    ("keys", "token"),
    [
        ("12*2#", "QH@r2c8"),
        ("12*2 2", "QH@r7c7"),
        ("12*2 v#", "QH@r7c7"),
        ("1*1#", "AS@r3c2"),
        ("10*4#", "10C@r6c1"),
        ("13*3#", "KD@r8c8"),
        ("12* v# #", "QH@r2c8"),
        ("13<2*2#", "QH@r2c8"),
        ("12*3<2#", "QH@r2c8"),
        ("11*3 12*2#", "JD@r2c8"),
        ("11*4 12*2 2", "JC@r7c7"),
    ],
)
def test_rank_star_suit_and_number_place_a_chip(keys: str, token: str) -> None:
    pilot = desk_with()
    pilot.key(keys)
    assert pilot.tokens() == (token,)
    assert pilot.recorder.signals[-2:] == [Signal.OK, Signal.TURN]


@pytest.mark.parametrize("keys", ["#", "0", "14", "*", "1*5", "12*2 3", "d4", "<", "11*1 11*1"])
def test_keys_that_mean_nothing_here_are_refused_and_change_nothing(keys: str) -> None:
    pilot = desk_with()
    pilot.key(keys)
    assert pilot.recorder.signals[-1] is Signal.BAD
    assert pilot.tokens() == ()


@pytest.mark.parametrize("before", ["", "^1", "11*3 "])
@pytest.mark.parametrize(
    ("digits", "rank"), [("0", "0"), ("14", "14"), ("123", "123"), ("20", "20")]
)
def test_a_wrong_digit_stays_and_says_why(before: str, digits: str, rank: str) -> None:
    pilot = desk_with()
    frame = pilot.key(before + digits)
    assert pilot.recorder.signals[-1] is Signal.BAD
    assert entry_of(frame).text.split()[-1] == rank
    assert verdict(frame) == (f"no rank {rank}: 1 to 13", Tone.BAD)
    frame = pilot.key("*2")
    assert entry_of(frame).text.split()[-1] == rank
    assert frame.body.choices is None
    frame = pilot.key("<" * len(digits) + "1*")
    assert choices_of(frame).items[0] == "♠ spades"


def test_the_board_is_turned_to_the_side_of_who_is_to_move() -> None:
    pilot = desk_with()
    assert picture_of(pilot.frame).cells[1].text == "2♠"
    pilot.key("12*2#")
    assert picture_of(pilot.frame).cells[1].text == "6♦"
    pilot.key("12*2")
    assert [cell.name for cell in picture_of(pilot.frame).cells if cell.note] == ["r7c7", "r2c8"]
    pilot.key("#")
    assert pilot.tokens() == ("QH@r2c8", "QH@r7c7")


@pytest.mark.parametrize("count", HAND_SIZES)
def test_sides_go_once_around_the_table(count: int) -> None:
    sides = [seat_side(seat, count) for seat in range(count)]
    assert sides[0] == 0
    turned = sides[: next((n for n, s in enumerate(sides) if n and s < sides[n - 1]), count)]
    assert turned == sorted(turned)
    assert set(sides) == ({0, 2} if count == 2 else {0, 1, 3} if count == 3 else {0, 1, 2, 3})


def test_a_taken_square_is_named_with_who_is_there_and_not_played() -> None:
    pilot = desk_with("green r2c8")
    pilot.key("12*2")
    assert marked(pilot.frame, Mark.BLOCKED) == {"r2c8"}
    frame = pilot.key("1")
    assert verdict(frame) == ("taken by green", Tone.BAD)
    assert Key.ENTER not in {soft.key for soft in frame.keys.soft}
    pilot.key("#")
    assert pilot.tokens() == ()
    pilot.key("2")
    assert pilot.tokens() == ("QH@r7c7",)


def test_the_only_free_square_is_played_without_a_list() -> None:
    pilot = desk_with("green r2c8")
    frame = pilot.key("12*2")
    assert frame.body.choices is None
    assert frame.keys.soft[0].key is Key.ENTER
    pilot.key("#")
    assert pilot.tokens() == ("QH@r7c7",)


def test_no_digit_turns_in_a_dead_card() -> None:
    pilot = desk_with("green r2c8 r7c7")
    assert verdict(pilot.key("12*2"))[1] is Tone.GOOD
    pilot.key("1 2")
    assert pilot.tokens() == ()
    pilot.key("#")
    assert pilot.tokens() == ("QH!",)


@pytest.mark.parametrize(
    ("position", "keys", "says"),
    [
        ("blue r3c3; green r2c6-r2c10", "11*1 13*2", "in a sequence: it stays"),
        ("blue r2c8; green r5c5", "11*2 12*2 1", "your own chip"),
        ("green r5c5", "11*2 12*2", "no chip here"),
        ("blue r5c5", "11*2", "no chip to take away"),
        ("blue r2c8", "11*3 12*2 1", "taken by blue"),
    ],
)
def test_what_a_jack_may_not_do_is_said_with_the_reason(
    position: str, keys: str, says: str
) -> None:
    pilot = desk_with(position)
    frame = pilot.key(keys)
    assert verdict(frame) == (says, Tone.BAD)
    assert frame.body.choices is None  # a list of squares none of which can be taken leads nowhere
    pilot.key("#")
    assert pilot.tokens() == ()


@pytest.mark.parametrize(
    ("keys", "token"), [("#", "AH@r2c6"), ("2#", "AH@r2c6=r2c3-r2c7"), ("v^#", "AH@r2c6")]
)
def test_six_in_a_row_ask_which_five_with_a_default(keys: str, token: str) -> None:
    pilot = desk_with("blue r2c2 r2c3 r2c4 r2c5 r2c7; green r5c5 r6c6")
    frame = pilot.key("1*2#")
    assert choices_of(frame).items == ("5♣-A♥", "4♣-K♥")
    assert marked(pilot.frame, Mark.SELECTED) == {"r2c2", "r2c3", "r2c4", "r2c5", "r2c6"}
    assert pilot.tokens() == ()
    pilot.key(keys)
    assert pilot.tokens() == (token,)


def test_two_sequences_at_once_that_cannot_differ_ask_nothing() -> None:
    cross = "blue r2c2 r2c3 r2c4 r2c5 r3c6 r4c6 r5c6 r6c6; green r9c9"
    pilot = desk_with(cross, Rules="sequences=3")
    pilot.key("1*2#")
    assert pilot.tokens() == ("AH@r2c6",)
    assert pilot.frame.header.corner == "0:2/3"


@pytest.mark.parametrize(
    ("players", "offered"),
    [
        ("Anna blue, Ben green", False),
        ("Anna blue, Ben green, Cleo red", False),
        ("Anna blue, Ben green, Cleo blue, Dora green", True),
    ],
)
def test_table_talk_is_offered_only_to_those_who_have_partners(
    players: str, *, offered: bool
) -> None:
    pilot = Pilot.game("sequence", players)
    choices = choices_of(pilot.key("^"))
    row = choices.items.index("Table talk")
    assert (row not in choices.greyed) is offered
    frame = pilot.choose("Table talk")
    assert (frame.header.title == "Who talked?") is offered
    assert (frame.body.lines == ("Nobody has a partner here.",)) is not offered
    assert pilot.tokens() == ()


@pytest.mark.parametrize(
    ("answer", "tokens", "says"),
    [
        ("no", ("QH@r2c8", "KS@r4c10"), "In time: Anna, draw a card now!"),
        ("yes", ("QH@r2c8~", "KS@r4c10"), "Too late: Anna plays on with one card fewer."),
    ],
)
def test_after_the_next_has_placed_it_is_asked_whether_a_card_was_drawn(
    answer: str, tokens: tuple[str, ...], says: str
) -> None:
    pilot = desk_with()
    pilot.key("12*2# 13*1# ^")
    frame = pilot.choose("Forgot to draw", "Anna")
    assert frame.body.lines == ("Has Ben drawn a card already?",)
    frame = pilot.choose(answer)
    assert frame.body.lines[0] == says
    assert pilot.tokens() == tokens


def test_after_another_move_it_is_settled_without_a_question() -> None:
    pilot = desk_with()
    pilot.key("12*2# 13*1# 2*1# ^")
    pilot.choose("Forgot to draw", "Anna Q♥")
    assert pilot.tokens()[0] == "QH@r2c8~"
    assert position_of(pilot).hands == (6, 7)
    assert pilot.frame.header.title == "Ben"


def test_one_who_forgot_to_draw_does_not_make_it_too_late_for_another() -> None:
    pilot = desk_with(players=THREE)
    pilot.key("12*2# 13*1# 2*1# ^")
    pilot.choose("Forgot to draw", "Ben", "yes")
    assert pilot.tokens()[1] == "KS@r4c10~"
    pilot.key("^")
    frame = pilot.choose("Forgot to draw", "Anna")
    assert frame.body.lines == ("Has Cleo drawn a card already?",)


def test_nothing_playable_shows_the_hand_and_passes() -> None:
    pilot = desk_with()
    pilot.key("^")
    pilot.choose("Cannot play")
    frame = pilot.key("11*1 11*2 #")
    assert choices_of(frame).items == ("pass", "J♠ 0", "J♥ 0")
    frame = pilot.key("#")
    assert pilot.tokens() == ("pass:JS,JH",)
    assert frame.body.lines[0] == "Anna cannot play."


def test_a_hand_with_a_playable_card_offers_no_pass() -> None:
    pilot = desk_with(QUEENS)
    frame = pilot.key("^# 11*1 12*2 10*1 #")
    assert choices_of(frame).items == ("J♠ 1", "Q♥ dead", "10♠ 2")


def test_the_hand_shows_where_a_card_goes_and_takes_it_to_the_turn() -> None:
    pilot = desk_with(QUEENS)
    pilot.key("^# 12*2 10*1 # v")
    assert marked(pilot.frame, Mark.LEGAL) == {"r2c10", "r6c2"}
    frame = pilot.key("#")
    assert entry_of(frame).text == "10♠"
    pilot.key("#")
    assert pilot.tokens() == ("10S@r2c10",)


def test_a_hand_holds_no_third_copy_and_no_more_cards_than_are_dealt() -> None:
    pilot = desk_with()
    pilot.key("^# 12*2 12*2 12*2")
    assert pilot.frame.body.lines == ("Q♥ Q♥",)
    pilot.key("1*1 1*2 1*3 1*4 2*1 2*2 ")
    assert pilot.frame.body.lines == ("Q♥ Q♥ A♠ A♥ A♦ A♣ 2♠",)


def test_a_tap_on_a_square_keys_its_card() -> None:
    pilot = desk_with()
    pilot.program.tap("r7c7")
    assert marked(pilot.frame, Mark.SELECTED) == {"r7c7"}
    pilot.key("#")
    assert pilot.tokens() == ("QH@r7c7",)
    pilot.key("11*1")
    pilot.program.tap("r7c7")
    pilot.key("#")
    assert pilot.tokens()[-1] == "JS-r7c7"
    pilot.program.tap("r1c1")
    assert pilot.frame.body.lines[0] == "corners are everybody's"


def test_undo_and_a_new_start_say_what_the_last_move_asks_for() -> None:
    pilot = desk_with()
    pilot.key("12*2#")
    again = Pilot(store=pilot.ctx.store)
    assert again.frame.body.lines[:2] == ("Anna: chip on Q♥.", "Anna draws a card.")
    assert again.key("<<").body.lines[0].startswith("Taken back: Anna, Q♥.")
    assert again.tokens() == ()


def set_up(count: str) -> Pilot:
    pilot = Pilot()
    pilot.choose("Sequence", "Players")
    pilot.choose(count)
    return pilot


@pytest.mark.parametrize(("count", "cards"), HAND_SIZES.items())
def test_the_set_up_seats_teams_in_turn_and_says_how_many_cards_to_deal(
    count: int, cards: int
) -> None:
    pilot = set_up(f"{count} players")
    if count > 4:
        pilot.choose("More")
    assert f"Cards each: {cards}" in choices_of(pilot.frame).items
    pilot.choose("Start")
    position = position_of(pilot)
    teams = 3 if count in (3, 9) else 2
    colours = ["blue", "green", "red"][:teams]
    assert [player.colour for player in position.players] == colours * (count // teams)
    assert f"Deal {cards} cards each." in pilot.frame.body.lines[0]


@pytest.mark.parametrize(("count", "needed"), [(6, 1), (12, 1)])
def test_six_and_twelve_may_be_three_teams(count: int, needed: int) -> None:
    pilot = set_up(f"{count} players")
    pilot.choose("Teams: 2", "3 teams")
    pilot.choose("Start")
    position = position_of(pilot)
    assert position.teams == ("blue", "green", "red")
    assert position.needed == needed


def test_the_left_neighbour_of_the_dealer_starts() -> None:
    pilot = set_up("4 players")
    pilot.choose("Dealer", "Green")
    assert "First: Blue 2" in choices_of(pilot.frame).items
    frame = pilot.choose("Start")
    assert frame.header.title == "Blue 2"
    assert frame.body.lines[:2] == ("Deal 6 cards each.", "Blue 2, left of Green, starts.")


def test_the_house_rules_are_set_in_words() -> None:
    pilot = set_up("2 players")
    pilot.choose("To win", "3")
    pilot.choose("break", "yes")
    pilot.choose("Dead", "2")
    pilot.choose("Start")
    game = pilot.ctx.store.latest_game()
    assert game is not None
    rules = pilot.ctx.store.load(game).tags["Rules"]
    assert rules == "sequences=3, one_eyed_breaks=yes, dead_cards=2"


def test_without_house_rules_the_record_names_none() -> None:
    pilot = set_up("2 players")
    pilot.choose("To win", "normal")
    pilot.choose("Start")
    game = pilot.ctx.store.latest_game()
    assert game is not None
    assert "Rules" not in pilot.ctx.store.load(game).tags


def test_the_board_lies_as_the_table_says() -> None:
    pilot = set_up("2 players")
    pilot.choose("Board lies", "right")
    pilot.choose("Start")
    right = [cell.text for cell in picture_of(pilot.frame).cells[9::10]]
    assert right == ["", "2♠", "3♠", "4♠", "5♠", "6♠", "7♠", "8♠", "9♠", ""]


def test_checking_the_table_keeps_sequences_and_takes_what_is_keyed() -> None:
    pilot = desk_with("blue r2c2-r2c6 r5c5; green r9c9")
    pilot.key("?")
    frame = pilot.choose("Check table")
    assert frame.body.big == "1-2"
    pilot.key("*9*9# 0 ? #")
    assert pilot.tokens() == ("<blue r5c5 r2c2-r2c6>",)


def test_a_sequence_is_entered_by_marking_its_squares() -> None:
    pilot = desk_with("green r5c5")
    pilot.key("?")
    pilot.choose("Check table")
    pilot.key("*1*2# 1v1 # 1v1 # 1v1 # 1v1 ? #")
    assert pilot.tokens() == ("<blue r1c1-r1c5; green r5c5>",)


@pytest.mark.parametrize("keys", ["*5*5# v1", "*3*3# v1"])
def test_marks_that_make_no_five_are_refused(keys: str) -> None:
    pilot = desk_with("green r5c5")
    pilot.key("?")
    pilot.choose("Check table")
    frame = pilot.key(f"{keys} ? #")
    said, tone = verdict(frame)
    assert said.endswith("is no five in a line")
    assert tone is Tone.BAD
    assert pilot.tokens() == ()


@pytest.mark.parametrize("wrong", ["0", "5", "7"])
@pytest.mark.parametrize("before", ["", "^#"])
def test_a_suit_that_is_none_is_told_of_and_the_next_key_chooses(before: str, wrong: str) -> None:
    pilot = desk_with()
    frame = pilot.key(f"{before} 12*{wrong}")
    assert frame.body.entry == Entry("Q", "suit: 1 to 4", Tone.BAD)
    assert pilot.recorder.signals[-1] is Signal.BAD
    assert pilot.key("v").body.entry == Entry("Q")
    pilot.key(f"{wrong}<*{wrong}2")
    assert "Q♥" in str(pilot.frame)
