"""The table of presses in the manuals: counted through the real screens, not remembered."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from pi_app.view.key_script import read_keys
from tests.docs.pages import ROOT
from tests.pi_app.pilot import Pilot

SIX = "yellow 1@3 2@4 3@6 4@8 5@11 6@12; red 1@1 2@2"
SEQUENCE = "Anna blue, Ben green"


@dataclass(frozen=True, slots=True)
class Turn:
    """One row of the table: how the table was set, what leads there, and what is counted."""

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


def rows(page: str) -> list[tuple[str, str]]:
    """Return what the table of a manual says: the turn, and its last column."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    heading = {"play.md": "## Presses for a turn", "spielen.md": "## Tasten je Zug"}[page]
    table = re.findall(r"^\| (.+?) \| .+? \| (.+?) \|$", text.partition(heading)[2], re.M)
    return [row for row in table if row[1][-1].isdigit()][: len(TURNS)]


@pytest.mark.parametrize("page", ["play.md", "spielen.md"])
@pytest.mark.parametrize("at", range(len(TURNS)))
def test_a_turn_takes_as_many_presses_as_the_manual_says(page: str, at: int) -> None:
    turn, (words, now) = TURNS[at], rows(page)[at]
    pilot = turn.begin()
    pilot.key(turn.before)
    keys = read_keys(turn.keys)
    for key in keys:
        assert not turn.done(pilot), words
        pilot.key([key])
    assert turn.done(pilot), words
    assert len(keys) == int(now.split()[-1]), words
    written = "".join(re.findall(r"`([^`]+)`", now)) or "".join(re.findall(r"`([^`]+)`", words))
    assert written in ("", turn.keys), words


@pytest.mark.parametrize("page", ["play.md", "spielen.md"])
def test_every_row_of_the_table_is_counted(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    heading = {"play.md": "## Presses for a turn", "spielen.md": "## Tasten je Zug"}[page]
    table = text.partition(heading)[2].partition("\n## ")[0]
    assert table.count("\n| ") == len(TURNS) + 1  # with its head
