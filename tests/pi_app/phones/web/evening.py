"""An evening at the table: the companion, the web process and their browsers, all for real."""

import os
import pty
import random
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.pi_app.phones.web.browsers import PHONE, Device

WAIT_S = 60.0
"""Nothing takes so long, however busy the machine is."""
_CODE = re.compile(rb"(?<!\d)(\d{3}) (\d{3})(?!\d)")
_STYLE = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[()][A-Z0-9]")


def free_port() -> int:
    """Return a port that nobody listens on, and that no connection is given by chance."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) != 0:
                return port


class Evening:
    """`beisitzer play` at a terminal, `beisitzer web` beside it, devices that look and key."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.store = folder / "games"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        settings = folder / "settings.toml"
        settings.write_text(f'language = "en"\n[web]\nenabled = true\nport = {self.port}\n')
        self._environ = os.environ | {
            "BEISITZER_CONFIG": str(settings),
            "BEISITZER_REMOTE": str(folder / "remote.sock"),
            "XDG_STATE_HOME": str(folder),
            "TERM": "xterm",
        }
        self._browser = browser
        self._devices: list[Device] = []
        self._seen = b""
        self._terminal = -1
        self._reader: threading.Thread | None = None
        self.companion: subprocess.Popen[bytes] | None = None
        self.web: subprocess.Popen[bytes] | None = None

    # --- the processes

    def start_companion(self) -> None:
        self._terminal, far = pty.openpty()
        command = [sys.executable, "-m", "pi_app", "play", "--display", "terminal"]
        self.companion = subprocess.Popen(
            [*command, "--store", str(self.store)],
            stdin=far, stdout=far, stderr=far, env=self._environ, start_new_session=True,
        )  # fmt: skip
        os.close(far)
        self._reader = threading.Thread(target=self._read, args=(self._terminal,), daemon=True)
        self._reader.start()

    def start_web(self) -> None:
        command = [sys.executable, "-m", "pi_app", "web", "--port", str(self.port)]
        self.web = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=self._environ
        )
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            with socket.socket() as asking:
                asking.settimeout(1.0)
                if asking.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self.web.poll() is None
            select.select([], [], [], 0.05)
        raise AssertionError("the web process does not listen")

    def pull_the_plug(self) -> None:
        """Kill the companion."""
        self._kill(self.companion)
        os.close(self._terminal)
        if self._reader is not None:
            self._reader.join(WAIT_S)

    def kill_web(self) -> None:
        self._kill(self.web)

    def _kill(self, process: subprocess.Popen[bytes] | None) -> None:
        if process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait(WAIT_S)

    def stop(self) -> None:
        try:
            for device in self._devices:
                device.close()
        finally:
            self.kill_web()
            self.pull_the_plug()

    # --- who sits there

    def _read(self, terminal: int) -> None:
        """Keep what the terminal shows, and let it never wait for us."""
        while True:
            try:
                data = os.read(terminal, 65_536)
            except OSError:
                return
            if not data:
                return
            self._seen = (self._seen + data)[-200_000:]

    def type(self, keys: str) -> None:
        """Type at the companion's own terminal."""
        os.write(self._terminal, keys.encode())

    def code(self) -> str:
        """Return the six digits that the terminal shows, once it does."""
        end = time.monotonic() + WAIT_S
        while not (found := _CODE.findall(_STYLE.sub(b"", self._seen))):
            assert time.monotonic() < end, _STYLE.sub(b"", self._seen)[-2_000:]
            select.select([], [], [], 0.05)
        self._seen = b""
        return b"".join(found[-1]).decode()

    def device(self, size: tuple[int, int] = PHONE, path: str = "/") -> Device:
        """Return a device that looks at a page and may not key."""
        device = Device(self._browser, self.url, size)
        self._devices.append(device)
        device.open(path)
        return device

    def choose(self, looking: Device, words: str) -> None:
        """Take a row at the companion's terminal, by the digits that a device sees before it."""
        row = looking.page.locator(".choices li").filter(has_text=words)
        self.type(row.locator("i").inner_text())

    def pair(self, looking: Device) -> Device:
        """Let one more phone in, at the first menu; return it."""
        for words in ("System", "Phone", "Let everybody in"):
            self._seen = b""
            self.choose(looking, words)
        phone = Device(self._browser, self.url)
        self._devices.append(phone)
        phone.page.goto(f"{self.url}/pair#{self.code()}")
        phone.page.wait_for_url("**/play")
        self.type("c")  # the code stays on show for others
        phone.open("/keys")
        phone.title("Phone")
        for title in ("System", "Beisitzer"):
            self.type("c")
            phone.title(title)
        expect(phone.page.locator("[data-choose]").first).to_be_visible()
        return phone
