"""The card as bytes: its partition table, its file systems, and how they lie behind each other."""

import re
import shutil
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from tools.image.base import run

SECTOR, MIB = 512, 1 << 20
SIGNATURE = 0xB5E15172
"""The disk's own number: `PARTUUID=b5e15172-02` names its second partition on any machine."""
UUID = "b5e15172-0000-4000-8000-00000000000{}"
FAT, LINUX = 0x0C, 0x83
FIRST = 4 * MIB
"""Where the first partition begins: cards are erased in blocks of that size."""
_NO_CYLINDERS = b"\xfe\xff\xff"
_TABLE = 446


@dataclass(frozen=True)
class Partition:
    """A partition as the table holds it; start and size in bytes."""

    kind: int
    start: int
    size: int


def place(sizes: list[tuple[int, int]]) -> list[Partition]:
    """Return partitions of these kinds and sizes, one behind the other."""
    placed, start = [], FIRST
    for kind, size in sizes:
        placed.append(Partition(kind, start, size))
        start += -(-size // FIRST) * FIRST
    return placed


def write_mbr(partitions: list[Partition]) -> bytes:
    """Return the disk's first sector: a table of up to four partitions, and no boot code."""
    entries = b"".join(
        struct.pack(
            "<B3sB3sII",
            0,
            _NO_CYLINDERS,
            each.kind,
            _NO_CYLINDERS,
            each.start // SECTOR,
            each.size // SECTOR,
        )
        for each in partitions
    )
    head = bytes(_TABLE - 6) + struct.pack("<IH", SIGNATURE, 0)
    return head + entries.ljust(64, b"\0") + b"\x55\xaa"


def read_mbr(sector: bytes) -> list[Partition]:
    """Return the partitions in a disk's first sector."""
    found = struct.iter_unpack("<B3sB3sII", sector[_TABLE : _TABLE + 64])
    return [
        Partition(kind, start * SECTOR, size * SECTOR)
        for _, _, kind, _, start, size in found
        if kind
    ]


def join(partitions: list[tuple[int, Path]], disk: Path) -> None:
    """Write a disk with these kinds and contents of partitions."""
    placed = place([(kind, file.stat().st_size) for kind, file in partitions])
    with disk.open("wb") as whole:
        whole.write(write_mbr(placed))
        for partition, (_, file) in zip(placed, partitions, strict=True):
            whole.seek(partition.start)
            with file.open("rb") as part:
                _copy_sparsely(part, whole)
        whole.truncate(placed[-1].start + placed[-1].size)


def _copy_sparsely(source: BinaryIO, target: BinaryIO, most: int | None = None) -> None:
    """Copy at most so many bytes, all by default, but no zeros."""
    left = most if most is not None else sys.maxsize
    while block := source.read(min(MIB, left)):
        left -= len(block)
        if block.strip(b"\0"):
            target.write(block)
        else:
            target.seek(len(block), 1)


def cut_out(disk: Path, number: int, file: Path) -> None:
    """Write one partition of a disk (0 is the first) into a file of its own."""
    with disk.open("rb") as whole, file.open("wb") as part:
        partition = read_mbr(whole.read(SECTOR))[number]
        whole.seek(partition.start)
        _copy_sparsely(whole, part, partition.size)
        part.truncate(partition.size)


def put_in(disk: Path, number: int, file: Path) -> None:
    """Write a file over one partition of a disk, which grows to the file's size."""
    with disk.open("r+b") as whole, file.open("rb") as part:
        partitions = read_mbr(whole.read(SECTOR))
        partitions[number] = replace(partitions[number], size=file.stat().st_size)
        whole.seek(0)
        whole.write(write_mbr(partitions))
        whole.seek(partitions[number].start)
        shutil.copyfileobj(part, whole, MIB)


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
    # mkfs takes both from the folder: one cannot be set there, reading the folder changes the other
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
    file.unlink(missing_ok=True)
    with file.open("wb") as new:
        new.truncate(size)
