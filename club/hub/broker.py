"""The hub's own broker: Mosquitto with a user for each table, who may do what tables do."""

from __future__ import annotations

import contextlib
import getpass
import logging
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from club.hub.certificates import KeyPair
from pi_app.files.replace import PRIVATE, write_safely
from pi_app.link.contract import MOST_PAYLOAD, ROOT

log = logging.getLogger(__name__)

HUB_USER = "hub"
SMART_HOME = "smart-home"
READY_S = 15
"""Seconds within which a broker listens, and has read its users anew."""
RELOADED = "Reloading config"

_SETTINGS = """\
listener {port}
certfile {folder}/server.pem
keyfile {folder}/server.key
tls_version tlsv1.2
allow_anonymous false
password_file {folder}/users
acl_file {folder}/rights
use_username_as_clientid true
user {user}
persistence true
persistence_location {folder}/
autosave_interval 60
max_packet_size {packet}
max_inflight_messages 100
max_queued_messages 20000
set_tcp_nodelay true
sys_interval 0
connection_messages false
log_dest stderr
log_type error
log_type warning
log_type notice
log_type information
"""

_HUB_RIGHTS = f"""\
user {HUB_USER}
topic readwrite {ROOT}/#
topic readwrite homeassistant/#

user {SMART_HOME}
topic read {ROOT}/+/availability
topic read {ROOT}/+/state
topic read {ROOT}/+/signal
topic read {ROOT}/+/down/#
topic read {ROOT}/club/#
topic write {ROOT}/+/down/say
topic read homeassistant/#
topic write homeassistant/status
"""

_TABLE_RIGHTS = """
user {table}
topic write {root}/{table}/availability
topic write {root}/{table}/state
topic write {root}/{table}/signal
topic write {root}/{table}/up/#
topic write homeassistant/device/beisitzer_{table}/config
topic read {root}/{table}/down/#
topic read {root}/club/#
topic read homeassistant/status
"""


class BrokerError(Exception):
    """The broker cannot be started: `code` is `missing`, `port` or `failed`."""

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(why or code)
        self.code = code


def program() -> str | None:
    """Return where Mosquitto is; it may be outside of a user's path."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


class OwnBroker:
    """A Mosquitto that this process starts, and that ends with it."""

    def __init__(self, folder: Path, port: int) -> None:
        self.port = port
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self._reloaded = threading.Event()
        self._last_words: list[str] = []

    def write(self, server: KeyPair, authority: str) -> None:
        """Write settings and certificates, for this user's eyes only."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        settings = _SETTINGS.format(
            port=self.port,
            folder=self._folder.absolute(),
            user=getpass.getuser(),
            packet=MOST_PAYLOAD + 1024,
        )
        self._keep("server.pem", server.certificate + authority)
        self._keep("server.key", server.key)
        self._keep("mosquitto.conf", settings)

    def write_users(self, users: Mapping[str, str], tables: Iterable[str]) -> None:
        """Write the users with the hashes of their passwords, and what each may do."""
        self._keep("users", "".join(f"{user}:{hashed}\n" for user, hashed in users.items()))
        rights = [_TABLE_RIGHTS.format(table=table, root=ROOT) for table in tables]
        self._keep("rights", _HUB_RIGHTS + "".join(rights))

    def _keep(self, name: str, text: str) -> None:
        write_safely(self._folder / name, text.encode(), PRIVATE)

    def start(self) -> None:
        """Start it and wait until it listens; BrokerError if it does not."""
        command = program()
        if command is None:
            raise BrokerError("missing")
        self._end_earlier()
        if _listens(self.port):
            raise BrokerError("port")
        words = [command, "-c", str((self._folder / "mosquitto.conf").absolute())]
        setpriv = shutil.which("setpriv")
        if setpriv is not None:  # so that it ends with us, however we end
            words = [setpriv, "--pdeathsig", "TERM", "--", *words]
        self._last_words = []
        self._process = subprocess.Popen(  # noqa: S603  # no word comes from outside
            words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        write_safely(self._folder / "pid", str(self._process.pid).encode())
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()
        for _ in _until(READY_S):
            if self._process.poll() is not None:
                raise BrokerError("failed", " ".join(self._last_words)[-200:])
            if _listens(self.port):
                return
        raise BrokerError("failed", f"nothing listens on port {self.port}")

    def _end_earlier(self) -> None:
        """Wait for the broker of a hub that was killed; it was told to end, and saves first."""
        with contextlib.suppress(OSError, ValueError):
            pid = int((self._folder / "pid").read_text("ascii"))
            ours = str(self._folder.absolute()).encode()
            for _ in _until(READY_S):
                if ours not in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return
                os.kill(pid, signal.SIGTERM)

    def _listen(self, process: subprocess.Popen[str]) -> None:
        """Read what the broker logs until it ends."""
        for line in process.stderr or ():
            self._last_words = [*self._last_words[-3:], line.strip()]
            log.info("broker: %s", line.strip())
            if RELOADED in line:
                self._reloaded.set()

    def reload(self) -> bool:
        """Let it read its users anew; whether it has."""
        process = self._process
        if process is None or process.poll() is not None:
            return False
        self._reloaded.clear()
        process.send_signal(signal.SIGHUP)
        return self._reloaded.wait(READY_S)

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """End it, and wait until it has saved."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(READY_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None


def _until(seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.05)


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False
