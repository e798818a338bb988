"""Key scripts: a game as people would write its keys, `5*11*13#`."""

from collections.abc import Iterator

from hardware.keys import Key
from pi_app.texts.printable import shorten

SIGNS = {
    **{str(digit): Key(str(digit)) for digit in range(10)},
    "*": Key.STAR,
    "#": Key.ENTER,
    "^": Key.UP,
    "v": Key.DOWN,
    "<": Key.BACK,
    "<<": Key.BACK_HELD,
    "?": Key.MENU,
}
"""The signs of the keys, as people would write them."""


class KeyScriptError(ValueError):
    """A word in a key script is no key; `line` counts from 1."""

    def __init__(self, line: int, word: str) -> None:
        self.line = line
        self.word = shorten(word)
        super().__init__(f"line {line}: no key is called {self.word!r}")


def read_keys(script: str) -> list[Key]:
    """Return the keys of a script, or raise KeyScriptError.

    The keys have the SIGNS above, die buttons `d1` to `d6`, and all keys their full names. White
    space separates; `;` starts a comment.
    """
    keys: list[Key] = []
    for number, line in enumerate(script.splitlines(), 1):
        for word in line.partition(";")[0].split():
            keys.extend(_keys_of_word(word, number))
    return keys


def _keys_of_word(word: str, line: int) -> Iterator[Key]:
    if word.upper() in Key.__members__.values():  # a full name: "enter", "DIE3", "5"
        yield Key(word.upper())
        return
    rest = word
    while rest:
        pair = rest[:2]  # one character at the end of the word
        # a tuple, because every string contains the empty one, which follows a "d" at the end
        if pair[0] in "dD" and pair[1:] in tuple("123456"):
            yield Key(f"DIE{pair[1]}")
            rest = rest[2:]
        elif pair in SIGNS:  # `<<` before `<`
            yield SIGNS[pair]
            rest = rest[len(pair) :]
        elif rest[0] in SIGNS:
            yield SIGNS[rest[0]]
            rest = rest[1:]
        else:
            raise KeyScriptError(line, word)
