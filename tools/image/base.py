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
"""The time of what an installation makes; a fixed one, so that a commit asks for no other."""
LEND = """\
mkdir -p "$1/usr/lib64" "$1/usr/local/bin"
ln -sfn usr/lib64 "$1/lib64"
for tool in dpkg dpkg-deb dpkg-query dpkg-split rm tar; do
  program=$(command -v $tool)
  for library in $(ldd "$program" | grep -o '/[^ ]*'); do install -D "$library" "$1$library"; done
  sed s/amd64/arm64/g "$program" | install -m 755 /dev/stdin "$1/usr/local/bin/$tool"
done
"""
"""Lets this processor unpack the packages: the emulator takes ten times as long.

The programs go first by their path; dpkg takes the name of its processor, which has as many
letters, out of itself.
"""
TAKE_BACK = 'cd "$1" && rm -rf usr/lib/x86_64-linux-gnu lib64 usr/lib64 usr/local/bin/*'
NEEDED = ("mmdebstrap", "arch-test", "tar", "chroot")


class NoImageError(Exception):
    """The image cannot be made; the text is one line that says what is missing."""


@dataclass(frozen=True)
class Archive:
    """The Debian that the packages come from."""

    suite: str = "trixie"
    mirror: str = "http://deb.debian.org/debian"


def cache() -> Path:
    """Return the folder in which installed systems are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "beisitzer" / "card"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep a second run waiting, which would make the same here."""
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
        # no postinst makes what the card's own first file system replaces
        "INITRD": "No",
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": str(when),
        # of the mkfs before 1.47.1, which does not know SOURCE_DATE_EPOCH
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
    """Raise NoImageError unless these commands are here, and root asks for them."""
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
    # without a look at all packages' questions, which nobody is asked
    options = ['--aptopt=APT::Install-Recommends "false"', "--aptopt=#clear DPkg::Pre-Install-Pkgs"]
    options += ["--dpkgopt=force-unsafe-io"]
    options += [f"--dpkgopt=path-exclude={each}" for each in LEFT_OUT]
    options += [f"--dpkgopt=path-include={each}" for each in KEPT]
    if platform.machine() == "x86_64":
        options += [f"--extract-hook={LEND}", f"--customize-hook={TAKE_BACK}"]
    strap(archive, tree, ",".join(PACKAGES), "--variant=apt", "--format=tar", *options)


def strap(archive: Archive, target: Path, packages: str, *options: str) -> None:
    """Let mmdebstrap make a system for the Pi's processor of these packages."""
    command = ["mmdebstrap", "--architectures=arm64", f"--components={COMPONENTS}", "--quiet"]
    command += [*options, f"--include={packages}", archive.suite, str(target), archive.mirror]
    run(*command)
