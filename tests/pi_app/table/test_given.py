"""One class serves hand helper, phone, companion: what a game with cards gets without more."""

# ruff: noqa: ARG002  # the methods of a game have arguments that this one does not need
from dataclasses import dataclass
from typing import Any

import pytest

from engines.game import Move, Refusal
from hardware.keys import Key
from pi_app.games.just4fun.hand import CARD, HAND_OF_GAME
from pi_app.games.sequence.keying import CardKeying
from pi_app.settings.schema import HelpLevel
from pi_app.table.given import Hand, HandError, Picked
from pi_app.texts.language import Texts
from pi_app.view.key_script import read_keys
from pi_app.view.keying import KeyedCards, Keying, NumberKeying

EN = Texts("en")


@dataclass(frozen=True)
class Trick:
    """A position in which only the card 2 can be played."""

    seat: int = 0

    def candidates(self, given: tuple[str, ...]) -> list[Move]:
        return [Move(card) for card in dict.fromkeys(given)]

    def legal(self, given: tuple[str, ...]) -> list[Move]:
        return [move for move in self.candidates(given) if self.refusal(move) is None]

    def refusal(self, move: Move) -> Refusal | None:
        return None if move.token in ("2",) else Refusal("no-trick", move.token)


class Tricks(Hand):
    """What a stranger must write, and words for moves, as this position cannot play them."""

    entry = NumberKeying((1, 2, 3), lambda _, number: f"no {number}")

    def size(self, position: Trick, seat: int) -> int:
        return 2

    def copies(self, position: Trick, card: str) -> int:
        return 1

    def spent(self, token: str) -> tuple[str, ...]:
        return (token,)

    def read(self, position: Trick, text: str) -> tuple[str, ...]:
        return self.words_of(text)

    def words(self, tx: Texts, position: Trick, move: Move) -> str:
        return f"card {move.token}"

    def places(self, position: Trick, move: Move) -> tuple[str, ...]:
        return ()


TRICKS = Tricks(HAND_OF_GAME.presentation)


def test_a_phone_lists_the_legal_moves_and_tells_so_only_whom_the_help_level_allows() -> None:
    (option,) = TRICKS.options(EN, Trick(), 0, HelpLevel.LEGAL, "1 2 3").options
    assert (option.token, option.text, option.legal, option.uses) == ("2", "card 2", True, ("2",))
    (option,) = TRICKS.options(EN, Trick(), 0, HelpLevel.SUMS, "1 2 3").options
    assert option.legal is None


def test_without_help_a_picked_card_is_tried_unjudged() -> None:
    (option,) = TRICKS.tries(EN, Trick(), Picked("1 2", "1"))
    assert (option.token, option.legal, option.why) == ("1", None, "")
    assert TRICKS.tries(EN, Trick(), Picked("1 2", "1 2")) == ()
    with pytest.raises(HandError):
        HAND_OF_GAME.tries(EN, Trick(), Picked("x"))


def test_the_hand_helper_lists_what_a_phone_lists_and_says_what_nobody_can_hold() -> None:
    rows = TRICKS.rows(EN, Trick(), ("1", "2"), HelpLevel.LEGAL)
    assert [(row.text, row.token, row.greyed) for row in rows] == [("card 2", "2", False)]
    assert TRICKS.objection(EN, Trick(), ("1", "2")) == ""
    assert TRICKS.objection(EN, Trick(), ("1", "1")) == "the deck has only 1 of it"


def keyed(blank: Any, script: str) -> Any:
    """Return an entry after these keys; a key without effect changes nothing."""
    for key in read_keys(script):
        blank = after if (after := blank.after(key)) is not None else blank
    return blank


@pytest.mark.parametrize(
    ("blank", "script", "text", "done", "impossible"),
    [
        (CARD, "1", "1", None, False),
        (CARD, "19#", "19", "19", False),
        (CARD, "0", "", None, False),
        (CARD, "20", "20", None, True),
        (CARD, "205", "20", None, True),
        (CARD, "20<", "2", None, False),
        (CARD, "7#<", "7", None, False),
        (NumberKeying(range(10, 100), lambda *_: ""), "5#", "5", None, False),
        (NumberKeying(range(10, 100), lambda *_: ""), "55#", "55", "55", False),
        (NumberKeying(range(3), lambda *_: ""), "0", "0", None, False),
        (NumberKeying((24,), lambda *_: "", star="*", then=Key.STAR), "*", "*", "*", False),
        (NumberKeying((24,), lambda *_: "", digits="24", fresh=True), "2", "2", None, False),
        (CardKeying(), "12*2", "Q♥", "QH", False),
        (CardKeying(), "12*v#", "Q♥", "QH", False),
        (CardKeying(), "12*2<", "Q", None, False),
        (CardKeying(), "12*7", "Q", None, True),
        (CardKeying(), "12*7<2", "Q♥", "QH", False),
        (CardKeying(), "14*", "14", None, True),
    ],
)
def test_a_card_is_made_of_keys_and_a_wrong_one_stays_until_it_is_deleted(
    blank: Keying, script: str, text: str, done: str | None, *, impossible: bool
) -> None:
    entry = keyed(blank, script)
    assert (entry.text, entry.done, entry.impossible) == (text, done, impossible)


def test_cards_follow_each_other_and_back_deletes_the_keys_of_the_last_one() -> None:
    none = KeyedCards(CARD, CARD, 3, sign="+")
    assert keyed(none, "5*11*").words == ("5", "11")
    assert keyed(none, "5*11*").text == "5+11+"
    assert keyed(none, "5*11*<").text == "5+11"
    assert not keyed(none, "5*11*< < < < <")
    assert keyed(none, "5*11*7*").text == "5+11+7", "no fourth card can follow"
    assert keyed(none, "5*11*7#1").text == "5+11+7+", "nor be begun"
