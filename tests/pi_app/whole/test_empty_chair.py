"""Whole games with the companion on a seat: people roll and key for it and do what it says."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engines.record import setup_of
from hardware.keys import Key
from pi_app.screens import chair_turn
from pi_app.screens.playing.games import chair_of
from pi_app.screens.playing.result import ResultScreen
from pi_app.store.store import Store
from pi_app.table.faces import FACES
from pi_app.table.players import Chairs
from pi_app.texts.language import LANGUAGES
from tests.pi_app.desk import Desk
from tests.samples import samples_of
from wits import WITS

TURNS = 3_000
SEAT = 1
"""Where the companion sits."""


@pytest.fixture(autouse=True)
def little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Think a hundredth of a second about a move: what is to be shown here is not how well."""
    monkeypatch.setattr(chair_turn, "EFFORT_S", 0.01)


def numeri_keys(evening: "Evening") -> str:
    """Return the keys of a roll, with the first choice where there is one."""
    roll = evening.chance.randint(1, 6)
    ways = len(evening.position.previews(roll))
    return f"d{roll}" + ("" if ways == 1 else "#")


PERSON: dict[str, Callable[["Evening"], str]] = {"numeri": numeri_keys}
"""How a person keys a move, by the game."""
CARD: dict[str, Callable[[Any], str]] = {}
"""How a card is keyed for the companion, by the game; none of a game with a die."""


class Evening:
    """A game at a desk, with a dealt one beside it that knows what people see of their cards."""

    def __init__(
        self, game: str, language: str = "en", seed: int = 1, store: Store | None = None
    ) -> None:
        samples = samples_of(game)
        self.game = game
        self.chance = Random(seed)
        tags = {"Game": game, "Players": samples.players, **samples.tags}
        setup = setup_of(tags)[1]
        self.name = setup.players[SEAT].name
        kept = store or Store(":memory:")
        Chairs(kept, kept.begin(tags)).give({self.name: "club"})
        self.desk = Desk(language=language, store=kept)
        self.deal = WITS[game].deal(setup, self.chance)
        self.known: tuple[Any, ...] = ()
        """Which cards of the companion's are keyed."""

    @property
    def position(self) -> Any:
        return self.deal.position

    def step(self) -> None:
        """Do what is to be done next: roll or key for the companion, or play a person's move."""
        self.deal_cards()
        if self.position.seat != SEAT:
            self.desk.key(PERSON[self.game](self))
        else:
            if self.game not in CARD:
                self.desk.key(str(self.chance.randint(1, 6)))
            self.desk.wait(3)
            self.desk.key("#")
        self.deal.play(self.position.parse(self.desk.tokens()[-1]))

    def deal_cards(self) -> None:
        """Key the cards that the companion drew."""
        if self.game not in CARD:
            return
        held = list(self.deal.hands()[SEAT])
        for card in self.known:
            if card in held:
                held.remove(card)
        self.desk.key("".join(CARD[self.game](card) for card in held))
        self.known = self.deal.hands()[SEAT]

    def play(self) -> None:
        """Play to the end."""
        for _ in range(TURNS):
            if self.position.result is not None:
                return
            self.step()
        raise AssertionError("the game has no end")


def test_every_game_with_wits_lets_the_companion_sit_down() -> None:
    assert {game for game in FACES if chair_of(game) is not None} == set(PERSON)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PERSON)
def test_a_whole_game_is_played_to_its_settled_end(game: str, language: str) -> None:
    evening = Evening(game, language)
    evening.play()
    screen = evening.desk.program.screen
    assert isinstance(screen, ResultScreen)
    assert screen.table.position.result == evening.position.result
    kept = Chairs(evening.desk.ctx.store, screen.table.id)
    assert kept.strength(evening.name) == "club"
    assert kept.dealt(evening.name) == ()


@pytest.mark.parametrize("game", PERSON)
def test_a_restart_at_any_moment_goes_on(game: str) -> None:
    evening = Evening(game, seed=2)
    for _ in range(12):
        evening.step()
        evening.desk.restart()
    evening.play()
    assert isinstance(evening.desk.program.screen, ResultScreen)


@pytest.mark.parametrize("game", PERSON)
def test_what_was_taken_back_is_played_again_with_the_same_cards(game: str) -> None:
    evening = Evening(game, seed=3)
    for _ in range(9):
        evening.step()
    evening.deal_cards()
    tokens, frame = evening.desk.tokens(), evening.desk.frame
    for _ in range(4):
        evening.desk.key([Key.BACK_HELD])
    assert evening.desk.tokens() == tokens[:-4]
    for _ in range(4):
        evening.desk.key([Key.MENU])
        evening.desk.choose("Redo")
    assert evening.desk.tokens() == tokens
    assert evening.desk.frame.softkeys == frame.softkeys
    evening.play()
