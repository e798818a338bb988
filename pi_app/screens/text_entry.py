"""Keying a name with ten digits, as on old phones: a digit again turns to its next letter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hardware.keys import Key
from pi_app.frame import Entry, Frame, Tone, soft
from pi_app.letters import LETTERS
from pi_app.screens.base import BAD, OK, TICK, Action, Pop, Screen, Stay

if TYPE_CHECKING:
    from pi_app.context import Context

PAUSE_S = 1.2
"""After this long the same digit begins a new letter, in seconds."""


class TextEntry(Screen):
    """A short text by keys; answers with it, or with None when it was left.

    `objection(text)` returns why a text cannot be taken, or "".
    """

    def __init__(
        self,
        ctx: Context,
        title: str,
        text: str,
        length: int,
        objection: Callable[[str], str],
    ) -> None:
        super().__init__(ctx)
        self.title = title
        self.text = text
        self.length = length
        self.objection = objection
        self._fresh = True
        self._last: tuple[int, float] | None = None

    def frame(self) -> Frame:
        tx = self.tx
        objection = self.objection(self.text)
        return Frame(
            self.title,
            entry=Entry(self.text + "_", objection, Tone.BAD if objection else Tone.PLAIN),
            lines=(tx("line", "2 = ABC, 3 = DEF ... * next letter"),),
            softkeys=soft((Key.ENTER, tx("soft", "ok")), (Key.BACK, tx("soft", "delete"))),
            typing=True,
        )

    def press(self, key: Key) -> Action:
        if key.digit is not None:
            return self._digit(key.digit)
        self._last = None
        if key is Key.STAR:
            return Stay(TICK)
        if key is Key.BACK and self.text:
            self._fresh = False
            self.text = self.text[:-1]
            return Stay(TICK)
        if key in (Key.BACK, Key.BACK_HELD):
            return Pop(TICK)
        if key is Key.ENTER:
            text = " ".join(self.text.split())
            if text and not self.objection(text):
                return Pop(OK, text)
        return Stay(BAD)

    def _digit(self, digit: int) -> Action:
        now = self.ctx.clock()
        if self._fresh:
            self.text = ""
            self._fresh = False
        letters = LETTERS[digit]
        if self._last and self._last[0] == digit and now - self._last[1] < PAUSE_S:
            at = letters.index(self.text[-1].upper() if self.text[-1] != "ß" else "ß")
            self.text = self.text[:-1] + self._case(
                letters[(at + 1) % len(letters)], self.text[:-1]
            )
        elif len(self.text) >= self.length:
            return Stay(BAD)
        else:
            self.text += self._case(letters[0], self.text)
        self._last = (digit, now)
        return Stay(TICK)

    def _case(self, letter: str, before: str) -> str:
        """Capitals begin words, small letters go on."""
        return letter if not before or before[-1] in " -." else letter.lower()
