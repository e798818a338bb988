"""Whole games with the display covered: the players know their cards, and what is said."""

import random
from itertools import combinations
from pathlib import Path

import pytest

from engines.games import SHIPPED
from engines.just4fun.cards import DECK
from hardware.keys import Key
from tests.options import Options
from tests.pi_app.pilot import TWO, Pilot
from tests.players.voice import Listener

GOLDEN = Path(__file__).parents[2] / "golden" / "voice"
WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "free": ("free",),
        "exchange": ("No legal field",),
        "shuffle": ("Draw pile empty",),
        "wins": ("wins!", "win!", "draw: nobody"),
        "start": ("Start",),
        "to move": (" is to move.",),
        "new": ("plays again",),
    },
    "de": {
        "free": ("frei",),
        "exchange": ("Kein Feld",),
        "shuffle": ("Nachziehstapel leer",),
        "wins": ("gewinnt!", "gewinnen!", "Unentschieden"),
        "start": ("Los",),
        "to move": (" ist dran.",),
        "new": ("spielt noch einmal",),
    },
}


def check(name: str, notes: list[str], options: Options) -> None:
    """Compare a transcript with its golden file; `--golden write` writes it again."""
    path = GOLDEN / f"{name}.txt"
    text = "\n".join(notes) + "\n"
    if options.golden == "write":
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


def begin(language: str, game: str) -> Listener:
    """Find a game in the first menu and begin it, by ear alone."""
    table = Listener(Pilot(language=language))
    table.until("v", lambda: table.hears(game))
    table.notes.clear()  # how many games there are is no part of a game
    table.press("#")
    assert table.hears(*WORDS[language]["start"])
    table.press("#")
    return table


def whose(table: Listener, language: str) -> str:
    """Return who was said to be to move, by name."""
    (suffix,) = WORDS[language]["to move"]
    (said,) = [text for text in table.heard if text.endswith(suffix)]
    return said.removesuffix(suffix)


class Hands:
    """The cards of Just 4 Fun as they lie on the table."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.pile = [card for card, copies in DECK.items() for _ in range(copies)]
        chance.shuffle(self.pile)
        self.discards: list[int] = []
        self.hands: dict[str, list[int]] = {}

    def of(self, name: str) -> list[int]:
        hand = self.hands.setdefault(name, [])
        while len(hand) < 4:
            if not self.pile:
                self.shuffle()
            hand.append(self.pile.pop())
        return hand

    def lay(self, name: str, cards: tuple[int, ...]) -> None:
        for card in cards:
            self.hands[name].remove(card)
            self.discards.append(card)

    def shuffle(self) -> None:
        self.pile, self.discards = self.discards, []
        self.chance.shuffle(self.pile)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_whole_just4fun_is_played_by_ear(language: str, options: Options) -> None:
    words = WORDS[language]
    chance = random.Random(4)
    hands = Hands(chance)
    table = begin(language, "Just")
    for _ in range(200):
        name = whose(table, language)
        hand = hands.of(name)
        laid = _lay(table, hand, words)
        hands.lay(name, laid)
        if table.hears(*words["wins"]):
            break
        if table.hears(*words["shuffle"]):
            hands.of(name)
            hands.shuffle()
    assert table.hears(*words["wins"])
    assert table.hears(*words["new"])
    check(f"just4fun-{language}", table.notes, options)


def _lay(table: Listener, hand: list[int], words: dict[str, tuple[str, ...]]) -> tuple[int, ...]:
    """Key sums of the hand, the longest first, until one is said to be free; play it."""
    for count in (3, 2, 4, 1):
        for cards in combinations(hand, count):
            keyed = "*".join(map(str, cards))
            table.press(keyed)
            if table.hears(*words["free"]) or (count == 4 and table.hears(*words["exchange"])):
                table.press("#")
                return cards
            table.press("<" * len(keyed))
    raise AssertionError(f"nothing can be done with {hand}: {table.heard}")


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.parametrize("language", ["en", "de"])
def test_whatever_is_pressed_something_can_be_said_of_it(game: str, language: str) -> None:
    chance = random.Random(game)
    tags = {"einmaleins": {"Open": "24"}}.get(game, {})
    players = "Anna blue, Ben green" if game == "sequence" else TWO
    table = Listener(Pilot.game(game, players, language, **tags))
    keys = [key for key in Key if key is not Key.MENU_HELD]
    for _ in range(600):
        table.press(chance.choice(keys).value)
        signs = set("".join(table.heard)) & set("+×=→#♠♥♦♣")
        assert not signs, table.heard
        if table.pilot.program.quit is not None:
            return
