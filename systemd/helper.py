"""Performs the companion's few tasks that need root.

systemd starts it for each connection to /run/beisitzer-helper.sock, which only the companion's user
may open. A request is one line of JSON, {"call": "stick-mount", "name": "sda1", "write": true}, and
so is the answer: {"ok": {...}} or {"error": "no-stick", ...facts}. It performs only the calls in
CALLS, checks every argument, and starts no shell. It asks systemd to mount, so that its own process
can be sandboxed.

It needs Python's standard library only and knows nothing of the companion.
"""

import json
import os
import re
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Facts = dict[str, object]
Command = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]

REQUEST_LIMIT_BYTES = 4096
"""Longer requests are refused."""
COMMAND_S = 60.0
"""How long a command may take: an old stick is slow."""
STICK = "/run/beisitzer-stick"
STICK_UNIT = "run-beisitzer\\x2dstick.mount"


class HelperFaultError(Exception):
    """The call failed; the code says why, the facts give the details."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts


def run_command(words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Run a program of the system, without a shell."""
    return subprocess.run(  # noqa: S603  # only from CALLS, with checked arguments
        words,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=COMMAND_S,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"},
    )


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine that the calls work on: its root folder, its commands, the asking user."""

    uid: int
    gid: int
    root: Path = Path("/")
    command: Command = run_command

    def path(self, place: str) -> Path:
        """Return where a file of the machine is."""
        return self.root / place.lstrip("/")

    def read(self, place: str) -> str:
        """Return a file's text without white space at its ends; empty if it cannot be read."""
        try:
            return self.path(place).read_text("utf-8", "replace").strip()
        except OSError:
            return ""

    def write(self, place: str, text: str, mode: int) -> None:
        """Replace a file by a new one that is on the disk; HelperFaultError if that fails."""
        path = self.path(place)
        new = path.with_name(f".{path.name}.new")
        try:
            new.unlink(missing_ok=True)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w") as file:
                file.write(text)
                file.flush()
                os.fchmod(file.fileno(), mode)
                os.fsync(file.fileno())
            new.replace(path)
        except OSError as error:
            raise HelperFaultError("failed", text=str(error.strerror)) from error

    def do(self, *words: str) -> str:
        """Run a command and return what it printed; HelperFaultError if it fails."""
        try:
            done = self.command(words)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise HelperFaultError("failed", command=words[0], text=str(error)) from error
        if done.returncode:
            raise HelperFaultError("failed", command=words[0], text=done.stderr.strip()[-300:])
        return done.stdout


# --- USB sticks


@dataclass(frozen=True, slots=True)
class Stick:
    """A file system on a removable USB disk."""

    name: str
    kind: str
    place: str | None
    """Where it is mounted."""


def _mounted(machine: Machine) -> dict[str, str]:
    """Return where each device is mounted, by its number such as 8:1."""
    lines = [line.split() for line in machine.read("/proc/self/mountinfo").splitlines()]
    return {words[2]: words[4] for words in lines if len(words) > 4}


def _sticks_of(machine: Machine, disk: Path, mounted: Mapping[str, str]) -> Iterator[Stick]:
    """Yield the file systems of a disk: its partitions', or its own if it has none."""
    for device in [disk, *sorted(disk.glob(f"{disk.name}*"))]:
        number = machine.read(f"/sys/class/block/{device.name}/dev")
        lines = machine.read(f"/run/udev/data/b{number}").splitlines()
        about = dict(line[2:].split("=", 1) for line in lines if line.startswith("E:"))
        if number in mounted or about.get("ID_FS_USAGE") == "filesystem":
            yield Stick(device.name, about.get("ID_FS_TYPE", ""), mounted.get(number))


def _sticks(machine: Machine) -> list[Stick]:
    """Return the file systems on removable USB disks that the machine itself does not use."""
    mounted, found = _mounted(machine), []
    for disk in sorted(machine.path("/sys/block").glob("sd*")):
        on_usb = any(re.fullmatch(r"usb\d+", part) for part in disk.resolve().parts)
        if on_usb and machine.read(f"/sys/block/{disk.name}/removable") == "1":
            sticks = list(_sticks_of(machine, disk, mounted))
            if all(stick.place in (None, STICK) for stick in sticks):
                found += sticks
    return found


def list_sticks(machine: Machine) -> Facts:
    """List the sticks that are plugged in, including unusable file systems."""
    return {"sticks": [{"name": each.name, "kind": each.kind} for each in _sticks(machine)]}


def mount_stick(machine: Machine, *, name: str, write: bool) -> Facts:
    """Mount a stick at the one place for sticks, instead of the one there before."""
    found = [stick for stick in _sticks(machine) if stick.name == name]
    if not found:
        raise HelperFaultError("no-stick")
    stick = found[0]
    if stick.kind not in ("vfat", "exfat"):
        raise HelperFaultError("kind", kind=stick.kind)
    unmount_stick(machine)
    # the unit ends with the device: a stick that is pulled out leaves no dead mount behind
    options = (
        f"{'rw' if write else 'ro'},nosuid,nodev,noexec,uid={machine.uid},gid={machine.gid},"
        "fmask=0177,dmask=0077,x-systemd.device-bound"
    )
    machine.do(
        "systemd-mount",
        "--quiet",
        "--collect",
        "--fsck=no",
        f"--type={stick.kind}",
        f"--options={options}",
        f"/dev/{stick.name}",
        STICK,
    )
    return {"place": STICK}


def unmount_stick(machine: Machine) -> Facts:
    """Unmount the stick; this finishes all writing to it."""
    if STICK in _mounted(machine).values():  # also after a stick was pulled out
        machine.do("systemctl", "stop", STICK_UNIT)
    return {}


# --- clock and names

CARD = "/etc/beisitzer-card"
TIME_SERVICE = "systemd-timesyncd.service"


def set_clock(machine: Machine, *, utc: str) -> Facts:
    """Set the clock, given in UTC; a network time server corrects it later."""
    # a clock that follows the network cannot be set
    follows = machine.command(("systemctl", "is-active", "--quiet", TIME_SERVICE)).returncode == 0
    if follows:
        machine.do("systemctl", "stop", TIME_SERVICE)
    try:
        machine.do("timedatectl", "set-time", f"{utc.replace('T', ' ')}:00 UTC")
    finally:
        if follows:
            machine.do("systemctl", "start", TIME_SERVICE)
    return {}


def set_zone(machine: Machine, *, zone: str) -> Facts:
    """Set the time zone."""
    file = f"/usr/share/zoneinfo/{zone}"
    if not machine.path(file).is_file():
        raise HelperFaultError("no-zone")
    if not machine.path(CARD).exists():
        machine.do("timedatectl", "set-timezone", zone)
        return {}
    # a card's system is read-only: its /etc/localtime is a link to this link
    new, link = machine.path("/data/machine/localtime.new"), machine.path("/data/machine/localtime")
    new.unlink(missing_ok=True)
    new.symlink_to(file)
    new.replace(link)
    return {}


def set_host(machine: Machine, *, name: str) -> Facts:
    """Give a card's machine another name; other machines have names from their owners."""
    if not machine.path(CARD).exists():
        raise HelperFaultError("no-card")
    machine.write("/data/machine/hostname", f"{name}\n", 0o644)
    # it gives the kernel the name, as at every start
    machine.do("systemctl", "restart", "card-prepare.service")
    machine.do("systemctl", "try-restart", "avahi-daemon.service")
    return {}


# --- the header of a card

BUSES = {
    "": (),
    "dtparam=spi=on\n": (7, 8, 9, 10, 11),
    "dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n": (2, 3),
}
"""For each bus the lines that switch it on, and its pins."""
BUTTON = "dtoverlay=gpio-shutdown,gpio_pin={},active_low=1,gpio_pull=up\n"
BUTTON_PINS = (3, 7)
"""The pins that a power button may have: no part of a table uses them, so only a button pulls them
low. Another pin that is held low would power the Pi off at each start."""
HEADERS = {
    bus + button
    for bus, pins in BUSES.items()
    for button in ("", *(BUTTON.format(pin) for pin in BUTTON_PINS if pin not in pins))
}
"""All texts that may be written for a card's firmware."""


def set_header(machine: Machine, *, lines: str) -> Facts:
    """Configure the parts on the header in a card's firmware, from the next start on."""
    if not machine.path(CARD).exists():
        raise HelperFaultError("no-card")
    machine.write("/data/machine/header.txt", lines, 0o644)
    # it may write to the boot partition
    machine.do("systemctl", "start", "card-header.service")
    return {}


# --- updates


def look_for_update(machine: Machine, *, suite: str) -> Facts:
    """Begin to look for a newer version; the result is written to /var/lib/beisitzer-update."""
    machine.do("systemctl", "--no-block", "start", f"beisitzer-look@{suite}.service")
    return {}


def install_update(machine: Machine) -> Facts:
    """Begin to install the ready, or else the refused, version; this stops the companion."""
    machine.do("systemctl", "--no-block", "start", "update-beisitzer.service")
    return {}


# --- services that the table switches

SERVICES: Mapping[str, tuple[str, Sequence[str]]] = {
    "web": ("beisitzer-web.socket", ("beisitzer-web.socket", "beisitzer-web.service")),
    "link": ("beisitzer-link.service", ("beisitzer-link.service",)),
}
"""The unit to start and the units to stop, for phones and for the link."""


def switch_service(machine: Machine, *, name: str, on: bool) -> Facts:
    """Start or stop the service of phones or of the link."""
    start, stop = SERVICES[name]
    machine.do("systemctl", "--no-block", *(("start", start) if on else ("stop", *stop)))
    return {}


# --- requests


def matches(pattern: str) -> Callable[[object], bool]:
    """Return a check that a text matches the whole pattern."""
    fits = re.compile(pattern, re.ASCII)
    return lambda value: isinstance(value, str) and fits.fullmatch(value) is not None


def yes_or_no(value: object) -> bool:
    """Check for true or false."""
    return isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Call:
    """A call's function, and the check of each argument; all arguments are required."""

    do: Callable[..., Facts]
    """Called with the machine, and the arguments by name."""
    arguments: Mapping[str, Callable[[object], bool]] = field(default_factory=dict)


CALLS: Mapping[str, Call] = {
    "stick-list": Call(list_sticks),
    "stick-mount": Call(
        mount_stick, {"name": matches(r"sd[a-z]{1,2}[0-9]{0,2}"), "write": yes_or_no}
    ),
    "stick-unmount": Call(unmount_stick),
    "clock-set": Call(set_clock, {"utc": matches(r"20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d")}),
    "zone-set": Call(set_zone, {"zone": matches(r"[A-Z][A-Za-z_+-]*(/[A-Z][A-Za-z0-9_+-]*){0,2}")}),
    "host-set": Call(set_host, {"name": matches(r"[a-z]([a-z0-9-]{0,30}[a-z0-9])?")}),
    "header-set": Call(
        set_header,
        {"lines": lambda value: isinstance(value, str) and value in HEADERS},
    ),
    "service-switch": Call(switch_service, {"name": matches("|".join(SERVICES)), "on": yes_or_no}),
    "update-look": Call(look_for_update, {"suite": matches("stable|testing")}),
    "update-install": Call(install_update),
}


def _carry_out(request: object, machine: Machine, calls: Mapping[str, Call]) -> Facts:
    if not isinstance(request, dict):
        raise HelperFaultError("request")
    values = dict(request)
    name = values.pop("call", None)
    call = calls.get(name) if isinstance(name, str) else None
    if call is None:
        raise HelperFaultError("unknown-call")
    for argument in sorted(values.keys() | call.arguments.keys()):
        check = call.arguments.get(argument)
        if check is None or argument not in values or not check(values[argument]):
            raise HelperFaultError("argument", argument=argument)
    return call.do(machine, **values)


def answer_line(line: bytes, machine: Machine, calls: Mapping[str, Call] = CALLS) -> bytes:
    """Carry out a request and return the answer; each is one line of JSON."""
    try:
        reply: Facts = {"ok": _carry_out(json.loads(line), machine, calls)}
    except (ValueError, RecursionError):
        reply = {"error": "request"}
    except HelperFaultError as fault:
        reply = {**fault.facts, "error": fault.code}
    return json.dumps(reply).encode() + b"\n"


def asker(connection: socket.socket) -> Machine:
    """Return the machine for the process at the other end of a connection."""
    size = struct.calcsize("3i")
    peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    _, uid, gid = struct.unpack("3i", peer)
    return Machine(uid, gid)


def serve(connection: socket.socket, machine: Machine, calls: Mapping[str, Call] = CALLS) -> bytes:
    """Answer the one request of a connection, and return it; b"" if it does not end."""
    connection.settimeout(10)
    with connection.makefile("rb") as requests:
        line = requests.readline(REQUEST_LIMIT_BYTES)
    if not line.endswith(b"\n"):
        return b""
    connection.sendall(answer_line(line, machine, calls))
    return line


def main() -> None:
    """Answer on the connection that systemd hands over as standard input."""
    with socket.socket(fileno=0) as connection:
        line = serve(connection, asker(connection))
    # for the journal
    name = re.search(rb'"call": "([a-z-]+)"', line)
    sys.stderr.write(f"{name[1].decode() if name else 'no call'}\n")


if __name__ == "__main__":
    main()
