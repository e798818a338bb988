"""Whole games, from the first menu to the result, with five keys and with an encoder alone."""

from random import Random

import pytest

from hardware.keys import DIAL_KEYS, Key
from pi_app.screens.playing.result import ResultScreen
from pi_app.screens.playing.turn import TurnScreen
from pi_app.view.key_script import read_keys
from tests.pi_app.pilot import Pilot
from tests.players.dial import Fingers, encoder_settings, stick_settings
from tests.players.player import Player

MOST = 1.8
"""The most presses of five keys for one of a keypad, over a whole game."""

STICK_KEYS = {key for key in DIAL_KEYS if not key.value.startswith("TURN")}
ENCODER_KEYS = {key for key in DIAL_KEYS if not key.value.startswith("STICK")}


def at_menu(*, stick: bool) -> Fingers:
    """Return fingers on a dial at the first menu."""
    pilot = Pilot()
    pilot.ctx.settings = stick_settings() if stick else encoder_settings()
    pilot.program.show()
    return Fingers(pilot.program, stick=stick)


def set_up(fingers: Fingers) -> None:
    """Set up a game of Just 4 Fun in which the first player is called Eva."""
    fingers.choose("Just 4 Fun")
    fingers.turn_to(fingers.english().index("Players: 2") + 1)
    fingers.press(Key.PUSH)
    fingers.choose("Name")
    fingers.write("Eva")
    while "Start" not in fingers.english():
        if fingers.stick:
            fingers.press(Key.STICK_LEFT_HELD)
        else:
            fingers.choose("back")
    fingers.choose("Start")


@pytest.mark.parametrize("stick", [True, False], ids=["five keys", "encoder"])
def test_a_game_is_set_up_with_a_name_and_played_to_its_result(stick: bool) -> None:
    fingers = at_menu(stick=stick)
    set_up(fingers)
    screen = fingers.program.screen
    assert isinstance(screen, TurnScreen)
    assert "Eva" in [player.name for player in screen.table.position.players]
    table, before = screen.table, fingers.presses
    player = Player(fingers.play, screen.frame, lambda: table.position, Random(1))
    player.play()
    assert isinstance(fingers.program.screen, ResultScreen)
    assert set(fingers.sent) <= (STICK_KEYS if stick else ENCODER_KEYS)
    if stick:
        assert fingers.presses - before <= MOST * player.keys


def test_a_game_of_einmaleins_is_played_from_its_open_card_by_an_encoder() -> None:
    fingers = at_menu(stick=False)
    fingers.choose("Einmaleins")
    fingers.choose("Open card")
    fingers.play(read_keys("24#"))
    fingers.choose("Start")
    screen = fingers.program.screen
    assert isinstance(screen, TurnScreen)
    Player(fingers.play, screen.frame, lambda: screen.table.position, Random(1)).play()
    assert len(screen.table.tokens()) > 5
