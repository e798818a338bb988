"""The children who play whole games wait for their pages, and get on with their game."""

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

from ai import AI
from engines.record import setup_of
from pi_app.settings.schema import HelpLevel
from tests.pi_app.phones.web.children import MOST_MOVES, Child, Level, Match, ready
from tests.pi_app.phones.web.fingers import Finger, Thing


class PageOfCards(Finger):
    """A page that shows these cards as they were after so many moves."""

    def __init__(self, cards: list[str], moves: int) -> None:
        self.cards, self.moves = cards, moves

    def look(self, query: str) -> list[Thing]:
        words = self.cards if query == "[data-pick]" else [""]
        if query.startswith("main[data-moves") and f'"{self.moves}"' not in query:
            words = []
        return [Thing(word, "", {}, False, 0, 0, 0, 0, True, (0, 0)) for word in words]

    def touch(self, x: float, y: float) -> None: ...

    def swipe(self, x: float, y: float, by: float) -> None: ...

    def picture(self, path: Path) -> None: ...

    def close(self) -> None: ...


def test_a_child_waits_for_its_page_though_it_drew_a_card_like_the_one_it_laid() -> None:
    held = ["5C", "QH"]
    match = cast(
        Match, SimpleNamespace(hand=lambda _: held, played=8, levels=[Level(HelpLevel.LEGAL)])
    )
    assert not ready(match, Child(match, 0, PageOfCards(["5C", "QH"], 7)))
    assert ready(match, Child(match, 0, PageOfCards(["QH"], 8)))


def test_children_who_choose_for_themselves_end_every_game_of_sequence_in_time() -> None:
    _, setup = setup_of({"Game": "sequence", "Players": "Anna blue, Ben green, Cleo red"})
    for seed in range(150):
        deal = AI["sequence"].deal(setup, Random(seed))
        match = cast(
            Match, SimpleNamespace(deal=deal, rng=Random(seed), levels=[Level(HelpLevel.NONE)])
        )
        child, moves = Child(match, 0, PageOfCards([], 0)), 0
        while deal.position.result is None:
            legal = {move.token: move for move in deal.position.legal(deal.given())}
            deal.play(legal[child._one_of(list(legal))])
            moves += 1
            assert moves < MOST_MOVES, seed
