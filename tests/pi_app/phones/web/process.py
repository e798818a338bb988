"""The site as a process of its own that can be stopped."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pi_app.phones.web.app import application
from pi_app.phones.web.relay import Relay
from pi_app.phones.web.server import WebServer
from pi_app.phones.web.sockets import opened
from tests.pi_app.phones.web.site import MANY


@contextmanager
def serving(path: Path) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    """Serve the pages of the companion at a socket for a while; yield the process and its URL."""
    command = [sys.executable, "-m", __name__, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield process, f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def main(path: str) -> None:
    """Print the port, and serve until told to end."""
    relay = Relay(Path(path))
    listening = opened(0)
    sys.stdout.write(f"{listening.getsockname()[1]}\n")
    sys.stdout.flush()
    WebServer(application(relay, rate=MANY), relay.close).run([listening])


if __name__ == "__main__":
    main(*sys.argv[1:])
