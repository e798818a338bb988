"""Undo, redo, changing the past and the audit work by keys in every game."""

import pytest

from pi_app.table.faces import FACES
from tests.pi_app.desk import Desk
from tests.samples import samples_of


def desk_after_two_moves(game: str) -> Desk:
    samples = samples_of(game)
    desk = Desk({"Game": game, "Players": samples.players, **samples.tags})
    desk.key(samples.keys[0])
    desk.key(samples.keys[1])
    assert desk.tokens() == samples.tokens
    return desk


@pytest.mark.parametrize("game", FACES)
def test_held_back_takes_moves_back_and_the_menu_plays_them_again(game: str) -> None:
    desk = desk_after_two_moves(game)
    desk.key("<<")
    assert desk.tokens() == samples_of(game).tokens[:1]
    desk.key("<<")
    assert desk.tokens() == ()
    for count in (1, 2):
        desk.key("?")
        desk.choose("Redo")
        assert desk.tokens() == samples_of(game).tokens[:count]


@pytest.mark.parametrize("game", FACES)
def test_a_past_move_is_removed_only_after_it_was_accepted(game: str) -> None:
    desk = desk_after_two_moves(game)
    desk.key("?")
    desk.choose("Moves")
    desk.key("#")
    desk.choose("Remove")
    assert desk.frame.header.title == "Remove move 2?"
    assert desk.tokens() == samples_of(game).tokens
    desk.key("#")
    assert desk.tokens() == samples_of(game).tokens[:1]


@pytest.mark.parametrize("game", FACES)
def test_a_past_move_is_keyed_anew_with_the_games_own_keys(game: str) -> None:
    desk = desk_after_two_moves(game)
    desk.key("?")
    desk.choose("Moves")
    desk.key("^#")
    desk.choose("Change")
    desk.key(samples_of(game).other[0])
    assert desk.frame.header.title == "Change move 1?"
    desk.key("#")
    assert desk.tokens()[0] == samples_of(game).other[1]


@pytest.mark.parametrize("game", FACES)
def test_the_audit_of_an_agreeing_table_changes_nothing(game: str) -> None:
    desk = desk_after_two_moves(game)
    desk.key("?")
    desk.choose("Check table")
    assert desk.frame.header.title == "Check"
    desk.key("?#")
    assert desk.tokens() == samples_of(game).tokens
    assert desk.frame.header.title in {"Anna", "Ben"}


@pytest.mark.parametrize("game", FACES)
def test_the_audit_can_go_through_all_places_and_come_back(game: str) -> None:
    desk = desk_after_two_moves(game)
    desk.key("?")
    desk.choose("Check table")
    places = int(desk.frame.header.corner.partition("/")[2])
    desk.key("#" * places)
    assert desk.frame.header.title == "Differences"
    for _ in range(places + 1):
        desk.key("<")
    assert desk.frame.header.title == "Menu"
