"""The log: in the journal under systemd, else in a file of limited size."""

import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from pi_app.system.regular import check_regular
from pi_app.texts.printable import printable_lines

BYTES = 200_000
"""The most bytes in a file."""
ERROR_LETTERS = 100
"""The most characters of an error kept for people."""
FILES = 3
"""How many old files are kept; a start erases nothing."""

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""The journal's priorities from each level on; 7 is for debugging."""


class _Formatter(logging.Formatter):
    """Messages and tracebacks without control characters."""

    def format(self, record: logging.LogRecord) -> str:
        return printable_lines(super().format(record))


class JournalFormatter(_Formatter):
    """Lines for the journal: each begins with its priority."""

    def format(self, record: logging.LogRecord) -> str:
        priority = next((number for level, number in _PRIORITIES if record.levelno >= level), 7)
        text = f"{record.name}:{record.lineno}: {super().format(record)}"
        return "\n".join(f"<{priority}>{line}" for line in text.splitlines())


class Errors(logging.Filter):
    """Counts the errors that are logged, and keeps the last one; all records pass."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.at_s = 0.0
        """When the last one was, in seconds since 1970."""
        self.text = ""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno >= logging.ERROR:
            self.count += 1
            self.at_s = record.created
            self.text = printable_lines(record.getMessage()).partition("\n")[0][:ERROR_LETTERS]
        return True


def known_errors() -> Errors:
    """Return the errors since the program's log was set up."""
    filters = (each for handler in logging.getLogger().handlers for each in handler.filters)
    return next((each for each in filters if isinstance(each, Errors)), Errors())


def to_journal(environ: Mapping[str, str] = os.environ) -> bool:
    """Tell whether standard error goes to the journal."""
    # systemd names its file; standard error may have been redirected since
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
        from pi_app.system.journal import JournalHandler  # only needed under systemd

        handler = JournalHandler()
        handler.setFormatter(JournalFormatter("%(message)s"))
    else:
        from logging.handlers import RotatingFileHandler

        try:
            path = path or log_file()
            path.parent.mkdir(parents=True, exist_ok=True)
            check_regular(path)
            handler = RotatingFileHandler(path, "a", BYTES, FILES, "utf-8")
        except OSError:
            handler = logging.NullHandler()
        handler.setFormatter(
            _Formatter("%(asctime)s %(levelname)s %(name)s:%(lineno)d: %(message)s")
        )
    handler.addFilter(Errors())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.raiseExceptions = False  # otherwise a full card would fill the screen with errors
    return handler
