"""Undo, redo, changing the past and the audit work by keys in every game."""

from dataclasses import dataclass

import pytest

from pi_app.table.faces import FACES
from tests.pi_app.desk import TWO, Desk


@dataclass(frozen=True)
class Play:
    """Two moves of a game by keys, their tokens, and keys for another first move."""

    tags: dict[str, str]
    keys: tuple[str, str]
    tokens: tuple[str, str]
    other: str
    other_token: str


PLAYS = {
    "just4fun": Play({"Players": TWO}, ("5*11#", "9#"), ("5+11", "9"), "7#", "7"),
    "numeri": Play({"Players": TWO}, ("d4", "d6"), ("4", "6"), "d2", "2"),
    "sequence": Play(
        {"Players": "Anna blue, Ben green"},
        ("7*1#", "12*2 2#"),
        ("7S@r1c7", "QH@r2c8"),
        "9*1#",
        "9S@r1c9",
    ),
    "einmaleins": Play(
        {"Players": TWO, "Open": "24"}, ("# 42#", "28#"), ("42=6x7", "28=4x7"), "42#", "42=6x7"
    ),
}


def desk_after_two_moves(game: str) -> Desk:
    play = PLAYS[game]
    desk = Desk({"Game": game, **play.tags})
    desk.key(play.keys[0])
    desk.key(play.keys[1])
    assert desk.tokens() == play.tokens
    return desk


def test_every_game_has_a_play_here() -> None:
    assert set(PLAYS) == set(FACES)


@pytest.mark.parametrize("game", PLAYS)
def test_held_back_takes_moves_back_and_the_menu_plays_them_again(game: str) -> None:
    desk = desk_after_two_moves(game)
    desk.key("<<")
    assert desk.tokens() == PLAYS[game].tokens[:1]
    desk.key("<<")
    assert desk.tokens() == ()
    for count in (1, 2):
        desk.key("?")
        desk.choose("Play again")
        assert desk.tokens() == PLAYS[game].tokens[:count]


@pytest.mark.parametrize("game", PLAYS)
def test_a_past_move_is_removed_only_after_it_was_accepted(game: str) -> None:
    desk = desk_after_two_moves(game)
    desk.key("?")
    desk.choose("Moves")
    desk.key("#")
    desk.choose("Remove")
    assert desk.frame.title == "Change this?"
    assert desk.tokens() == PLAYS[game].tokens
    desk.key("#")
    assert desk.tokens() == PLAYS[game].tokens[:1]


@pytest.mark.parametrize("game", PLAYS)
def test_a_past_move_is_keyed_anew_with_the_games_own_keys(game: str) -> None:
    desk = desk_after_two_moves(game)
    desk.key("?")
    desk.choose("Moves")
    desk.key("^#")
    desk.choose("Change")
    desk.key(PLAYS[game].other)
    assert desk.frame.title == "Change this?"
    desk.key("#")
    assert desk.tokens()[0] == PLAYS[game].other_token


@pytest.mark.parametrize("game", PLAYS)
def test_the_audit_of_an_agreeing_table_changes_nothing(game: str) -> None:
    desk = desk_after_two_moves(game)
    desk.key("?")
    desk.choose("Check table")
    assert desk.frame.title == "Check"
    desk.key("?#")
    assert desk.tokens() == PLAYS[game].tokens
    assert desk.frame.title in {"Anna", "Ben"}


@pytest.mark.parametrize("game", PLAYS)
def test_the_audit_can_go_through_all_places_and_come_back(game: str) -> None:
    desk = desk_after_two_moves(game)
    desk.key("?")
    desk.choose("Check table")
    places = int(desk.frame.corner.partition("/")[2])
    desk.key("#" * places)
    assert desk.frame.title == "Differences"
    for _ in range(places + 1):
        desk.key("<")
    assert desk.frame.title == "Menu"
