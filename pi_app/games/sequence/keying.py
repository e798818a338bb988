"""Keying one card: its rank by digits, STAR, then its suit as offered."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hardware.keys import Key
from pi_app.games.sequence.cards import RANKS, SUIT_SIGNS
from pi_app.screens.base import Wheel
from pi_app.texts.language import Texts
from pi_app.view.frame import Choices, Entry, Tone


@dataclass(frozen=True, slots=True)
class CardKeys:
    """What has been keyed of a card.

    A digit that makes the rank impossible stays, so that people read why.
    """

    rank: str = ""
    """The digits of its rank, 1 to 13."""
    starred: bool = False
    """Whether STAR was pressed after the rank: then the suit is asked."""
    suit: int = 0
    """Index of the suit that UP and DOWN have chosen."""
    misled: bool = False
    """Whether the last key was a digit that no suit has."""

    def __bool__(self) -> bool:
        return self.rank != ""

    def text(self) -> str:
        """Return the digits, or the printed rank once the suit is asked."""
        return RANKS[int(self.rank)] if self.starred else self.rank

    @property
    def complete(self) -> bool:
        """Whether STAR may follow: the digits are a rank."""
        return self.rank != "" and int(self.rank) in RANKS

    @property
    def possible(self) -> bool:
        """Whether a card can begin like this."""
        return not self.misled and (self.rank == "" or self.complete)

    def entry(self, tx: Texts, before: str = "") -> Entry:
        """Return `before` and what is keyed, with what comes next or why it is no card."""
        text = f"{before} {self.text()}".strip()
        if self.misled:
            return Entry(text, tx("verdict", "suit: 1 to {n}", n=len(SUIT_SIGNS)), Tone.BAD)
        if self.starred:
            return Entry(text)
        if not self.possible:
            return Entry(text, tx("verdict", "no rank {n}: 1 to 13", n=self.rank), Tone.BAD)
        return Entry(text, tx("verdict", "then * and the suit"))

    def after(self, key: Key) -> CardKeys | str | None:
        """Return the card's code once complete, else the new keys; None if the key does not fit."""
        if key is Key.BACK:
            if self.starred:
                return CardKeys(self.rank)
            return CardKeys(self.rank[:-1]) if self.rank else None
        if self.starred:
            return self._choose(key)
        if key is Key.STAR:
            return CardKeys(self.rank, starred=True) if self.complete else None
        if key.digit is None or not self.possible:
            return None
        return CardKeys(self.rank + key.value)

    def _choose(self, key: Key) -> CardKeys | str | None:
        if key in (Key.UP, Key.DOWN):
            suit = (self.suit + key.step) % len(SUIT_SIGNS)
            return replace(self, suit=suit, misled=False)
        chosen = self.suit  # ENTER takes the marked suit
        if key is not Key.ENTER:
            if key.digit is None:
                return None
            chosen = key.digit - 1  # the suits are numbered from 1
        if not 0 <= chosen < len(SUIT_SIGNS):
            return replace(self, misled=True)
        return self.text() + tuple(SUIT_SIGNS)[chosen]

    def wheel(self) -> Wheel | None:
        """Return the ranks that a dial chooses from, from the middle one on; None at the suit."""
        if self.starred:
            return None
        ranks = sorted(RANKS)
        # the digits that the dial keys for each rank: 1, 2 for the queen
        keys = tuple(tuple(map(Key, str(number))) for number in ranks)
        texts = tuple(RANKS[number] for number in ranks)
        return Wheel(texts, len(ranks) // 2, self.rank, Key.STAR, keys=keys)

    def choices(self, tx: Texts) -> Choices | None:
        """Return the suits to choose from, once the suit is asked."""
        if not self.starred:
            return None
        items = (f"{SUIT_SIGNS[suit]} {word}" for suit, word in suit_words(tx).items())
        return Choices(tuple(items), self.suit)


def suit_words(tx: Texts) -> dict[str, str]:
    """Return the suits' names by their letters, in the order in which they are offered."""
    words = (
        tx("word", "spades"),
        tx("word", "hearts"),
        tx("word", "diamonds"),
        tx("word", "clubs"),
    )
    return dict(zip(SUIT_SIGNS, words, strict=True))


def keys_of(code: str) -> CardKeys:
    """Return the keys of this card with its suit still open, so that BACK deletes only the suit."""
    number = next(number for number, rank in RANKS.items() if rank == code[:-1])
    suit = tuple(SUIT_SIGNS).index(code[-1])
    return CardKeys(str(number), starred=True, suit=suit)
