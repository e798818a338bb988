"""What a hand of Just 4 Fun can do, for a player with a display of his own."""

import re
from dataclasses import replace

from engines.game import GivenError
from engines.just4fun.moves import Sum
from engines.just4fun.position import Just4Fun
from pi_app.games.just4fun.words import WORDS
from pi_app.screens.playing.games import HandError, HandOption, Held
from pi_app.table.players import HelpLevel
from pi_app.texts.language import Texts


def held(tx: Texts, position: Just4Fun, seat: int, level: HelpLevel, cards: str) -> Held:
    """Return every sum of the four cards, before them the exchange where none can be played."""
    keyed = tuple(re.findall(r"[^\s,+*]+", cards))
    if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in keyed):
        raise HandError
    hand = tuple(map(int, keyed))
    try:
        sums = replace(position, seat=seat).sums(hand)
    except GivenError as error:
        raise HandError from error
    options = tuple(_option(tx, entry, judged=level == "legal") for entry in sums)
    if position.result is None and all(entry.refusal is not None for entry in sums):
        exchange = "x" + "+".join(map(str, hand))
        everything = HandOption(exchange, tx("item", "exchange all"), uses=tuple(map(str, hand)))
        options = (replace(everything, legal=True if level == "legal" else None), *options)
    return Held(tuple(map(str, hand)), options)


def _option(tx: Texts, entry: Sum, *, judged: bool) -> HandOption:
    move, refusal = entry.move, entry.refusal
    cards = tuple(map(str, move.cards))
    text = f"{move.total} ({move.token})" if len(cards) > 1 else str(move.total)
    option = HandOption(move.token, text, str(move.total), cards)
    if not judged:
        return option
    return replace(option, legal=refusal is None, why=WORDS.refusal(tx, refusal) if refusal else "")
