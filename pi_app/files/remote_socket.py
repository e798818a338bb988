"""Where companion and web process meet: a Unix socket that both find by the same rule.

What both ends hold of its lines stands here too; docs/remote.md has them to the letter.
"""

import os
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "BEISITZER_REMOTE"
"""Names the socket's file for whoever runs with another runtime directory."""

NAME = "remote.sock"

VERSION = 1
"""Of the lines; the first one says it."""
MOST_REQUEST = 8 * 1024
"""Bytes of a line that a client may send, its line feed included."""
MOST_LINE = 256 * 1024
"""Bytes of a line that the companion sends at most, its line feed included."""


def socket_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the socket's file: the named one, the service's, the user's, else beside the log."""
    if named := environ.get(VARIABLE):
        return Path(named)
    if service := environ.get("RUNTIME_DIRECTORY"):
        return Path(service.partition(":")[0]) / NAME
    if user := environ.get("XDG_RUNTIME_DIR"):
        return Path(user) / "beisitzer" / NAME
    import platformdirs

    return platformdirs.user_state_path("beisitzer", appauthor=False) / NAME


def switch_file(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the file that is there while phones are let in: systemd follows it. None without."""
    folder = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    return Path(folder, "web.on") if folder else None


def socket_mode(environ: Mapping[str, str] = os.environ) -> int:
    """Return who may open it: the service's group, else its owner alone."""
    return 0o660 if environ.get("RUNTIME_DIRECTORY") else 0o600
