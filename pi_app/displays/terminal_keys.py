"""The terminal's keyboard: bytes become keys, and a held key counts once.

A terminal reports no releases: a held key only sends the same bytes again. The module reads no
clock and no device; times are seconds of a monotonic clock.
"""

import codecs
import locale
import re

from hardware.keys import Key
from hardware.pads.table import PRINTED, key_of_character
from pi_app.view.frame import KeySet
from pi_app.view.keying import typed_keys

HELD_S = 0.08
"""A held key repeats within this time; fingers are slower."""
AGAIN_S = 1.0
"""A keyboard sends a held key for the second time within this time."""
ESC_S = 0.1
"""How long an Esc waits for the rest of an arrow or function key."""

_CONTROLS = {
    "\r": Key.ENTER,
    "\n": Key.ENTER,
    "\x7f": Key.BACK,
    "\b": Key.BACK,
    "\t": Key.MENU,
    "\x1b": Key.BACK,
    **{f"\x1b{lead}A": Key.UP for lead in "[O"},
    **{f"\x1b{lead}B": Key.DOWN for lead in "[O"},
    "\x1bOM": Key.ENTER,
    "\x1b[3~": Key.BACK,
    **{f"\x1bO{letter}": PRINTED[f"F{n}"] for n, letter in enumerate("PQRS", 1)},
    **{f"\x1b[[{letter}": PRINTED[f"F{n}"] for n, letter in enumerate("ABCDE", 1)},
    **{f"\x1b[{code}~": PRINTED[f"F{n}"] for n, code in enumerate((11, 12, 13, 14, 15, 17), 1)},
}
"""The keys of control characters and of the sequences of arrow, function and delete keys."""
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"

_STROKES = re.compile(r"\x1b(?:\[\[?[0-?]*[ -/]*[@-~]|O[A-Za-z])|.", re.DOTALL)
_BEGUN = re.compile(r"\x1b(?:\[\[?[0-?]{,20}[ -/]{,20}|O)?\Z")
"""One stroke: a key's sequence or a character. And the beginning of a sequence at a text's end."""

_ONCE = {Key.ENTER, Key.MENU, Key.MENU_HELD, Key.BACK_HELD, *(Key(f"DIE{n}") for n in range(1, 7))}
"""Keys that undo, play, confirm or open: a second one within HELD_S is ignored."""


def keys_of(stroke: str, meaning: KeySet) -> tuple[Key, ...]:
    """Return the keys for a stroke; while a name is typed, letters are typed."""
    letter = typed_keys(stroke, meaning)
    if not letter and (key := _CONTROLS.get(stroke)):
        return (key,)
    key = None if letter else key_of_character(stroke, typing=meaning.typing)
    return letter if key is None else (key,)


class Keyboard:
    """Turns a terminal's bytes into keys; `meaning` is the frame's KeySet.

    Only the first stroke of a held key counts, but UP and DOWN repeat. So a stroke that equals the
    previous one waits: if another follows within HELD_S, the key is held, else it was pressed
    again. Pasted text counts in full, and so do letters of a name that arrive together.
    """

    def __init__(self) -> None:
        encoding = locale.getpreferredencoding(False)  # noqa: FBT003
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self.meaning = KeySet()
        self._begun, self._begun_at = "", 0.0
        """An incomplete sequence, and when it arrived."""
        self._pasting = False
        self._stroke, self._at = "", 0.0
        """The last stroke and its time."""
        self._held = False
        """Whether that stroke came from a held key."""
        self._waiting: tuple[Key, ...] = ()
        """The keys of that stroke while it may still turn out to be a held key's."""

    @property
    def due(self) -> float | None:
        """When to call `release_waiting`; None: not before more is typed."""
        if self._begun:
            return self._begun_at + ESC_S
        return self._at + HELD_S if self._waiting else None

    def decode(self, data: bytes, now: float) -> list[Key]:
        """Return the keys for bytes that arrived together, after those that waited long enough."""
        keys = self.release_waiting(now)
        text = self._begun + self._decoder.decode(data)
        since = self._begun_at if self._begun else now
        begun = _BEGUN.search(text)
        end = begun.start() if begun else len(text)
        self._begun, self._begun_at = text[end:], now
        return keys + self._press_all(text[:end], since, now)

    def release_waiting(self, now: float) -> list[Key]:
        """Return the keys that waited long enough."""
        keys: list[Key] = []
        if self._begun and now >= self._begun_at + ESC_S:
            text, self._begun = self._begun, ""
            keys += self._press_all(text, self._begun_at, now)
        # a waiting Esc may come from a held key
        if self._waiting and not self._begun and now >= self._at + HELD_S:
            keys += self._pop_waiting()
        return keys

    def _pop_waiting(self) -> tuple[Key, ...]:
        keys, self._waiting = self._waiting, ()
        return keys

    def _press_all(self, text: str, since: float, now: float) -> list[Key]:
        """Return the keys for a text that began at `since`."""
        if now - self._at >= AGAIN_S:
            self._pasting = False  # the mark of the pasted text's end was lost
        strokes = enumerate(_STROKES.findall(text))
        return [key for n, each in strokes for key in self._press(each, now if n else since)]

    def _press(self, stroke: str, now: float) -> tuple[Key, ...]:
        is_again, gap_s = stroke == self._stroke, now - self._at
        self._stroke, self._at = stroke, now
        before = self._pop_waiting() if not is_again or gap_s >= HELD_S else ()
        if stroke in (_PASTE_BEGINS, _PASTE_ENDS):
            self._pasting = stroke == _PASTE_BEGINS
            return before
        keys = keys_of(stroke, self.meaning)
        is_text = self.meaning.typing and len(keys) > 1  # a letter takes several keys
        if (
            not is_again
            or gap_s >= AGAIN_S
            or keys in ((Key.UP,), (Key.DOWN,))
            or self._pasting
            or (is_text and not gap_s)
        ):
            self._held = False
            return before + keys
        is_repeat = self._held or bool(self._waiting) or not _ONCE.isdisjoint(keys[:1])
        self._held = is_repeat and gap_s < HELD_S
        self._waiting = () if self._held else keys
        return before
