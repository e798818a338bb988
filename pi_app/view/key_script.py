"""Key scripts: a game as people would write its keys, `5*11*13#`."""

from collections.abc import Iterator

from hardware.keys import Key

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


class KeyScriptError(ValueError):
    """A word in a key script is no key; `line` counts from 1."""

    def __init__(self, line: int, word: str) -> None:
        super().__init__(f"line {line}: no key is called {word!r}")
        self.line = line
        self.word = word


def read_keys(script: str) -> list[Key]:
    """Return the keys of a script, or raise KeyScriptError.

    `*` STAR, `#` ENTER, `^` `v` UP DOWN, `<` BACK, `<<` BACK held, `?` MENU, `d4` DIE4; names
    in full work too; white space separates; `;` starts a comment.
    """
    keys: list[Key] = []
    for number, line in enumerate(script.splitlines(), 1):
        for word in line.partition(";")[0].split():
            keys.extend(_keys_of_word(word, number))
    return keys


def _keys_of_word(word: str, line: int) -> Iterator[Key]:
    if word.upper() in Key.__members__.values():
        yield Key(word.upper())
        return
    at = 0
    while at < len(word):
        two = word[at : at + 2]
        if two[0] in "dD" and two[1:] in tuple("123456"):
            yield Key(f"DIE{two[1]}")
            at += 2
        elif sign := next((sign for sign in (two, word[at]) if sign in SIGNS), None):
            yield SIGNS[sign]
            at += len(sign)
        else:
            raise KeyScriptError(line, word)
