"""Where companion and web process meet: a Unix socket, of which both must think the same."""

import os
from collections.abc import Mapping
from pathlib import Path

NAME = "remote.sock"


def socket_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the companion's socket: in the service's runtime folder, else in the user's own.

    Where the system gives neither it is in the user's state folder.
    """
    for variable, folder in (("RUNTIME_DIRECTORY", ""), ("XDG_RUNTIME_DIR", "beisitzer")):
        # systemd separates several runtime folders by colons; the first one is the program's
        if first := environ.get(variable, "").partition(":")[0]:
            return Path(first, folder, NAME)
    import platformdirs  # slow to import, and rarely needed

    return platformdirs.user_state_path("beisitzer", appauthor=False) / NAME
