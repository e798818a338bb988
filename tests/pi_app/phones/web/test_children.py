"""The children who play whole games wait for their pages."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

from pi_app.settings.schema import HelpLevel
from tests.pi_app.phones.web.children import Child, Level, Match, ready
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
