"""How many keys a turn takes: exactly those that are listed, through the real screens."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from pi_app.view.key_script import read_keys
from tests.pi_app.pilot import Pilot

SIX = "yellow 1@3 2@4 3@6 4@8 5@11 6@12; red 1@1 2@2"
SEQUENCE = "Anna blue, Ben green"


@dataclass(frozen=True, slots=True)
class Turn:
    """How the table was set, which keys lead there, and those that the turn then takes."""

    begin: Callable[[], Pilot]
    keys: str
    done: Callable[[Pilot], bool]
    before: str = ""
    """Keys that lead to where counting begins."""


def plays(token: str) -> Callable[[Pilot], bool]:
    return lambda pilot: pilot.tokens()[-1:] == (token,)


def game(name: str, players: str = "Anna yellow, Ben red", **tags: str) -> Callable[[], Pilot]:
    return lambda: Pilot.game(name, players, **tags)


def finished() -> Pilot:
    """Return a pilot with a game that has just ended, where who starts again is known."""
    pilot = Pilot.game("just4fun", Position="yellow 1 14 30; red 2")
    pilot.key("12*12# *3")
    return pilot


def set_up() -> Pilot:
    pilot = Pilot()
    pilot.choose("Sequence")
    return pilot


def has_four(pilot: Pilot) -> bool:
    choices = pilot.frame.body.choices
    return choices is not None and "Players: 4" in choices.items


TURNS = (
    Turn(game("just4fun"), "5*11*13#", plays("5+11+13")),
    Turn(game("just4fun"), "3", lambda pilot: len(pilot.tokens()) == 1, "^ 3*5*11*13#"),
    Turn(game("numeri"), "d4", plays("4")),
    Turn(game("numeri", Position=SIX), "53", lambda pilot: len(pilot.tokens()) == 1),
    Turn(game("sequence", SEQUENCE), "12*22", plays("QH@r7c7")),
    Turn(game("sequence", SEQUENCE, Position="blue r3c3; green r2c8"), "12*2#", plays("QH@r7c7")),
    Turn(game("einmaleins", Open="24"), "42#", plays("42=6x7"), "#"),
    Turn(game("einmaleins", Position="yellow 5; red 3; open 32=4x8"), "24#2", plays("24=4x6")),
    Turn(set_up, "24", has_four),
    Turn(finished, "#", lambda pilot: pilot.frame.header.title == "Ben" and pilot.tokens() == ()),
)


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn.keys)
def test_a_turn_takes_these_keys_and_is_not_done_before(turn: Turn) -> None:
    pilot = turn.begin()
    pilot.key(turn.before)
    for key in read_keys(turn.keys):
        assert not turn.done(pilot)
        pilot.key([key])
    assert turn.done(pilot)
