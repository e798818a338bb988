"""A PostgreSQL server of a test's own, as Debian installs it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.ports import free_port
from tests.stand_ins.waiting import PATIENCE_S, wait_for

_BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))


def missing() -> str:
    """Return why there can be no server, "" if there can."""
    if not _BINARIES:
        return "PostgreSQL is not installed"
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        return "PostgreSQL does not run as root, and there is no setpriv"
    return ""


class Postgres:
    """A server in a folder of its own; it can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._data = folder / "data"
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://club@127.0.0.1:{self.port}/postgres"

    def _words(self, program: str, *words: str) -> list[str]:
        """Return a command line; the programs refuse to run as root."""
        binary = str(_BINARIES[-1].with_name(program))
        user = ("--reuid", "postgres", "--regid", "postgres", "--init-groups")
        become = ["setpriv", *user, "--"] if os.geteuid() == 0 else []
        return [*become, binary, *words]

    def create(self) -> None:
        if os.geteuid() == 0:
            shutil.chown(self._folder, "postgres")
        words = ("-D", str(self._data), "-U", "club", "-A", "trust", "-E", "UTF8", "--no-sync")
        subprocess.run(
            self._words("initdb", *words),
            check=True,
            timeout=PATIENCE_S,
            cwd="/",
            stdout=subprocess.DEVNULL,
        )

    def start(self) -> None:
        """Start the server and wait until it takes connections."""
        settings = ("-p", str(self.port), "-k", str(self._folder), "-h", "127.0.0.1")
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                self._words("postgres", "-D", str(self._data), *settings),
                cwd="/",
                stdout=log,
                stderr=log,
            )
        wait_for(self._answers, f"PostgreSQL: {(self._folder / 'log').read_text('utf-8')[-500:]}")

    def _answers(self) -> bool:
        words = self._words("pg_isready", "-h", "127.0.0.1", "-p", str(self.port))
        return (
            subprocess.run(words, check=False, stdout=subprocess.DEVNULL, cwd="/").returncode == 0
        )

    def kill(self) -> None:
        """Kill the server and all its processes as a power cut would."""
        assert self._server is not None
        pid = self._server.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        for each in (pid, *map(int, children)):
            os.kill(each, signal.SIGKILL)
        self._server.wait(PATIENCE_S)
        wait_for(lambda: not any(_lives(int(each)) for each in children), "the end")

    def stop(self) -> None:
        if self._server is not None and self._server.poll() is None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait(PATIENCE_S)


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Run a server until the end of a `with`; others than us must be able to enter its folder."""
    folder = Path(tempfile.mkdtemp(prefix="beisitzer-postgres-"))
    folder.chmod(0o755)
    server = Postgres(folder)
    try:
        server.create()
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
