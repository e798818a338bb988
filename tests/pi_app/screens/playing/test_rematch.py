"""After a game: the same table again with one key, and who starts then."""

import pytest

from tests.pi_app.pilot import Pilot

WON = "yellow 1 14 30; red 2"
"""Anna is to move and wins with 12+12."""


def finished() -> Pilot:
    pilot = Pilot.game("just4fun", Position=WON, Rules="secured=closed")
    pilot.key("12*12#")
    return pilot


@pytest.mark.parametrize(
    ("answer", "starts"), [("1", "Ben"), ("2", "Anna"), ("3", "Ben"), ("#", "Ben")]
)
def test_enter_plays_again_and_asks_once_who_starts(answer: str, starts: str) -> None:
    pilot = finished()
    assert pilot.key("#").header.title == "Who starts now?"
    assert pilot.key(answer).header.title == starts
    tags = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0).tags
    assert tags["Players"] == "Anna yellow, Ben red"
    assert tags["Rules"] == "secured=closed"
    assert "Position" not in tags
    # the next time nobody is asked
    again = Pilot(
        {"Game": "just4fun", "Players": "Anna yellow, Ben red", "Position": WON},
        store=pilot.ctx.store,
    )
    frame = again.key("12*12#")
    assert frame.body.lines[-1] == f"{starts} starts the next game."
    assert again.key("#").header.title == starts


def test_who_starts_can_be_changed_later() -> None:
    pilot = finished()
    pilot.key("*2")
    assert pilot.frame.body.lines[-1] == "Anna starts the next game."
    pilot.key("*1")
    assert pilot.frame.body.lines[-1] == "Ben starts the next game."


def test_other_games_are_one_key_away() -> None:
    assert finished().key("<").header.title == "Beisitzer"


def test_a_game_that_needs_an_open_card_asks_for_it() -> None:
    pilot = Pilot.game("einmaleins", Position="yellow 1; red 3; open 28=4x7")
    pilot.key("36#")
    assert pilot.key("*3").header.title == "Game over"
    assert pilot.key("#").header.title == "Open card"
    assert pilot.key("<").header.title == "Game over"
    pilot.key("#24#")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
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
    pilot = Pilot.game(game, players, **tags)
    pilot.key({"just4fun": "7#", "sequence": "7*1#", "numeri": "d4", "einmaleins": "# 42#"}[game])
    assert len(pilot.tokens()) == 1
    pilot.key(f"{keys} <<")
    assert pilot.frame.body.entry is None
    assert len(pilot.tokens()) == 1
    pilot.key("<<")
    assert pilot.tokens() == ()
