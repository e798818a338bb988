"""Whole games by keys: which keys a player presses at a position.

Hands are unknown, so any fitting card is played, chosen by a seeded random generator.
"""

from collections.abc import Callable
from random import Random

from bench.keys import program
from engines.einmaleins.rules import EinmaleinsPosition
from engines.game import AnyPosition
from engines.sequence.rules import SequencePosition
from hardware.keys import Key
from pi_app.table.table import Table
from pi_app.view.frame import Frame
from pi_app.view.key_script import read_keys

_LONGEST = 600
"""Turns after which a game is broken off."""


def just4fun(position: AnyPosition, _frame: Frame, rng: Random) -> list[Key]:
    """Return the keys of a legal sum of two cards."""
    pairs = [f"{a}+{b}" for a in range(1, 20) for b in range(a, 20)]
    rng.shuffle(pairs)
    for pair in pairs:
        try:
            move = position.parse(pair)
        except ValueError:
            continue
        if position.refusal(move) is None:
            return read_keys(pair.replace("+", "*") + "#")
    raise ValueError("no sum of two cards is legal")


def numeri(_position: AnyPosition, frame: Frame, rng: Random) -> list[Key]:
    """Return ENTER for a choice or a lost turn, else a roll."""
    if frame.body.choices or frame.body.big.endswith("STUCK"):
        return [Key.ENTER]
    return [Key(f"DIE{rng.randint(1, 6)}")]


def einmaleins(position: AnyPosition, frame: Frame, rng: Random) -> list[Key]:
    """Return ENTER for an alert or a question, else the keys of a fitting number."""
    if frame.alert or frame.body.choices:
        return [Key.ENTER]
    if not isinstance(position, EinmaleinsPosition):
        raise TypeError("this is not Einmaleins")
    numbers = sorted({n for row in position.fitting_numbers().values() for n in row})
    return read_keys(f"{rng.choice(numbers)}#")


def sequence(position: AnyPosition, frame: Frame, rng: Random) -> list[Key]:
    """Return ENTER for an alert or a question, else the keys of a card with a free square."""
    if frame.alert or frame.body.choices:
        return [Key.ENTER]
    if not isinstance(position, SequencePosition):
        raise TypeError("this is not Sequence")
    # the keys are the number of the rank and that of the suit; a jack has no square
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "", "Q", "K"]
    cards = [
        f"{number}*{suit}#"
        for number, rank in enumerate(ranks, 1)
        for suit, letter in enumerate("SHDC", 1)
        if rank and position.free_squares(f"{rank}{letter}")
    ]
    return read_keys(rng.choice(cards))


FINGERS: dict[str, Callable[[AnyPosition, Frame, Random], list[Key]]] = {
    "just4fun": just4fun,
    "numeri": numeri,
    "sequence": sequence,
    "einmaleins": einmaleins,
}
"""By game a function that returns the keys to press at a position and its frame."""


def frames_of_a_game(game: str) -> list[Frame]:
    """Return the frame before the first key of a whole game, and the frame after each key."""
    companion = program(game)
    companion.show()
    frames = [companion.screen.frame()]
    rng = Random(1)
    store = companion.ctx.store
    for _ in range(_LONGEST):
        # the position after the keys is known from the store only: screens show no positions
        position = Table.resume(store, store.load(store.latest_game() or 0)).position
        if position.result is not None:
            break
        for key in FINGERS[game](position, frames[-1], rng):
            companion.press(key)
            frames.append(companion.screen.frame())
    return frames
