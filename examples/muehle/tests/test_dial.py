"""A whole game with five keys: the game says nothing of a dial, so digits are turned to."""

from pathlib import Path

from muehle.rules.board import COLUMNS

from beisitzer.testing.pilot import Pilot
from engines.record import parse
from hardware.keys import DIAL_KEYS, Key
from pi_app.settings.file import parse as parse_settings

GAME = parse((Path(__file__).parents[1] / "records/muehle-few-stones.txt").read_text("utf-8"))
FIVE_KEYS = 'rig.board = "waveshare-oled-1in3"'


def turn_to(pilot: Pilot, text: str) -> None:
    """Turn the dial to this stop, one up at a time, and push."""
    program = pilot.program
    for _ in range(40):
        screen = program.screen
        stops = program.dial.stops(screen, screen.frame())
        if stops.stops[program.dial.place(stops)].text == text:
            program.press(Key.PUSH)
            return
        program.press(Key.STICK_UP)
    raise AssertionError(f"no stop {text} on the dial")


def test_five_keys_play_a_game_to_its_end() -> None:
    pilot = Pilot(dict(GAME.tags))
    pilot.ctx.settings = parse_settings({Path("five.toml"): FIVE_KEYS}).settings
    sent: list[Key] = []
    hear = pilot.program.press

    def press(key: Key) -> None:
        sent.append(key)
        hear(key)

    pilot.program.press = press  # type: ignore[method-assign]
    for token in GAME.tokens:
        for sign in token.replace("-", "").replace("x", ""):
            turn_to(pilot, str(COLUMNS.index(sign) + 1) if sign in COLUMNS else sign)
        pilot.program.press(Key.PUSH_HELD)
    assert pilot.tokens() == GAME.tokens
    assert pilot.program.screen.frame().header.title == "Game over"
    assert set(sent) <= DIAL_KEYS
