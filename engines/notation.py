"""Pieces of the record's notation that several games share: numbers, positions, corrections."""

from collections.abc import Collection, Sequence

TO_MOVE = "to-move="
MOST_TOKEN = 65_536
"""Characters; a longer token is no move: the longest correction has some 1,000."""
TOO_LARGE = 1_000_000
"""What stands for a number of more digits: no card, die or field is so large."""
UNPRINTABLE = "?"
"""What stands for a character that a terminal or a display would obey."""


class ImpossibleError(ValueError):
    """A position that cannot be: `code` and `facts` for a sentence in any language.

    As a text it is that sentence in English, `sentence` with the facts filled in.
    """

    def __init__(self, code: str, sentence: str, **facts: object) -> None:
        super().__init__(sentence.format(**facts))
        self.code = code
        self.facts = facts


def printable(text: str) -> str:
    """Return the text as one line; what is not printable is a question mark, blanks are spaces."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else " " if char.isspace() else UNPRINTABLE for char in text
    )


def printable_lines(text: str) -> str:
    """Return the text with its line feeds, and nothing else that is not printable."""
    if text.replace("\n", "").isprintable():
        return text
    return "\n".join(map(printable, text.split("\n")))


def number(word: str, most: int) -> int | None:
    """Read a whole number from 0 to `most`; None if it is none, larger or has leading zeros.

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
    """Return the number that a text of ASCII digits is, TOO_LARGE for all that are as large."""
    return int(digits) if len(digits) < len(str(TOO_LARGE)) else TOO_LARGE


def seat_of(name: str, names: Sequence[str]) -> int | None:
    """Return the index of this name, however its words are spaced, or None."""
    wanted = " ".join(name.split())
    return names.index(wanted) if wanted in names else None


def correction(token: str, names: Sequence[str]) -> tuple[str, int | None] | None:
    """Take `<...>` or `<...; to-move=NAME>` apart; None where it is neither.

    Returns the words of a `Position` and the index of NAME in `names`, None where who is to
    move stays. ImpossibleError where nobody is called NAME. Whether the position in it is
    possible is for the game to say. The player is the last thing named, so a name may hold
    a semicolon.
    """
    if len(token) < 2 or token[0] != "<" or token.find(">") != len(token) - 1:
        return None
    text = token[1:-1]
    if TO_MOVE not in text:
        return text.strip(), None
    parts = text.split(";")
    for index in range(1, len(parts)):
        if parts[index].lstrip().startswith(TO_MOVE):
            name = ";".join(parts[index:]).lstrip()[len(TO_MOVE) :]
            seat = seat_of(name, names)
            if seat is None:
                raise ImpossibleError(
                    "nobody-called", "nobody is called {name!r}", name=name.strip()[:40]
                )
            return ";".join(parts[:index]).strip(), seat
    return text.strip(), None


def position_parts(text: str, words: Collection[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Split "yellow 23x3 7x1; red left=4" into its colours, each with its items.

    `words` are the colours in play and what else may begin a part (einmaleins: `open`).
    A text of blanks is an empty position, []. ImpossibleError for an empty part, a word not
    in `words`, or one named twice.
    """
    parts: dict[str, tuple[str, ...]] = {}
    for part in text.split(";") if text.strip() else ():
        colour, *items = part.split() or [""]
        if not colour:
            raise ImpossibleError("empty-part", "there is nothing between two semicolons")
        if colour not in words:
            raise ImpossibleError(
                "unknown-colour", "nobody plays {colour!r} here", colour=colour[:40]
            )
        if colour in parts:
            raise ImpossibleError("colour-twice", "{colour} is named twice", colour=colour)
        parts[colour] = tuple(items)
    return list(parts.items())
