"""A machine under qemu: started, asked, unplugged, killed; its panel runs our firmware."""

import base64
import functools
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.firmware.rig import Firmware
from tests.machine.asked import Asked, Done
from tests.machine.image import GAMES_MB, alone

MEMORY_MB, PROCESSORS = 768, 1
SBIN = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
HOLD_MS = 60
"""How long a key of the emulator's keyboard is down."""
BOOT_S = 900
"""For a machine without hardware help on a busy one; KVM_S for one with it."""
KVM_S = 40
# the newer chipset: the older one's tables keep the kernel busy for half a minute on a busy machine
# (and of the newer one nothing that is not used here: each device costs the boot a driver)
CHIPSET = "q35,sata=off,smbus=off,i8042=off"
SMALL = ("-machine", CHIPSET, "-nodefaults", "-display", "none", "-no-reboot", "-rtc", "base=utc")
SPARING = (
    "root=/dev/vda rw console=ttyS0 panic=-1 quiet mitigations=off audit=0 tsc=reliable"
    " no_timer_check random.trust_cpu=on 8250.nr_uarts=1 raid=noautodetect norandmaps"
)
"""What the kernel is told: after `panic` what spares the emulator's processor, and not to take a
timer that a busy machine holds up for a broken one. The emulator keeps what it has translated by
address: with libraries at the same place in every process it translates them once."""


class Machine(Asked):
    """A running machine. `disk` is written to; `games` is a disk of its own for the store.

    `folder` is the disk's, for files about it.
    """

    def __init__(
        self,
        image: Path,
        disk: Path,
        *,
        games: Path,
        parcel: Path | None = None,
        panel: Firmware | None = None,
        plugged: bool = True,
        more: Sequence[str] = (),
        accel: str = "",
        boot_s: float = BOOT_S,
    ) -> None:
        """Start it and wait until it can be asked; TimeoutError if that takes too long.

        `more` are the emulator's arguments for further devices.
        """
        command = ["qemu-system-x86_64", *SMALL, *_accelerated(accel or accelerator(image))]
        command += ["-m", str(MEMORY_MB), "-smp", str(PROCESSORS)]
        command += ["-kernel", str(image / "kernel"), "-initrd", str(image / "initrd")]
        command += ["-append", SPARING]
        command += drive("root", disk)
        command += drive("games", games)
        command += drive("parcel", parcel, more=",readonly=on") if parcel else []
        self._start(command, disk.parent, panel, plugged=plugged, more=more)
        self._greeted(boot_s)

    def _start(
        self,
        command: list[str],
        folder: Path,
        panel: Firmware | None,
        *,
        plugged: bool = True,
        more: Sequence[str] = (),
    ) -> None:
        """Start an emulator with lines to its monitor, to the agent in it, and to a panel.

        `more` comes last: the emulator wants a bus before what is plugged into it.
        """
        self.folder = folder
        self._qmp = self.folder / "qmp"
        self._port = self.folder / "agent"
        for path in (self._qmp, self._port):
            path.unlink(missing_ok=True)
        self.console = self.folder / "console.txt"
        # it ends with the tests, however they end
        command = ["setpriv", "--pdeathsig", "KILL", *command]
        command += ["-serial", f"file:{self.console}"]
        command += ["-qmp", f"unix:{self._qmp},server=on,wait=off"]
        command += ["-device", "virtio-serial", "-device", "qemu-xhci,id=usb"]
        command += ["-chardev", f"socket,id=agent,path={self._port},server=on,wait=off"]
        command += ["-device", "virtserialport,chardev=agent,name=agent"]
        if panel is not None:
            command += ["-chardev", f"serial,id=panel,path={panel.port}"]
        if panel is not None and plugged:
            command += ["-device", "usb-serial,chardev=panel,id=panel"]
        command += more
        self.started = time.monotonic()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            self._monitor = _connect(self._qmp, 30)
            self._ask({"execute": "qmp_capabilities"})
            self._agent = _connect(self._port, 30)
            self._answers = self._agent.makefile("r")
        except OSError as error:
            self.kill()
            raise TimeoutError("the emulator does not start") from error

    def _greeted(self, boot_s: float) -> None:
        """Wait until the machine is so far that it can be asked."""
        try:
            self._agent.settimeout(boot_s)
            hello = self._answers.readline()
        except OSError:
            hello = ""
        if not hello.startswith("hello"):
            self.kill()
            raise TimeoutError(f"the machine does not come up: {self.console.read_text()[-2000:]}")

    # --- what is asked of it

    def run(self, script: str, timeout_s: float = 600) -> Done:
        """Run a shell script as root."""
        self._agent.settimeout(timeout_s)
        self._agent.sendall(base64.b64encode(script.encode()) + b"\n")
        status, _, words = self._answers.readline().strip().partition(" ")
        if not status:
            raise ConnectionError("the machine is gone")
        return Done(int(status), base64.b64decode(words).decode(errors="replace"))

    # --- what happens to it

    def unplug(self, name: str = "panel") -> None:
        """Pull the cable of the panel, or of another device."""
        self._ask({"execute": "device_del", "arguments": {"id": name}})
        self._hear("DEVICE_DELETED", 60)

    def plug(self, name: str = "panel", driver: str = "usb-serial", **more: str) -> None:
        """Plug the panel in, or another device."""
        more = more or {"chardev": "panel"}
        wanted = {"driver": driver, "id": name, **more}
        self._ask({"execute": "device_add", "arguments": wanted})

    def plug_stick(self, image: Path, bytes_per_s: int = 0) -> None:
        """Plug a USB stick in; `bytes_per_s` is how fast it takes what is written, 0: at once."""
        limits = {"limits": {"bps-write": bytes_per_s}} if bytes_per_s else {}
        self._ask(
            {
                "execute": "object-add",
                "arguments": {"qom-type": "throttle-group", "id": "limit", **limits},
            }
        )
        file = {"driver": "file", "filename": str(image)}
        node = {"driver": "throttle", "node-name": "stick", "throttle-group": "limit"}
        raw = {"driver": "raw", "file": file}
        self._ask({"execute": "blockdev-add", "arguments": {**node, "file": raw}})
        self._ask(
            {
                "execute": "device_add",
                "arguments": {
                    "driver": "usb-storage", "id": "stick", "drive": "stick", "removable": True,
                },
            }
        )  # fmt: skip

    def unplug_stick(self) -> None:
        """Pull the USB stick out, whatever is being written to it."""
        self.unplug("stick")
        for _ in range(100):  # what was on its way has to come back first
            with suppress(AssertionError):
                self._ask({"execute": "blockdev-del", "arguments": {"node-name": "stick"}})
                break
            time.sleep(0.1)
        self._ask({"execute": "object-del", "arguments": {"id": "limit"}})

    def send_keys(self, *keys: str) -> None:
        """Press keys of the emulator's own keyboard together, and release them."""
        pressed = [{"type": "qcode", "data": key} for key in keys]
        arguments = {"keys": pressed, "hold-time": HOLD_MS}
        self._ask({"execute": "send-key", "arguments": arguments})

    def screendump(self, file: Path) -> None:
        """Write what the screen shows now as a PNG."""
        wanted = {"filename": str(file), "format": "png"}
        self._ask({"execute": "screendump", "arguments": wanted})

    def cut(self, *disks: tuple[Path, Path]) -> None:
        """Copy disks as a power cut now would leave them; the machine goes on."""
        self._ask({"execute": "stop"})
        for disk, copy in disks:
            _copy(disk, copy)
        self._ask({"execute": "cont"})

    def kill(self) -> None:
        """Pull the plug."""
        self.process.kill()
        self.process.wait(30)
        for name in ("_news", "_answers", "_monitor", "_agent"):
            if name in vars(self):
                getattr(self, name).close()

    def end(self, timeout_s: float = 300) -> str:
        """Wait until it went off by itself: `guest-shutdown` or `guest-reset`."""
        reason = str(self._hear("SHUTDOWN", timeout_s)["data"]["reason"])
        self.process.wait(60)
        return reason

    def restart(self, begun: Callable[[], None]) -> None:
        """Let it start anew by itself when this is done, and wait until it can be asked again."""
        self._ask({"execute": "set-action", "arguments": {"reboot": "reset"}})
        begun()
        assert self._hear("RESET", BOOT_S)["data"]["reason"] == "guest-reset"
        self._greeted(BOOT_S)  # a kernel may ask for its reset in more than one way
        self._ask({"execute": "set-action", "arguments": {"reboot": "shutdown"}})

    def _ask(self, words: dict[str, Any]) -> None:
        self._monitor.sendall(json.dumps(words).encode() + b"\n")
        answer = self._hear("", 60)
        assert "return" in answer, answer

    @functools.cached_property
    def _news(self) -> Any:
        return self._monitor.makefile("r")

    def _hear(self, event: str, timeout_s: float) -> dict[str, Any]:
        """Wait for an event, or for the answer to what was asked (event "")."""
        self._monitor.settimeout(timeout_s)
        self._seen: list[dict[str, Any]] = getattr(self, "_seen", [])
        for known in self._seen:
            if event and known.get("event") == event:
                self._seen.remove(known)
                return known
        while True:
            line = self._news.readline()
            if not line:
                raise ConnectionError("the machine is gone")
            message: dict[str, Any] = json.loads(line)
            if event == message.get("event", "") and "QMP" not in message:
                return message
            self._seen.append(message)


def drive(name: str, file: Path, more: str = "") -> list[str]:
    """Return the arguments for a disk that the machine sees under this name."""
    # cache=none: what is in the file after a kill is what the machine had flushed or written out
    options = f"file={file},format=raw,if=none,id={name},cache=none{more}"
    return ["-drive", options, "-device", f"virtio-blk-pci,drive={name},serial={name}"]


def _accelerated(name: str) -> Sequence[str]:
    if name == "kvm":
        return ("-accel", "kvm", "-cpu", "host")
    # an old one: what newer ones can do in one step is many for the emulator
    return ("-accel", "tcg,thread=multi,tb-size=512", "-cpu", "Nehalem,+rdrand")


def _connect(path: Path, timeout_s: float) -> socket.socket:
    """Connect to a socket that qemu is about to make."""
    end = time.monotonic() + timeout_s
    while True:
        channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            channel.connect(str(path))
        except OSError:
            channel.close()
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            channel.settimeout(timeout_s)
            return channel


def _copy(one: Path, other: Path) -> None:
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", one, other], check=True)


def games_disk(folder: Path) -> Path:
    """Make the small disk on which a machine keeps the store."""
    disk = folder / "games"
    with disk.open("wb") as file:
        file.truncate(GAMES_MB << 20)
    subprocess.run(["mkfs.ext4", "-q", "-m", "0", disk], env=SBIN, check=True)
    return disk


def copy_disk(image: Path, folder: Path) -> Path:
    """Return a disk of this image to write to, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    _copy(image, folder / "disk")
    return folder / "disk"


@functools.cache
def accelerator(image: Path) -> str:
    """Return `kvm` where a machine comes up with it in time, else `tcg`; tried once an image.

    A /dev/kvm that opens may yet not carry a stock kernel, as in a machine within a machine.
    """
    known = image / f"accel-{os.uname().release}"
    with alone(image):
        if not known.exists():
            known.write_text(_tried(image))
    return os.environ.get("BEISITZER_ACCEL") or known.read_text()


def _tried(image: Path) -> str:
    found = "tcg"
    if os.access("/dev/kvm", os.R_OK | os.W_OK):
        disk = copy_disk(image / "disk", image / "try")
        games = games_disk(disk.parent)
        try:
            with Machine(image, disk, games=games, accel="kvm", boot_s=KVM_S):
                found = "kvm"
        except (TimeoutError, OSError):
            found = "tcg"
        shutil.rmtree(disk.parent)
    return found
