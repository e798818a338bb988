"""Books a child's answers to a card on its times tables."""

from collections.abc import Callable
from datetime import datetime

from engines.einmaleins.cards import PAIRS, Pair
from pi_app.past.times_tables import Practice, count_wrong_answer, restore, store_answer, tables_of
from pi_app.store import Store

TRIES = 2
"""Wrong tasks after which the companion says the right one."""


class Booking:
    """Books one player's answers to one card.

    A task is booked as a listener would note it down:

    - A wrong task is a miss on the task that was said, not on one that would have been right:
      4×8 for 36 is a miss on 4×8.
    - A right task that is laid is a hit on it, at the first try and at the second. So a right
      second try is a miss on the task first said and a hit on the second one.
    - The same wrong task said twice counts as two mistakes; the scheduler gets it once.
    - After two wrong ones the companion reveals a task. That is a miss on the revealed task.
      Later answers are copies and book nothing.
    - A right task that cannot be laid, such as 6×6 for 36 where 4×9 is needed, books nothing:
      the multiplication was right, and the card was not laid.
    - A factor beyond ten and an unfinished answer book nothing.
    - A misread card books nothing: if the next card keyed in this turn is the product of what
      was said, the player misread the first card and knew the task; see `undo_misread`.

    Each answer is on the disk when its method returns.
    """

    def __init__(self, store: Store, name: str, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._name = name
        self._clock = clock
        self._before: dict[Pair, Practice | None] = {}
        """The tasks booked for this card, with their state before it; None: never asked before."""
        self._wrong: list[Pair] = []
        """The wrong tasks said; one said twice is in it twice."""
        self.revealed_pair: Pair | None = None
        """The task that the companion had to reveal."""

    def book_right(self, pair: Pair) -> None:
        """Book a right task with which the card is laid."""
        if self.revealed_pair is None:
            self._book(pair, right=True)

    def book_wrong(self, pair: Pair, fitting: tuple[Pair, ...]) -> None:
        """Book a task with another product; after `TRIES` of them set `revealed_pair`.

        `fitting` are the tasks with which the card could be laid.
        """
        if self.revealed_pair is not None:
            return
        if pair in self._wrong:
            count_wrong_answer(self._store, self._name, pair, self._clock())
        else:
            self._book(pair, right=False)
        self._wrong.append(pair)
        if len(self._wrong) == TRIES:
            # preferably a task that shares a factor with the one just said
            self.revealed_pair = next(
                (other for other in fitting if set(other) & set(pair)), fitting[0]
            )
            self._book(self.revealed_pair, right=False)

    def undo_misread(self, number: int) -> None:
        """Undo the bookings if this number, keyed next, shows that the card was misread."""
        # a "wrong" task that makes this number: the player saw this card and knew its task
        if set(self._wrong) & set(PAIRS[number]):
            restore(self._store, self._name, self._before, self._clock())

    def _book(self, pair: Pair, *, right: bool) -> None:
        self._before[pair] = tables_of(self._store, self._name).tasks.get(pair)
        store_answer(self._store, self._name, pair, self._clock(), right=right)
