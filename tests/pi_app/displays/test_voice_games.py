"""Whole games with the display covered: the players know their cards, and what is said."""

import random
from collections.abc import Iterable

import pytest

from engines.games import SHIPPED
from hardware.keys import Key
from tests.golden import FOLDER, check_golden_text
from tests.options import Options
from tests.pi_app.pilot import TWO, Pilot
from tests.players.player import Player
from tests.players.voice import Listener


def check(name: str, notes: list[str], options: Options) -> None:
    """Compare a transcript with its golden file."""
    check_golden_text(FOLDER / "voice" / f"{name}.txt", "\n".join(notes) + "\n", options)


def begin(game: str) -> Listener:
    """Find a game in the first menu and begin it, by ear alone."""
    table = Listener(Pilot(language="de"))
    table.until("v", lambda: table.hears(game))
    table.notes.clear()  # how many games there are is no part of a game
    table.press("#")
    assert table.hears("Los")
    table.press("#")
    return table


def whose(table: Listener) -> str:
    """Return who was said to be to move, by name."""
    (said,) = [text for text in table.heard if text.endswith(" ist dran.")]
    return said.removesuffix(" ist dran.")


def test_a_whole_just4fun_is_played_by_ear(options: Options) -> None:
    table = begin("Just")
    played = table.pilot.table

    def press(keys: Iterable[Key]) -> None:
        """Key a sum by whose turn it is said to be, and play it only if it is said to be free."""
        *cards, enter = keys
        now = played.position
        assert whose(table) == now.players[now.seat].name
        table.press(" ".join(cards))
        assert table.hears("frei")
        table.press(enter)

    Player(press, lambda: table.pilot.frame, lambda: played.position, random.Random(4)).play()
    assert table.hears("gewinnt!", "gewinnen!", "Unentschieden")
    assert table.hears("spielt noch einmal")
    check("just4fun-de", table.notes, options)


@pytest.mark.parametrize(("game", "language"), [*zip(SHIPPED, ("en", "de") * 2, strict=True)])
def test_whatever_is_pressed_something_can_be_said_of_it(game: str, language: str) -> None:
    chance = random.Random(game)
    tags = {"einmaleins": {"Open": "24"}}.get(game, {})
    players = "Anna blue, Ben green" if game == "sequence" else TWO
    table = Listener(Pilot.game(game, players, language, **tags))
    keys = [key for key in Key if key is not Key.MENU_HELD]
    for _ in range(400):
        table.press(chance.choice(keys).value)
        signs = set("".join(table.heard)) & set("+×=→#♠♥♦♣")
        assert not signs, table.heard
        if table.pilot.program.quit is not None:
            return
