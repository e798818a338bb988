"""`make image`: builds a card into dist/; what may be said is said by variables."""

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tools import package, repository
from tools.image import base, boot, disk, parts, system
from tools.image.base import Archive, NoImageError, run, say

BOOT_MB, DATA_MB = 256, 512
NEEDED = (
    *base.NEEDED, *boot.NEEDED, *parts.NEEDED, "unshare", "mkfs.ext4", "debugfs", "dumpe2fs",
    "mkfs.vfat", "mmd", "mcopy", "xz", "sfdisk",
)  # fmt: skip


def build(archive: Archive, folder: Path, version: str, when: int, sources: str = "") -> Path:
    """Build `beisitzer-VERSION.img` into this folder and return where it is.

    `sources` is its apt sources file for later versions.
    """
    base.check(NEEDED)
    folder.mkdir(parents=True, exist_ok=True)
    card = folder / f"beisitzer-{version}.img"
    with tempfile.TemporaryDirectory(dir=folder, prefix="image-") as temporary:
        work = Path(temporary)
        begun = time.time() - 1
        root, data, files = work / "root", work / "data", work / "boot"
        say("Debian's packages (this takes long the first time) ...")
        installed = base.install(archive)
        say("what Debian lacks ...")
        lgpio = parts.compile_lgpio(archive)
        say("the card's system ...")
        system.unpack(installed, root)
        shutil.copytree(lgpio, root / parts.PACKAGES, dirs_exist_ok=True)
        system.lay_over(root, version)
        data.mkdir()
        system.settle(root, data, package.build(work / "package", version, sources), when)
        boot.fill(root, files, when)
        card.with_suffix(".packages").write_text(system.packages(root, when))
        say("its partitions ...")
        for tree in (root, data, files):
            system.clamp(tree, when, begun)
        fat, system_part, data_part = work / "1", work / "2", work / "3"
        disk.make_fat(files, fat, BOOT_MB * disk.MIB, "bootfs", when)
        disk.make_ext4(root, system_part, _room(root), "system", when)
        disk.make_ext4(data, data_part, DATA_MB * disk.MIB, "data", when)
        disk.join([(disk.FAT, fat), (disk.LINUX, system_part), (disk.LINUX, data_part)], card)
    return card


def _room(tree: Path) -> int:
    """Return the size of a file system that this folder and a newer version fit into."""
    blocks = sum(-(-path.lstat().st_size // 4096) for path in tree.rglob("*"))
    needed = blocks * 4096 * 1.12 + 128 * disk.MIB
    return int(-(-needed // disk.FIRST) * disk.FIRST)


def later_versions(url: str, key: str) -> str:
    """Return the sources file of a repository; "" if there is none, which means no updates."""
    if not url and not key:
        return ""
    with repository.opened(key.split()) as keys:
        return repository.sources(url, "stable", keys.public())


def main(said: Mapping[str, str]) -> None:
    """Build the image, pack it, and print its path and size."""
    archive = Archive(said.get("SUITE") or Archive.suite, said.get("MIRROR") or Archive.mirror)
    version, when = package.project_version(), package.last_change()
    try:
        found = later_versions(said.get("URL", ""), said.get("KEY", ""))
        card = build(archive, package.ROOT / "dist", version, when, found)
        say("xz ...")
        # with a fixed number of threads, because the bytes depend on it
        run("xz", "-T2", "-6", "--force", card)
        card = card.with_name(f"{card.name}.xz")
    except (NoImageError, repository.RepositoryError) as error:
        raise SystemExit(f"image: {error}") from None
    sum_ = hashlib.sha256(card.read_bytes()).hexdigest()
    sys.stdout.write(f"{card}\n{card.stat().st_size / 1e6:.0f} MB, sha256 {sum_}\n")


if __name__ == "__main__":
    main(os.environ)
