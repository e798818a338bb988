"""Whole games with the companion on a seat: people roll and key for it and do what it says."""

import logging
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ai import AI
from engines.einmaleins.notation import DRAW, Lay
from engines.games import GAMES
from engines.record import setup_of
from engines.sequence.board import JACKS, SQUARES
from engines.sequence.notation import Place, Take, TurnIn
from hardware.keys import Key
from pi_app.games.sequence.cards import RANKS
from pi_app.games.sequence.turn import SequenceTurn
from pi_app.phones.frames import frame_data
from pi_app.screens.playing.games import companion_of
from pi_app.screens.playing.result import ResultScreen
from pi_app.store import Store
from pi_app.table.given import Hand
from pi_app.table.players import BotSeats
from pi_app.table.presentation import PRESENTATIONS
from tests.pi_app.pilot import Pilot
from tests.samples import samples_of

TURNS = 3_000
SEAT = 1
"""Where the companion sits."""


def roll(evening: "Evening") -> None:
    """Roll, and take the first choice where there is one."""
    number = evening.chance.randint(1, 6)
    ways = len(evening.position.previews(number))
    evening.pilot.key(f"d{number}" + ("" if ways == 1 else "#"))


def lay_cards(evening: "Evening") -> None:
    """Lay whatever the hand allows."""
    move = evening.any_move()
    evening.pilot.key("*".join(map(str, move.cards)) + "#")


def card_keys(card: str) -> str:
    """Return the keys of a card of Sequence."""
    number = next(number for number, rank in RANKS.items() if rank == card[:-1])
    return f"{number}*{'SHDC'.index(card[-1]) + 1}"


def place_chip(evening: "Evening") -> None:
    """Play any card that can be; a hand that cannot is shown by its token, as from the phone."""
    move, pilot = evening.any_move(), evening.pilot
    turn = pilot.turn_screen.turn
    assert isinstance(turn, SequenceTurn)
    if isinstance(move, Place | Take):
        pilot.key(card_keys(move.card))
        if move.card in JACKS:
            pilot.key(card_keys(evening.position.codes[move.square]))
        squares = [target.square for target in turn.targets()]
        pilot.key(str(squares.index(SQUARES[move.square]) + 1))
        if len(pilot.tokens()) == evening.played:
            pilot.key("#")  # whichever five
    elif isinstance(move, TurnIn):
        pilot.key(card_keys(move.card) + "#")
    else:
        pilot.program.do(lambda: turn.play_token(move.token))


def lay_task(evening: "Evening") -> None:
    """Lay a card that fits, or draw, after what is to be read was read."""
    move, pilot = evening.any_move(), evening.pilot
    while pilot.frame.alert is not None:
        pilot.key("#")
    if not isinstance(move, Lay):
        pilot.key("v")
        return
    pilot.key(f"{'*' if move.free else ''}{move.number}#")
    if len(pilot.tokens()) == evening.played:
        pilot.key(str(evening.position.fitting_pairs(move.number).index(move.pair) + 1))


PERSON: dict[str, Callable[["Evening"], None]] = {
    "just4fun": lay_cards,
    "numeri": roll,
    "sequence": place_chip,
    "einmaleins": lay_task,
}
"""How a person plays a move, by the game."""
CARD: dict[str, Callable[[str], str]] = {
    "just4fun": "{}#".format,
    "sequence": card_keys,
    "einmaleins": lambda card: card if card == "*" else f"{card}#",
}
"""How a card is keyed for the companion, by the game; none of a game with a die."""


def holding(game: str) -> Hand:
    bot_seat = companion_of(game)
    assert isinstance(bot_seat, Hand)
    return bot_seat


class Evening:
    """A game at a pilot, with a dealt one beside it that knows what people see of their cards."""

    def __init__(self, game: str, seed: int = 1, store: Store | None = None) -> None:
        samples = samples_of(game)
        self.game = game
        self.chance = Random(seed)
        tags = {"Game": game, "Players": samples.players, **samples.tags}
        setup = setup_of(tags)[1]
        self.name = setup.players[SEAT].name
        kept = store or Store(":memory:")
        BotSeats(kept, kept.begin(tags)).give({self.name: "club"})
        self.pilot = Pilot(store=kept)
        self.deal = AI[game].deal(setup, self.chance)
        self.keyed: Counter[str] = Counter()
        """Which of the companion's cards are keyed."""
        self.played = 0
        """How many moves were made before the one that is being keyed."""

    @property
    def position(self) -> Any:
        return self.deal.position

    def any_move(self) -> Any:
        """Return any move that the hand allows; of Einmaleins, drawing only where nothing fits."""
        moves = list(self.position.legal(self.deal.given()))
        if len(moves) > 1 and moves[-1] == DRAW:
            moves.pop()
        return self.chance.choice(moves)

    def step(self) -> None:
        """Do what is to be done next: roll or key for the companion, or play a person's move."""
        self.deal_cards()
        self.played = len(self.pilot.tokens())
        if self.position.seat != SEAT:
            PERSON[self.game](self)
        else:
            if self.game not in CARD:
                self.pilot.key(str(self.chance.randint(1, 6)))
            self.pilot.wait(3)
            self.pilot.key("#")
        assert len(self.pilot.tokens()) == self.played + 1, self.pilot.frame
        token = self.pilot.tokens()[-1]
        if self.position.seat == SEAT and self.game in CARD:
            self.keyed -= Counter(holding(self.game).spent(token))
        self.deal.play(self.position.parse(token))

    def deal_cards(self) -> None:
        """Key the cards that the companion drew."""
        if self.game not in CARD:
            return
        held = Counter(map(str, self.deal.hands()[SEAT]))
        for card in (held - self.keyed).elements():
            self.pilot.key(CARD[self.game](card))
        self.keyed = held

    def play(self, turns: int = TURNS) -> None:
        """Play so many turns, or to the end."""
        for _ in range(turns):
            if self.position.result is not None:
                return
            self.step()
        assert turns < TURNS, "the game has no end"


def test_every_game_with_wits_lets_the_companion_sit_down() -> None:
    seated = {game for game in PRESENTATIONS if companion_of(game) is not None}
    assert seated == {*PERSON, *(game for game in PRESENTATIONS if GAMES[game].hides_nothing)}


@pytest.mark.parametrize("game", PERSON)
def test_a_whole_game_is_played_to_its_settled_end_through_a_restart_at_any_moment(
    game: str,
) -> None:
    evening = Evening(game)
    while evening.position.result is None:
        evening.pilot.restart()
        evening.play(1)
    screen = evening.pilot.program.screen
    assert isinstance(screen, ResultScreen)
    assert screen.table.position.result == evening.position.result
    kept = BotSeats(evening.pilot.ctx.store, screen.table.id)
    assert kept.strength(evening.name) == "club"
    assert kept.dealt(evening.name) == ()


@pytest.mark.parametrize("game", PERSON)
def test_what_was_taken_back_is_played_again_with_the_same_cards(game: str) -> None:
    evening = Evening(game, seed=5)
    evening.play(6)
    evening.deal_cards()
    tokens, frame = evening.pilot.tokens(), evening.pilot.frame
    for _ in range(4):
        evening.pilot.key([Key.BACK_HELD])
    assert evening.pilot.tokens() == tokens[:-4]
    for _ in range(4):
        evening.pilot.key([Key.MENU])
        evening.pilot.choose("Redo")
    assert evening.pilot.tokens() == tokens
    assert evening.pilot.frame.keys.soft == frame.keys.soft
    evening.play()


@pytest.mark.parametrize("game", CARD)
def test_nobody_but_who_keys_it_gets_to_know_the_hand(
    game: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With two different hands all is the same but the secret frames and the game's one note."""
    caplog.set_level(logging.DEBUG)
    seen, kept, said = [], [], []
    for seed in (1, 2):
        path = tmp_path / f"{seed}.db"
        evening = Evening(game, seed=seed, store=Store(path))
        while evening.position.seat != SEAT - 1:
            evening.step()
        evening.deal_cards()
        frames = evening.pilot.recorder.frames
        assert sum(frame.secret for frame in frames) > len(evening.deal.hands()[SEAT])
        shown = [frame_data(frame, game) for frame in frames]
        seen.append([one for one, before in pairwise([*shown, None]) if one != before])
        game_file = evening.pilot.ctx.store.load(1)
        kept.append(sorted(game_file.notes.items()))
        assert game_file.tokens == ()
        said.append([record.getMessage().replace(str(path), "") for record in caplog.records])
        caplog.clear()
    assert seen[0] == seen[1]
    assert [key for key, _ in kept[0]] == ["chairs"]
    assert kept[0] != kept[1]
    assert said[0] == said[1]
