"""Pieces of the record's notation that several games share: numbers, positions, corrections."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Collection, Sequence
from typing import Any
from unicodedata import normalize

TO_MOVE = "to-move="
TOKEN_LIMIT_LETTERS = 65_536
"""Characters of a token; the longest correction has some 1,000."""
TOO_LARGE = 1_000_000
"""Replaces every number of that size or larger: no card, die or field is so large."""
QUOTED = 40
"""Characters of a wrong word that a message quotes: a file's word can be of any length."""
_WITHOUT_WIDTH = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
"""Joiners, soft hyphens and the like: copied texts have them, and nobody sees them in a name."""
UNPRINTABLE = "?"
"""Replaces a character that would control a terminal or a display."""


class Fault(ValueError):  # noqa: N818  # it is also told as a value, not only raised
    """Something impossible: a set-up, a board, a position, a hand, a record, a move.

    `code` and `facts` make a sentence in any language: tables of the companion have the words.
    `place` is the tag, the key of a board's file or the token at fault, or "". The facts are JSON
    values; a fault of a record has its `line` among them, counted from 1.
    """

    def __init__(self, code: str, place: str = "", /, **facts: Any) -> None:
        super().__init__(code, place)
        self.code = code
        self.place = place
        self.facts = facts

    def __str__(self) -> str:
        """Return the fault for developers: `Players: how-many n=5 allowed='2, 3, 4'`."""
        facts = (f" {name}={value!r}" for name, value in self.facts.items())
        return f"{self.place}: {self.code}".removeprefix(": ") + "".join(facts)


def decode_text(data: bytes) -> str:
    """Decode a text file that a person wrote; UnicodeDecodeError if it is not UTF-8.

    Byte order marks of editors and spreadsheets are dropped, also inside joined files. A file that
    begins with UTF-16's mark is decoded as UTF-16.
    """
    is_utf16 = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    return data.decode("utf-16" if is_utf16 else "utf-8").replace("\ufeff", "")


def composed(text: str) -> str:
    """Return the text in Unicode's normal form C, in which names are compared and drawn.

    An `ü` may come as one character, or as a `u` and the two dots: both are the same name.
    """
    return normalize("NFC", text)


def printable(text: str) -> str:
    """Return the text as one composed line: white space becomes spaces, unprintables `?`.

    Characters without a width are dropped.
    """
    text = composed(text)
    if text.isprintable():
        return text
    text = composed(text.translate(_WITHOUT_WIDTH))
    spaced = (" " if char.isspace() else char for char in text)
    return "".join(char if char.isprintable() else UNPRINTABLE for char in spaced)


def printable_lines(text: str) -> str:
    """Return the text with its line feeds, each line made printable."""
    text = composed(text)
    if text.replace("\n", "").isprintable():
        return text
    return "\n".join(map(printable, text.split("\n")))


def number(word: str, most: int) -> int | None:
    """Read a whole number from 0 to `most`; None for anything else and for leading zeros.

    Only ASCII digits count, and a text of any length is safe: no int is made of thousands
    of digits.
    """
    if not (word.isascii() and word.isdigit()) or len(word) > len(str(most)):
        return None
    if word[0] == "0" and word != "0":
        return None
    value = int(word)
    return value if value <= most else None


def read_digits(digits: str) -> int:
    """Read a text of ASCII digits as a number of at most TOO_LARGE."""
    return int(digits) if len(digits) < len(str(TOO_LARGE)) else TOO_LARGE


def seat_of(name: str, names: Sequence[str]) -> int | None:
    """Return the index of this name, however its words are spaced and its accents written."""
    wanted = " ".join(composed(name).split())
    return names.index(wanted) if wanted in names else None


def correction(token: str, names: Sequence[str]) -> tuple[str, int | None] | None:
    """Take `<...>` or `<...; to-move=NAME>` apart; None for any other token.

    Returns the words of a `Position` and the index of NAME in `names`, or None if NAME is not
    given. Fault if nobody has that name. The game checks whether the position is
    possible. The player comes last, so a name may contain a semicolon.
    """
    # the first `>` must be the last character: a position contains none
    if len(token) < 2 or token[0] != "<" or token.find(">") != len(token) - 1:
        return None
    text = token[1:-1]
    if TO_MOVE not in text:
        return text.strip(), None
    parts = text.split(";")
    for index in range(1, len(parts)):
        if parts[index].lstrip().startswith(TO_MOVE):
            # a semicolon of the name split it too
            name = ";".join(parts[index:]).lstrip()[len(TO_MOVE) :]
            seat = seat_of(name, names)
            if seat is None:
                raise Fault("nobody-called", name=name.strip()[:QUOTED])
            return ";".join(parts[:index]).strip(), seat
    # TO_MOVE begins no part: the game will refuse it as a word of the position
    return text.strip(), None


def position_parts(text: str, first_words: Collection[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Split "yellow 23x3 7x1; red left=4" into its colours, each with its items.

    `first_words` may begin a part: the colours in play, and in einmaleins `open`.
    A text of blanks is an empty position, []. Fault for an empty part, or a first
    word that is unknown or comes twice.
    """
    parts: dict[str, tuple[str, ...]] = {}
    if not text.strip():
        return []
    for part in text.split(";"):
        if not part.strip():
            raise Fault("empty-part")
        colour, *items = part.split()
        if colour not in first_words:
            raise Fault("unknown-colour", colour=colour[:QUOTED])
        if colour in parts:
            raise Fault("colour-twice", colour=colour)
        parts[colour] = tuple(items)
    return list(parts.items())
