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


class FactLines:
    """A file's lines: reads their facts, and adds more.

    `each`: its lines do not build on each other, so those after a damaged one count, too.
    """

    def __init__(self, data: bytes = b"", *, each: bool = False) -> None:
        self.damaged = False
        """Whether a line is not as it was written; it would be the one after the facts."""
        self._each = each
        self._raw, self._end, self._seed = data, 0, 0
        self.bodies: list[bytes] = []
        """The facts that count, in JSON."""
        self._group: list[bytes] = []
        """The facts of a group that counts together; its last lines are still missing."""
        self._is_anew = False
        """Whether these lines begin the file anew."""
        *lines, tail = data.split(b"\n")
        at = 0
        for line in lines:
            at += len(line) + 1
            if not self._read(line, at):
                self.damaged, self._is_anew = True, False
        # the end is damaged: a cut would have left less than a whole line
        if len(tail) > 1 and self._read(tail[:-1], len(data)):
            self.damaged = True

    def _read(self, line: bytes, end: int) -> bool:
        """Read a line that ends at this place; return whether it continues the file."""
        head, _, body = line[9:].partition(b" ")
        number = head.rstrip(b"+")
        begins = number == b"1"
        own = crc32(line[9:], 0 if begins or self._each else self._seed)
        if line[:9] != b"%08x " % own:
            return False
        if begins:
            self._seed, self._group, self._is_anew = own, [], True
        elif not self._each:
            due = (0 if self._is_anew else len(self.bodies)) + len(self._group) + 1
            if number != b"%d" % due or (self.damaged and not self._is_anew):
                return False
        self._group.append(body)
        if not head.endswith(b"+"):
            if self._is_anew:
                self.bodies, self.damaged, self._is_anew = [], False, False
            self.bodies += self._group
            self._group, self._end = [], end
        return True

    def add(self, facts: Sequence[Fact], *, together: bool = True) -> None:
        """Append facts; after damage, first write again all facts that count.

        `together`: they count together or not at all.
        """
        raw = self.data
        bodies, known = list(map(_body, facts)), self.bodies
        if self.damaged:
            bodies, known = known + bodies, []
        lines = b"" if raw[-1:] in (b"", b"\n") else b"\n"  # its last line is damaged
        for place, body in enumerate(bodies, len(known) + 1):
            more = b"+" if together and place < len(known) + len(bodies) else b""
            rest = b"%d%s %s" % (place, more, body)
            own = crc32(rest, 0 if place == 1 or self._each else self._seed)
            self._seed = own if place == 1 else self._seed
            lines += b"%08x %s\n" % (own, rest)
        self._raw = raw + lines
        self._end = len(self._raw)
        self.bodies, self._group, self.damaged = known + bodies, [], False

    def cut(self, count: int) -> None:
        """Keep only the first facts: the next one is malformed despite its right checksum."""
        self.damaged |= count < len(self.bodies)
        self.bodies = self.bodies[:count]

    @property
    def data(self) -> bytes:
        """The file's bytes, without an end that was not confirmed; all of them if it is damaged."""
        return self._raw if self.damaged else self._raw[: self._end]

    def facts(self) -> list[Fact]:
        """Return the facts; an intact line without a fact counts as damage."""
        try:
            # all at once: a call for each line would double the time
            facts = json.loads(b"[%s]" % b",".join(self.bodies))
        except (ValueError, RecursionError):
            facts = [None]
        if all(isinstance(fact, dict) for fact in facts):
            return list(facts)
        self.damaged = True
        return []


def _body(fact: Fact) -> bytes:
    text = json.dumps(fact, separators=(",", ":"), ensure_ascii=False)
    return text.encode(errors="backslashreplace")  # half of a character: JSON writes it so, too
