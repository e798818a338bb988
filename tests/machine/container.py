"""A booted Debian in a container: systemd, apt and the sandbox are real, the kernel is this one's.

It boots in seconds where an emulator takes minutes. What needs a kernel or a disk of its own (power
cuts, radios, screens, sticks) is a `Machine`.
"""

import fcntl
import os
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from tests.firmware.rig import Firmware
from tests.machine.asked import Asked, Done
from tests.machine.image import cache
from tests.machine.machine import SBIN

BOOT_S = 300
NAME = "table"
CARD = f"ve-{NAME}"
"""This machine's end of the cable to it."""
HERE, THERE = "10.95.71.1", "10.95.71.2"
"""The addresses of this machine and of the container, to each other."""
PANEL = "/dev/ttyUSB0"
DROPIN = "etc/systemd/system/beisitzer.service.d/panel.conf"
"""The panel at the far end of a pseudo-terminal is another kind of device than a Pico."""


class Container(Asked):
    """A Debian in the folder `root`, booted; one at a time: it has a fixed name and address."""

    def __init__(self, root: Path, panel: Firmware | None = None) -> None:
        """Boot it; TimeoutError if it does not come up."""
        command = ["systemd-nspawn", "--quiet", "--boot", "-D", str(root), "-M", NAME]
        command += ["--register=no", "--keep-unit", "--network-veth", "--link-journal=no"]
        if panel is not None:
            device = os.path.realpath(panel.port)
            Path(device).chmod(0o666)
            command += [f"--bind={device}:{PANEL}"]
            (root / DROPIN).parent.mkdir(parents=True, exist_ok=True)
            (root / DROPIN).write_text("[Service]\nDeviceAllow=char-pts rw\n")
        self.root = root
        self._alone = (cache() / "container").open("w")
        fcntl.flock(self._alone, fcntl.LOCK_EX)
        self.console = root.with_suffix(".console")
        # of a run that was killed
        subprocess.run(["ip", "link", "delete", CARD], env=SBIN, capture_output=True, check=False)
        # Debian 13's systemd wants the unified hierarchy alone
        environment = {**SBIN, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
        with self.console.open("ab") as console:
            self._process = subprocess.Popen(
                # it switches off when the tests end, however they end
                ["setpriv", "--pdeathsig", "TERM", *command],
                env=environment, stdin=subprocess.DEVNULL, stdout=console, stderr=console,
                start_new_session=True,
            )  # fmt: skip
        self._first = self._booted(time.monotonic() + BOOT_S)
        self._connect()

    def _booted(self, end: float) -> int:
        """Return the number of its first process, once the system is up."""
        children = ["pgrep", "-P", str(self._process.pid)]
        while time.monotonic() < end and self._process.poll() is None:
            found = subprocess.run(children, capture_output=True, text=True, check=False)
            if found.stdout:
                self._first = int(found.stdout.split()[0])
                if self.run("systemctl is-active -q multi-user.target").status == 0:
                    return self._first
            time.sleep(0.2)
        self.kill()
        raise TimeoutError(f"the container does not come up: {self.console.read_text()[-2000:]}")

    def _connect(self) -> None:
        inside = ["nsenter", "-t", str(self._first), "-n"]
        for where, card, address in (([], CARD, HERE), (inside, "host0", THERE)):
            for words in (
                ["address", "add", f"{address}/24", "dev", card],
                ["link", "set", card, "up"],
            ):
                subprocess.run([*where, "ip", *words], env=SBIN, check=True)

    def run(self, script: str, timeout_s: float = 600) -> Done:
        """Run a shell script as root."""
        command = ["nsenter", "-t", str(self._first), "-a", "env", "-i", "LC_ALL=C.UTF-8"]
        command += ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "sh", "-c", script]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
        return Done(done.returncode, done.stdout + done.stderr)

    def kill(self) -> None:
        """End all of it at once, as a power cut would; what was written to files is there."""
        with suppress(ProcessLookupError, AttributeError):
            os.kill(self._first, 9)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(30)
        self._process.kill()
        self._process.wait(30)
        self._alone.close()


def unpack(tree: Path, root: Path) -> Path:
    """Unpack a system into a new folder."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    subprocess.run(["tar", "-xpf", tree, "-C", root, "--numeric-owner"], check=True)
    return root
