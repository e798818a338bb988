"""The card's Debian: installed by mmdebstrap for the Pi's processor, packed, and kept."""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

COMPONENTS = "main,non-free-firmware"
PACKAGES = (
    # the system
    "linux-image-arm64", "raspi-firmware",
    "systemd-sysv", "systemd-timesyncd", "udev", "dbus", "kmod", "procps", "initramfs-tools",
    "busybox", "zstd", "e2fsprogs", "dosfstools", "exfatprogs", "fdisk", "tzdata", "less",
    # the network, with what a Pi's radio needs; without polkitd, which Debian 13's only recommends,
    # NetworkManager takes orders from root alone
    "network-manager", "polkitd", "wpasupplicant", "dnsmasq-base", "nftables", "iw", "iproute2",
    "rfkill",
    "wireless-regdb", "firmware-brcm80211", "bluez", "bluez-firmware", "avahi-daemon",
    "avahi-utils", "openssh-server", "ca-certificates",
    # what the companion's package depends on, recommends and suggests
    "python3", "python3-cbor2", "python3-colorzero", "python3-pil", "python3-serial",
    "python3-smbus2", "python3-evdev", "python3-spidev", "python3-pygame", "libegl1", "libgles2",
    "libgl1-mesa-dri", "espeak-ng", "alsa-utils",
)  # fmt: skip
LEFT_OUT = (
    "/usr/share/man/*", "/usr/share/info/*", "/usr/share/locale/*", "/usr/share/doc/*",
    "/usr/share/lintian/*", "/usr/share/bug/*",
)  # fmt: skip
KEPT = ("/usr/share/doc/*/copyright", "/usr/share/doc/beisitzer/*")
WHEN = 1_760_000_000
"""The fixed time of files made by the installation, so that every commit can reuse it."""
LEND = """\
mkdir -p "$1/usr/lib64" "$1/usr/local/bin"
ln -sfn usr/lib64 "$1/lib64"
for tool in dpkg dpkg-deb dpkg-query dpkg-split rm tar; do
  program=$(command -v $tool)
  for library in $(ldd "$program" | grep -o '/[^ ]*'); do install -D "$library" "$1$library"; done
  sed s/amd64/arm64/g "$program" | install -m 755 /dev/stdin "$1/usr/local/bin/$tool"
done
"""
"""Lets this processor unpack the packages, ten times as fast as the emulator.

Its programs come first in the path; in dpkg the processor's name is replaced by one of the same
length.
"""
TAKE_BACK = 'cd "$1" && rm -rf usr/lib/x86_64-linux-gnu lib64 usr/lib64 usr/local/bin/*'
NEEDED = ("mmdebstrap", "arch-test", "tar", "chroot")


class NoImageError(Exception):
    """The image cannot be made; the text is one line that says what is missing."""


@dataclass(frozen=True)
class Archive:
    """The Debian mirror and suite for the packages."""

    suite: str = "trixie"
    mirror: str = "http://deb.debian.org/debian"


def cache() -> Path:
    """Return the folder in which installed systems are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "beisitzer" / "card"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Let a second run wait, which would write the same files."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run(*command: str | Path, when: int = WHEN) -> str:
    """Run a command and return what it prints; `when` is the time that files get."""
    environment = {
        "HOME": "/root",
        "LC_ALL": "C.UTF-8",
        "PATH": f"/usr/local/bin:{os.environ['PATH']}:/usr/sbin:/sbin",
        # no postinst builds an initramfs, because the card has its own
        "INITRD": "No",
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": str(when),
        # for mkfs before 1.47.1, which ignores SOURCE_DATE_EPOCH
        "E2FSPROGS_FAKE_TIME": str(when),
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # our own
    if done.returncode:
        raise NoImageError(f"{command[0]} failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def say(line: str) -> None:
    """Print a line at once, indented."""
    sys.stdout.write(f"  {line}\n")
    sys.stdout.flush()


def check(tools: Sequence[str]) -> None:
    """Raise NoImageError if a command is missing, or if not run by root."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [tool for tool in tools if shutil.which(tool, path=path) is None]
    if missing:
        raise NoImageError(f"this needs {', '.join(missing)}: CONTRIBUTING.md names the packages")
    if os.getuid():
        raise NoImageError("installing in the card's system needs root: sudo make image")
    known = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
    if platform.machine() != "aarch64" and not known.exists():
        raise NoImageError(
            "no emulator for the Pi's programs: install qemu-user-static and binfmt-support, then"
            " mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc"
            " && update-binfmts --enable qemu-aarch64"
        )


def install(archive: Archive) -> Path:
    """Return a tar archive of the installed packages; made once, then kept."""
    check(NEEDED)
    text = repr((archive, PACKAGES, LEFT_OUT, KEPT, WHEN))
    folder = cache() / f"base-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    tree = folder / "tree.tar"
    with alone(folder):
        if not tree.exists():
            _install(archive, folder / "new.tar")
            (folder / "new.tar").rename(tree)
    return tree


def _install(archive: Archive, tree: Path) -> None:
    # skips scanning the packages for questions, as nobody answers any
    options = ['--aptopt=APT::Install-Recommends "false"', "--aptopt=#clear DPkg::Pre-Install-Pkgs"]
    options += ["--dpkgopt=force-unsafe-io"]
    options += [f"--dpkgopt=path-exclude={each}" for each in LEFT_OUT]
    options += [f"--dpkgopt=path-include={each}" for each in KEPT]
    if platform.machine() == "x86_64":
        options += [f"--extract-hook={LEND}", f"--customize-hook={TAKE_BACK}"]
    strap(archive, tree, ",".join(PACKAGES), "--variant=apt", "--format=tar", *options)


def strap(archive: Archive, target: Path, packages: str, *options: str) -> None:
    """Let mmdebstrap install these packages into a system for the Pi's processor."""
    command = ["mmdebstrap", "--architectures=arm64", f"--components={COMPONENTS}", "--quiet"]
    command += [*options, f"--include={packages}", archive.suite, str(target), archive.mirror]
    run(*command)
