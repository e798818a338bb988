"""The card as bytes: its partition table, and its file systems one after the other."""

import re
from collections.abc import Iterator
from pathlib import Path

from tools.image.base import run

MIB = 1 << 20
SIGNATURE = 0xB5E15172
"""The disk's own number: `PARTUUID=b5e15172-02` names its second partition on any machine."""
UUID = "b5e15172-0000-4000-8000-00000000000{}"
FAT, LINUX = "c", "83"
FIRST = 4 * MIB
"""The first partition's start: cards are erased in blocks of this size."""


def join(partitions: list[tuple[str, Path]], disk: Path) -> None:
    """Write a disk with partitions of these kinds and contents, one after the other."""
    lines, starts, end = ["label: dos", f"label-id: 0x{SIGNATURE:08x}"], [], FIRST
    for kind, file in partitions:
        size = file.stat().st_size
        starts.append(end)
        lines.append(f"start={end // 512}, size={size // 512}, type={kind}")
        end += -(-size // FIRST) * FIRST
    _empty(disk, end)
    run("sh", "-c", 'echo "$1" | sfdisk --quiet "$2"', "sh", "\n".join(lines), disk)
    for start, (_, file) in zip(starts, partitions, strict=True):
        where = ("bs=1M", f"seek={start // MIB}", "conv=notrunc,sparse")
        run("dd", f"if={file}", f"of={disk}", *where)


# --- file systems

TIMES = ("ctime", "atime")


def make_fat(tree: Path, file: Path, size: int, label: str, when: int) -> None:
    """Make a FAT32 file system of a folder's files and folders; all get the time `when`."""
    _empty(file, size)
    options = ("-F", "32", "-n", label, "-i", f"{SIGNATURE:08x}", "--invariant")
    run("mkfs.vfat", *options, file, when=when)
    for path in sorted(tree.rglob("*")):
        name = f"::/{path.relative_to(tree)}"
        if path.is_dir():
            run("mmd", "-i", file, name, when=when)
        else:
            run("mcopy", "-m", "-i", file, path, name, when=when)


def make_ext4(tree: Path, file: Path, size: int, label: str, when: int) -> None:
    """Make an ext4 file system of a folder; the same folder gives the same bytes."""
    _empty(file, size)
    uuid = UUID.format({"system": 2, "data": 3}[label])
    command = ["mkfs.ext4", "-q", "-b", "4096", "-I", "256", "-L", label, "-U", uuid]
    command += ["-E", f"hash_seed={uuid},lazy_itable_init=1", "-m", "0"]
    run(*command, "-d", tree, file, when=when)
    script = file.with_suffix(".times")
    # mkfs copies both from the folder: one cannot be set there, and reading the folder changes the
    # other
    lines = [f"sif <{n}> {t} @{when}\n" for n in sorted(_used_inodes(file)) for t in TIMES]
    script.write_text("".join(lines))
    run("debugfs", "-w", "-f", script, file, when=when)
    script.unlink()


def _used_inodes(file: Path) -> Iterator[int]:
    about = run("dumpe2fs", file)
    count = int(re.findall(r"^Inode count: +(\d+)$", about, re.M)[0])
    free: set[int] = set()
    for listed in re.findall(r"^  Free inodes: (.*)$", about, re.M):
        for span in filter(None, listed.split(", ")):
            first, _, last = span.partition("-")
            free.update(range(int(first), int(last or first) + 1))
    first_of_ours = 11
    yield from (n for n in range(first_of_ours, count + 1) if n not in free)


def _empty(file: Path, size: int) -> None:
    with file.open("wb") as new:
        new.truncate(size)
