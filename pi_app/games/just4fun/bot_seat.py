"""The companion's seat in Just 4 Fun: its four cards, and which of them somebody lays."""

from __future__ import annotations

from engines.just4fun.cards import DECK, HAND, Hand
from engines.just4fun.moves import CardMove, read_cards
from engines.just4fun.position import Just4Fun
from pi_app.screens.bot_seat import CardBotSeat
from pi_app.texts.common import join_names
from pi_app.texts.language import Texts


class Just4FunBotSeat(CardBotSeat):
    """Somebody lays its cards and places its stone; the companion says which."""

    def size(self, position: Just4Fun, seat: int) -> int | None:
        # a player without stones is passed over and needs no cards
        return HAND if position.stones_left[seat] else None

    def cards_of(self, token: str) -> tuple[str, ...]:
        move = read_cards(token)
        return () if move is None else tuple(map(str, move.cards))

    def given(self, hand: tuple[str, ...]) -> Hand:
        return tuple(map(int, hand))

    def begins(self, keyed: str) -> bool:
        return any(str(card).startswith(keyed) for card in DECK)

    def card(self, keyed: str) -> str:
        return keyed if keyed in map(str, DECK) else ""

    def hint(self, tx: Texts, keyed: str) -> str:
        return tx("line", "Key its value, then #.")

    def copies(self, position: Just4Fun, card: str) -> int:
        return DECK[int(card)]

    def count_face_up(self, position: Just4Fun, card: str) -> int:
        return position.piles.count_discarded(int(card))

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

    def places(self, position: Just4Fun, move: CardMove) -> tuple[str, ...]:
        return () if move.exchange else (str(move.total),)


BOT_SEAT = Just4FunBotSeat()
