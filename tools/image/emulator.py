"""Tries a card's image without a Pi: `python3 -m tools.image.emulator [IMAGE]`.

QEMU plays a machine with the same processor, under the card's own kernel, with screen, keyboard and
network. Games stay in the folder `dist/try` until there is a newer image.
"""

import argparse
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from tools import package
from tools.image import disk
from tools.image.base import say

NEEDED = {"qemu-system-aarch64": "qemu-system-arm", "mcopy": "mtools", "xz": "xz-utils"}
CARD_MB, MEMORY_MB, PROCESSORS = 4096, 512, 2
"""A small card, and the memory and processors of a Pi Zero 2 W."""
SCREEN = ("-device", "virtio-gpu-pci,xres=1024,yres=600")
KEYS = ("-device", "qemu-xhci", "-device", "usb-kbd", "-device", "usb-tablet")
VNC = "127.0.0.1:0"


def unpack(image: Path, folder: Path) -> Path:
    """Write the image to a card of a common size, unless the card is newer; return the card."""
    folder.mkdir(parents=True, exist_ok=True)
    card = folder / "card"
    if card.exists() and card.stat().st_mtime > image.stat().st_mtime:
        say(f"going on with the card in {folder}; delete that folder to begin anew")
        return card
    say(f"unpacking {image} ...")
    with (new := folder / "new").open("wb") as file:
        command = ["xz", "-dc", str(image)] if image.suffix == ".xz" else ["cat", str(image)]
        subprocess.run(command, stdout=file, check=True)  # noqa: S603  # as listed
        file.truncate(CARD_MB * disk.MIB)
    take_boot_files(new, folder)
    return new.rename(card)


def take_boot_files(card: Path, folder: Path) -> Path:
    """Take the first partition's files out of a card, into `boot` in a folder."""
    files, first = folder / "boot", f"{card}@@{disk.FIRST}"
    shutil.rmtree(files, ignore_errors=True)
    files.mkdir(parents=True)
    subprocess.run(["mcopy", "-s", "-m", "-i", first, "::*", files], check=True)  # noqa: S603, S607
    return files


def command(card: Path, boot: Path, port: int) -> list[str]:
    """Return the emulator's command; the card's pages for phones are forwarded to this port."""
    words = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-nodefaults"]
    words += ["-accel", "tcg,thread=multi", "-m", str(MEMORY_MB), "-smp", str(PROCESSORS)]
    words += ["-kernel", str(boot / "vmlinuz"), "-initrd", str(boot / "initrd.img")]
    words += ["-append", (boot / "cmdline.txt").read_text().strip()]
    words += ["-drive", f"file={card},format=raw,if=none,id=card"]
    words += ["-device", "virtio-blk-pci,drive=card", *SCREEN, *KEYS]
    words += ["-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{port}-:80"]
    return [*words, "-device", "virtio-net-pci,netdev=net", "-vnc", VNC]


def main(words: list[str]) -> None:
    """Boot an image, by default the newest in dist/, and print its addresses."""
    parser = argparse.ArgumentParser(prog="python -m tools.image.emulator")
    parser.add_argument("--port", type=int, default=8080, help="of the pages for phones")
    parser.add_argument("image", nargs="?", type=Path)
    chosen = parser.parse_args(words)
    dist = package.ROOT / "dist"
    images = sorted(dist.glob("beisitzer-*.img*"), key=lambda path: path.stat().st_mtime)
    image = chosen.image or (images[-1] if images else None)
    if image is None:
        raise SystemExit("emulator: there is no image in dist: sudo make image, or name a FILE")
    if not image.is_file():
        raise SystemExit(f"emulator: {image} is not there: name another FILE, or none")
    missing = [package for tool, package in NEEDED.items() if shutil.which(tool) is None]
    if missing:
        raise SystemExit(f"emulator: this needs more: sudo apt-get install {' '.join(missing)}")
    card = unpack(image, dist / "try")
    say("it boots, in a minute or two, on a busy machine more; a VNC viewer shows its screen at")
    say(f"{VNC}, black until then; phones' page: http://localhost:{chosen.port}")
    say("end it with Control-C: that pulls the plug")
    emulator = command(card, dist / "try" / "boot", chosen.port)
    with suppress(KeyboardInterrupt):
        raise SystemExit(subprocess.run(emulator, check=False).returncode)  # noqa: S603  # our own


if __name__ == "__main__":
    main(sys.argv[1:])
