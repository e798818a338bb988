"""Undo, redo, changing the past and the board check work by keys in every game."""

import pytest

from beisitzer.testing.desk import Desk
from beisitzer.testing.samples import Samples


def test_held_back_takes_moves_back_and_the_menu_plays_them_again(
    desk_after_two_moves: Desk, samples: Samples
) -> None:
    desk = desk_after_two_moves
    desk.key("<<")
    assert desk.tokens() == samples.tokens[:1]
    desk.key("<<")
    assert desk.tokens() == ()
    for count in (1, 2):
        desk.key("?")
        desk.choose("Redo")
        assert desk.tokens() == samples.tokens[:count]


def test_a_past_move_is_removed_only_after_it_was_accepted(
    desk_after_two_moves: Desk, samples: Samples
) -> None:
    desk = desk_after_two_moves
    desk.key("?")
    desk.choose("Moves")
    desk.key("#")
    desk.choose("Remove")
    assert desk.frame.header.title == "Remove move 2?"
    assert desk.tokens() == samples.tokens
    desk.key("#")
    assert desk.tokens() == samples.tokens[:1]


def test_a_past_move_is_changed_with_the_games_own_keys(
    desk_after_two_moves: Desk, samples: Samples
) -> None:
    desk = desk_after_two_moves
    desk.key("?")
    desk.choose("Moves")
    desk.key("^#")
    desk.choose("Change")
    desk.key(samples.other[0])
    assert desk.frame.header.title == "Change move 1?"
    desk.key("#")
    assert desk.tokens()[0] == samples.other[1]


@pytest.mark.game_with("slots")
def test_the_audit_of_an_agreeing_table_changes_nothing(
    desk_after_two_moves: Desk, samples: Samples
) -> None:
    desk = desk_after_two_moves
    desk.key("?")
    desk.choose("Check table")
    assert desk.frame.header.title == "Check"
    desk.key("?#")
    assert desk.tokens() == samples.tokens
    assert desk.frame.header.title in samples.players


@pytest.mark.game_with("slots")
def test_the_audit_can_go_through_all_places_and_come_back(
    desk_after_two_moves: Desk,
) -> None:
    desk = desk_after_two_moves
    desk.key("?")
    desk.choose("Check table")
    places = int(desk.frame.header.corner.partition("/")[2])
    desk.key("#" * places)
    assert desk.frame.header.title == "Differences"
    for _ in range(places + 1):
        desk.key("<")
    assert desk.frame.header.title == "Menu"
