"""Undo, redo, changing the past and the board check work by keys in every game."""

import pytest

from beisitzer.testing.pilot import Pilot
from beisitzer.testing.samples import Samples


def test_held_back_takes_moves_back_and_the_menu_plays_them_again(
    pilot_after_two_moves: Pilot, samples: Samples
) -> None:
    pilot = pilot_after_two_moves
    pilot.key("<<")
    assert pilot.tokens() == samples.tokens[:1]
    pilot.key("<<")
    assert pilot.tokens() == ()
    for count in (1, 2):
        pilot.key("?")
        pilot.choose("Redo")
        assert pilot.tokens() == samples.tokens[:count]


def test_a_past_move_is_removed_only_after_a_confirmation(
    pilot_after_two_moves: Pilot, samples: Samples
) -> None:
    pilot = pilot_after_two_moves
    pilot.key("?")
    pilot.choose("Moves")
    pilot.key("#")
    pilot.choose("Remove")
    assert pilot.frame.header.title == "Remove move 2?"
    assert pilot.tokens() == samples.tokens
    pilot.key("#")
    assert pilot.tokens() == samples.tokens[:1]


def test_a_past_move_is_changed_with_the_games_own_keys(
    pilot_after_two_moves: Pilot, samples: Samples
) -> None:
    pilot = pilot_after_two_moves
    pilot.key("?")
    pilot.choose("Moves")
    pilot.key("^#")  # the move before the last
    pilot.choose("Change")
    pilot.key(samples.other[0])
    assert pilot.frame.header.title == "Change move 1?"
    pilot.key("#")
    assert pilot.tokens()[0] == samples.other[1]


@pytest.mark.game_with("slots")
def test_the_board_check_of_an_agreeing_table_changes_nothing(
    pilot_after_two_moves: Pilot, samples: Samples
) -> None:
    pilot = pilot_after_two_moves
    pilot.key("?")
    pilot.choose("Check table")
    assert pilot.frame.header.title == "Check"
    pilot.key("?#")  # done; then ok, as there are no differences
    assert pilot.tokens() == samples.tokens
    assert pilot.frame.header.title in samples.players  # a player's name: the turn is back


@pytest.mark.game_with("slots")
def test_the_board_check_goes_through_all_places_and_back(
    pilot_after_two_moves: Pilot,
) -> None:
    pilot = pilot_after_two_moves
    pilot.key("?")
    pilot.choose("Check table")
    places = int(pilot.frame.header.corner.partition("/")[2])
    pilot.key("#" * places)
    assert pilot.frame.header.title == "Differences"
    for _ in range(places + 1):
        pilot.key("<")
    assert pilot.frame.header.title == "Menu"
