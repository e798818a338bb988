"""Whole games, from the first menu to the result, with five keys and with an encoder alone."""

from collections.abc import Callable
from random import Random

import pytest

from bench.whole_game import FINGERS
from engines.game import AnyPosition
from engines.just4fun.cards import DECK
from engines.just4fun.position import Just4Fun
from engines.numeri.position import NumeriPosition
from hardware.keys import DIAL_KEYS, Key
from pi_app.screens.playing.result import ResultScreen
from pi_app.screens.playing.turn import TurnScreen
from pi_app.view.frame import Frame
from pi_app.view.key_script import read_keys
from tests.pi_app.dialled import Fingers, encoder_settings, stick_settings
from tests.pi_app.pilot import Pilot

MOST = 1.8
"""The most presses of five keys for one of a keypad, over a whole game."""

PRESSES = {
    "just4fun": (186, 152, 417),
    "numeri": (194, 336, 430),
    "sequence": (360, 414, 664),
    "einmaleins": (72, 67, 417),
}
"""By game the presses of a keypad, of five keys, and of an encoder with its clicks."""

STICK_KEYS = {key for key in DIAL_KEYS if not key.value.startswith("TURN")}
ENCODER_KEYS = {key for key in DIAL_KEYS if not key.value.startswith("STICK")}
GAMES = tuple(PRESSES)
BOTH = pytest.mark.parametrize("stick", [True, False], ids=["five keys", "encoder"])


def just4fun(position: AnyPosition, _frame: Frame, dice: Random) -> list[Key]:
    """Return the keys of a legal sum of a random hand, or of its exchange."""
    assert isinstance(position, Just4Fun)
    deck = [card for card, copies in DECK.items() for _ in range(copies)]
    hand = tuple(dice.sample(deck, 4))
    legal = [entry.move.token for entry in position.sums(hand) if entry.refusal is None]
    cards = dice.choice(legal) if legal else "+".join(map(str, hand))
    return read_keys(cards.replace("+", "*") + "#")


def numeri(position: AnyPosition, frame: Frame, dice: Random) -> list[Key]:
    """Return a roll, then one of its moves: one that makes a chain, as people do, or any."""
    assert isinstance(position, NumeriPosition)
    if frame.body.choices is not None:
        items = frame.body.choices.items
        chains = [at for at, item in enumerate(items, 1) if item.endswith(("chain", "Kette"))]
        return [Key(str(dice.choice(chains or range(1, len(items) + 1))))]
    stuck = frame.body.big.endswith(("STUCK", "FEST"))
    return [Key.ENTER] if stuck else [Key(str(dice.randint(1, 6)))]


def sequence(position: AnyPosition, frame: Frame, dice: Random) -> list[Key]:
    """Return a card, then one of its squares."""
    choices = frame.body.choices
    if choices is None and frame.body.entry is None and not frame.alert:
        return FINGERS["sequence"](position, frame, dice)[:-1]
    if choices is None:
        return [Key.ENTER]
    free = [at for at, item in enumerate(choices.items) if item in ("free", "frei")]
    return [Key(str(dice.choice(free) + 1))] if free else [Key.ENTER]


def einmaleins(position: AnyPosition, frame: Frame, dice: Random) -> list[Key]:
    """Return a number that fits, or draw."""
    if not frame.alert and not frame.body.choices and dice.random() < 0.3:
        return [Key.DOWN]
    return FINGERS["einmaleins"](position, frame, dice)


KEYS: dict[str, Callable[[AnyPosition, Frame, Random], list[Key]]] = {
    "just4fun": just4fun,
    "numeri": numeri,
    "sequence": sequence,
    "einmaleins": einmaleins,
}
NAMES = {
    "just4fun": "Just 4 Fun",
    "numeri": "numeri",
    "sequence": "Sequence",
    "einmaleins": "Einmaleins",
}


def at_menu(language: str, *, stick: bool) -> Fingers:
    """Return fingers on a dial at the first menu."""
    pilot = Pilot(None, language)
    pilot.ctx.settings = stick_settings() if stick else encoder_settings()
    pilot.program.show()
    return Fingers(pilot.program, stick=stick)


def play_to_the_end(fingers: Fingers, game: str, seed: int) -> int:
    """Play a game to its result; return how many keys a keypad would have needed."""
    dice, plain = Random(seed), 0
    for _ in range(600):
        screen = fingers.program.screen
        if isinstance(screen, ResultScreen):
            return plain
        assert isinstance(screen, TurnScreen)
        if screen.table.position.result is not None:
            keys = [Key.ENTER]
        else:
            keys = KEYS[game](screen.table.position, screen.frame(), dice)
        plain += len(keys)
        fingers.play(keys)
    raise AssertionError("the game does not end")


def set_up(fingers: Fingers, game: str) -> None:
    """Set up a game in which the first player is called Eva."""
    fingers.choose(NAMES[game])
    if game == "einmaleins":
        fingers.choose("Open card")
        fingers.play(read_keys("24#"))
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


@BOTH
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_set_up_with_a_name_and_played_to_its_result(
    game: str, language: str, stick: bool
) -> None:
    fingers = at_menu(language, stick=stick)
    set_up(fingers, game)
    program = fingers.program
    assert isinstance(program.screen, TurnScreen)
    assert "Eva" in [player.name for player in program.screen.table.position.players]
    play_to_the_end(fingers, game, 1)
    own = STICK_KEYS if stick else ENCODER_KEYS
    assert set(fingers.sent) <= own


@BOTH
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_needs_so_many_presses(game: str, stick: bool) -> None:
    at = 1 if stick else 2
    fingers = at_menu("en", stick=stick)
    pilot = Pilot()
    for hand in (fingers.choose, pilot.choose):
        hand(NAMES[game])
    if game == "einmaleins":
        fingers.choose("Open card")
        fingers.play(read_keys("24#"))
        pilot.choose("Open card")
        pilot.key("24#")
    fingers.choose("Start")
    pilot.choose("Start")
    fingers.presses = 0
    keys = play_to_the_end(fingers, game, 1)
    assert (keys, fingers.presses) == (PRESSES[game][0], PRESSES[game][at])
    if stick:
        assert fingers.presses <= MOST * keys


@pytest.mark.parametrize("game", GAMES)
def test_a_dial_plays_the_moves_that_a_keypad_plays(game: str) -> None:
    tokens = []
    for stick in (True, False):
        fingers = at_menu("en", stick=stick)
        set_up(fingers, game)
        play_to_the_end(fingers, game, 2)
        store = fingers.program.ctx.store
        tokens.append(store.load(store.latest_game() or 0).tokens)
    assert tokens[0] == tokens[1]
