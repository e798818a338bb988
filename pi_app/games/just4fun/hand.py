"""Cards in Just 4 Fun: how one is keyed, and what four of them can do."""

from collections.abc import Sequence
from typing import Any

from engines.game import Refusal
from engines.just4fun.board import DECK, HAND
from engines.just4fun.notation import CardMove, read_cards
from engines.just4fun.rules import Just4Fun
from hardware.keys import Key
from pi_app.games.just4fun.presentation import PRESENTATION
from pi_app.table.given import Candidate, Hand
from pi_app.texts.common import join_names
from pi_app.texts.language import Texts
from pi_app.view.keying import NumberKeying

_MIDDLE = 6
"""The index of the card in the middle of the deck, the 7."""


def _no_card(tx: Texts, card: int) -> str:
    return PRESENTATION.words.refusal(tx, Refusal("unknown-card", "", {"card": card}))


CARD = NumberKeying(tuple(DECK), _no_card, _MIDDLE, Key.STAR)


class Just4FunHand(Hand):
    """Four cards: each choice of them names the field of its sum."""

    entry = CARD
    most = HAND + 1  # the fifth stays, so that people read what is wrong with it
    whole = True
    sign = "+"
    shows_refused = True
    open_refusals = frozenset({"sum-too-high"})  # no field has that number

    def size(self, position: Just4Fun, seat: int) -> int | None:
        # a player without stones is passed over and needs no cards
        return HAND if position.stones_left[seat] else None

    def copies(self, position: Just4Fun, card: str) -> int:
        return DECK[int(card)]

    def spent(self, token: str) -> tuple[str, ...]:
        move = read_cards(token)
        return () if move is None else tuple(map(str, move.cards))

    def face_up(self, position: Just4Fun, card: str) -> int:
        return position.piles.count_discarded(int(card))

    def given(self, cards: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(map(int, cards))

    def candidates(self, position: Just4Fun, given: Any) -> tuple[Candidate, ...]:
        *sums, exchange = super().candidates(position, given)
        # nobody thinks of an exchange while a field is free
        return tuple(sums) if exchange.refusal else (exchange, *sums)

    def places(self, position: Just4Fun, move: CardMove) -> tuple[str, ...]:
        return () if move.exchange else (str(move.total),)

    def prompt(self, tx: Texts) -> str:
        return tx("line", "Key your 4 cards, * between them, then #.")

    def hint(self, tx: Texts) -> str:
        return tx("line", "Key its value, then #.")

    def objection(self, tx: Texts, position: Just4Fun, cards: Sequence[str]) -> str:
        if len(cards) > HAND:
            return PRESENTATION.words.refusal(tx, Refusal("too-many-cards", ""))
        return super().objection(tx, position, cards)

    def words(self, tx: Texts, position: Just4Fun, move: CardMove) -> str:
        if move.exchange:
            return tx("item", "exchange all")
        # a single card is its own sum
        return f"{move.total} ({move.token})" if len(move.cards) > 1 else str(move.total)

    def row_words(
        self, tx: Texts, position: Just4Fun, move: CardMove, refusal: Refusal | None
    ) -> str:
        if move.exchange:
            return tx("item", "exchange all")
        if refusal is None:
            return tx("item", "field {sum}: {cards}", sum=move.total, cards=move.token)
        if refusal.code == "sum-too-high":
            return tx("item", "{sum} too high", sum=move.total)
        return tx("item", "field {sum} blocked", sum=move.total)

    def try_words(self, tx: Texts, position: Just4Fun, move: CardMove) -> str:
        if move.exchange:
            return tx("item", "exchange all")
        return tx("item", "play {cards}", cards=move.token)

    def to_do(self, tx: Texts, position: Just4Fun, move: CardMove) -> tuple[str, ...]:
        name = position.players[position.seat].name
        cards = join_names(tx, [str(card) for card in move.cards])
        facts = {"name": name, "cards": cards}
        if move.exchange:
            return (
                tx("line", "No field is free. For {name}, show {cards} and exchange.", **facts),
            )
        facts["field"] = str(move.total)  # a field has the number of its sum
        return (tx("line", "For {name}, lay {cards}. Put a stone on {field}.", **facts),)

    def big(self, position: Just4Fun, move: CardMove) -> str:
        return "" if move.exchange else "+".join(map(str, move.cards))


HAND_OF_GAME = Just4FunHand(PRESENTATION)
