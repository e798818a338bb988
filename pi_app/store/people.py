"""What is remembered of people and of the table: texts by key, in one file of facts.

Each line sets some keys, so a damaged one hides only what it set. The file is compacted by writing
a new one and renaming it; one with damage stays beside it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from pi_app.store.disk import Disk
from pi_app.store.game import note_fact, text_of
from pi_app.store.journal import FactLines, Journal, encode

PEOPLE_FILE, NEW, DAMAGED = "people.jsonl", "people.jsonl.new", "people.jsonl.damaged"
SPARE_BYTES = 1 << 17
"""The file is compacted when it is so much longer than what it says."""

log = logging.getLogger(__name__)


class People:
    """The remembered texts by key, as the file says."""

    def __init__(self, disk: Disk, *, writes: bool = False) -> None:
        """Read the file; OSError if it cannot be read, unless it will be written here."""
        self._disk = disk
        data = b""
        try:  # compacting may have ended between two names
            data = disk.read(PEOPLE_FILE if (disk.folder / PEOPLE_FILE).exists() else NEW)
        except FileNotFoundError:
            pass
        except OSError as error:
            if not writes:
                raise
            log.warning("%s cannot be read: %s", PEOPLE_FILE, error)
        self._lines = FactLines(data, each=True)
        self.texts = texts_of(self._lines)
        self.damaged = self._lines.damaged
        """Whether something that was remembered cannot be read."""
        self._journal: Journal | None = None

    def open(self, report: Callable[[OSError | None], None]) -> Journal:
        """Continue the file, or a new one that says the same; return what writes it."""
        live_bytes = sum(len(key) + len(text) for key, text in self.texts.items())
        if self.damaged or len(self._lines.data) > SPARE_BYTES + 2 * live_bytes:
            try:
                self._compact()
            except OSError as error:  # the old one does as well
                log.warning("%s cannot be compacted: %s", PEOPLE_FILE, error)
        self._journal = Journal(self._disk, PEOPLE_FILE, report, self._lines)
        self._lines = FactLines(each=True)
        return self._journal

    def _compact(self) -> None:
        facts = (note_fact(key, text) for key, text in self.texts.items())
        data = b"".join(encode((fact,), number, 0) for number, fact in enumerate(facts, 1))
        self._disk.remove(NEW)
        self._disk.append(NEW, b"", 0, data)
        if self.damaged:
            self._disk.rename(PEOPLE_FILE, DAMAGED)
        self._disk.rename(NEW, PEOPLE_FILE)
        self._lines = FactLines(data, each=True)

    def texts_under(self, prefix: str) -> dict[str, str]:
        """Return every text whose key begins with `prefix`, by the rest of its key."""
        texts = dict(self.texts).items()  # another thread may change them
        return {key[len(prefix) :]: text for key, text in texts if key.startswith(prefix)}

    def remember(self, texts: Mapping[str, str]) -> None:
        """Set these texts, all or none; "" forgets one."""
        changed = {key: text for key, text in texts.items() if text != self.texts.get(key, "")}
        if changed and self._journal is not None:
            fact: dict[str, object] = {}
            for key, text in changed.items():
                fact |= note_fact(key, text)
            self._journal.append(fact)
        _learn(self.texts, changed)


def texts_of(lines: FactLines) -> dict[str, str]:
    """Return what the lines of a file remember, by key."""
    texts: dict[str, str] = {}
    for fact in lines.facts():
        _learn(texts, {key: text_of(value) for key, value in fact.items()})
    return texts


def _learn(texts: dict[str, str], changed: Mapping[str, str]) -> None:
    """Set these texts; "" forgets one."""
    texts |= changed
    for key in [key for key, text in changed.items() if not text]:
        del texts[key]
