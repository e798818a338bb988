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

NAME, NEW, DAMAGED = "people.jsonl", "people.jsonl.new", "people.jsonl.damaged"
SPARE_BYTES = 1 << 17
"""The file is compacted when it is so much longer than what it says."""

log = logging.getLogger(__name__)


class People:
    """The remembered texts by key, as the file says."""

    def __init__(self, disk: Disk) -> None:
        """Read the file."""
        self._disk = disk
        self.error: OSError | None = None
        """Why the file cannot be read."""
        data = b""
        try:
            data = self._read()
        except OSError as error:
            self.error = error
        self._lines = FactLines(data, each=True)
        self.texts = _texts_of(self._lines)
        self.damaged = self._lines.damaged
        """Whether something that was remembered cannot be read."""
        self._journal: Journal | None = None

    def _read(self) -> bytes:
        for name in (NAME, NEW):  # compacting may have ended between two names
            try:
                return self._disk.read(name)
            except FileNotFoundError:
                continue
        return b""

    def open(self, report: Callable[[OSError | None], None]) -> Journal:
        """Continue the file, or a new one that says the same; return what writes it."""
        live_bytes = sum(len(key) + len(text) for key, text in self.texts.items())
        if self.damaged or len(self._lines.data) > SPARE_BYTES + 2 * live_bytes:
            try:
                self._compact()
            except OSError as error:  # the old one does as well
                log.warning("%s cannot be compacted: %s", NAME, error)
        self._journal = Journal(self._disk, NAME, report, self._lines)
        self._lines = FactLines(each=True)
        return self._journal

    def _compact(self) -> None:
        facts = [note_fact(key, text) for key, text in self.texts.items()]
        data = b"".join(encode((fact,), number, 0) for number, fact in enumerate(facts, 1))
        self._disk.remove(NEW)
        self._disk.append(NEW, b"", 0, data)
        if self.damaged:
            self._disk.rename(NAME, DAMAGED)
        self._disk.rename(NEW, NAME)
        self._lines = FactLines(data, each=True)

    def texts_under(self, prefix: str) -> dict[str, str]:
        """Return every text whose key begins with `prefix`, by the rest of its key."""
        texts = self.texts.items()
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


def texts_in(data: bytes) -> dict[str, str]:
    """Return what a file of facts remembers, by key."""
    return _texts_of(FactLines(data, each=True))


def _texts_of(lines: FactLines) -> dict[str, str]:
    texts: dict[str, str] = {}
    for fact in lines.facts():
        _learn(texts, {key: text_of(value) for key, value in fact.items()})
    return texts


def _learn(texts: dict[str, str], changed: Mapping[str, str]) -> None:
    """Set these texts; "" forgets one."""
    for key, text in changed.items():
        if text:
            texts[key] = text
        else:
            texts.pop(key, None)
