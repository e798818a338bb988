"""What a Pi's graphics processor finds on the first partition, by names and contents."""

import re
import struct
import subprocess

import pytest

from tests.machine.card.card import partitions
from tests.machine.card.conftest import Image
from tests.ran import ran
from tools.image.boot import SETTINGS, TREES, compile_tree
from tools.image.disk import FAT, LINUX

TREE_MAGIC = 0xD00DFEED
TREES_OF = {
    "Zero 2 W": "bcm2837-rpi-zero-2-w.dtb",
    "3B": "bcm2837-rpi-3-b.dtb",
    "3B+": "bcm2837-rpi-3-b-plus.dtb",
    "3A+": "bcm2837-rpi-3-a-plus.dtb",
    "4B": "bcm2711-rpi-4-b.dtb",
}
FIRST_STAGE = {
    "Zero 2 W": ("bootcode.bin", "start.elf", "fixup.dat"),
    "4B": ("start4.elf", "fixup4.dat"),
}


def look(image: Image, tree: str, *words: str) -> str:
    """Return a property of a device tree on the card."""
    options, where = words[:-2], words[-2:]
    command = ["fdtget", *options, str(image.boot / tree), *where]
    return ran(command, check=True).stdout.strip()


def test_the_card_has_three_partitions_the_first_of_them_fat(image: Image) -> None:
    assert [kind for kind, _, _ in partitions(image.card)] == [FAT, LINUX, LINUX]


@pytest.mark.parametrize("files", FIRST_STAGE.values(), ids=list(FIRST_STAGE))
def test_the_firmware_of_each_pi_is_there(image: Image, files: tuple[str, ...]) -> None:
    for name in files:
        assert (image.boot / name).stat().st_size > 1000


def test_the_settings_are_the_projects(image: Image) -> None:
    for path in SETTINGS.iterdir():
        assert (image.boot / path.name).read_text() == path.read_text()


def test_the_settings_name_files_that_are_there(image: Image) -> None:
    settings = (image.boot / "config.txt").read_text()
    included = re.findall(r"^include (\S+)$", settings, re.M)
    settings += "".join((image.boot / name).read_text() for name in included)
    kernel = re.findall(r"^kernel=(\S+)$", settings, re.M)
    first = re.findall(r"^initramfs (\S+) followkernel$", settings, re.M)
    overlays = re.findall(r"^dtoverlay=([\w-]+)", settings, re.M)
    for name in (*kernel, *first, *(f"overlays/{each}.dtbo" for each in overlays)):
        assert (image.boot / name).stat().st_size > 100, name


def test_the_kernel_is_one_that_the_firmware_starts(image: Image) -> None:
    head = (image.boot / "vmlinuz").read_bytes()[:64]
    assert head[:2] == b"\x1f\x8b" or head[56:60] == b"ARM\x64", "neither packed nor plain"


@pytest.mark.parametrize("name", TREES_OF.values(), ids=list(TREES_OF))
def test_each_pis_device_tree_knows_the_names_of_the_headers_buses(image: Image, name: str) -> None:
    head = (image.boot / name).read_bytes()[:4]
    assert struct.unpack(">I", head) == (TREE_MAGIC,)
    named = look(image, name, "-t", "bx", "/__overrides__", "i2c_arm_baudrate").split()
    leads_to = int("".join(f"{int(byte, 16):02x}" for byte in named[:4]), 16)
    bus = look(image, name, "/aliases", "i2c1")
    assert bus == "/soc/i2c@7e804000"
    assert int(look(image, name, bus, "phandle")) == leads_to


@pytest.mark.parametrize("name", TREES_OF.values(), ids=list(TREES_OF))
def test_the_power_buttons_overlay_fits_each_pi(image: Image, name: str) -> None:
    made = image.folder / "made.dtb"
    overlay = image.boot / "overlays" / "gpio-shutdown.dtbo"
    subprocess.run(["fdtoverlay", "-i", image.boot / name, "-o", made, overlay], check=True)
    assert b"gpio-keys" in made.read_bytes()


def test_the_overlay_on_the_card_is_the_projects(image: Image) -> None:
    made = image.folder / "made.dtbo"
    compile_tree(TREES / "gpio-shutdown.dts", made, 0)
    assert made.read_bytes() == (image.boot / "overlays" / "gpio-shutdown.dtbo").read_bytes()
