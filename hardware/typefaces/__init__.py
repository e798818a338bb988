"""The OLED's own typefaces: bitmaps in text files that anybody can read and edit.

A file begins with the properties of the whole face: `rows` of a glyph, `baseline` (rows above it),
`gap` (dark columns after a glyph), `space` (columns of a blank), `kern XY N` (columns more or
less between two characters). Then every glyph: `= X`, and its rows of `.` and `#`.

The glyph of a combining accent makes all letters with it that have room for it and no glyph of
their own: small letters such as `ê`. A capital without room loses its accent.
"""

from functools import lru_cache
from pathlib import Path
from unicodedata import combining, normalize

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒—―", "–"),
        **dict.fromkeys("‟", "“"),
        **dict.fromkeys("‚‘", "'"),
        **dict.fromkeys("♡❤", "♥"),
        **dict.fromkeys("♢", "♦"),
        **dict.fromkeys("♤", "♠"),
        **dict.fromkeys("♧", "♣"),
        **dict.fromkeys("\u00a0\u2009\u202f", " "),
        "ẞ": "ß",
        # Cyrillic and Greek letters that look like Latin ones, then Greek ones like Cyrillic ones
        **dict(zip("АВЕЅІЈКМНОРСТУХаеорсухіѕј", "ABESIJKMHOPCTYXaeopcyxisj", strict=True)),
        **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧνορυχ", "ABEZHIKMNOPTYXvopux", strict=True)),
        **dict(zip("ΓΠΦκφı", "ГПФкфι", strict=True)),
    }
)
"""Characters that the faces lack, and the most similar one that they have."""

_ABOVE = 230
"""Unicode's class of accents above a letter."""

Pages = tuple[bytes, ...]
"""A text's pixels as rows of column bytes, one row a page, the lowest bit on top."""


def _centred(rows: list[str], wide: int) -> list[str]:
    left = (wide - len(rows[0])) // 2
    return ["." * left + row + "." * (wide - left - len(row)) for row in rows]


class FaceError(Exception):
    """A face's file contains something that cannot be drawn."""


class Typeface:
    """One face. A glyph is read when it is first drawn; strips of text are cached."""

    def __init__(self, name: str, text: str) -> None:
        """Take the text of a face's file; FaceError if its head is incomplete."""
        head, *blocks = text.split("\n= ")
        self.name = name
        # a block is the character, a line end, and the rows of its glyph
        self._blocks = {block[0]: block[2:] for block in blocks}
        self._kern: dict[str, int] = {}
        """The columns more or less between two characters."""
        numbers: dict[str, int] = {}
        for line in head.splitlines():
            word, *rest = line.split()
            if word == "kern":
                self._kern[rest[0]] = int(rest[1])
            # a comment begins with #
            elif word != "#":
                numbers[word] = int(rest[0])
        try:
            self.rows, self.baseline = numbers["rows"], numbers["baseline"]
            self.gap, self.space = numbers["gap"], numbers["space"]
        except KeyError as missing:
            raise FaceError(f"face {name} does not say its {missing}") from None
        self._columns: dict[str, tuple[int, ...]] = {" ": (0,) * self.space}
        self._pages: dict[tuple[str, int], Pages] = {}
        """The glyphs that were drawn, by character and shift."""
        self.strip = lru_cache(maxsize=512)(self._lay_out)
        self.width = lru_cache(maxsize=1024)(self._width)

    @property
    def characters(self) -> tuple[str, ...]:
        """The characters with glyphs, in the order of the file."""
        return tuple(self._blocks)

    def covers(self, text: str) -> bool:
        """Tell whether every character can be drawn, at least its letter, or is a blank."""
        return all(char in (" ", "?") or self._substitute(char) != "?" for char in text)

    def picture(self, char: str) -> list[str]:
        """Return a glyph's rows as in the file or composed; FaceError if they are wrong."""
        if char in self._blocks:
            return self._read(char)
        return self._composed(char) or self._read(self._substitute(char))

    def _composed(self, char: str) -> list[str]:
        """Return a letter's rows with its accents; empty if it has none, or no room for them."""
        letter, *accents = [*normalize("NFD", char).translate(_ALIKE)]
        if not accents or not {letter, *accents} <= self._blocks.keys():
            return []
        rows = self._read(letter)
        for accent in accents:
            if letter in "ij" and combining(accent) == _ABOVE:  # it takes the place of the dot
                high = next(y for y, row in enumerate(rows) if "#" not in row and y)
                rows = ["." * len(row) if y < high else row for y, row in enumerate(rows)]
            marks = self._read(accent)
            middle = len(marks[0]) // 2
            if len(rows[0]) > len(marks[0]) and len(rows[0]) % 2 == 0 and len(marks[0]) % 2:
                marks = [row[:middle] + row[middle] + row[middle:] for row in marks]
            wide = max(len(rows[0]), len(marks[0]))
            rows, marks = _centred(rows, wide), _centred(marks, wide)
            if any("#" in row and "#" in mark for row, mark in zip(rows, marks, strict=True)):
                return []
            rows = [mark if "#" in mark else row for row, mark in zip(rows, marks, strict=True)]
        return rows

    def _read(self, char: str) -> list[str]:
        rows = self._blocks[char].split()
        if len(rows) != self.rows or len({len(row) for row in rows}) != 1:
            raise FaceError(f"face {self.name}: {char} is not {self.rows} rows of one width")
        if set("".join(rows)) - {".", "#"}:
            raise FaceError(f"face {self.name}: {char} has more than . and #")
        return rows

    def _ink(self, char: str) -> tuple[int, ...]:
        """Return a character's columns, bit n being row n; those of `?` if the face lacks it."""
        columns = self._columns.get(char)
        if columns is None:
            rows = self.picture(self._substitute(char))
            columns = tuple(
                sum(1 << y for y, row in enumerate(rows) if row[x] == "#")
                for x in range(len(rows[0]))
            )
            self._columns[char] = columns
        return columns

    def _substitute(self, char: str) -> str:
        """Return the character itself, or one of this face that replaces it."""
        if char not in self._blocks and self._composed(char):
            return char
        plain = normalize("NFKD", char)[0]  # without its accents
        for letter in (char, plain, plain.upper()):  # labels have no small letters
            for other in (letter, letter.translate(_ALIKE)):
                if other in self._blocks:
                    return other
        if "?" in self._blocks:
            return "?"
        raise FaceError(f"face {self.name} has neither {char} nor ?")

    def _glyph(self, char: str, shift: int) -> Pages:
        """Return a character and the gap after it, `shift` rows below the top of a page."""
        key = char, shift
        glyph = self._pages.get(key)
        if glyph is None:
            columns = self._ink(char) + (0,) * self.gap
            pages = (self.rows + shift + 7) // 8
            glyph = tuple(
                bytes((column << shift) >> 8 * page & 255 for column in columns)
                for page in range(pages)
            )
            self._pages[key] = glyph
        return glyph

    def _lay_out(self, text: str, shift: int) -> Pages:
        """Return a text `shift` (0 to 7) rows below the top of its first page, without end gap."""
        text = normalize("NFC", text)
        glyphs = [self._glyph(char, shift) for char in text]
        if not glyphs:
            return ()
        # a row is a page and has the bytes of each glyph
        rows = [list(row) for row in zip(*glyphs, strict=True)]
        for index in range(len(text) - 1) if self._kern else ():
            kern = self._kern.get(text[index : index + 2], 0)
            if kern:
                for row in rows:
                    row[index] = row[index][:kern] if kern < 0 else row[index] + bytes(kern)
        return tuple(b"".join(row)[: -self.gap] for row in rows)

    def _width(self, text: str) -> int:
        strip = self.strip(text, 0)
        return len(strip[0]) if strip else 0

    @lru_cache(maxsize=1024)  # noqa: B019  # there are four faces, and they live as long as we do
    def wrap_text(self, text: str, width: int) -> tuple[str, ...]:
        """Return the text in lines of at most `width` pixels; an empty text is one line.

        A word that is wider than a line is broken. The last line gets a second word if the line
        before it can give one.
        """
        lines: list[str] = []
        broken = False  # whether the last word was wider than a line
        # a text keeps the blanks at its start: they indent it
        line = text[: len(text) - len(text.lstrip())]
        for word in text.split():
            longer = f"{line} {word}" if line.strip() else line + word
            if self.width(longer) <= width:
                line = longer
                continue
            if line.strip():
                lines.append(line)
            line = word
            broken = self.width(word) > width
            while self.width(line) > width and len(line) > 1:
                fitting = len(line) - 1
                while fitting > 1 and self.width(line[:fitting]) > width:
                    fitting -= 1
                lines.append(line[:fitting])
                line = line[fitting:]
        # a single word on the last line looks lost
        if lines and line and " " not in line and not broken:
            shorter, _, moved = lines[-1].rpartition(" ")
            if " " in shorter.strip() and self.width(f"{moved} {line}") <= width:
                lines[-1], line = shorter, f"{moved} {line}"
        return (*lines, line) if line or not lines else tuple(lines)

    def cut_text(self, text: str, width: int) -> str:
        """Return the text if it is at most `width` pixels wide, else its start and an ellipsis."""
        if self.width(text) <= width:
            return text
        for n in range(len(text) - 1, 0, -1):
            short = text[:n].rstrip() + "…"
            if self.width(short) <= width:
                return short
        return "…"


def _load(name: str) -> Typeface:
    return Typeface(name, Path(__file__).with_name(f"{name}.txt").read_text("utf-8"))


TEXT = _load("text")
"""Sentences, lists, the words of the keys: capitals seven pixels high."""

HEADLINE = _load("headline")
"""Entries, names, cards: capitals twelve pixels high."""

NUMERALS = _load("numerals")
"""The field, the card, the die: 21 pixels high, digits and the letters of cards."""

LABEL = _load("label")
"""Cells of a board: digits and capitals five pixels high."""
