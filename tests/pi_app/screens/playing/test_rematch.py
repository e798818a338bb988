"""After a game: the same table again with one key, and who starts then."""

import pytest

from tests.pi_app.desk import Desk

WON = "yellow 1 14 30; red 2"
"""Anna is to move and wins with 12+12."""


def finished() -> Desk:
    desk = Desk.game("just4fun", Position=WON, Rules="secured=closed")
    desk.key("12*12#")
    return desk


@pytest.mark.parametrize(
    ("answer", "starts"), [("1", "Ben"), ("2", "Anna"), ("3", "Ben"), ("#", "Ben")]
)
def test_enter_plays_again_and_asks_once_who_starts(answer: str, starts: str) -> None:
    desk = finished()
    assert desk.key("#").header.title == "Who starts now?"
    assert desk.key(answer).header.title == starts
    tags = desk.ctx.store.load(desk.ctx.store.latest() or 0).tags
    assert tags["Players"] == "Anna yellow, Ben red"
    assert tags["Rules"] == "secured=closed"
    assert "Position" not in tags
    # the next time nobody is asked
    again = Desk(
        {"Game": "just4fun", "Players": "Anna yellow, Ben red", "Position": WON},
        store=desk.ctx.store,
    )
    frame = again.key("12*12#")
    assert frame.body.lines[-1] == f"# plays again, {starts} starts. * changes that."
    assert again.key("#").header.title == starts


def test_who_starts_can_be_changed_later() -> None:
    desk = finished()
    desk.key("*2")
    assert desk.frame.body.lines[-1] == "# plays again, Anna starts. * changes that."
    desk.key("*1")
    assert desk.frame.body.lines[-1] == "# plays again, Ben starts. * changes that."


def test_other_games_are_one_key_away() -> None:
    assert finished().key("<").header.title == "Beisitzer"


def test_a_game_that_needs_an_open_card_asks_for_it() -> None:
    desk = Desk.game("einmaleins", Position="yellow 1; red 3; open 28=4x7")
    desk.key("36#")
    assert desk.key("*3").header.title == "Game over"
    assert desk.key("#").header.title == "Open card"
    assert desk.key("<").header.title == "Game over"
    desk.key("#24#")
    stored = desk.ctx.store.load(desk.ctx.store.latest() or 0)
    assert (stored.tags["Open"], stored.tags["Start"]) == ("24", "Ben")


@pytest.mark.parametrize(
    ("game", "players", "keys"),
    [
        ("just4fun", "Anna yellow, Ben red", "5*11"),
        ("sequence", "Anna blue, Ben green", "12*"),
        ("sequence", "Anna blue, Ben green", "12*2"),
        ("numeri", "Anna yellow, Ben red", "9"),
        ("einmaleins", "Anna yellow, Ben red", "24"),
    ],
)
def test_back_held_clears_what_is_keyed_and_only_then_takes_a_move_back(
    game: str, players: str, keys: str
) -> None:
    tags = {"Open": "24"} if game == "einmaleins" else {}
    desk = Desk.game(game, players, **tags)
    desk.key({"just4fun": "7#", "sequence": "7*1#", "numeri": "d4", "einmaleins": "# 42#"}[game])
    assert len(desk.tokens()) == 1
    desk.key(f"{keys} <<")
    assert desk.frame.body.entry is None
    assert len(desk.tokens()) == 1
    desk.key("<<")
    assert desk.tokens() == ()
