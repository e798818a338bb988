"""Children who play whole games from "My hand" alone, with cards dealt as at a table.

The deck, the hands and the die are here, beside the companion, as on a real table: what the page
is told of them is what a child taps.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from ai import AI
from engines.game import Refusal
from engines.record import setup_of
from engines.sequence.board import CORNERS, INDEX, THROUGH
from engines.sequence.position import SequencePosition
from pi_app.settings.schema import HelpLevel
from pi_app.store.store import Store
from pi_app.table.players import KnownPlayer, save_players
from tests.pi_app.phones.client import Table
from tests.pi_app.phones.web.fingers import PATIENCE_S, Finger, Thing

NAMES = ("Anna", "Ben", "Cleo")
COLOURS = {
    "just4fun": ("yellow", "red", "white"),
    "numeri": ("yellow", "red", "green"),
    "sequence": ("blue", "green", "red"),
    "einmaleins": ("yellow", "red", "green"),
}
OFFERED = ".options ul:not(.tips) [data-play], .options [data-apart]"
AGAIN_S = 5.0
"""A child that sees nothing happen touches again."""
MOST_MOVES = 400
"""No game of three is longer, unless nobody gets on."""


@dataclass(frozen=True)
class Level:
    """A level of help; `says`: the task is said by keys."""

    help: HelpLevel
    says: bool = False


class Match:
    """One game between devices; `store` is the companion's file, known before it starts."""

    def __init__(
        self, folder: Path, game: str, levels: Sequence[Level], language: str, seed: int
    ) -> None:
        self.game = game
        self.levels = levels
        self.rng = random.Random(seed)
        names = NAMES[: len(levels)]
        players = ", ".join(
            f"{name} {colour}" for name, colour in zip(names, COLOURS[game], strict=False)
        )
        tags = {"Game": game, "Players": players}
        _, setup = setup_of(tags | ({"Open": "24"} if game == "einmaleins" else {}))
        self.deal: Any = AI[game].deal(setup, Random(seed))
        if game == "einmaleins":
            tags["Open"] = "24"
        store = Store(folder / "games.db")
        save_players(
            store,
            [
                KnownPlayer(name, help=level.help, says=level.says)
                for name, level in zip(names, levels, strict=True)
            ],
        )
        store.close()
        self.table = Table(folder, tags, language=language)
        self.played = 0
        self.refused = 0
        self.again: list[str] = []
        """For each touch that was made again, whether the first one was seen."""

    def hand(self, seat: int) -> list[str]:
        hands = self.deal.hands()
        return [] if hands is None else [str(card) for card in hands[seat]]

    def follow(self) -> None:
        """Let the deck follow the move that was just stored."""
        token = self.table.tokens()[self.played]
        move = self.deal.position.parse(token)
        assert not isinstance(move, Refusal), token
        self.deal.play(move)
        self.played += 1

    def told(self) -> str:
        """Return what a table of all games says about this one."""
        levels = ", ".join(f"{level.help}{' (says)' * level.says}" for level in self.levels)
        language = self.table.ctx.texts.language
        count = f"{self.played} moves, {self.refused} refused"
        again = f", touched again {len(self.again)}: {self.again}" if self.again else ""
        return f"{self.game} {language}: {levels}: {count}{again}"

    def stored(self, moves: int) -> bool:
        return len(self.table.tokens()) >= moves


class Child:
    """One player with a device: taps what the page asks for."""

    def __init__(self, match: Match, seat: int, finger: Finger) -> None:
        self.match, self.seat, self.finger = match, seat, finger
        self.level = match.levels[seat]

    def sit(self) -> None:
        self.finger.tap("[data-claim]", NAMES[self.seat])
        self.finger.until("h1", NAMES[self.seat])

    # --- the cards

    def shown(self) -> list[str]:
        """Return the cards on the page, as the deck calls them."""
        return [card_of(thing) for thing in self.finger.look("[data-pick]")]

    def fill(self) -> None:
        """Tap the cards that came to the hand."""
        held = self.match.hand(self.seat)
        missing = list(held)
        for card in self.shown():
            assert card in missing, f"{self.finger.name} shows {card}, holds {held}"
            missing.remove(card)
        for card in missing:
            before = len(self.shown())
            if self.match.game == "sequence":
                self.finger.tap(f'[data-rank="{card[:-1]}"]')
                self.finger.tap(f'[data-suit="{card[-1]}"]')
            else:
                self.finger.tap(f'[data-add="{card}"]')
            self.until(partial(self._shows, before + 1))
        assert sorted(self.shown()) == sorted(held)

    def _shows(self, count: int) -> bool:
        return len(self.shown()) == count

    def pick(self, *cards: str) -> None:
        places = self.shown()
        for card in cards:
            at = places.index(card)
            places[at] = ""
            if not self.finger.look(f'[data-pick="{at}"][aria-pressed="true"]'):
                self.finger.tap(f'[data-pick="{at}"]')
            self.finger.until(f'[data-pick="{at}"][aria-pressed="true"]')

    # --- a turn

    def turn(self) -> None:
        """Play one move, whatever the page offers at this level of help."""
        moves = self.match.played
        while not self.match.stored(moves + 1):
            if self.match.game == "numeri":
                self._roll()
            elif self.level.help is HelpLevel.NONE:
                self._alone()
            else:
                self._helped()
            self._answered(moves)
        self.match.follow()

    def _answered(self, moves: int) -> None:
        """Wait until the move is stored or refused with a sentence."""
        self.until(lambda: self.match.stored(moves + 1) or self.finger.texts("#notice p"))
        if not self.match.stored(moves + 1):
            self.match.refused += 1

    def _roll(self) -> None:
        moves, die = self.match.played, f'[data-roll="{self.match.deal.given()}"]'
        self.finger.tap(die)
        again = time.monotonic() + AGAIN_S

        def seen() -> object:
            nonlocal again
            done = self.match.stored(moves + 1) or self.finger.look("[data-play]")
            if not done and time.monotonic() > again:
                # what moved under the finger took no touch: nobody waits for ever
                self.match.again.append(str(self.finger.look(f'{die}[aria-pressed="true"]')))
                self.finger.tap(die)
                again += AGAIN_S
            return done

        self.until(seen)
        if not self.match.stored(moves + 1):
            self._play_one()

    def _play_one(self) -> None:
        offered = self.finger.look("[data-play]")
        token = self.match.rng.choice(offered).data["play"]
        self.finger.tap(f'[data-play="{token}"]')

    def _helped(self) -> None:
        """Play one of the moves on offer: by its field or its card first, or as the tip says."""
        rng, finger = self.match.rng, self.finger
        finger.until(OFFERED)
        if self.level.help is HelpLevel.TIPS and rng.random() < 0.3:
            finger.tap("[data-tip]")
            self.until(lambda: finger.look(".tips [data-play]") or finger.look("[data-tip]"))
            if tips := finger.look(".tips [data-play]"):
                finger.tap(f'.tips [data-play="{tips[0].data["play"]}"]')
                return
        token = self._one_of([each.data.get("play", "") for each in finger.look(OFFERED)])
        if self.match.game == "sequence" and "@" in token:
            self.pick(token.split("@")[0])
            finger.tap(f'[data-tap="{token.split("@")[1].split("=")[0]}"]')
        elif self.match.game == "just4fun" and token[:1].isdigit() and rng.random() < 0.5:
            finger.tap(f'[data-tap="{sum(map(int, token.split("+")))}"]')
        if token:
            finger.tap(f'.options ul:not(.tips) [data-play="{token}"]')
        else:
            finger.tap("[data-apart]")
            finger.tap(OFFERED)

    def _one_of(self, tokens: Sequence[str]) -> str:
        """Choose a move; who could get on seldom does something else."""
        getting_on = on_the_way(self.match.deal.position, tokens)
        wise = getting_on and self.match.rng.random() < 0.9
        return self.match.rng.choice(getting_on if wise else tokens)

    def _alone(self) -> None:
        """Play a move that the child has thought of; now and then one that is none."""
        deal = self.match.deal
        token = self._one_of([move.token for move in deal.position.legal(deal.given())])
        if self.match.game == "just4fun":
            self._sum(token)
        elif self.match.game == "sequence":
            self._square(token)
        else:
            self._task(token)

    def _sum(self, token: str) -> None:
        if self.match.rng.random() < 0.2:
            self._try_too_much()
        self.pick(*token.lstrip("x").split("+"))
        self.finger.tap(f'[data-play="{token}"]')

    def _try_too_much(self) -> None:
        """Play all four cards though they are more than 36, and hear why not."""
        cards = self.match.hand(self.seat)
        if sum(map(int, cards)) <= 36:
            return
        shown = self.shown()
        self.pick(*shown)
        self.finger.tap(f'[data-play="{"+".join(shown)}"]')
        self.finger.until("#notice p")
        self.match.refused += 1
        self.pick_off(len(shown))

    def pick_off(self, count: int) -> None:
        for at in range(count):
            self.finger.tap(f'[data-pick="{at}"][aria-pressed="true"]')
            self.finger.until(f'[data-pick="{at}"][aria-pressed="false"]')

    def _square(self, token: str) -> None:
        if token.startswith("pass"):
            self.finger.tap('[data-play^="pass"]')
            return
        card = token.replace("@", "-").rstrip("!").split("-")[0]
        self.pick(card)
        plain = token.split("=", maxsplit=1)[0]
        if not token.endswith("!"):
            self.finger.tap(f'[data-tap="{plain[len(card) + 1 :]}"]')
        if "play" not in self.finger.tap(f'[data-play="{plain}"], [data-apart]').data:
            self.finger.tap(f'[data-play^="{plain}"]')

    def _task(self, token: str) -> None:
        if "=" not in token:
            self.finger.tap('[data-play="d"]')
            return
        name, pair = token.split("=")
        free = name.startswith("*")
        self.pick("*" if free else name)
        if free:
            self.finger.tap(f'[data-tap="{name[1:]}"]')
        offered = f'[data-task="{name}="], [data-play^="{name}="], [data-apart]'
        done = self.finger.tap(offered).data
        if self.level.says:
            self._say(*pair.split("x"))
        elif "play" not in done:
            self.finger.tap(f'[data-play="{token}"]')

    def _say(self, a: str, b: str) -> None:
        """Say the task, now and then a wrong one first."""
        if self.match.rng.random() < 0.4:
            wrong = str(int(b) % 10 + 1)
            if int(a) * int(wrong) != int(a) * int(b):
                self._key_task(a, wrong)
                self.finger.until("#notice p")
                self.match.refused += 1
        self._key_task(a, b)

    def _key_task(self, a: str, b: str) -> None:
        for key in (*a, "STAR", *b, "PLAY"):
            self.finger.tap(f'[data-key="{key}"]')

    def until(self, done: Callable[[], object]) -> None:
        ends = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < ends, self.finger.texts("main, header")
            time.sleep(0.02)


def on_the_way(position: Any, tokens: Sequence[str]) -> list[str]:
    """Return the moves with which a game gets on, or it might never end.

    A card is laid, none is drawn. In Sequence the chip is laid where most of one's own lie in a
    line that nobody else has broken: chips laid anywhere fill the board without one sequence, and
    then jacks alone are played, for hundreds of moves.
    """
    lays = [each for each in tokens if each != "d"]
    if not isinstance(position, SequencePosition):
        return lays
    worth = [_in_line(position, token) for token in lays]
    return [token for token, chips in zip(lays, worth, strict=True) if chips == max(worth)]


def _in_line(position: SequencePosition, token: str) -> int:
    """Return how many of one's own lie in the best line through the field where a chip is laid."""
    _, lays, place = token.partition("@")
    if not lays:
        return 0
    team = position.teams.index(position.team)
    own = position.chips[team] | CORNERS
    others = [chips for at, chips in enumerate(position.chips) if at != team]
    lines = THROUGH[INDEX[place.split("=")[0]]]
    return max(
        ((line & own).bit_count() for line in lines if not any(line & each for each in others)),
        default=0,
    )


def card_of(thing: Thing) -> str:
    """Return a card on a page as the deck calls it."""
    text = thing.text
    suits = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}
    suits |= {"Pik": "S", "Herz": "H", "Karo": "D", "Kreuz": "C"}
    for word, letter in suits.items():
        if text.endswith(word):
            return text.removesuffix(word) + letter
    return "*" if text.startswith("*") else text


@contextmanager
def seated(match: Match, open_: Callable[[int, str], Finger]) -> Iterator[list[Child]]:
    """Seat a child at each device; `open_` opens the device of a seat with a browser's token."""
    fingers: list[Finger] = []
    try:
        for seat in range(len(match.levels)):
            table = match.table
            token = table.pairing.pair(table.pairing.show_code(), f"phone {seat}")
            assert isinstance(token, str)
            fingers.append(open_(seat, token))
        children = [Child(match, seat, finger) for seat, finger in enumerate(fingers)]
        for child in children:
            child.sit()
        yield children
    finally:
        for finger in fingers:
            finger.close()


def play_whole(match: Match, children: list[Child]) -> None:
    """Play until the end; every page says it."""
    if match.game != "numeri":
        for child in children:
            child.fill()
    while match.deal.position.result is None:
        assert match.played < MOST_MOVES, match.told()
        child = children[match.deal.position.seat]
        child.finger.until(".to-do.mine")
        child.turn()
        if match.game != "numeri" and match.deal.position.result is None:
            for other in children:
                other.until(partial(ready, match, other))
                other.fill()
    for child in children:
        child.finger.until(".verdict.win")


def ready(match: Match, child: Child) -> bool:
    """Tell whether a page has followed the last move.

    Its cards do not tell: the card that was drawn may be like the one that was laid.
    """
    return bool(child.finger.look(f'main[data-moves="{match.played}"]'))
