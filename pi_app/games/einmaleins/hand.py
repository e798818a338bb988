"""Cards in Einmaleins: how one is keyed, what a hand can do, and which numbers fit."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from engines.einmaleins.cards import FREE, PAIRS
from engines.einmaleins.notation import DRAW, EinmaleinsMove, Lay, read_laying
from engines.einmaleins.rules import EinmaleinsPosition
from engines.game import Refusal
from hardware.keys import Key
from pi_app.games.einmaleins.picture import card_words, pair_words
from pi_app.games.einmaleins.presentation import PRESENTATION
from pi_app.screens.base import Action, PageScreen, Replace
from pi_app.screens.context import Context
from pi_app.screens.hand import HandScreen
from pi_app.table.given import Hand, HandOption, Picked
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.keying import NumberKeying


def _no_card(tx: Texts, card: int) -> str:
    return PRESENTATION.words.refusal(tx, Refusal("not-a-product", "", {"card": card}))


NUMBER = NumberKeying(tuple(PAIRS), _no_card)
"""The number on a card."""


class EinmaleinsHand(Hand):
    """Each card can be laid with any of its tasks that fits; a free one as any number."""

    entry = replace(NUMBER, then=Key.STAR, star=FREE)

    def size(self, position: EinmaleinsPosition, seat: int) -> int:
        return position.hands[seat]

    def copies(self, position: EinmaleinsPosition, card: str) -> int:
        # each number is on one card
        return self.free(position) if card == FREE else 1

    def spent(self, token: str) -> tuple[str, ...]:
        move = read_laying(token)
        if move is None:
            return ()
        return (FREE if move.free else str(move.number),)

    def face_up(self, position: EinmaleinsPosition, card: str) -> int:
        open_card, piles = position.open, position.piles
        if card == FREE:
            return piles.frees + open_card.free
        number = int(card)
        # an open free card shows this number too, but the number card may still be in a hand
        is_open = open_card.number == number and not open_card.free
        is_covered = piles.numbers >> number & 1  # a bit for each number
        return is_covered + is_open

    def free(self, position: EinmaleinsPosition) -> int:
        return position.free

    def prompt(self, tx: Texts) -> str:
        return tx("line", "Key your cards, * between them, ** a free one, then #.")

    def hint(self, tx: Texts) -> str:
        return tx("line", "Key its number, then #. A free card is *.")

    def words(self, tx: Texts, position: EinmaleinsPosition, move: EinmaleinsMove) -> str:
        if not isinstance(move, Lay):
            return tx("item", "draw a card")
        return f"{card_words(move.number, free=move.free)} = {pair_words(move.pair)}"

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

    def tries(
        self, tx: Texts, position: EinmaleinsPosition, picked: Picked
    ) -> tuple[HandOption, ...]:
        """Return the moves that lay the picked card; without a card, the one that draws.

        A free card lies as the number of the picked cell. If two of its tasks fit, there is a move
        for each, and the player chooses; a player who says the task keys it instead. A
        card that cannot be laid is judged when it is played.
        """
        cards = self.words_of(picked.cards)
        if not cards:
            return (HandOption(DRAW.token, self.words(tx, position, DRAW)),)
        free = cards[0] == FREE
        word = picked.cell if free else cards[0]
        if len(cards) > 1 or word not in map(str, PAIRS):
            return ()
        number = int(word)
        fitting = position.fitting_pairs(number)
        name = card_words(number, free=free)
        option = HandOption("", tx("item", "play {cards}", cards=name), word, (cards[0],))
        if fitting and picked.player.says:
            # the page asks for the two factors that complete the token
            return (replace(option, token=f"{name}="),)
        is_ambiguous = len(fitting) > 1
        pairs = fitting or PAIRS[number][:1]  # if none fits, the refusal of one task is enough
        return tuple(
            replace(
                option, token=f"{name}={a}x{b}", then=pair_words((a, b)) if is_ambiguous else ""
            )
            for a, b in pairs
        )


HAND_OF_GAME = EinmaleinsHand(PRESENTATION)


class TableScreen(PageScreen):
    """Shows which numbers fit: a row for each announced factor; ENTER opens the hand helper."""

    def __init__(self, ctx: Context, table: Table, play: Callable[[str], Action]) -> None:
        position = cast(EinmaleinsPosition, table.position)
        by_factor = position.fitting_numbers().items()
        lines = tuple(f"{factor}: {' '.join(map(str, numbers))}" for factor, numbers in by_factor)
        player = position.players[position.seat]
        open_card = card_words(position.open.number, free=position.open.free)
        super().__init__(
            ctx, ctx.texts("title", "Fits on {card}", card=open_card), lines, player.colour
        )
        self.keys = ((Key.ENTER, ctx.texts("soft", "hand")),)
        self.table = table
        self.play = play

    def press(self, key: Key) -> Action:
        if key is Key.ENTER:
            return Replace(HandScreen(self.ctx, self.table, HAND_OF_GAME, self.play))
        return super().press(key)
