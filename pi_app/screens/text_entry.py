"""Keying a name with ten digits, as on old phones: a digit pressed again gives its next letter.

The encoder, or A and B, turn to a letter instead; ENTER takes it.
"""

from collections.abc import Callable
from dataclasses import replace

from hardware.keys import Key
from pi_app.screens.base import BAD, OK, TICK, Action, Pop, Screen, Stay
from pi_app.screens.context import Context
from pi_app.view.frame import HIDDEN, Body, Entry, Frame, Header, SoftKey, Tone, soft
from pi_app.view.keying import (
    LETTERS,
    SIGNS,
    Wheel,
    change_character,
    keys_of_character,
    keys_of_letter,
)

PAUSE_S = 1.2
"""After this long the same digit begins a new letter, in seconds."""

DIAL = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜß -.0123456789"
"""The letters that UP and DOWN turn through."""


_KEYED = tuple(letter for letter in DIAL if keys_of_letter(letter))
"""The letters that have keys of their own."""
_LETTERS = Wheel(_KEYED, live=False, keys=tuple(map(keys_of_letter, _KEYED)))

EXACT_DIAL = f"abcdefghijklmnopqrstuvwxyz0123456789-{SIGNS} ABCDEFGHIJKLMNOPQRSTUVWXYZäöüÄÖÜß"
"""The characters that UP and DOWN turn through where every one counts."""
_CHARACTERS = Wheel(tuple(EXACT_DIAL), live=False, keys=tuple(map(keys_of_character, EXACT_DIAL)))


class TextEntry(Screen):
    """A short text that is keyed. `done(text)` is called for the screen below.

    `objection(text)` returns why a text cannot be accepted, or "".
    """

    dial = DIAL
    letters_wheel = _LETTERS

    def __init__(
        self,
        ctx: Context,
        title: str,
        text: str,
        length: int,
        objection: Callable[[str], str],
        done: Callable[[str], Action],
    ) -> None:
        super().__init__(ctx)
        self.title = title
        self.text = text
        self.length = length
        self.objection = objection
        self.done = done
        self._fresh = True
        """Whether the next letter replaces the text."""
        self._full = False
        """Whether the last key was refused because the text has `length` characters."""
        self._last: tuple[int, float] | None = None
        """The last digit and when it was pressed."""
        self._turned_to: int | None = None
        """Index in DIAL of the letter that UP and DOWN turned to, not taken yet."""

    def frame(self) -> Frame:
        tx = self.tx
        objection = self.objection(self.text)
        if self._full:
            objection = tx("verdict", "at most {most} characters", most=self.length)
        return Frame(
            Header(self.title),
            Body(
                entry=self._entry(objection, Tone.BAD if objection else Tone.PLAIN),
                lines=() if self._full else self._prompt(),
            ),
            keys=soft(
                (Key.ENTER, tx("soft", "ok") if self._turned_to is None else tx("soft", "take")),
                (Key.BACK, tx("soft", "delete")),
                typing=True,
            ),
        )

    def _entry(self, objection: str, tone: Tone) -> Entry:
        return Entry(self.text + (self._letter() or "_"), objection, tone)

    def _prompt(self) -> tuple[str, ...]:
        tx = self.tx
        if self.ctx.dials:
            return tx("line", "Turn to a letter, push takes it."), tx(
                "line", "Hold the push to end."
            )
        return (
            tx("line", "2 = ABC, 3 = DEF * next letter"),
            tx("line", "A B turn to any letter, # takes"),
        )

    def wheel(self) -> Wheel:
        return self.letters_wheel

    def press(self, key: Key) -> Action:
        # the next key removes the verdict, but a keyboard sends STAR by itself after each letter
        self._full = self._full and key is Key.STAR
        if key.digit is not None:
            self._take_letter()  # a digit also accepts the letter that was turned to
            return self._digit(key.digit)
        self._last = None
        if key in (Key.UP, Key.DOWN):
            return self._dial(key.step)
        if self._turned_to is not None and key in (Key.ENTER, Key.STAR):
            self._take_letter()
            return Stay(TICK)
        if self._turned_to is not None and key is Key.BACK:
            self._turned_to = None
            return Stay(TICK)
        if key is Key.STAR:  # STAR only ends the letter: `_last` was reset above
            return Stay(TICK)
        if key is Key.BACK and self.text:
            self._fresh = False
            self.text = self.text[:-1]
            return Stay(TICK)
        if key in (Key.BACK, Key.BACK_HELD):
            return Pop(TICK)
        if key is Key.ENTER:
            text = self._tidy()
            if text and not self.objection(text):
                return Pop(OK, lambda: self.done(text))
        return Stay(BAD)

    def type_text(self, text: str) -> Action:
        kept = "".join(letter for letter in text if self._can_write(letter))
        self.text, self._fresh = kept[: self.length], False
        self._last = self._turned_to = None
        if len(kept) > self.length:
            return self._refuse_more()
        return self.press(Key.ENTER)

    def _can_write(self, letter: str) -> bool:
        return bool(keys_of_letter(letter))

    def _tidy(self) -> str:
        return " ".join(self.text.split())  # no spaces at the ends, none twice

    def _dial(self, step: int) -> Action:
        """Turn to the next or the previous letter of the dial."""
        if self._fresh:
            self.text = ""
            self._fresh = False
        if len(self.text) >= self.length:
            return self._refuse_more()
        if self._turned_to is None:  # forward begins with the first letter, back with the last
            self._turned_to = 0 if step > 0 else len(self.dial) - 1
        else:
            self._turned_to = (self._turned_to + step) % len(self.dial)
        return Stay(TICK)

    def _letter(self) -> str:
        return "" if self._turned_to is None else self._case(self.dial[self._turned_to], self.text)

    def _take_letter(self) -> None:
        self.text += self._letter()
        self._turned_to = None

    def _digit(self, digit: int) -> Action:
        now = self.ctx.clock()
        if self._fresh:
            self.text = ""
            self._fresh = False
        letters = LETTERS[digit]
        last_digit, pressed_at = self._last or (None, 0.0)
        if last_digit == digit and now - pressed_at < PAUSE_S:  # the next letter of this digit
            before, letter = self.text[:-1], self.text[-1]
            index = letters.index(letter if letter == "ß" else letter.upper())  # "ß" has no capital
            self.text = before + self._case(letters[(index + 1) % len(letters)], before)
        elif len(self.text) >= self.length:
            return self._refuse_more()
        else:
            self.text += self._case(letters[0], self.text)
        self._last = (digit, now)
        return Stay(TICK)

    def _refuse_more(self) -> Action:
        """Refuse another letter and say why, as no text is cut."""
        self._full = True
        return Stay(BAD)

    def _case(self, letter: str, before: str) -> str:
        """Return a capital at the beginning of a word, else a small letter."""
        return letter if not before or before[-1] in " -." else letter.lower()


class ExactEntry(TextEntry):
    """A text in which every character matters, such as a path.

    Letters are small; MENU makes a capital of the last one, and another sign of a full stop.
    """

    dial = EXACT_DIAL
    letters_wheel = _CHARACTERS

    def frame(self) -> Frame:
        frame = super().frame()
        change = SoftKey(Key.MENU, self.tx("soft", "aA"))
        return replace(frame, keys=replace(frame.keys.with_keys(change), exact=True))

    def press(self, key: Key) -> Action:
        if key is not Key.MENU:
            return super().press(key)
        self._take_letter()
        self._last = None
        if self._fresh or not self.text:
            return Stay(BAD)
        self.text = self.text[:-1] + change_character(self.text[-1])
        return Stay(TICK)

    def _prompt(self) -> tuple[str, ...]:
        if self.ctx.dials:
            return super()._prompt()
        return (
            self.tx("line", "2 = abc, D = capital"),
            self.tx("line", "1 = -. D on . = other signs"),
        )

    def _can_write(self, letter: str) -> bool:
        return bool(keys_of_character(letter))

    def _tidy(self) -> str:
        return self.text

    def _case(self, letter: str, before: str) -> str:
        del before
        # a digit's letters are small here; a letter from the dial stays as it is
        return letter if self._turned_to is not None else letter.lower()


class PasswordEntry(ExactEntry):
    """A password: its last letter and its length are shown; the voice says only the length."""

    def _entry(self, objection: str, tone: Tone) -> Entry:
        keyed = self.text + self._letter()
        shown = HIDDEN * (len(keyed) - 1) + keyed[-1:] + ("" if self._letter() else "_")
        aloud = self.tx("speech", "letter {n}", n=len(keyed)) if keyed else "..."
        return Entry(shown, objection, tone, aloud=aloud)
