"""Turns keys into a card, number or place, a letter, a row of a list."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar

from hardware.keys import Key
from pi_app.texts.language import Texts
from pi_app.view.frame import STAR_SIGN, Choices, Entry, KeySet, Tone


@dataclass(frozen=True, slots=True)
class Wheel:
    """The values on a dial at a place of a screen, for rigs without digits."""

    values: tuple[str, ...]
    """The values to turn to, as they are shown; () if the dial only adds `more` to a screen."""
    start: int = 0
    """Index of the value at which the dial begins if nothing is keyed."""
    keyed: str = ""
    """The digits that are keyed here already; the dial begins at their value."""
    then: Key | None = None
    """The key sent after a chosen value."""
    live: bool = True
    """Whether a value is keyed while the dial turns, else only when it is chosen.

    When the dial leaves a live value, BACK deletes each of its keys.
    """
    keys: tuple[tuple[Key, ...], ...] = ()
    """The keys of each value; () if they are its digits."""
    more: tuple[tuple[Key, str], ...] = ()
    """Keys without a soft key, with their words, offered after the values."""

    def keys_of(self, index: int) -> tuple[Key, ...]:
        """Return the keys that key a value."""
        return self.keys[index] if self.keys else tuple(map(Key, self.values[index]))

    @property
    def place(self) -> int:
        """The index of the keyed value, else of the likely one."""
        indices = range(len(self.values))
        keyed = (index for index in indices if "".join(self.keys_of(index)) == self.keyed)
        return next(keyed, self.start) if self.keyed else self.start


def die_wheel(dice: Iterable[int], star: int) -> Wheel:
    """Return the faces of a die; the dial begins at the third one, near to both ends."""
    words = tuple(STAR_SIGN if face == star else str(face) for face in dice)
    return Wheel(words, start=2, live=False, keys=tuple((Key(str(face)),) for face in dice))


DIGITS = Wheel(tuple("0123456789"), start=1, live=False)
"""For a screen that accepts digits, without further details."""

NO_WHEEL = Wheel(())
"""For a screen with an entry that accepts no digits now."""


class Keying(ABC):
    """One card, number or place while it is keyed. A value: each key makes another one.

    A key that makes it impossible stays, so that people read why.
    """

    __slots__ = ()

    done: str | None
    """The card or number in the game's notation once its last key was pressed, else None."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The keyed text for people; "" for nothing."""

    @property
    @abstractmethod
    def impossible(self) -> bool:
        """Whether nothing can begin like this."""

    @abstractmethod
    def after(self, key: Key) -> Self | None:
        """Return the keying after a key; None if the key has no effect. BACK deletes a key."""

    @abstractmethod
    def verdict(self, tx: Texts) -> tuple[str, Tone]:
        """Say the next step, or why nothing begins like this; "" if there is nothing to say."""

    def tapped(self, name: str) -> Self | None:  # noqa: ARG002  # for those that are cells
        """Return the keys of a tapped cell of the board; None if a tap means nothing."""
        return None

    def wheel(self) -> Wheel | None:
        """Return the dial's values; None if it has none here."""
        return None

    def choices(self, tx: Texts) -> Choices | None:  # noqa: ARG002  # for those with a list
        """Return a list to choose the last key from, or None."""
        return None

    def __bool__(self) -> bool:
        return self.text != ""

    @property
    def word(self) -> str | None:
        """The word that ENTER would complete; None if it cannot."""
        if self.done is None and (entered := self.after(Key.ENTER)) is not None:
            return entered.done
        return self.done

    def entry(self, tx: Texts) -> Entry:
        """Return it for a frame."""
        return Entry(self.text, *self.verdict(tx))


@dataclass(frozen=True, slots=True)
class NumberKeying(Keying):
    """One of given whole numbers, keyed digit by digit; ENTER completes it."""

    numbers: Sequence[int]
    """The possible numbers, ascending."""
    why_not: Callable[[Texts, int], str]
    """Says why another number cannot be keyed."""
    likely: int = 0
    """The index of the number at which a dial begins."""
    then: Key = Key.ENTER
    """STAR if it completes the number too: another one may follow."""
    star: str = ""
    """The meaning of STAR alone, such as a free card, or ""."""
    digits: str = ""
    fresh: bool = False
    """Whether the next digit replaces the digits."""
    done: str | None = None

    @property
    def text(self) -> str:
        return self.digits or self.done or ""

    @property
    def impossible(self) -> bool:
        return not self._begins(self.digits)

    def after(self, key: Key) -> Self | None:
        if key is Key.BACK:
            if self.done is not None and self.digits:
                return replace(self, done=None)
            return replace(self, digits=self.digits[:-1], fresh=False, done=None) if self else None
        if self.done is not None:
            return None
        if key is Key.STAR and self.star and not self.digits:
            return replace(self, done=self.star)
        if key in (Key.ENTER, self.then):
            complete = self.digits and self._has(int(self.digits))
            return replace(self, done=str(int(self.digits)), fresh=False) if complete else None
        return None if key.digit is None else self._add(key.value)

    def _add(self, digit: str) -> Self | None:
        digits = "" if self.fresh else self.digits
        # a first 0 can only be the number 0
        if (
            not self._begins(digits)
            or digits == "0"
            or (digit == "0" and not digits and not self._has(0))
        ):
            return None
        return replace(self, digits=digits + digit, fresh=False)

    def tapped(self, name: str) -> Self | None:
        known = name.isdecimal() and self._has(int(name))
        return replace(self.cleared(), digits=name) if known else None

    def cleared(self) -> Self:
        """Return it with nothing keyed."""
        return replace(self, digits="", fresh=False, done=None)

    def _has(self, number: int) -> bool:
        return number in self.numbers

    def _begins(self, digits: str) -> bool:
        """Tell whether one of the numbers begins with these digits."""
        if not digits:
            return True
        first, past = int(digits), int(digits) + 1
        largest = self.numbers[-1] if self.numbers else -1
        while first <= largest:
            index = bisect_left(self.numbers, first)
            if index < len(self.numbers) and self.numbers[index] < past:
                return True
            first, past = first * 10, past * 10
        return False

    @property
    def final(self) -> bool:
        """Whether no further digit can follow."""
        if self.digits in ("", "0"):
            return self.digits == "0"
        return not any(self._begins(self.digits + more) for more in DIGITS.values)

    def verdict(self, tx: Texts) -> tuple[str, Tone]:
        if not self.impossible:
            return "", Tone.PLAIN
        return self.why_not(tx, int(self.digits)), Tone.BAD

    def wheel(self) -> Wheel:
        return Wheel(tuple(map(str, self.numbers)), self.likely, self.digits, self.then)


K = TypeVar("K", bound=Keying)


@dataclass(frozen=True, slots=True)
class KeyedCards(Generic[K]):
    """Cards that are keyed one after the other; BACK deletes their keys, the last one first."""

    current: K
    """The card that is being keyed."""
    blank: K
    """A card of which nothing is keyed."""
    most: int
    """How many cards can be keyed."""
    whole: int = 0
    """How many cards make a whole hand, 0 for any number: a dial's push enters the last."""
    sign: str = " "
    """Stands between the cards."""
    complete: tuple[K, ...] = ()
    """The cards before `current`."""

    def __bool__(self) -> bool:
        return bool(self.complete or self.current)

    @property
    def words(self) -> tuple[str, ...]:
        """The cards in the game's notation, with the current one as ENTER would complete it."""
        row = (*self.complete, self.current)
        return tuple(card.word for card in row if card.word is not None)

    @property
    def impossible(self) -> bool:
        """Whether no card is like the current one."""
        return self.current.impossible

    @property
    def word(self) -> str | None:
        """The cards as one word of the notation; None if one of them is not complete."""
        row = (*self.complete, self.current) if self.current else self.complete
        words = [card.word for card in row]
        return self.sign.join(map(str, words)) if all(words) else None

    @property
    def text(self) -> str:
        """All cards with the sign between them."""
        return self.sign.join(card.text for card in (*self.complete, self.current))

    def entry(self, tx: Texts) -> Entry:
        """Return the cards for a frame."""
        return Entry(self.text, *self.current.verdict(tx))

    def tapped(self, name: str) -> None:
        """Return None: a tap keys no card."""

    def after(self, key: Key) -> KeyedCards[K] | None:
        """Return the cards after a key; None if the key has no effect."""
        if key is Key.BACK and not self.current and self.complete:
            *before, last = self.complete
            return replace(self, complete=tuple(before), current=last.after(key) or self.blank)
        entered = self.current.after(key)
        room = self.most - len(self.complete)
        if entered is None or not room:
            return None
        if entered.done is None:
            return replace(self, current=entered)
        if key is Key.STAR and self.current and room == 1:  # no other card can follow
            return None
        return replace(self, complete=(*self.complete, entered), current=self.blank)

    def wheel(self) -> Wheel | None:
        """Return the dial's values for the current card."""
        wheel = self.current.wheel()
        if wheel is None or not self.whole or len(self.complete) + 1 < self.whole:
            return wheel
        return replace(wheel, then=Key.ENTER)


@dataclass(frozen=True, slots=True)
class Marked:
    """The marked row of a list, and the first digits of a longer number."""

    selected: int = 0
    typed: str = ""


def choose(choices: Choices, marked: Marked, key: Key) -> Marked | int | None:
    """Return the row (an index) that a key chooses, or the list's new mark; None: no effect.

    A digit waits for another one only if a longer number begins with it. Meanwhile ENTER chooses
    the marked row, BACK deletes the digit, and a digit that fits no row changes nothing.
    """
    count = len(choices.items)
    if key in (Key.UP, Key.DOWN):
        return Marked((marked.selected + key.step) % max(1, count))
    if key is Key.ENTER and count:
        return marked.selected
    if key is Key.BACK and marked.typed:
        return Marked(marked.selected)  # drops the digits
    if key.digit is None:
        return None
    item_digits, typed = choices.keyed, marked.typed + key.value
    rows = [index for index, digits in enumerate(item_digits) if digits.startswith(typed)]
    if not rows:
        return None
    # the row with just these digits, else the first whose number begins with them
    row = next((index for index in rows if item_digits[index] == typed), rows[0])
    if item_digits[row] == typed and len(rows) == 1:
        return row
    return Marked(row, typed)  # a longer number may follow


def waiting(typed: str, corner: str = "") -> str:
    """Return a frame's corner: digits that wait for another one, else `corner`."""
    return f"{typed}…" if typed else corner


LETTERS = {
    1: "1-.",
    2: "ABCÄ2",
    3: "DEF3",
    4: "GHI4",
    5: "JKL5",
    6: "MNOÖ6",
    7: "PQRSß7",
    8: "TUVÜ8",
    9: "WXYZ9",
    0: " 0",
}
"""The characters of a digit that is pressed once, twice, ..."""

_LETTER_KEYS = {
    letter: (*[Key(str(digit))] * presses, Key.STAR)
    for digit, letters in LETTERS.items()
    for presses, letter in enumerate(letters, 1)
}
"""The keys for each character: its digit, pressed often enough, and STAR to complete it."""


def keys_of_letter(letter: str) -> tuple[Key, ...]:
    """Return the keys that write this letter or digit, in either case; () for any other."""
    # "ß" has no capital: upper() would make "SS" of it
    return _LETTER_KEYS.get(letter if letter == "ß" else letter.upper(), ())


SIGNS = ".,:;/\\_=+*#@!?&%$€()[]{}<>|~^'\"`"
"""The signs into which MENU changes a full stop, in turn."""


def change_character(character: str) -> str:
    """Return a character changed by MENU: a letter to its capital, a sign to the next."""
    if character in SIGNS:
        return SIGNS[(SIGNS.index(character) + 1) % len(SIGNS)]
    return character if character == "ß" else character.swapcase()


def keys_of_character(character: str) -> tuple[Key, ...]:
    """Return the keys for exactly this character in a password; () if none write it."""
    if len(character) != 1:
        return ()
    if character in SIGNS:
        return (*keys_of_letter("."), *[Key.MENU] * SIGNS.index(character))
    keys = keys_of_letter(character)
    return (*keys, Key.MENU) if keys and character.isupper() else keys


ESCAPE = "\x1b"
"""The character of a keyboard's Esc."""


def typed_keys(typed: str, keys: KeySet) -> tuple[Key, ...]:
    """Return the keys for a typed character, () if it does not count as a letter now.

    `keys` are the frame's keys: it takes letters while `typing`, or if it is `lettered`,
    then with STAR before each. While `exact`, digits are characters too, so that the same one can
    be typed twice. Esc always leaves a text.
    """
    if keys.typing and typed == ESCAPE:
        return (Key.BACK_HELD,)
    if keys.typing and keys.exact:
        return keys_of_character(typed)
    # digits are keys themselves, which write digits as well
    if keys.typing and not typed.isdigit():
        return keys_of_letter(typed)
    letter = keys_of_letter(typed) if keys.lettered and typed.isalpha() else ()
    return (Key.STAR, *letter) if letter else ()
