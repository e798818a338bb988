"""Remembered facts about people and the table: texts by key, in one file.

Each line sets some keys, so a damaged line hides only these. The file is compacted by writing
a new one in its place; a damaged file is kept beside it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from pi_app.store.disk import Disk
from pi_app.store.game import note_fact, text_of
from pi_app.store.journal import FactLines, encode
from pi_app.store.names import NAMES, renamings_in
from pi_app.system.replace import write_safely

PEOPLE_FILE, DAMAGED = "people.jsonl", "people.jsonl.damaged"
SPARE_BYTES = 1 << 17
"""The file may be this much longer than twice its content before it is compacted."""

log = logging.getLogger(__name__)


class People:
    """The remembered texts by key, as the file says."""

    def __init__(self, disk: Disk, *, writes: bool = False) -> None:
        """Read the file; OSError if it cannot be read, unless it will be written here."""
        self._disk = disk
        data = b""
        try:
            data = disk.read(PEOPLE_FILE)
        except FileNotFoundError:
            pass
        except OSError as error:
            if not writes:
                raise
            log.warning("%s cannot be read: %s", PEOPLE_FILE, error)
        lines = FactLines(data, each=True)
        self.texts = texts_of(lines)
        self.damaged = lines.damaged
        """Whether something that was remembered cannot be read."""
        self.renamings = renamings_in(self.texts.get(NAMES, ""))
        """What people were renamed to, the earliest renaming first."""
        self._count = lines.count
        if writes:
            compact = self._compact(data)
            disk.append(PEOPLE_FILE, b"", behind=lines.data if compact is None else compact)

    def _compact(self, data: bytes) -> bytes | None:
        """Write a shorter file if it saves enough or removes damage; return its bytes."""
        facts = [note_fact(key, text) for key, text in self.texts.items() if text]
        compact = b"".join(encode((fact,), number) for number, fact in enumerate(facts, 1))
        if not self.damaged and len(data) <= SPARE_BYTES + 2 * len(compact):
            return None
        try:
            if self.damaged:
                write_safely(self._disk.folder / DAMAGED, data)
            write_safely(self._disk.folder / PEOPLE_FILE, compact)
        except OSError as error:  # the old file is still good
            log.warning("%s cannot be compacted: %s", PEOPLE_FILE, error)
            return None
        self._count = len(facts)
        return compact

    def texts_under(self, prefix: str) -> dict[str, str]:
        """Return every text whose key begins with `prefix`, by the rest of its key."""
        texts = dict(self.texts).items()  # another thread may change them
        return {key[len(prefix) :]: text for key, text in texts if text and key.startswith(prefix)}

    def remember(self, texts: Mapping[str, str]) -> None:
        """Set these texts, all or none; "" forgets one."""
        changed = {key: text for key, text in texts.items() if text != self.texts.get(key, "")}
        if changed:
            fact: dict[str, object] = {}
            for key, text in changed.items():
                fact |= note_fact(key, text)
            self._count += 1
            self._disk.append(PEOPLE_FILE, encode((fact,), self._count))
        self.texts |= changed
        if NAMES in changed:
            self.renamings = renamings_in(changed[NAMES])


def texts_of(lines: FactLines) -> dict[str, str]:
    """Return the texts in the lines of a file, by key; "" for a forgotten one."""
    return {key: text_of(value) for fact in lines.facts() for key, value in fact.items()}
