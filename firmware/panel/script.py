"""Key scripts, as people write them: `5*11*13#`, `^` `v` `<` `<<` `?` `d4`, or names."""

from .keypad import BUTTONS, DEBOUNCE_MS, MATRIX, NAMES
from .session import NO_SESSION, Session

TYPE_CHECKING = False  # MicroPython has no typing module; a type checker takes this as True
if TYPE_CHECKING:
    from typing import TextIO

_SIGNS = {"*": "STAR", "#": "ENTER", "^": "UP", "v": "DOWN", "<": "BACK", "?": "MENU"}

TAP_MS = 60
HOLD_MS = 800
_GAP_MS = 25  # more than the debounce time, or two presses would be one


def read(text: str) -> list[tuple[str, int]]:
    """Return (key name, ms held) for each press; the name `""` is a pause of this length.

    White space separates, `;` starts a comment, `<<` is BACK held, `NAME:MS` holds a key for
    MS milliseconds and `~MS` waits. ValueError names a word that cannot be read.
    """
    presses = []
    for line in text.split("\n"):
        for word in line.split(";")[0].split():
            presses += _read_word(word)
    return presses


def _read_word(word: str) -> list[tuple[str, int]]:
    name, colon, ms = word.partition(":")
    if name in NAMES:
        return [(name, int(ms) if colon else TAP_MS)]
    if word[0] == "~":
        return [("", int(word[1:]))]
    presses = []
    i = 0
    while i < len(word):
        letter = word[i]
        i += 1
        hold_ms = TAP_MS
        if letter == "d" and word[i : i + 1] in ("1", "2", "3", "4", "5", "6"):
            name = "DIE" + word[i]
            i += 1
        elif letter == "<" and word[i : i + 1] == "<":
            name = "BACK"
            hold_ms = HOLD_MS
            i += 1
        else:
            name = _SIGNS.get(letter, letter)
        if name not in NAMES:
            raise ValueError("no such key: " + word)
        presses.append((name, hold_ms))
    return presses


class Fingers:
    """Presses the keys of a script file, one after the other, while a host listens."""

    def __init__(self, file: "TextIO", tap_ms: int) -> None:
        self._file = file
        self._tap_ms = max(_GAP_MS, tap_ms)
        self._presses = read(self._file.read())
        self._incomplete_line = ""
        self._held = ""  # the key that is down
        self._until = 0  # when the next key may move
        # long enough ago for the first key to go down at once
        self._moved_at = self._scanned_at = -_GAP_MS
        self.rows = [0] * len(MATRIX)
        self.buttons = 0

    def step(self, session: Session, now: int) -> bool:
        """Press or release a key before a scan; return True while there are keys to press.

        A key changes only after a scan at which the keypad accepted its last change: a machine
        that stalls between two scans must not lose a key.
        """
        last_scan_at = self._scanned_at
        self._scanned_at = now
        if now < self._until or last_scan_at - self._moved_at < DEBOUNCE_MS:
            return True
        if self._held:
            self._put("", now)
            self._until = now + max(_GAP_MS, self._tap_ms)
            return True
        if not self._presses:
            self._read_on()
        if not self._presses:
            return False
        # room for the key's `down` and `up`
        if session.session != NO_SESSION and session.room >= 2:
            name, ms = self._presses.pop(0)
            self._put(name, now)
            # a key without a time of its own is down as long as `--tap` says; a pause is no key
            is_tap = name != "" and ms == TAP_MS
            self._until = now + (self._tap_ms if is_tap else ms)
        return True

    def _read_on(self) -> None:
        """Read the lines that were appended to the script; an incomplete one waits."""
        lines = (self._incomplete_line + self._file.read()).rsplit("\n", 1)
        if len(lines) == 2:
            self._presses += read(lines[0])
        self._incomplete_line = lines[-1]

    def _put(self, name: str, now: int) -> None:
        self._held = name
        self._moved_at = now
        for i in range(len(MATRIX)):
            self.rows[i] = 1 << MATRIX[i].index(name) if name in MATRIX[i] else 0
        self.buttons = 1 << BUTTONS.index(name) if name in BUTTONS else 0
