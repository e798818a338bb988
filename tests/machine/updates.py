"""Newer versions of a built package, in a signed repository that a test's machine reaches."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.apt import Repository, key_folder, make_key, served
from tests.machine.asked import Asked
from tests.machine.parcel import renamed
from tools.package import project_version

NETWORK = ("-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net")
HOST = "10.0.2.2"
"""The host's loopback, as the emulator's network calls it."""
CONNECT = """\
modprobe virtio_net
until [ -n "$(ls -d /sys/class/net/e* 2> /dev/null)" ]; do sleep 0.2; done
busybox ifconfig "$(basename /sys/class/net/e*)" 10.0.2.15 up
"""
NEWER = f"{project_version()}.1"
FOLDER = "/var/lib/beisitzer-update"
LOOK = "systemctl start beisitzer-look@stable.service"
INSTALL = "systemctl --no-block start update-beisitzer.service"
INSTALLED = "dpkg-query -W -f '${Status} ${Version}' beisitzer"
WHOLE = "install ok installed"
MUTE = "#!/bin/sh\nexec sleep 100000\n"
"""A program that never shows a frame."""


@contextmanager
def newer_version(parcel: Path, folder: Path, host: str = HOST) -> Iterator[Repository]:
    """Serve the parcel's package as a newer version to a machine that calls this one `host`."""
    with (
        key_folder(folder / "gpg") as home,
        served(Repository(folder / "apt", make_key(home, "first")), bind="") as made,
    ):
        made.url = made.url.replace("127.0.0.1", host)
        made.publish(renamed(package_of(parcel), folder, NEWER))
        yield made


def package_of(parcel: Path) -> Path:
    """Return the package that was built for a parcel and lies beside it."""
    return next(parcel.parent.glob(f"beisitzer_{project_version()}_all.deb"))


def trust(machine: Asked, made: Repository) -> None:
    """Tell the machine where the repository is, as its owner would."""
    machine.ok(
        "cat > /etc/apt/sources.list.d/beisitzer.sources << 'END'\n" + made.sources() + "END"
    )
