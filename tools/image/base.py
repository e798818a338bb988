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
LENT = "dpkg,tar,coreutils,dash,sed,grep,findutils,kmod,cpio,zstd,python3-minimal"
LENT_PATH = "/lent/sbin:/lent/bin:/usr/sbin:/usr/bin:/sbin:/bin"
LEND = """\
cp -r "$2/usr" "$1/lent"
sed -i s/amd64/arm64/g "$1"/lent/bin/dpkg*
rm "$1/lent/bin/uname"
ln -s lent/lib64 "$1/lib64"
ln -s ../../lent/lib/x86_64-linux-gnu "$1/usr/lib"
for program in cp dash $(cd "$2/usr/bin" && echo python3.*); do
  chroot "$1" dpkg-divert --quiet --add --rename --divert /usr/bin/$program.own /usr/bin/$program
  cp "$2/usr/bin/$program" "$1/usr/bin"
done
"""
"""Lets this processor unpack, compile and run scripts in the system $1, by the programs of a system
$2: the emulator takes ten times as long. They go first by their path, three of them by their place.
What dpkg takes for its processor's name, of as many letters, is changed; uname is the emulator's.
"""
TAKE_BACK = """\
[ -d "$1/lent" ] || exit 0
for own in "$1"/usr/bin/*.own; do
  program=${own%.own}
  rm "$program"
  chroot "$1" /usr/bin/dpkg-divert --quiet --remove --rename "${program#"$1"}"
done
rm -r "$1/lib64" "$1/usr/lib/x86_64-linux-gnu" "$1/lent"
"""
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
        "PATH": f"{LENT_PATH}:{os.environ['PATH']}",
        # no postinst makes what the card's own first file system replaces
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
    """Return a tar archive of the installed packages, with what is lent; made once, then kept."""
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
        lent = tree.with_name("lent")
        shutil.rmtree(lent, ignore_errors=True)
        strap(archive, lent, LENT, "--variant=extract", processor="amd64")
        options += [f"--extract-hook=set -e -- \"$1\" '{lent}'\n{LEND}"]
        options += [f'--aptopt=DPkg::Path "{LENT_PATH}"']
    strap(archive, tree, ",".join(PACKAGES), "--variant=apt", "--format=tar", *options)


def strap(
    archive: Archive, target: Path, packages: str, *options: str, processor: str = "arm64"
) -> None:
    """Let mmdebstrap make a system of these packages."""
    command = ["mmdebstrap", f"--architectures={processor}", f"--components={COMPONENTS}"]
    command += ["--quiet", *options, f"--include={packages}"]
    run(*command, archive.suite, target, archive.mirror)
