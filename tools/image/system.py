"""The card's system: Debian's packages, the project's files on top, and what only a card needs."""

import os
from pathlib import Path

from tools import package
from tools.image.base import TAKE_BACK, run

CARD = package.SYSTEMD / "card"
"""Files for the card alone; each lies in its system at the same path as here."""
REMOVED = (
    # keys, names and times of this installation, which all cards would share
    "etc/ssh/ssh_host_*", "etc/*-", "etc/.pwd.lock", "etc/apt/apt.conf.d/99mmdebstrap",
    "vmlinuz*", "initrd.img*", "var/lib/dpkg/*-old", "var/lib/systemd/*",
    "etc/NetworkManager/system-connections/*",
    # folders hidden by a file system in memory, and leftovers
    "var/log/*", "var/cache/*", "var/tmp/*", "run/*", "var/lib/apt/lists/*", "root/.[!.]*",
)  # fmt: skip
"""Files to remove from the card's system, as patterns from its root folder."""
CHECKED, UNCHECKED = b"\x03\0\0\0", b"\x01\0\0\0"
"""Flags of byte code: whether Python compares it with its source at every start."""


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an installed system."""
    folder.mkdir(parents=True)
    run("tar", "--xattrs", "--xattrs-include=*", "--numeric-owner", "-xpf", archive, "-C", folder)


def lay_over(root: Path, version: str) -> None:
    """Copy the files of a card alone into the system."""
    options = ("--recursive", "--no-dereference", "--preserve=mode", "--remove-destination")
    run("cp", *options, f"{CARD}/.", root)
    (root / "etc" / "beisitzer-card").write_text(f"{version}\n")


def units() -> list[str]:
    """Return the card's own units that a boot starts: those with a WantedBy line."""
    found = (CARD / "usr/lib/systemd/system").glob("*.service")
    return sorted(path.name for path in found if "[Install]" in path.read_text())


def settle(root: Path, data: Path, built: Path, when: int) -> None:
    """Install the package inside the system, set it up as a card, and clean up."""
    inside = f"""\
        dpkg --install /srv/{built.name}
        systemd-tmpfiles --create card.conf
        systemctl --quiet disable ssh.service sshd-keygen.service || true
        systemctl --quiet enable {" ".join(units())}
        update-initramfs -c -k "$(ls /lib/modules)"
        cd / && rm -rf {" ".join(REMOVED)}
        ln -sfn /data/machine/localtime /etc/localtime
        ln -sfn /run/NetworkManager/resolv.conf /etc/resolv.conf
        ln -sfn /etc/machine-id /var/lib/dbus/machine-id
        : > /etc/machine-id
        """
    script = f"""\
        mkdir -p {root}/data
        mount -t proc proc {root}/proc
        mount -t tmpfs tmpfs {root}/tmp
        mount --rbind /dev {root}/dev
        mount --bind {data} {root}/data
        mount --bind {built.parent} {root}/srv
        chroot {root} sh -euc "$0"
        """  # noqa: S108  # the system's own
    # under the emulator where this is another processor
    run("unshare", "--mount", "sh", "-euc", script, inside, when=when)
    run("sh", "-euc", TAKE_BACK, "sh", root)
    # without a clock, time starts no earlier than this
    (root / "usr" / "lib" / "clock-epoch").touch()
    for place in mounts(root / "etc" / "fstab"):
        (root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
    for code in (root / "usr").rglob("*.pyc"):
        trust(code)


def mounts(fstab: Path) -> dict[str, list[str]]:
    """Return the fields of each line, by mount point."""
    lines = [line.split() for line in fstab.read_text().splitlines()]
    return {fields[1]: fields for fields in lines if fields[0] != "#"}


def trust(code: Path) -> None:
    """Let Python trust byte code without checking its source: the card's system never changes."""
    content = code.read_bytes()
    if content[4:8] == CHECKED:
        code.write_bytes(content[:4] + UNCHECKED + content[8:])


def clamp(folder: Path, when: int, begun: float) -> None:
    """Set the time `when` for all files made since `begun` or newer than `when`."""
    latest = min(float(when), begun)
    for path in (folder, *folder.rglob("*")):
        changed = path.lstat().st_mtime
        stamp = when if changed > latest else int(changed)
        os.utime(path, (stamp, stamp), follow_symlinks=False)


def packages(root: Path, when: int) -> str:
    """Return a line with name and version for each installed package."""
    form = "${Package} ${Version}\\n"
    return run("dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f", form, when=when)
