"""What a hand of Sequence can do, for a player with a display of his own."""

import re
from dataclasses import replace

from engines.game import GivenError
from engines.sequence.board import SQUARES
from engines.sequence.moves import Pass, Place, SequenceMove, Take, TurnIn
from engines.sequence.position import SequencePosition
from pi_app.games.sequence.cards import SUIT_SIGNS, card_text
from pi_app.games.sequence.picture import seat_side
from pi_app.games.sequence.words import place_said
from pi_app.screens.playing.games import HandError, HandOption, Held
from pi_app.table.players import HelpLevel
from pi_app.texts.language import Texts

MOST = 8
"""Nobody holds more cards than that."""
_LETTERS = str.maketrans({sign: letter for letter, sign in SUIT_SIGNS.items()})


def held(tx: Texts, position: SequencePosition, seat: int, level: HelpLevel, cards: str) -> Held:
    """Return every square that the cards can be played on, dead cards, and passing."""
    hand = tuple(re.findall(r"[^\s,]+", cards.upper().translate(_LETTERS)))
    turn = position if seat == position.seat else replace(position, seat=seat, turned_in=0)
    if not hand or len(hand) > MOST:
        raise HandError
    try:
        moves = turn.legal(hand)
    except GivenError as error:
        raise HandError from error
    side = seat_side(seat, len(position.players))
    legal = True if level == "legal" else None
    options = tuple(replace(_option(tx, move, side), legal=legal) for move in moves)
    return Held(hand, options)


def _option(tx: Texts, move: SequenceMove, side: int) -> HandOption:
    if isinstance(move, Place | Take):
        square = SQUARES[move.square]
        text = f"{card_text(move.card)}: {place_said(tx, square, side)}"
        return HandOption(move.token, text, square, (move.card,))
    if isinstance(move, TurnIn):
        text = f"{card_text(move.card)}: {tx('item', 'dead card')}"
        return HandOption(move.token, text, uses=(move.card,))
    shown = move.cards if isinstance(move, Pass) else ()
    return HandOption(move.token, tx("item", "show and pass"), uses=shown)
