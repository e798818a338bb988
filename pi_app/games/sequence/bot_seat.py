"""The companion's seat in Sequence: its cards, and which chip somebody places or takes."""

from __future__ import annotations

from engines.sequence.board import CARD_BITS, COPIES, INDEX, SIDE, SQUARES
from engines.sequence.moves import Place, SequenceMove, Take, TurnIn, read_move
from engines.sequence.position import SequencePosition
from pi_app.games.sequence.cards import RANKS, SUIT_SIGNS, CardCells, card_text, card_words_on
from pi_app.screens.bot_seat import CardBotSeat
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts

_CELLS = CardCells()


class SequenceBotSeat(CardBotSeat):
    """Somebody lays its cards and moves its chips; the companion says which and where."""

    close_up = True

    def size(self, position: SequencePosition, seat: int) -> int:
        return position.hands[seat]

    def cards_of(self, token: str) -> tuple[str, ...]:
        move = read_move(token)
        return (move.card,) if isinstance(move, Place | Take | TurnIn) else ()

    def given(self, hand: tuple[str, ...]) -> tuple[str, ...]:
        return hand

    def begins(self, keyed: str) -> bool:
        rank, star, suit = keyed.partition("*")
        if not star:
            return any(str(number).startswith(rank) for number in RANKS)
        return rank != "" and int(rank) in RANKS and suit in ("", *"1234")

    def card(self, keyed: str) -> str:
        card = _CELLS.word(keyed)
        return card if card in CARD_BITS else ""

    def card_text(self, card: str) -> str:
        return card_text(card)

    def is_complete(self, keyed: str) -> bool:
        return self.card(keyed) != ""

    def hint(self, tx: Texts, keyed: str) -> str:
        if "*" in keyed:
            return "  ".join(
                f"{number} {sign}" for number, sign in enumerate(SUIT_SIGNS.values(), 1)
            )
        return tx("line", "Key the rank, * and the suit: 12*2 is Q♥.")

    def copies(self, position: SequencePosition, card: str) -> int:
        return COPIES

    def count_face_up(self, position: SequencePosition, card: str) -> int:
        piles, bit = position.piles, CARD_BITS[card]
        # a card of which both copies lie there is in both sets
        return bool(piles.once & bit) + bool(piles.twice & bit)

    def places(self, position: SequencePosition, move: SequenceMove) -> tuple[str, ...]:
        return (SQUARES[move.square],) if isinstance(move, Place | Take) else ()

    def to_do(self, tx: Texts, position: SequencePosition, move: SequenceMove) -> tuple[str, ...]:
        facts = {"name": position.players[position.seat].name}
        if not isinstance(move, Place | Take | TurnIn):
            return (tx("line", "No card of {name} can be played: show them all.", **facts),)
        facts["card"] = card_text(move.card)
        if isinstance(move, TurnIn):
            line = tx("line", "For {name}, turn in {card}, which is dead. Draw another.", **facts)
            return (line,)
        square = SQUARES[move.square]
        facts["square"] = card_words_on(tx, position, square)
        if isinstance(move, Place):
            line = tx("line", "For {name}, lay {card}. Put a chip on {square}.", **facts)
        else:
            facts["colour"] = colour_word(tx, position.chips_by_square()[square])
            line = tx(
                "line", "For {name}, lay {card}. Take the {colour} chip off {square}.", **facts
            )
        return (line, *_distinguish(tx, position, move))

    def big(self, position: SequencePosition, move: SequenceMove) -> str:
        return card_text(move.card) if isinstance(move, Place | Take | TurnIn) else ""


def _distinguish(tx: Texts, position: SequencePosition, move: Place | Take) -> tuple[str, ...]:
    """Name a card printed next to the square if people could take the wrong one.

    Each card is on two squares. Left or right would depend on the side where somebody sits, a
    neighbouring card does not.
    """
    square = SQUARES[move.square]
    chips = position.chips_by_square()
    # the other square of the card matters only if the same could be done there
    possible = position.removable_squares() if isinstance(move, Take) else set(SQUARES) - {*chips}
    card = position.codes[move.square]
    twins = {*position.squares_of(card)} & {*possible} - {square}
    elsewhere = {word for twin in twins for word in _neighbours(tx, position, twin)}
    # a neighbour that both squares have would not tell them apart
    unique = [word for word in _neighbours(tx, position, square) if word not in elsewhere]
    if not twins or not unique:
        return ()
    if unique[0] == tx("word", "corner"):
        return (tx("line", "The one beside the corner."),)
    return (tx("line", "The one beside {card}.", card=unique[0]),)


def _neighbours(tx: Texts, position: SequencePosition, square: str) -> list[str]:
    """Return the cards printed left, right, above and below a square."""
    row, column = divmod(INDEX[square], SIDE)
    around = [(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)]
    return [
        card_words_on(tx, position, SQUARES[y * SIDE + x])
        for y, x in around
        if 0 <= y < SIDE and 0 <= x < SIDE
    ]


BOT_SEAT = SequenceBotSeat()
