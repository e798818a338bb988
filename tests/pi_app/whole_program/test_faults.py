"""A position that cannot be is told where it is keyed, in a sentence."""

from tests.pi_app.pilot import Pilot, entry_of


def checked(game: str, keys: str, **tags: str) -> Pilot:
    pilot = Pilot.game(game, "Anna yellow, Jürgen red", **tags)
    pilot.key("?")
    pilot.choose("Check table")
    pilot.key(keys)
    return pilot


def test_stones_in_hand_follow_from_those_on_the_board() -> None:
    pilot = checked("just4fun", "*5# 3 *36# 2v4 *37#")
    assert pilot.frame.body.lines == ("►Anna 15", " Jürgen 16")


def test_stones_that_left_the_game_as_far_as_the_record_knows_come_into_no_hand() -> None:
    pilot = checked("just4fun", "*36# 2 *37#", Position="yellow left=10 5x2; red left=20")
    assert pilot.frame.body.lines[0] == "►Anna 8"


def test_stones_that_were_counted_in_a_hand_stay() -> None:
    pilot = checked("just4fun", "*37# 11 *36# 2 *37#")
    assert pilot.frame.body.lines == ("►Anna 11", " Jürgen 20")


def test_too_many_stones_are_named_on_the_page_where_they_are_keyed() -> None:
    pilot = checked("just4fun", "*37# v20 *5# v1")
    entry = entry_of(pilot.frame)
    assert (entry.text, entry.verdict) == ("5", "Jürgen would have 21 stones")
    pilot.key("?")
    entry = entry_of(pilot.key("#"))
    assert entry.verdict == "Jürgen would have 21 stones"
    pilot.key("<")
    assert pilot.key("*5# v0").body.entry is None


def test_two_stones_on_a_field_of_the_track_are_named_where_they_are_keyed() -> None:
    entry = entry_of(checked("numeri", "36v36").frame)
    assert entry.verdict == "two stones are on field 36"


def test_an_impossible_check_of_einmaleins_says_why() -> None:
    pilot = checked("einmaleins", "0v0 ?#", Open="24")
    entry = entry_of(pilot.frame)
    assert entry.verdict == "only one player can have laid the last card"


def test_an_impossible_position_at_set_up_says_why() -> None:
    pilot = Pilot()
    pilot.choose("numeri", "with the six (1973)", "Position")
    entry = entry_of(pilot.key("36v36 ?#"))
    assert entry.verdict == "two stones are on field 36"
