"""The Debian in a test's machine, by mmdebstrap: a tree for containers, a disk for the emulator."""

import fcntl
import hashlib
import lzma
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.ran import ran
from tools.package import DEBIAN

HERE = Path(__file__).parent
SUITE = os.environ.get("SUITE") or "bookworm"
"""The Debian in the machine: `make nightly SUITE=trixie`."""
PACKAGES = (
    "systemd-sysv", "udev", "dbus", "kmod", "linux-image-amd64", "procps", "busybox-static",
    "cpio", "passwd", "python3",
)  # fmt: skip
"""What every Debian and Raspberry Pi OS has, and what packs the first file system."""
AT_HAND = (
    "python3-evdev", "espeak-ng", "python3-pygame", "libegl1", "libgles2", "libgl1-mesa-dri",
    "network-manager", "polkitd", "wpasupplicant", "dnsmasq-base", "iw",
    "wireless-regdb", "nftables", "hostapd", "iproute2",
)  # fmt: skip
"""What the machine can install without a network: for number pads, the voice, the window, and a
Wi-Fi of its own with one in the neighbourhood."""
SUITES = ("bookworm", "trixie")
CONTAINED = ("systemd-sysv", "dbus", "udev", "procps", "passwd", "python3")
"""What every Debian has, in a container: the kernel is this machine's."""
NAMING = ("avahi-daemon", "avahi-utils")
"""What a container can install besides, for the table's name in the network."""
APT = "DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends"
NEEDED = ("mmdebstrap", "mkfs.ext4", "e2fsck", "debugfs", "qemu-system-x86_64", "unshare")
CONTAINER_NEEDED = ("mmdebstrap", "systemd-nspawn", "nsenter", "setpriv", "ip")
DISK_MB, GAMES_MB = 3200, 32
FSTAB = """\
/dev/vda / ext4 rw,errors=remount-ro 0 0
/dev/disk/by-id/virtio-games /var/lib/beisitzer ext4 rw,x-systemd.device-timeout=600 0 0
"""
AGENT = """\
[Unit]
Description=Runs what the tests ask for
DefaultDependencies=no
After=local-fs.target
[Service]
ExecStart=/usr/local/sbin/agent
StandardError=journal+console
[Install]
WantedBy=sysinit.target
"""
SCRIPTS = ("agent", "initrd")
MASKED = (
    "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer",
    "fstrim.timer", "e2scrub_reap.service", "getty@tty1.service", "serial-getty@ttyS0.service",
    "systemd-binfmt.service", "systemd-pstore.service", "dev-hugepages.mount", "dev-mqueue.mount",
    "sys-kernel-debug.mount", "sys-kernel-tracing.mount", "modprobe@drm.service",
    "modprobe@efi_pstore.service",
)  # fmt: skip
"""What nothing here stands on, and what a processor emulated by software takes long for."""
XZ, ELF = b"\xfd7zXZ\x00", b"\x7fELF"


class NoMachineError(Exception):
    """No machine can be made here; the text is one line that says what is missing."""


def cache() -> Path:
    """Return the folder in which images are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("BEISITZER_MACHINES") or Path(home) / "beisitzer" / "machine")


def depends() -> list[str]:
    """Return the packages that ours depends on: the machine has them at hand, not installed."""
    control = (DEBIAN / "control").read_text()
    line = control.partition("\nDepends: ")[2].partition("\n")[0]
    return [each.split()[0] for each in line.split(", ") if not each.startswith("$")]


def image() -> Path:
    """Return the folder with `disk`, `kernel` and `initrd`; made the first time, in minutes."""
    _check(NEEDED)
    sources = (SUITE, PACKAGES, depends(), AT_HAND, FSTAB, AGENT, MASKED, DISK_MB)
    text = repr(sources) + "".join((HERE / f"{name}.sh").read_text() for name in SCRIPTS)
    folder = _folder(text)
    with alone(folder):
        if not (folder / "disk").exists():
            _make(folder)
    return folder


def system(suite: str) -> Path:
    """Return a tar archive of this Debian without a kernel; made the first time, in minutes."""
    _check(CONTAINER_NEEDED)
    at_hand = (*depends(), *NAMING)
    folder = _folder(repr((suite, CONTAINED, at_hand, MASKED)))
    with alone(folder):
        if not (folder / "tree.tar").exists():
            _bootstrap(suite, CONTAINED, (), at_hand, folder / "new.tar")
            (folder / "new.tar").rename(folder / "tree.tar")
    return folder / "tree.tar"


def _check(needed: Sequence[str]) -> None:
    if os.getuid():
        raise NoMachineError("a Debian of its own needs root: sudo make nightly")
    for tool in needed:
        if shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None:
            raise NoMachineError(f"the tests' machine needs {tool}: CONTRIBUTING.md has the list")


def _folder(made_of: str) -> Path:
    folder = cache() / hashlib.sha256(made_of.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep the other process of the run waiting, which would make the same here."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(folder: Path) -> None:
    files = folder / "files"
    _lay_out(files)
    tree, made = folder / "tree.tar", folder / "made"
    hooks = (
        f'copy-in {files}/etc /',
        f'copy-in {files}/usr /',
        f'copy-in {files}/boot /',
        'chroot "$1" systemctl enable --quiet agent.service',
        'chroot "$1" initrd',
        f'copy-out /boot {folder}',
    )  # fmt: skip
    _bootstrap(SUITE, PACKAGES, hooks, (*depends(), *AT_HAND), tree)
    kernel = next((folder / "boot").glob("vmlinuz-*")).read_bytes()
    (folder / "kernel").write_bytes(unpacked(kernel))
    shutil.copy(folder / "boot" / "initrd.plain", folder / "initrd")
    _run(["sh", "-ec", f"{_unpack(tree, made)}\n{_disk(made, folder)}"])
    shutil.rmtree(files)


def _bootstrap(
    suite: str, packages: Sequence[str], hooks: Sequence[str], at_hand: Sequence[str], tree: Path
) -> None:
    """Install a Debian with packages at hand that apt finds without a network."""
    hooks = (
        *hooks,
        f'chroot "$1" systemctl mask --quiet {" ".join(MASKED)}',
        'chroot "$1" apt-get clean',
        'chroot "$1" apt-get install --yes --download-only --no-install-recommends '
        + " ".join(at_hand),
    )  # fmt: skip
    command = ["mmdebstrap", "--variant=apt", "--skip=cleanup/apt", "--quiet"]
    command += [f"--include={','.join(packages)}", *(f"--customize-hook={hook}" for hook in hooks)]
    _run([*command, suite, str(tree)])


def _unpack(tree: Path, made: Path) -> str:
    return f"mkdir {made}; tar -xf {tree} -C {made}"


def _disk(made: Path, folder: Path) -> str:
    return (
        f"truncate -s {DISK_MB}M {folder}/disk.new; mkfs.ext4 -q -d {made} {folder}/disk.new\n"
        f"rm -r {made}; mv {folder}/disk.new {folder}/disk"
    )


def install(image: Path, folder: Path, parcel: Path, wish: str = "", packages: str = "") -> str:
    """Make `disk`, the image's system with the package, and `games`; return what apt said.

    It runs in the image's system on this machine's own processor, without a network: what it finds
    is what the machine would find, many times as fast. systemd is not there until the first boot.
    """
    made = folder / "made"
    memory = made / "dev" / "shm"
    set_up = f"beisitzer-setup SETTINGS=/srv/parcel/settings.toml {wish}"
    inside = f"{APT} /srv/parcel/new.deb {packages} && {set_up}"
    script = (
        f"{_unpack(image / 'tree.tar', made)}; mkdir {made}/srv/parcel\n"
        f"tar -xf {parcel} -C {made}/srv/parcel\n"
        f"unshare --mount --net sh -ec 'mount -t proc proc {made}/proc; mkdir -p {memory}"
        f"; mount -t tmpfs tmpfs {memory}"
        f'; exec env -i PATH="$PATH" chroot {made} sh -c "{inside}"\' 2>&1\n'
        f"truncate -s {GAMES_MB}M {folder}/games\n"
        f"mkfs.ext4 -q -m 0 -d {made}/var/lib/beisitzer {folder}/games\n{_disk(made, folder)}"
    )
    return _run(["sh", "-ec", script])


def unpacked(kernel: bytes) -> bytes:
    """Return the kernel that unpacks itself as the one inside it, which starts at once; else it."""
    start = kernel.find(XZ)
    if start < 0:
        return kernel
    inner = lzma.LZMADecompressor().decompress(kernel[start:])
    return inner if inner.startswith(ELF) else kernel


def _lay_out(files: Path) -> None:
    shutil.rmtree(files, ignore_errors=True)
    for place, text in (
        ("etc/fstab", FSTAB),
        ("etc/hostname", "table\n"),
        ("etc/systemd/system/agent.service", AGENT),
        ("boot/firmware/config.txt", "# the owner's own\ndtparam=audio=on\n"),
        *((f"usr/local/sbin/{name}", (HERE / f"{name}.sh").read_text()) for name in SCRIPTS),
    ):
        file = files / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755 if "sbin" in place else 0o644)


def _run(command: list[str]) -> str:
    environment = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
    done = ran(command, env=environment)
    if done.returncode:
        raise NoMachineError(f"{command[0]} failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout
