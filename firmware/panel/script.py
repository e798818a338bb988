"""Key scripts, as people write them: `5*11*13#`, `^` `v` `<` `<<` `?` `d4`, or names."""

from .keypad import NAMES

_SIGNS = {"*": "STAR", "#": "ENTER", "^": "UP", "v": "DOWN", "<": "BACK", "?": "MENU"}

TAP_MS = 60
HOLD_MS = 800


def read(text: str) -> list[tuple[str, int]]:
    """Give (key name, ms held) for each press; a name of `""` is a pause of so many ms.

    White space separates, `;` starts a comment, `<<` is BACK held, `NAME:MS` holds a key for
    so long and `~MS` waits. ValueError names what cannot be read.
    """
    presses = []
    for line in text.split("\n"):
        for word in line.split(";")[0].split():
            presses += _word(word)
    return presses


def _word(word: str) -> list[tuple[str, int]]:
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
        held = TAP_MS
        if letter == "d" and word[i : i + 1] in ("1", "2", "3", "4", "5", "6"):
            name = "DIE" + word[i]
            i += 1
        elif letter == "<" and word[i : i + 1] == "<":
            name = "BACK"
            held = HOLD_MS
            i += 1
        else:
            name = _SIGNS.get(letter, letter)
        if name not in NAMES:
            raise ValueError("no such key: " + word)
        presses.append((name, held))
    return presses
