"""The table of Einmaleins, read from and written as the words of a `Position`."""

from collections.abc import Sequence
from dataclasses import dataclass

from engines.einmaleins.cards import PAIRS, OpenCard, read_unannounced
from engines.einmaleins.moves import read_laying
from engines.game import Player
from engines.notation import QUOTED, ImpossibleError, number, position_parts


@dataclass(frozen=True, slots=True)
class Layout:
    """The number of cards in hand by seat, and the open card, or None if it is not named."""

    hands: tuple[int, ...]
    open: OpenCard | None


def read_layout(text: str, players: Sequence[Player], free: int) -> Layout:
    """Read "yellow 5; red 3; open 24=4x6"; ImpossibleError if it is impossible.

    Every colour in play must be named, because a hand cannot be guessed. `free` is the number
    of free cards in the deck.
    """
    deck = len(PAIRS) + free
    colours = [player.colour for player in players]
    counts: dict[str, int] = {}
    card = None
    for word, items in position_parts(text, [*colours, "open"]):
        if len(items) != 1:
            sentence = "{word} needs one item, not {items}"
            raise ImpossibleError("one-item", sentence, word=word, items=len(items))
        if word == "open":
            card = _read_open(items[0], free)
            continue
        count = number(items[0], deck)
        if count is None:
            sentence = "{item!r} is no number of cards from 0 to {most}"
            raise ImpossibleError("no-cards", sentence, item=items[0][:QUOTED], most=deck)
        counts[word] = count
    missing = ", ".join(colour for colour in colours if colour not in counts)
    if missing:
        sentence = "the cards of {colours} are not named"
        raise ImpossibleError("hand-missing", sentence, colours=missing)
    hands = tuple(counts[colour] for colour in colours)
    if sum(hands) >= deck:
        sentence = "the deck has only {most} cards, the open one among them"
        raise ImpossibleError("more-than-deck", sentence, most=deck)
    if hands.count(0) > 1:  # the first player without cards ends the game
        raise ImpossibleError("two-out", "only one player can have laid the last card")
    return Layout(hands, card)


def _read_open(word: str, free: int) -> OpenCard:
    """Read `24=4x6`, `*24=4x6`, or `24` for a card that nobody announced."""
    card = read_unannounced(word)
    if card is not None:
        return card
    laid = read_laying(word)
    # a product must have these factors; a deck without free cards cannot show one
    if laid and laid.pair in PAIRS.get(laid.number, ()) and (free or not laid.free):
        return OpenCard(laid.number, laid.pair, laid.free)
    raise ImpossibleError("no-open-card", "{item!r} cannot be the open card", item=word[:QUOTED])


def describe_layout(hands: Sequence[int], card: OpenCard, players: Sequence[Player]) -> str:
    """Write hands and open card in the words of `Position`."""
    parts = [f"{player.colour} {hand}" for player, hand in zip(players, hands, strict=True)]
    return "; ".join([*parts, f"open {card.words()}"])
