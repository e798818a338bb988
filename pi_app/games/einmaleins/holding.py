"""What a hand of Einmaleins can do, for a player with a display of his own."""

import re
from dataclasses import replace

from engines.einmaleins import GAME
from engines.einmaleins.moves import Draw, EinmaleinsMove
from engines.einmaleins.position import EinmaleinsPosition
from engines.game import GivenError
from pi_app.games.einmaleins.picture import card_words, pair_words
from pi_app.screens.playing.games import HandError, HandOption, Held
from pi_app.table.players import HelpLevel
from pi_app.texts.language import Texts

MOST = 40
"""Nobody holds more cards than that."""


def held(tx: Texts, position: EinmaleinsPosition, seat: int, level: HelpLevel, cards: str) -> Held:
    """Return every task as which a card fits on the open one, and drawing a card."""
    keyed = re.findall(r"\d+|\*|[^\s,]", cards)[:MOST]
    try:
        hand = GAME.given(position, ",".join(keyed), None)
        moves = replace(position, seat=seat).legal(hand)
    except GivenError as error:
        raise HandError from error
    legal = True if level == "legal" else None
    return Held(tuple(hand), tuple(replace(_option(tx, move), legal=legal) for move in moves))


def _option(tx: Texts, move: EinmaleinsMove) -> HandOption:
    if isinstance(move, Draw):
        return HandOption(move.token, tx("item", "draw a card"))
    text = f"{card_words(move.number, free=move.free)} = {pair_words(move.pair)}"
    card = "*" if move.free else str(move.number)
    return HandOption(move.token, text, str(move.number), (card,))
