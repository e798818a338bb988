"""Keying one card: its rank by digits, STAR, then its suit as offered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from hardware.keys import Key
from pi_app.games.sequence.cards import RANKS, SUIT_SIGNS, card_text
from pi_app.table.places import Cells
from pi_app.texts.language import Text, Texts
from pi_app.view.frame import Choices, Tone
from pi_app.view.keying import Keying, Wheel

_SIGNS = str.maketrans({**SUIT_SIGNS})


@dataclass(frozen=True, slots=True)
class CardKeying(Keying):
    """The keyed part of a card."""

    rank: str = ""
    """The digits of its rank, 1 to 13."""
    starred: bool = False
    """Whether STAR was pressed after the rank: then the suit is asked."""
    suit: int = 0
    """Index of the suit that UP and DOWN have chosen."""
    misled: bool = False
    """Whether the last key was a digit that no suit has."""
    done: str | None = None

    @property
    def text(self) -> str:
        if self.done is not None:
            return card_text(self.done)
        return RANKS[int(self.rank)] if self.starred else self.rank

    @property
    def impossible(self) -> bool:
        return self.misled or (self.rank != "" and not self.complete)

    @property
    def complete(self) -> bool:
        """Whether STAR may follow: the digits are a rank."""
        return self.rank != "" and int(self.rank) in RANKS

    def verdict(self, tx: Texts) -> tuple[str, Tone]:
        if self.misled:
            return tx("verdict", "suit: 1 to {n}", n=len(SUIT_SIGNS)), Tone.BAD
        if self.starred or not self.rank:
            return "", Tone.PLAIN
        if not self.complete:
            return tx("verdict", "no rank {n}: 1 to 13", n=self.rank), Tone.BAD
        return tx("verdict", "then * and the suit"), Tone.PLAIN

    def after(self, key: Key) -> CardKeying | None:
        if key is Key.BACK:
            if self.done is not None or self.misled:
                return replace(self, done=None, misled=False)  # its suit is asked again
            if self.starred:
                return CardKeying(self.rank)
            return CardKeying(self.rank[:-1]) if self.rank else None
        if self.done is not None:
            return None
        if self.starred:
            return self._choose(key)
        if key is Key.STAR:
            return CardKeying(self.rank, starred=True) if self.complete else None
        if key.digit is None or self.impossible:
            return None
        return CardKeying(self.rank + key.value)

    def _choose(self, key: Key) -> CardKeying | None:
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
        code = RANKS[int(self.rank)] + tuple(SUIT_SIGNS)[chosen]
        return replace(self, suit=chosen, misled=False, done=code)

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
        if not self.starred or self.done is not None:
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


def keyed_card(code: str) -> CardKeying:
    """Return the keys of this card."""
    number = next(number for number, rank in RANKS.items() if rank == code[:-1])
    suit = tuple(SUIT_SIGNS).index(code[-1])
    return CardKeying(str(number), starred=True, suit=suit, done=code)


class CardCells(Cells):
    """The cells of a Sequence board: a card's rank, STAR, its suit by number."""

    blank = CardKeying()

    def hint(self, tx: Texts) -> str:
        return tx("line", "Row by row: rank, *, suit: 1 ♠ 2 ♥ 3 ♦ 4 ♣. 1 is the ace.")

    def text(self, words: str) -> str:
        return words.translate(_SIGNS)

    faults: ClassVar[Mapping[str, Text]] = {
        "jack": Text("verdict", "jacks are not on the board"),
        "no-card": Text("verdict", "there is no such card"),
        "there-twice": Text("verdict", "there twice already"),
    }
