"""One append-only file: each line is a fact with its number and its checksum.

    5f3a9b1c 12 {"move":"5+11+13","at":"2026-11-28T19:02:11+00:00"}

The checksum (CRC-32, in hexadecimal) covers the rest of its line and begins with that of the file's
first line, so that a line of another file is never taken for one of this. If facts count together
or not at all, all but the last have a `+` after their number. Nothing is rewritten in place. A last
line without its end was not confirmed. After a damaged line nothing counts until a line with number
1 and a checksum of its own, which begins the file anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

Fact = Mapping[str, Any]


def encode(
    facts: Sequence[Fact], number: int = 1, seed: int = 0, *, together: bool = True
) -> bytes:
    """Return facts as lines, the first with this number; that of number 1 has no seed.

    `together`: they count together or not at all.
    """
    lines = b""
    for place, fact in enumerate(facts, number):
        text = json.dumps(fact, separators=(",", ":"), ensure_ascii=False)
        # half of a surrogate pair, escaped as in JSON
        data = text.encode(errors="backslashreplace")
        more = b"+" if together and place < number + len(facts) - 1 else b""
        rest = b"%d%s %s" % (place, more, data)
        own = crc32(rest, 0 if place == 1 else seed)
        seed = own if place == 1 else seed
        lines += b"%08x %s\n" % (own, rest)
    return lines


class FactLines:
    """A file's content.

    `each`: its lines do not build on each other, so those after a damaged one count, too.
    """

    def __init__(self, data: bytes = b"", *, each: bool = False) -> None:
        self.damaged = False
        """Whether a line is not as it was written; it would be the one after the facts."""
        self.seed = 0
        self._each = each
        self._raw, self._end = data, 0
        self._bodies: list[bytes] = []
        self._group: list[bytes] = []
        *lines, tail = data.split(b"\n")
        at = 0
        for line in lines:
            at += len(line) + 1
            if not self._read(line, at):
                self.damaged = True
        # the end is damaged: a cut would have left less than a whole line
        if len(tail) > 1 and self._read(tail[:-1], len(data)):
            self.damaged = True

    def _read(self, line: bytes, end: int) -> bool:
        """Read a line that ends at this place; return whether it continues the file."""
        head, _, body = line[9:].partition(b" ")
        number = head.rstrip(b"+")
        begins = number == b"1" and not self._each
        own = crc32(line[9:], 0 if begins or self._each else self.seed)
        if line[:9] != b"%08x " % own:
            return False
        if begins:
            self.damaged, self.seed, self._bodies, self._group = False, own, [], []
        elif not self._each:
            due = self.count + len(self._group) + 1
            if self.damaged or number != b"%d" % due:
                return False
        self._group.append(body)
        if not head.endswith(b"+"):
            self._bodies += self._group
            self._group, self._end = [], end
        return True

    @property
    def data(self) -> bytes:
        """The file's bytes, without an end that was not confirmed; all of them if it is damaged."""
        return self._raw if self.damaged else self._raw[: self._end]

    @property
    def count(self) -> int:
        """How many facts count."""
        return len(self._bodies)

    def facts(self) -> list[Fact]:
        """Return the facts; an intact line without a fact counts as damage."""
        try:
            # all at once: a call for each line would double the time
            facts = json.loads(b"[%s]" % b",".join(self._bodies))
        except (ValueError, RecursionError):
            facts = [None]
        if all(isinstance(fact, dict) for fact in facts):
            return list(facts)
        self.damaged = True
        return []
