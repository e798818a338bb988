"""Keying the fields of a track: their values, and the barriers between them."""

from dataclasses import dataclass, replace
from typing import Self

from engines.numeri.board import BARRIER, PLAYERS
from hardware.keys import Key
from pi_app.table.places import LARGEST, Cells, too_large
from pi_app.texts.language import Texts
from pi_app.view.frame import Tone
from pi_app.view.keying import NumberKeying


@dataclass(frozen=True, slots=True)
class FieldKeying(NumberKeying):
    """The value of a field, negative after STAR; UP or DOWN begin the players of a barrier."""

    sign: str = ""

    @property
    def text(self) -> str:
        return self.done or self.sign + self.digits

    @property
    def impossible(self) -> bool:
        if self.sign == BARRIER:
            return "".join(count for count in PLAYERS if count in self.digits) != self.digits
        return not self._begins(self.digits)

    def verdict(self, tx: Texts) -> tuple[str, Tone]:
        if self.sign == BARRIER:
            said = tx("verdict", "for how many players: 2, 3, 4")
            return said, Tone.BAD if self.impossible else Tone.PLAIN
        return NumberKeying.verdict(self, tx)

    def after(self, key: Key) -> Self | None:
        sign = {Key.STAR: "-", Key.UP: BARRIER, Key.DOWN: BARRIER, Key.BACK: ""}.get(key)
        if sign is not None and not self.digits and (sign or self.sign):
            return replace(self, sign=sign if sign != self.sign else "")
        after = NumberKeying.after(self, key)
        if after is None or after.done is None:
            return after
        return None if self.impossible else replace(after, done=self.sign + after.done)


class TrackCells(Cells):
    """The fields of a track, and its barriers."""

    blank = FieldKeying(range(LARGEST + 1), too_large)

    def hint(self, tx: Texts) -> str:
        return tx(
            "line",
            "Each field's value, # after each: * is minus, A a barrier, "
            "then its players. # alone ends the track.",
        )

    def signs(self, tx: Texts) -> tuple[tuple[Key, str], ...]:
        return (Key.STAR, tx("soft", "minus")), (Key.UP, tx("soft", "bar"))
