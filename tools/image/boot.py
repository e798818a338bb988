"""The boot partition: files for a Pi's graphics processor, under their expected names."""

import shutil
from pathlib import Path

from tools import package
from tools.image.base import run

SETTINGS = package.SYSTEMD / "card" / "boot" / "firmware"
TREES = Path(__file__).parent / "device_trees"
NEEDED = ("dtc", "fdtoverlay")
SUITED = ("bcm2837-rpi-zero-2-w", "bcm2837-rpi-3-*", "bcm2837-rpi-cm3*", "bcm2711-rpi-*")
"""The device trees of the supported machines."""


def fill(root: Path, folder: Path, when: int) -> None:
    """Move the graphics processor's files from the installed system into this folder."""
    folder.mkdir()
    firmware = root / "usr" / "lib" / "raspi-firmware"
    for pattern in ("bootcode.bin", "start*.elf", "fixup*.dat"):
        for path in firmware.glob(pattern):
            shutil.copy(path, folder / path.name)
    for kind in ("vmlinuz", "initrd.img"):
        (path,) = (root / "boot").glob(f"{kind}-*")
        shutil.copy(path, folder / kind)
    (trees,) = (root / "usr" / "lib").glob("linux-image-*/broadcom")
    change = folder / "card.dtbo"
    compile_tree(TREES / "card.dts", change, when)
    for pattern in SUITED:
        for path in trees.glob(f"{pattern}.dtb"):
            run("fdtoverlay", "-i", path, "-o", folder / path.name, change, when=when)
    change.unlink()
    (folder / "overlays").mkdir()
    compile_tree(TREES / "gpio-shutdown.dts", folder / "overlays" / "gpio-shutdown.dtbo", when)
    # the firmware's package wrote settings of its own
    shutil.copytree(SETTINGS, folder, dirs_exist_ok=True)
    # it is all on this partition now; the card itself never replaces its kernel
    shutil.rmtree(root / "boot")
    (root / "boot" / "firmware").mkdir(parents=True)


def compile_tree(source: Path, file: Path, when: int) -> None:
    """Compile a device tree's text, with symbols for overlays."""
    run("dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", file, source, when=when)
