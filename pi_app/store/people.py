"""Remembered facts about people and the table: texts by key, in one file.

Each line sets some keys, so a damaged one hides only what it set; then all others are written once
more behind it. A file that has become long is replaced by a shorter one.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from pi_app.store.disk import Disk
from pi_app.store.game import note_fact, text_of
from pi_app.store.journal import FactLines
from pi_app.store.names import NAMES, renamings_in
from pi_app.system.replace import write_safely

PEOPLE_FILE = "people.jsonl"
SPARE_BYTES = 1 << 17
"""The file may be this much longer than twice its content before it is replaced."""

log = logging.getLogger(__name__)


class People:
    """The remembered texts by key, as the file says."""

    def __init__(self, disk: Disk, *, writes: bool = False) -> None:
        """Read the file; OSError if it cannot be read, unless it will be written here."""
        self._disk = disk
        self._lines = lines = FactLines(disk.read(PEOPLE_FILE, strict=not writes), each=True)
        self.texts = texts_of(lines)
        self.damaged = lines.damaged
        """Whether something that was remembered cannot be read."""
        self.renamings = renamings_in(self.texts.get(NAMES, ""))
        """What people were renamed to, the earliest renaming first."""
        if writes:
            self._compact()
            disk.hold(PEOPLE_FILE, self._lines)
            self._lines.add(())
            disk.retry()

    def _compact(self) -> None:
        """Replace the file by a shorter one if it is whole and that saves enough."""
        if self.damaged or len(self._lines.data) <= SPARE_BYTES:
            return  # as at most starts: even an empty file would not save enough
        facts = [note_fact(key, text) for key, text in self.texts.items() if text]
        compact = FactLines(each=True)
        compact.add(facts, together=False)
        if len(self._lines.data) > SPARE_BYTES + 2 * len(compact.data):
            try:
                write_safely(self._disk.folder / PEOPLE_FILE, compact.data)
                self._lines = compact
            except OSError as error:  # the old file is still good
                log.warning("%s cannot be compacted: %s", PEOPLE_FILE, error)

    def remember(self, texts: Mapping[str, str]) -> None:
        """Set these texts, all or none; "" forgets one."""
        changed = {key: text for key, text in texts.items() if text != self.texts.get(key, "")}
        if changed:
            fact: dict[str, object] = {}
            for key, text in changed.items():
                fact |= note_fact(key, text)
            self._lines.add([fact])
            self._disk.retry()
        self.texts |= changed
        if NAMES in changed:
            self.renamings = renamings_in(changed[NAMES])


def texts_of(lines: FactLines) -> dict[str, str]:
    """Return the texts in the lines of a file, by key; "" for a forgotten one."""
    return {key: text_of(value) for fact in lines.facts() for key, value in fact.items()}
