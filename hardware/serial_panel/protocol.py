r"""The panel protocol: bytes to lines, lines to messages, and back.

A line is `@BODY*CCCC\n`: BODY is UTF-8, 1 to 120 bytes, without `@`, `*`, CR and LF; CCCC is
the CRC-16/CCITT-FALSE of its bytes. Everything else is skipped or dropped and counted; no bytes
raise an exception.
"""

import re
import unicodedata
from binascii import crc_hqx
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hardware.keys import DIAL_KEYS, HELD_KEYS, Key

BODY_BYTES: Final = 120
"""The longest body, in bytes."""

SEQUENCES: Final = 10_000
"""Key events are counted from 0 to 9999, then from 0 again."""

_ESCAPES: Final = {"\\": "\\\\", "*": "\\s", "@": "\\a"}
_KEY_NAMES: Final = {key.value: key for key in Key if key not in HELD_KEYS | DIAL_KEYS}
_SESSION: Final = re.compile(r"[0-9a-f]{8}")
_NUMBER: Final = re.compile(r"[0-9]+")
_MILLISECONDS: Final = re.compile(r"[0-9]{1,15}")
_SEQUENCE: Final = re.compile(r"[0-9]{1,4}")
_COUNT: Final = re.compile(r"[0-9]{1,3}")
_SIZE: Final = re.compile(r"([0-9]{1,3})x([0-9]{1,3})")


class LineFault(StrEnum):
    """Why a line was dropped."""

    LENGTH = "length"
    CHECKSUM = "checksum"
    ENCODING = "encoding"
    WORD = "word"
    WORDS = "words"


class BadLineError(Exception):
    """A line that must be dropped; `fault` says why."""

    def __init__(self, fault: LineFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


class BeepKind(StrEnum):
    """The sounds a panel can make."""

    OK = "ok"
    BAD = "bad"
    WIN = "win"
    TICK = "tick"


@dataclass(frozen=True, slots=True)
class PanelHello:
    """A panel's description of itself; `session` is None while it has not joined one."""

    name: str
    firmware: str
    session: str | None
    keys: int
    lamps: int
    buzzer: bool
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class HostHello:
    """A host's HELLO: an echo of our own, to be ignored."""


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """A key went down (`ms` is None) or up after `ms` milliseconds."""

    session: str
    sequence: int
    key: Key
    ms: int | None


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to PING `number`, with the same digits."""

    number: str


PanelMessage = PanelHello | HostHello | KeyEvent | Pong


def checksum(body: bytes) -> str:
    """CRC-16/CCITT-FALSE as four upper-case hex digits."""
    return f"{crc_hqx(body, 0xFFFF):04X}"


def encode(body: str) -> bytes:
    """Return the line of a body; ValueError if a line cannot contain it."""
    raw = body.encode()
    if not 1 <= len(raw) <= BODY_BYTES or any(mark in body for mark in "@*\r\n"):
        raise ValueError(f"not a line body: {body[:BODY_BYTES]!r}")
    return b"@" + raw + b"*" + checksum(raw).encode() + b"\n"


def decode(line: bytes) -> str:
    """Return the body of the bytes between `@` and the line's end, or raise BadLineError."""
    line = line.removesuffix(b"\r")
    if len(line) > BODY_BYTES + len("*CCCC"):
        raise BadLineError(LineFault.LENGTH)
    body, star, digits = line.partition(b"*")
    if not star or digits != checksum(body).encode():
        raise BadLineError(LineFault.CHECKSUM)
    if not body:
        raise BadLineError(LineFault.LENGTH)
    # one CR may end a line, none may be inside
    if b"\r" in body:
        raise BadLineError(LineFault.WORDS)
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise BadLineError(LineFault.ENCODING) from None


class LineReader:
    """Cuts a stream of bytes into lines, without `@` and line end.

    Its memory is bounded: an endless line is stored only until it is certainly too long.
    """

    def __init__(self) -> None:
        self._open = b""
        """The bytes from the last `@` on, of a line that has not ended yet."""

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes as they arrive; return every line that they complete, without `@`."""
        *ended, rest = (self._open + data).split(b"\n")
        start = rest.rfind(b"@")
        # only what follows the last `@` can become a line; bytes beyond the limit are not needed
        self._open = rest[start:][: 2 * BODY_BYTES] if start >= 0 else b""
        return [line[line.rindex(b"@") + 1 :] for line in ended if b"@" in line]


def parse(body: str) -> PanelMessage:
    """Read a panel's body; BadLineError for an unknown first word or wrong words after it."""
    word, *words = body.split(" ")
    match word:
        case "HELLO":
            return _parse_hello(words)
        case "KEY":
            return _parse_key(words)
        case "PONG" if len(words) == 1 and _NUMBER.fullmatch(words[0]):
            return Pong(words[0])
        case "PONG":
            raise BadLineError(LineFault.WORDS)
    raise BadLineError(LineFault.WORD)


def _parse_hello(words: list[str]) -> PanelHello | HostHello:
    match words:
        # only a host calls itself so
        case ["1", "beisitzer", *_]:
            return HostHello()
        case ["1", name, firmware, session, keys, lamps, buzzer, text] if name and firmware:
            size = _SIZE.fullmatch(_value("text", text))
            joined = _value("session", session)
            if size is None or not (joined == "-" or _SESSION.fullmatch(joined)):
                raise BadLineError(LineFault.WORDS)
            return PanelHello(
                name=name,
                firmware=firmware,
                session=None if joined == "-" else joined,
                keys=_count(_value("keys", keys)),
                lamps=_count(_value("lamps", lamps)),
                buzzer=_count(_value("buzzer", buzzer)) > 0,
                rows=int(size[1]),
                columns=int(size[2]),
            )
    raise BadLineError(LineFault.WORDS)


def _parse_key(words: list[str]) -> KeyEvent:
    match words:
        case [session, sequence, name, "down"]:
            ms = None
        case [session, sequence, name, "up", duration] if _MILLISECONDS.fullmatch(duration):
            ms = int(duration)
        case _:
            raise BadLineError(LineFault.WORDS)
    key = _KEY_NAMES.get(name)
    well_formed = _SESSION.fullmatch(session) and _SEQUENCE.fullmatch(sequence)
    if key is None or not well_formed:
        raise BadLineError(LineFault.WORDS)
    return KeyEvent(session, int(sequence), key, ms)


def _value(name: str, word: str) -> str:
    before, equals, value = word.partition("=")
    if before != name or not equals:
        raise BadLineError(LineFault.WORDS)
    return value


def _count(value: str) -> int:
    if not _COUNT.fullmatch(value):
        raise BadLineError(LineFault.WORDS)
    return int(value)


def text_body(row: int, text: str, columns: int) -> str:
    """Write a display row, cut to `columns` characters and to the length of a line.

    Control characters become blanks, and letters with marks are composed, because a panel's
    font has `ä` but not `a` followed by two dots.
    """
    # encoded and decoded: a lone surrogate, which no line can carry, becomes `?`
    clean = unicodedata.normalize("NFC", text).encode(errors="replace").decode()
    body = f"TEXT {row} "
    free = BODY_BYTES - len(body)
    parts = []
    for letter in clean[:columns]:
        # Cc: control characters
        part = " " if unicodedata.category(letter) == "Cc" else _ESCAPES.get(letter, letter)
        free -= len(part.encode())
        if free < 0:
            break
        parts.append(part)
    return body + "".join(parts)


def lamp_body(index: int, colour: int) -> str:
    """Write the colour (0xRRGGBB) of one lamp."""
    return f"LAMP {index} {colour:06X}"


def lamp_bodies(lamps: Sequence[int]) -> list[str]:
    """Write the colours (0xRRGGBB) of all lamps, in one line only if all are the same.

    One line for all with exceptions after it would make the lit lamps blink.
    """
    if lamps and len(set(lamps)) == 1:
        return [f"LAMP all {lamps[0]:06X}"]
    return [lamp_body(i, colour) for i, colour in enumerate(lamps)]
