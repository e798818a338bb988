"""The companion's seat in Einmaleins: its cards, and which of them somebody lays for it."""

from __future__ import annotations

from engines.einmaleins.cards import FREE, PAIRS
from engines.einmaleins.moves import EinmaleinsMove, Lay, read_laying
from engines.einmaleins.position import EinmaleinsPosition
from pi_app.games.einmaleins.picture import card_words, pair_words
from pi_app.screens.bot_seat import CardBotSeat
from pi_app.texts.language import Texts


class EinmaleinsBotSeat(CardBotSeat):
    """Somebody lays its cards, says their tasks and draws; the companion says which."""

    def size(self, position: EinmaleinsPosition, seat: int) -> int:
        return position.hands[seat]

    def cards_of(self, token: str) -> tuple[str, ...]:
        move = read_laying(token)
        if move is None:
            return ()
        return (FREE if move.free else str(move.number),)

    def given(self, hand: tuple[str, ...]) -> tuple[str, ...]:
        return hand

    def begins(self, keyed: str) -> bool:
        return keyed == FREE or any(str(number).startswith(keyed) for number in PAIRS)

    def card(self, keyed: str) -> str:
        return keyed if keyed == FREE or keyed in map(str, PAIRS) else ""

    def is_complete(self, keyed: str) -> bool:
        return keyed == FREE

    def hint(self, tx: Texts, keyed: str) -> str:
        return tx("line", "Key its number, then #. A free card is *.")

    def copies(self, position: EinmaleinsPosition, card: str) -> int:
        # each number is on one card
        return self.free(position) if card == FREE else 1

    def free(self, position: EinmaleinsPosition) -> int:
        return position.free

    def count_face_up(self, position: EinmaleinsPosition, card: str) -> int:
        open_card, piles = position.open, position.piles
        if card == FREE:
            return piles.frees + open_card.free
        number = int(card)
        # an open free card shows this number too, but the number card may still be in a hand
        is_open = open_card.number == number and not open_card.free
        is_covered = piles.numbers >> number & 1  # a bit for each number
        return is_covered + is_open

    def places(self, position: EinmaleinsPosition, move: EinmaleinsMove) -> tuple[str, ...]:
        return (str(move.number),) if isinstance(move, Lay) else ()

    def to_do(
        self, tx: Texts, position: EinmaleinsPosition, move: EinmaleinsMove
    ) -> tuple[str, ...]:
        name = position.players[position.seat].name
        if not isinstance(move, Lay):
            return (tx("line", "{name} lays nothing: draw a card for {name}.", name=name),)
        facts = {"name": name, "card": str(move.number), "pair": pair_words(move.pair)}
        if move.free:
            return (tx("line", "For {name}, lay a free card as {card} and say {pair}.", **facts),)
        return (tx("line", "For {name}, lay {card} and say {pair}.", **facts),)

    def big(self, position: EinmaleinsPosition, move: EinmaleinsMove) -> str:
        return card_words(move.number, free=move.free) if isinstance(move, Lay) else ""


BOT_SEAT = EinmaleinsBotSeat()
