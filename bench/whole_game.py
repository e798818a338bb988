"""Whole games by keys: what a key costs on the OLED's bus, averaged from deal to result.

Hands are not known, so any card that fits is played; the choices are those of a seeded die.
"""

from collections.abc import Callable
from itertools import pairwise
from random import Random

from bench.figure import Figure
from bench.keys import program
from engines.einmaleins.position import EinmaleinsPosition
from engines.game import AnyPosition
from engines.sequence.position import SequencePosition
from hardware.config import OledConfig
from hardware.keys import Key
from hardware.oled import Oled, open_wire
from hardware.simulation import SimulatedI2c, SimulatedPanel
from pi_app.displays.oled import paint
from pi_app.displays.oled.motion import motion
from pi_app.table.table import Table
from pi_app.view.frame import Frame
from pi_app.view.key_script import read_keys

BUDGET = 120
"""Bytes a key, averaged over a game."""

_LONGEST = 600
"""Turns after which a game is broken off."""


def just4fun(position: AnyPosition, _frame: Frame, dice: Random) -> list[Key]:
    """Return the keys of some legal sum of two cards."""
    pairs = [f"{a}+{b}" for a in range(1, 20) for b in range(a, 20)]
    dice.shuffle(pairs)
    for pair in pairs:
        try:
            move = position.parse(pair)
        except ValueError:
            continue
        if position.refusal(move) is None:
            return read_keys(pair.replace("+", "*") + "#")
    raise ValueError("no sum of two cards is legal")


def numeri(_position: AnyPosition, frame: Frame, dice: Random) -> list[Key]:
    """Return the key that a choice or a lost turn waits for, else a roll."""
    if frame.choices or frame.big.endswith("STUCK"):
        return [Key.ENTER]
    return [Key(f"DIE{dice.randint(1, 6)}")]


def einmaleins(position: AnyPosition, frame: Frame, dice: Random) -> list[Key]:
    """Return the key that a sentence or a question waits for, else a number that fits."""
    if frame.alert or frame.choices:
        return [Key.ENTER]
    if not isinstance(position, EinmaleinsPosition):
        raise TypeError("this is not Einmaleins")
    numbers = sorted({n for row in position.fitting_numbers().values() for n in row})
    return read_keys(f"{dice.choice(numbers)}#")


def sequence(position: AnyPosition, frame: Frame, dice: Random) -> list[Key]:
    """Return ENTER where a question or an alert waits, else a card that has a free square."""
    if frame.alert or frame.choices:
        return [Key.ENTER]
    if not isinstance(position, SequencePosition):
        raise TypeError("this is not Sequence")
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "", "Q", "K"]
    cards = [
        f"{number}*{suit}#"
        for number, rank in enumerate(ranks, 1)
        for suit, letter in enumerate("SHDC", 1)
        if rank and position.free_squares(f"{rank}{letter}")
    ]
    return read_keys(dice.choice(cards))


FINGERS: dict[str, Callable[[AnyPosition, Frame, Random], list[Key]]] = {
    "just4fun": just4fun,
    "numeri": numeri,
    "sequence": sequence,
    "einmaleins": einmaleins,
}
"""Who keys each game: what is pressed at a position that is shown by a frame."""


def frames_of_a_game(game: str, seed: int = 1) -> list[Frame]:
    """Return the frame before the first key of a whole game, and that after each key."""
    companion = program(game)
    companion.show()
    frames = [companion.screen.frame()]
    dice = Random(seed)
    store = companion.ctx.store
    for _ in range(_LONGEST):
        position = Table.resume(store, store.load(store.latest() or 0)).position
        if position.result is not None:
            break
        for key in FINGERS[game](position, frames[-1], dice):
            companion.press(key)
            frames.append(companion.screen.frame())
    return frames


def bytes_a_key(game: str) -> float:
    """Return the bytes on an SSD1306's bus for a key of a whole game, on the average."""
    bus = SimulatedI2c(SimulatedPanel("ssd1306"))
    oled = Oled(open_wire(OledConfig(), bus=bus), OledConfig(), clock=lambda: 0.0)
    start, *frames = frames_of_a_game(game)
    oled.show(paint(start))
    before = bus.sent
    for frame in frames:
        oled.show(paint(frame))
    return (bus.sent - before) / len(frames)


def bytes_of_a_motion(game: str) -> int:
    """Return the most bytes of a motion of a whole game: a die that rolls, a row that blinks."""
    most = 0
    frames = frames_of_a_game(game)
    for before, after in pairwise(frames):
        steps = (*motion(before, after), after)
        bus = SimulatedI2c(SimulatedPanel("ssd1306"))
        oled = Oled(open_wire(OledConfig(), bus=bus), OledConfig(), clock=lambda: 0.0)
        oled.show(paint(steps[0]))
        sent = bus.sent
        for step in steps[1:]:
            oled.show(paint(step))
        most = max(most, bus.sent - sent)
    return most


def figures() -> list[Figure]:
    """Return the bytes a key of every game, and those of the longest motion."""
    return [
        *(
            Figure(f"bus, {game}: a key of a whole game", bytes_a_key(game), "bytes", BUDGET)
            for game in FINGERS
        ),
        *(
            Figure(f"bus, {game}: a motion", bytes_of_a_motion(game), "bytes")
            for game in ("just4fun", "numeri")
        ),
    ]
