"""Decide which of a child's answers to a card are booked on its times tables, and where."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from engines.einmaleins.cards import PAIRS, Pair
from pi_app.past.times_tables import Learnt, answered, restore, tables_of, wrong_again
from pi_app.store.store import Store

TRIES = 2
"""So often a task may be wrong before the companion says it."""


class Booking:
    """What one player says to one card, and what of it is booked.

    A task is booked as somebody who listens would note it down:

    - A wrong task is a miss on the task that was said, not on one that would have been right:
      4×8 for 36 is a miss on 4×8.
    - A right task that is laid is a hit on it, at the first try and at the second. Right at the
      second try is so a miss on the task first said and a hit on the second.
    - The same wrong task said twice is counted as two mistakes; the scheduler hears it once.
    - After two wrong ones the companion tells a task. That is a miss on the task told, for it had
      to be told. What is keyed from then on is copied and books nothing.
    - A right task that cannot be laid, as a square misread as 6×6 where 4×9 is needed, books
      nothing: the table was right, and the card was not laid.
    - A factor beyond ten and an answer that was not finished book nothing.
    - A card misread books nothing: if the next card keyed in this turn is the product of what was
      said, the player read the first card wrongly and not the table; see `undo_misread`.

    Each answer is on the disk when its method returns.
    """

    def __init__(self, store: Store, name: str, now: Callable[[], datetime]) -> None:
        self._store = store
        self._name = name
        self._now = now
        self._before: dict[Pair, Learnt | None] = {}
        """The tasks booked for this card, as they were before it."""
        self._wrong: list[Pair] = []
        self.revealed_pair: Pair | None = None
        """The task that the companion had to tell."""

    def book_right(self, pair: Pair) -> None:
        """Book a task with the card's product that is laid with it."""
        if self.revealed_pair is None:
            self._book(pair, right=True)

    def book_wrong(self, pair: Pair, fitting: tuple[Pair, ...]) -> None:
        """Book a task with another product; after `TRIES` of them set `revealed_pair`."""
        if self.revealed_pair is not None:
            return
        if pair in self._wrong:
            wrong_again(self._store, self._name, pair, self._now())
        else:
            self._book(pair, right=False)
        self._wrong.append(pair)
        if len(self._wrong) == TRIES:
            self.revealed_pair = next(
                (fits for fits in fitting if set(fits) & set(pair)), fitting[0]
            )
            self._book(self.revealed_pair, right=False)

    def undo_misread(self, number: int) -> None:
        """Take back what was booked if the card that was meant is this one, keyed after it."""
        if set(self._wrong) & set(PAIRS[number]):
            restore(self._store, self._name, self._before, self._now())

    def _book(self, pair: Pair, *, right: bool) -> None:
        self._before[pair] = tables_of(self._store, self._name).tasks.get(pair)
        answered(self._store, self._name, pair, self._now(), right=right)
