"""Fingers on a dial: they turn the shortest way to what a keypad would key, and count."""

from collections.abc import Callable, Iterable
from pathlib import Path

from beisitzer.testing.pilot import find_row, in_english
from hardware.keys import Key
from pi_app.run.dial import Stop, Stops
from pi_app.run.loop import Companion
from pi_app.settings.file import parse
from pi_app.settings.schema import Settings

HOLD = 2
"""From how many steps on a key is held: its repeats count as one press."""

STICK = {Key.STICK_UP: 1, Key.STICK_DOWN: -1, Key.STICK_RIGHT: 5, Key.STICK_LEFT: -5}
ENCODER = {Key.TURN_RIGHT: 1, Key.TURN_LEFT: -1}


def stick_settings() -> Settings:
    """Return the settings of a board with a joystick."""
    return parse({Path("s.toml"): 'rig.board = "waveshare-oled-1in3"'}).settings


def encoder_settings() -> Settings:
    """Return the settings of a rig whose only input is an encoder."""
    text = "keypad.enabled = false\ndie_buttons.enabled = false"
    return parse({Path("e.toml"): text}).settings


class Fingers:
    """Fingers that play what keys of a keypad say; `presses` counts a held key once."""

    def __init__(self, program: Companion, *, stick: bool, holds: bool = True) -> None:
        self.program = program
        self.holds = holds
        self.stick = stick
        self.presses = 0
        self.taps = 0
        self.sent: list[Key] = []

    def press(self, key: Key) -> None:
        self.presses += 1
        self.taps += 1
        self.sent.append(key)
        self.program.press(key)

    def stops(self) -> Stops:
        screen = self.program.screen
        return self.program.dial.stops(screen, screen.frame())

    def turn_to(self, at: int) -> None:
        """Turn to a stop by the fewest presses."""
        stops = self.stops()
        for keys, presses in self._way(stops, self.program.dial.place(stops), at):
            self.presses += presses - len(keys)
            for key in keys:
                self.press(key)

    def _way(self, stops: Stops, start: int, to: int) -> list[tuple[list[Key], int]]:
        """Return the keys of each stroke, and how many presses the stroke is."""
        signs = {Key.STICK_UP: -1, Key.STICK_DOWN: -1} if stops.listed else {}
        moves = {k: by * signs.get(k, 1) for k, by in (STICK if self.stick else ENCODER).items()}
        ways: dict[int, list[tuple[list[Key], int]]] = {start: []}
        reached = [start]
        while to not in ways:
            here, reached = reached, []
            for strokes in self._strokes(moves, len(stops.stops)):
                for at in here:
                    passed = [at]
                    for key in strokes:
                        passed.append(stops.step(passed[-1], moves[key]))
                    there = passed[-1]
                    # past the values the stops change with what is keyed
                    strays = to < stops.values and max(passed) >= stops.values
                    if there not in ways and not strays:
                        ways[there] = [*ways[at], (strokes, 1)]
                        reached.append(there)
        return ways[to]

    def _strokes(self, moves: dict[Key, int], most: int) -> list[list[Key]]:
        """Return what one press does: a step, or while it is held many; the shortest first."""
        held = [k for k in (Key.STICK_UP, Key.STICK_DOWN) if k in moves and self.holds]
        long: list[list[Key]] = [[key] * count for count in range(HOLD, most) for key in held]
        return [*([key] for key in moves), *long]

    def take(self, *keys: Key) -> None:
        """Turn to the stop that sends these keys and push."""
        self.take_stop(lambda stop: stop.keys == keys)

    def take_stop(self, wanted: Callable[[Stop], bool]) -> None:
        """Turn to the first such stop and push."""
        stops = self.stops().stops
        self.turn_to(next(at for at, stop in enumerate(stops) if wanted(stop)))
        self.press(Key.PUSH)

    def english(self) -> list[str]:
        """Return the texts of the stops in English."""
        with in_english(self.program.ctx):
            return [stop.text for stop in self.stops().stops]

    def choose(self, words: str) -> None:
        """Choose the row with these English words."""
        self.turn_to(find_row(self.english(), words))
        self.press(Key.PUSH)

    def write(self, text: str) -> None:
        """Write a text letter by letter and end it."""
        for letter in text:
            self.turn_to([stop.text for stop in self.stops().stops].index(letter.upper()))
            self.press(Key.PUSH)
        self.press(Key.PUSH_HELD)

    def play(self, keys: Iterable[Key]) -> None:
        """Play what these keys of a keypad key."""
        digits: list[Key] = []
        for key in keys:
            stops = self.stops()
            if key.digit is not None and stops.wheel is not None and stops.wheel.live:
                digits.append(key)
            elif key.digit is not None:
                rows = self._rows(stops)
                self.turn_to(rows[key.value])
                self.press(Key.PUSH)
            else:
                self._go_on(key, stops, tuple(digits))
                digits = []

    def _rows(self, stops: Stops) -> dict[str, int]:
        choices = self.program.screen.frame().body.choices
        if choices is None:
            return {stop.text: at for at, stop in enumerate(stops.stops)}
        return {digits: at for at, digits in enumerate(choices.keyed)}

    def _go_on(self, key: Key, stops: Stops, digits: tuple[Key, ...]) -> None:
        wheel = stops.wheel
        if digits and wheel is not None:
            at = next(at for at, stop in enumerate(stops.stops) if stop.keys == digits)
            self.turn_to(at)
        if key is Key.ENTER and wheel is not None and wheel.then is Key.STAR:
            self.press(Key.PUSH_HELD)
        elif key is Key.ENTER or (wheel is not None and key is wheel.then):
            self.press(Key.PUSH)
        else:
            self.take(key)
