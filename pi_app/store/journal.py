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
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from zlib import crc32

from pi_app.store.disk import Disk, GoneError, renumbered

log = logging.getLogger(__name__)

Fact = Mapping[str, Any]


def encode(facts: Sequence[Fact], number: int, seed: int, *, together: bool = True) -> bytes:
    """Return facts as lines, the first with this number; that of number 1 has no seed.

    `together`: they count together or not at all.
    """
    lines = b""
    for place, fact in enumerate(facts, number):
        text = json.dumps(fact, separators=(",", ":"), ensure_ascii=False)
        try:
            data = text.encode()
        except UnicodeEncodeError:  # half of a character, which only an escape can write
            data = json.dumps(fact, separators=(",", ":")).encode()
        more = b"+" if together and place < number + len(facts) - 1 else b""
        rest = b"%d%s %s" % (place, more, data)
        own = crc32(rest, 0 if place == 1 else seed)
        seed = own if place == 1 else seed
        lines += b"%08x %s\n" % (own, rest)
    return lines


class FactLines:
    """What a file says.

    `each`: its lines do not build on each other, so those after a damaged one count, too.
    """

    def __init__(self, data: bytes = b"", *, each: bool = False) -> None:
        self.damaged = False
        """Whether a line is not what was written: it would follow the facts."""
        self.end = 0
        """Where what is confirmed ends."""
        self.mark = ""
        """The checksum of the last line that counts."""
        self.seed = 0
        self.each = each
        self._raw = data
        self._bodies: list[bytes] = []
        self._group: list[bytes] = []
        *lines, tail = data.split(b"\n")
        at = 0
        for line in lines:
            at += len(line) + 1
            if not self._read(line, at):
                self.damaged = True
        # an end that is not what was written: a cut would have left less than a whole line
        if len(tail) > 1 and self._read(tail[:-1], len(data)):
            self.damaged = True

    def _read(self, line: bytes, end: int) -> bool:
        """Read a line, which ends there in the file; return whether it is the right one."""
        head, _, body = line[9:].partition(b" ")
        number = head.rstrip(b"+")
        begins = number == b"1" and not self.each
        own = crc32(line[9:], 0 if begins or self.each else self.seed)
        if line[:9] != b"%08x " % own:
            return False
        if begins:
            self.damaged, self.seed, self._bodies, self._group = False, own, [], []
        elif not self.each:
            due = len(self._bodies) + len(self._group) + 1
            if self.damaged or number != b"%d" % due:
                return False
        self._group.append(body)
        if not head.endswith(b"+"):
            self._bodies += self._group
            self._group, self.end, self.mark = [], end, line[:8].decode()
        return True

    @property
    def data(self) -> bytes:
        """The file's bytes, without an end that was not confirmed; all of them if it is damaged."""
        return self._raw if self.damaged else self._raw[: self.end]

    @property
    def count(self) -> int:
        """How many facts count."""
        return len(self._bodies)

    def facts(self) -> list[Fact]:
        """Return the facts; a line that is right and yet holds none is damage."""
        try:
            # all at once: a call for each line would take as long as everything else
            facts = json.loads(b"[%s]" % b",".join(self._bodies))
        except (ValueError, RecursionError):
            facts = [None]
        if all(isinstance(fact, dict) for fact in facts):
            return list(facts)
        self.damaged = True
        return []


class Journal:
    """A file that is written; what the disk refuses waits until `retry`.

    `report` is told of each error of the disk, and of None once everything is written.
    """

    def __init__(
        self,
        disk: Disk,
        name: str,
        report: Callable[[OSError | None], None],
        lines: FactLines | None = None,
    ) -> None:
        """Continue a file that holds these lines, or begin one."""
        lines = lines or FactLines()
        self.name = name
        self._disk, self._report = disk, report
        self._each = lines.each
        self._count, self._seed = lines.count, lines.seed
        self.data = lines.data
        """What the file must hold, written or not."""
        self._written = len(self.data)

    @property
    def waits(self) -> bool:
        """Whether the disk has not everything."""
        return self.name in self._disk.waiting

    def append(self, *facts: Fact, together: bool = True) -> None:
        """Add facts, `together` as in `encode`; they are on the disk or kept here."""
        if self.data[-1:] not in (b"", b"\n"):  # its end was damaged
            self.data += b"\n"
        lines = encode(facts, self._count + 1, self._seed, together=together)
        if not self._count and not self._each:
            self._seed = int(lines[:8], 16)
        self._count += len(facts)
        self.data += lines
        self._disk.waiting[self.name] = self.data
        self.retry()

    def begin_anew(self, *facts: Fact) -> None:
        """Let only these facts count from now on; what is there stays before them."""
        self._count = 0
        self.append(*facts)

    def retry(self) -> bool:
        """Write what waits at its place; return whether the file has everything."""
        try:
            self._disk.make()
            try:
                self._write()
            except (GoneError, FileNotFoundError) as error:
                self._written = 0
                self._report(error)
                self._disk.make()
                self._disk.set_aside(self.name)
                self._write()
            except FileExistsError:  # it was there while the folder could not be read
                del self._disk.waiting[self.name]
                self.name = renumbered(self.name, max(self._disk.games()) + 1)
                self._write()
        except OSError as error:
            log.warning("%s cannot be written: %s", self.name, error)
            self._disk.waiting[self.name] = self.data
            self._report(error)
            return False
        self._disk.waiting.pop(self.name, None)
        self._report(None)
        return True

    def _write(self) -> None:
        before = self.data[max(0, self._written - 64) : self._written]
        self._disk.append(self.name, before, self._written, self.data[self._written :])
        self._written = len(self.data)
