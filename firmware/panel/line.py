r"""Lines of the panel protocol, as the panel reads and writes them.

A line is `@BODY*CCCC\n` with the CRC-16/CCITT-FALSE of the body's bytes.
"""

BODY_BYTES = 120
BEEPS = ("ok", "bad", "win", "tick")

_KEEP = BODY_BYTES + 7  # the body, `*CCCC`, CR, and one byte to detect a longer line
_HEX = "0123456789abcdef"
_DIGITS = "0123456789"


def crc16(data: bytes | bytearray) -> int:
    """Return the CRC-16/CCITT-FALSE, without a table in memory or allocation."""
    crc = 0xFFFF
    for byte in data:
        # eight steps with the polynomial x^16 + x^12 + x^5 + 1 at once
        top = (crc >> 8) ^ byte
        top ^= top >> 4
        crc = ((crc << 8) ^ (top << 12) ^ (top << 5) ^ top) & 0xFFFF
    return crc


def encode(body: str) -> bytes:
    """Return the line of a body."""
    raw = body.encode()
    return b"@" + raw + f"*{crc16(raw):04X}\n".encode()


class LineReader:
    """Cuts bytes into bodies, in one buffer of fixed size; counts what it drops."""

    def __init__(self) -> None:
        self.dropped = 0
        self._line = bytearray(_KEEP)
        self._length = -1  # -1 while skipping everything up to an `@`

    def feed(self, data: bytes | bytearray, size: int = -1) -> tuple[str, ...]:
        """Take bytes as they arrive; return the bodies of the valid lines that they complete.

        Only the first `size` bytes of `data` count, or all. Only a line's end allocates memory.
        """
        bodies: tuple[str, ...] = ()
        for i in range(len(data) if size < 0 else size):
            byte = data[i]
            if byte == 0x40:  # `@`
                self._length = 0
            elif byte == 0x0A:  # line feed
                if self._length >= 0:
                    body = self._body()
                    if body:
                        bodies += (body,)
                    else:
                        self.dropped += 1
                self._length = -1
            elif 0 <= self._length < _KEEP:
                self._line[self._length] = byte
                self._length += 1
        return bodies

    def _body(self) -> str:
        """Return the body of the line in the buffer; "" if the line must be dropped."""
        end = self._length
        if end and self._line[end - 1] == 0x0D:  # some terminals add a carriage return
            end -= 1
        size = end - 5  # without `*CCCC`
        if not 1 <= size <= BODY_BYTES or self._line[size] != 0x2A:  # `*`
            return ""
        body = bytes(self._line[:size])
        # both are escaped or forbidden within a body
        if b"*" in body or b"\r" in body:
            return ""
        if self._line[size + 1 : end] != f"{crc16(body):04X}".encode():
            return ""
        try:
            return body.decode()
        except UnicodeError:
            return ""


def parse(body: str, lamps: int, rows: int) -> tuple[str, int, str] | None:
    """Read a host's body as (word, number, text); None if it must be dropped.

    The number is the lamp of LAMP (-1: all lamps), the row of TEXT, the sequence number of ACK,
    else 0. The text is the colour, the row's text, the session of ACK and HELLO, or the last word
    of PING and BEEP. A panel's HELLO is an echo and becomes the word ECHO. `lamps` and `rows` are
    the numbers that this panel has.
    """
    words = body.split(" ")
    word = words[0]
    if word == "TEXT":
        return _text(body, rows)
    if word == "HELLO":
        # a host calls itself `beisitzer`; another name is this panel's own line, sent back
        if len(words) >= 3 and words[2] != "beisitzer":
            return ("ECHO", 0, "")
        if len(words) == 4 and words[1] == "1" and is_session(words[3]):
            return (word, 0, words[3])
        return None
    if word == "LAMP" and len(words) == 3:
        return _lamp(words[1], words[2], lamps)
    if word == "ACK" and len(words) == 3 and is_session(words[1]) and is_number(words[2], 4):
        return (word, int(words[2]), words[1])
    if len(words) == 2:
        is_ping = word == "PING" and _only(words[1], _DIGITS)
        is_beep = word == "BEEP" and words[1] in BEEPS
        if is_ping or is_beep:
            return (word, 0, words[1])
    return None


def _lamp(index: str, colour: str, lamps: int) -> tuple[str, int, str] | None:
    if len(colour) != 6 or not _only(colour.lower(), _HEX):
        return None
    if index == "all":
        return ("LAMP", -1, colour)
    if is_number(index, 3) and int(index) < lamps:
        return ("LAMP", int(index), colour)
    return None


def _text(body: str, rows: int) -> tuple[str, int, str] | None:
    words = body.split(" ", 2)
    if len(words) < 3 or not is_number(words[1], 3) or int(words[1]) >= rows:
        return None
    text = unescape(words[2])
    return None if text is None else ("TEXT", int(words[1]), text)


def unescape(text: str) -> str | None:
    r"""Read `\s` as `*`, `\a` as `@`, `\\` as a backslash; None for any other escape."""
    parts = text.split("\\")
    plain = parts[0]
    i = 1
    while i < len(parts):
        part = parts[i]
        if part:
            if part[0] not in "sa":
                return None
            plain += ("*" if part[0] == "s" else "@") + part[1:]
        else:
            # nothing between two backslashes: they are one, and what follows is plain
            i += 1
            if i >= len(parts):
                return None
            plain += "\\" + parts[i]
        i += 1
    return plain


def is_number(word: str, digits: int) -> bool:
    """Whether the word is a number of at most `digits` digits."""
    return len(word) <= digits and _only(word, _DIGITS)


def is_session(word: str) -> bool:
    """Whether the word is eight lower-case hex digits."""
    return len(word) == 8 and _only(word, _HEX)


def _only(word: str, letters: str) -> bool:
    """Whether the word has letters and all of them are these."""
    for letter in word:
        if letter not in letters:
            return False
    return word != ""
