"""Keying the fields of a track: their values, and in the later edition the barriers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from engines.numeri.board import PLAYERS, with_barriers
from engines.numeri.notation import LATER
from hardware.keys import Key
from pi_app.table.places import LARGEST, Cells, numbers_to
from pi_app.texts.language import Texts
from pi_app.view.keying import NumberKeying


@dataclass(frozen=True, slots=True)
class SignedKeying(NumberKeying):
    """A number that is negative after STAR."""

    sign: str = ""

    @property
    def text(self) -> str:
        return self.done or self.sign + self.digits

    def after(self, key: Key) -> Self | None:
        sign = {Key.STAR: "-", Key.BACK: ""}.get(key)
        if sign is not None and not self.digits and (sign or self.sign):
            return replace(self, sign=sign if sign != self.sign else "")
        after = NumberKeying.after(self, key)
        if after is None or after.done is None:
            return after
        return replace(after, done=self.sign + after.done)


class TrackCells(Cells):
    """The fields of a track of 1973."""

    def under(self, rules: Mapping[str, str]) -> Cells:
        return LATER_CELLS if rules.get("edition") == LATER.name else self

    def hint(self, tx: Texts) -> str:
        return tx(
            "line",
            "Each field's value, # after each; a white field is 0. # alone ends the track, "
            "probably after 38 fields.",
        )


class LaterTrackCells(Cells):
    """The fields of a track of 2009; it has a barrier for each number of players."""

    blank = SignedKeying(range(LARGEST + 1), numbers_to(LARGEST).why_not)

    def hint(self, tx: Texts) -> str:
        return tx(
            "line",
            "Each field's value, # after each; * is minus, white is 0. # alone ends the track, "
            "probably after 37.",
        )

    def signs(self, tx: Texts) -> tuple[tuple[Key, str], ...]:
        return ((Key.STAR, tx("soft", "minus")),)

    def questions(self, tx: Texts) -> tuple[str, ...]:
        return tuple(
            tx("line", "How many fields are before the barrier for {n} players?", n=count)
            for count in PLAYERS
        )

    def with_answers(self, words: Sequence[str], answers: Sequence[int]) -> Sequence[str]:
        return with_barriers(words, dict(zip(PLAYERS, answers, strict=True)))


LATER_CELLS = LaterTrackCells()
