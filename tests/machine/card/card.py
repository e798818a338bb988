"""The card in an emulated machine with its own kernel; the machine is brought an agent to ask."""

import base64
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.firmware.rig import Firmware
from tests.machine.machine import BOOT_S, SBIN, Machine, drive
from tests.ran import ran
from tests.test_root import numbers
from tools.image import disk
from tools.image.base import run

MEMORY_MB, PROCESSORS = 512, 2
"""A Pi Zero 2 W has as much memory."""
CARD_MB = 4096
UNIT = """\
[Unit]
DefaultDependencies=no
[Service]
LoadCredential=agent
ExecStart=/bin/sh %d/agent
"""
PANEL = 'language = "en"\n\n[panel]\nport = "/dev/ttyUSB0"\n'
"""The emulator plugs in a panel whose name is another than a Pico's."""
LOUD = ("quiet", "loglevel=3", "systemd.show_status=no", "console=tty1")
"""What the card's kernel is told so that people see no text: tests read it."""


PATIENT = ("systemd.default_device_timeout_sec=900", "systemd.default_timeout_start_sec=900")
"""An emulator on a busy machine is many times as slow as a Pi."""


class Card(Machine):
    """A machine with 64 bits and a card as its only disk, under the card's own kernel."""

    def __init__(
        self,
        card: Path,
        boot: Path,
        *,
        panel: Firmware | None = None,
        more: Sequence[str] = (),
        boot_s: float = BOOT_S,
    ) -> None:
        """Start it and wait until it can be asked; `boot` holds the first partition's files."""
        command = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-nodefaults"]
        command += ["-accel", "tcg,thread=multi", "-display", "none", "-no-reboot"]
        command += ["-m", str(MEMORY_MB), "-smp", str(PROCESSORS)]
        command += ["-kernel", str(boot / "vmlinuz"), "-initrd", str(boot / "initrd.img")]
        command += ["-append", f"{told(boot)} console=ttyAMA0 {asked()}"]
        command += drive("card", card)
        command += more
        self._start(command, card.parent, panel)
        self._greeted(boot_s)


def told(boot: Path) -> str:
    """Return what the card's kernel is told, without what keeps the screen empty."""
    words = (boot / "cmdline.txt").read_text().split()
    return " ".join([*(word for word in words if word not in LOUD), *PATIENT])


def asked() -> str:
    """Return what lets systemd start the agent, of which nothing lies on the card."""
    agent = Path(__file__).parents[1].joinpath("agent.sh").read_text()
    script = "".join(line for line in agent.splitlines(True) if not line.startswith("#"))
    return " ".join(
        (
            f"systemd.set_credential_binary=agent:{_packed(script)}",
            f"systemd.set_credential_binary=systemd.extra-unit.agent.service:{_packed(UNIT)}",
            "systemd.wants=agent.service",
        )
    )


def partitions(card: Path) -> list[tuple[str, int, int]]:
    """Return kind, start and size of a disk's partitions, in bytes."""
    table = json.loads(run("sfdisk", "--json", card))["partitiontable"]["partitions"]
    return [(each["type"], each["start"] * 512, each["size"] * 512) for each in table]


def cut_out(card: Path, number: int, file: Path) -> None:
    """Write one partition of a disk (0 is the first) into a file of its own."""
    _, start, size = partitions(card)[number]
    where = ("bs=1M", "iflag=skip_bytes,count_bytes", f"skip={start}", f"count={size}")
    run("dd", f"if={card}", f"of={file}", *where, "conv=sparse")


def _packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def set_up(card: Path, settings: str = PANEL, *, asks: bool = False) -> Path:
    """Put settings on a card that has not started yet: the emulated machine has no pins.

    `asks`: its first start asks what it asks people.
    """
    files = {"settings.toml": settings} | ({} if asks else {"games.first-start": "done\n"})
    _, start, _ = partitions(card)[2]
    script, owner = [], numbers()["beisitzer"]
    for name, text in files.items():
        (copy := card.with_name(name)).write_text(text)
        script.append(f"write {copy} /state/{name}")
        script += [f"sif /state/{name} {field} {owner}" for field in ("uid", "gid")]
    command = ["debugfs", "-w", "-f", "-", f"{card}?offset={start}"]
    words = "\n".join(script)
    ran(command, env=SBIN, input=words, check=True)
    return card


def put_on_boot(card: Path, name: str, text: str) -> None:
    """Put a file onto the partition that any computer can open."""
    (copy := card.with_name(name)).write_text(text)
    subprocess.run(["mcopy", "-o", "-i", f"{card}@@{disk.FIRST}", copy, "::"], check=True)


def copy_card(card: Path, folder: Path) -> Path:
    """Write the image to a card of CARD_MB, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / "card"
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", card, copy], check=True)
    with copy.open("r+b") as file:
        file.truncate(CARD_MB * disk.MIB)
    return copy
