"""The log: in the journal under systemd, else in a file of limited size."""

import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from pi_app.files.regular import check_regular
from pi_app.texts.printable import printable_lines

BYTES = 200_000
"""The most bytes in a file."""
FILES = 3
"""How many old files are kept; a start erases nothing."""

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""The journal's priorities from each level on; 7 is for debugging."""


class _Formatter(logging.Formatter):
    """Messages and tracebacks without control characters."""

    def format(self, record: logging.LogRecord) -> str:
        return printable_lines(super().format(record))


class _JournalFormatter(_Formatter):
    """Lines for the journal: each begins with its priority."""

    def format(self, record: logging.LogRecord) -> str:
        priority = next((number for level, number in _PRIORITIES if record.levelno >= level), 7)
        text = f"{record.name}: {super().format(record)}"
        return "\n".join(f"<{priority}>{line}" for line in text.splitlines())


def to_journal(environ: Mapping[str, str] = os.environ) -> bool:
    """Tell whether standard error goes to the journal."""
    # systemd names the file that it gave us; standard error may have been sent elsewhere since
    device, _, inode = environ.get("JOURNAL_STREAM", "").partition(":")
    try:
        stat = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return (device, inode) == (str(stat.st_dev), str(stat.st_ino))


def log_file() -> Path:
    """Return the log's path if there is no journal."""
    import platformdirs

    return platformdirs.user_state_path("beisitzer", appauthor=False) / "beisitzer.log"


def set_up(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> logging.Handler:
    """Send the program's log to the journal or into `path`; return the handler.

    If no file can be written, the log is dropped: it must never disturb a game.
    """
    handler: logging.Handler
    if to_journal(environ):
        handler = logging.StreamHandler()
        handler.setFormatter(_JournalFormatter("%(message)s"))
    else:
        from logging.handlers import RotatingFileHandler

        try:
            path = path or log_file()
            path.parent.mkdir(parents=True, exist_ok=True)
            check_regular(path)
            handler = RotatingFileHandler(path, "a", BYTES, FILES, "utf-8")
        except OSError:
            handler = logging.NullHandler()
        handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.raiseExceptions = False  # a full card would fill the screen
    return handler
