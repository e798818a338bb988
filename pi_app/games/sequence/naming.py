"""Fives in a line that count nothing: an entered position or a broken sequence may leave some."""

from __future__ import annotations

from typing import cast

from engines.game import AnyPosition
from engines.sequence.position import SequencePosition
from pi_app.games.sequence.cards import five_words
from pi_app.table.table import Table
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts
from pi_app.view.frame import Choices


class Naming:
    """The fives of the present position that nobody has named, nor said that they are none.

    Both answers are corrections, so the record has them: one that names the five, and one that
    changes nothing.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.selected = 0
        self._position: AnyPosition | None = None
        self._fives: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def fives(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(team, squares) of each five to ask about, those first with which the team wins."""
        position = self.table.position
        if position is not self._position:
            self._position, self.selected = position, 0
            self._fives = self._find_fives()
        return self._fives

    def _find_fives(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        position = cast(SequencePosition, self.table.position)
        fives = position.unnamed_fives()
        if not fives:
            return ()
        before = cast(SequencePosition, self.table.start)
        declined: set[tuple[str, tuple[str, ...]]] = set()
        for step in self.table.steps:
            after = cast(SequencePosition, step.after)
            if step.token == _confirmation(before) and after.seat == before.seat:
                declined.update(before.unnamed_fives())
            before = after
        left = (five for five in fives if five not in declined)
        return tuple(sorted(left, key=lambda five: not _wins(position, five[0])))

    def choices(self, tx: Texts) -> Choices:
        """Return the fives by team and ends, then "none of them"."""
        position = cast(SequencePosition, self.table.position)
        items = []
        for team, squares in self.fives:
            words = f"{colour_word(tx, team)} {five_words(tx, position, squares)}"
            wins = _wins(position, team)
            items.append(tx("item", "{five} wins", five=words) if wins else words)
        return Choices((*items, tx("item", "none of them")), self.selected)

    def squares(self) -> tuple[str, ...]:
        """Return the squares of the marked five; () for none."""
        return self.fives[self.selected][1] if self.selected < len(self.fives) else ()

    def token(self, row: int) -> str:
        """Return the correction that a row of the choices stands for."""
        position = cast(SequencePosition, self.table.position)
        if row == len(self.fives):
            return _confirmation(position)
        return position.name_five(*self.fives[row])


def _confirmation(position: SequencePosition) -> str:
    """Return the correction that changes nothing."""
    return f"<{position.describe()}>"


def _wins(position: SequencePosition, team: str) -> bool:
    return len(position.completed_sequences()[team]) + 1 >= position.needed
