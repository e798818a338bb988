"""The site as a process of its own, whose memory can be looked at: prints its port, then serves.

`python -m tests.pi_app.phones.web.process SOCKET unlimited`, or `limited` as it is meant to run.
"""

import sys
from pathlib import Path

from pi_app.phones.web.app import application
from pi_app.phones.web.relay import Relay
from pi_app.phones.web.server import WebServer
from pi_app.phones.web.sockets import opened
from tests.pi_app.phones.web.site import UNLIMITED


def main(path: str, limits: str) -> None:
    """Serve until told to end."""
    relay = Relay(Path(path))
    listening = opened(0)
    sys.stdout.write(f"{listening.getsockname()[1]}\n")
    sys.stdout.flush()
    app = application(relay, limits=UNLIMITED if limits == "unlimited" else None)
    WebServer(app, relay.close).run([listening])


if __name__ == "__main__":
    main(*sys.argv[1:])
