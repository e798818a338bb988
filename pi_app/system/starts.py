"""How the last runs ended: a small file next to the store."""

import json
import logging
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from pi_app.system.regular import open_regular
from pi_app.system.replace import write_safely

log = logging.getLogger(__name__)

SAFE_AFTER = 2
"""After so many failed starts in a row the next one is in safe mode."""


FILE_LIMIT_BYTES = 10_000
"""A longer file is not ours."""


@dataclass(frozen=True, slots=True)
class Before:
    """The run before this one."""

    clean: bool | None
    """Whether it ended properly; None if there was none."""
    failed: int
    """How many starts in a row failed before their first frame."""

    @property
    def safe_mode(self) -> bool:
        """Whether this start should be in safe mode."""
        return self.failed >= SAFE_AFTER


class RunState:
    """Writes down how far this run has come. Never raises an error."""

    def __init__(self, store: Path, settings: str = "") -> None:
        """Take this run's settings as text: failed starts with other settings do not count.

        Somebody has changed the settings since.
        """
        self._path = store.with_name(store.name + ".run")
        # errors: a lone surrogate in the settings must not stop a start
        self._settings = crc32(settings.encode(errors="replace")) if settings else None

    def begin(self) -> Before:
        """Note that a start has begun; return how the last run ended."""
        other_settings = False
        try:
            with open_regular(self._path) as file:
                note = json.loads(file.read(FILE_LIMIT_BYTES))
            phase, failed = str(note["phase"]), max(0, int(note["failed"]))
            # None: that run had no readable settings
            other_settings = note.get("settings") not in (None, self._settings)
        except FileNotFoundError:
            phase, failed = "", 0
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
            # an unreadable note: as after a power cut in mid-game
            phase, failed = "running", 0
        if other_settings:
            failed = 0
        elif phase == "starting":  # the last start showed no frame
            failed += 1
        before = Before((phase == "ended") if phase else None, failed)
        self._write("starting", before.failed)
        return before

    def note_refusal(self, before: Before) -> None:
        """Note that this start was refused with a sentence, or stopped, which is no failure."""
        # the next start must still learn that the run before did not end properly
        self._write("running" if before.clean is False else "ended", before.failed)

    def note_ready(self) -> None:
        """Note that the first frame is shown; durable, because a power cut may follow."""
        self._write("running", 0, durable=True)

    def end(self) -> None:
        """Note that the run ended properly."""
        self._write("ended", 0, durable=True)

    def _write(self, phase: str, failed: int, *, durable: bool = False) -> None:
        note = {"phase": phase, "failed": failed, "settings": self._settings}
        data = json.dumps(note).encode()
        try:
            if durable:
                write_safely(self._path, data)
                return
            # a start must not wait for the card: only a power cut can lose this note
            temporary = self._path.with_name(f".{self._path.name}.{os.getpid()}.new")
            # the path may be a pipe, which would block
            with suppress(FileNotFoundError):
                temporary.unlink()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(data)
            temporary.replace(self._path)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error)
