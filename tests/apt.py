"""A signed repository on the loopback with small programs in it, and a card in a folder."""

import functools
import http.server
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from systemd.update import Card
from tests.ran import ran
from tools.image import program
from tools.repository import card, index
from tools.repository.card import depends
from tools.repository.signing import SigningKeys, sources

NEEDED = ("apt-get", "apt-ftparchive", "dpkg-deb", "gpg", "gpgconf")
MISSING = [tool for tool in NEEDED if shutil.which(tool) is None]
needs_apt = pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} not installed")
WHEN = 1_700_000_000
STATUS = """\
Package: python3
Status: install ok installed
Architecture: arm64
Version: 3.13.5-1
Maintainer: -
Description: -
"""


def make_key(home: Path, name: str) -> SigningKeys:
    """Make a key for a test in a folder of its own."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    words = ["gpg", "--homedir", str(home), "--batch", "--quiet", "--passphrase", ""]
    words += ["--quick-gen-key", f"{name} <{name}@beisitzer.invalid>", "ed25519", "sign", "never"]
    subprocess.run(words, check=True, capture_output=True)
    words = [
        "gpg",
        "--homedir",
        str(home),
        "--batch",
        "--with-colons",
        "--list-keys",
        f"={name} <{name}@beisitzer.invalid>",
    ]
    listed = ran(words, check=True).stdout
    lines = [line.split(":") for line in listed.splitlines() if line.startswith("fpr:")]
    return SigningKeys((lines[0][9],), home)


@contextmanager
def key_folder(folder: Path) -> Iterator[Path]:
    """Return a folder for keys; gpg's agent for it ends with the test."""
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        stop = ["gpgconf", "--homedir", str(folder), "--kill", "all"]
        subprocess.run(stop, check=False, capture_output=True)


def program_modules(folder: Path, main: str) -> Path:
    """Return a folder of modules whose command does this."""
    command = folder / "lib" / "pi_app" / "commands"
    command.mkdir(parents=True, exist_ok=True)
    for package in (command, command.parent):
        (package / "__init__.py").touch()
    (command / "cli.py").write_text(f"def main():\n    {main}\n")
    return command.parents[1]


class Repository:
    """A repository that is served on the loopback."""

    def __init__(self, folder: Path, keys: SigningKeys, url: str = "") -> None:
        self.folder = folder
        self.keys = keys
        self.url = url
        self.written_s = WHEN
        """The time of the newest index, in seconds since 1970."""
        folder.mkdir(exist_ok=True)

    def sources(self, keys: SigningKeys | None = None) -> str:
        return sources(self.url, "stable", (keys or self.keys).public())

    def add(self, version: str, suite: str = "stable", main: str = "print('plays')") -> Path:
        """Publish a program that does this when it is started."""
        carried = program_modules(self.folder, main)
        built = card.build(self.folder / "built", version, carried, self.sources(), WHEN)
        for each in index.suites_of(suite):
            card.copy(built, index.pool(self.folder, each))
            self.sign(each)
        return built

    def sign(self, suite: str = "stable", keys: SigningKeys | None = None) -> None:
        index.write(self.folder, suite, keys or self.keys)
        # apt takes an index of the same second as the one before for unchanged
        self.written_s += 10
        for path in (self.folder / "dists").rglob("*"):
            if path.is_file():
                os.utime(path, (self.written_s, self.written_s))


@contextmanager
def served(repository: Repository) -> Iterator[Repository]:
    """Serve a repository on a port of the loopback."""
    quiet = functools.partial(_Quiet, directory=str(repository.folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), quiet) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        repository.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield repository
        finally:
            server.shutdown()
            thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its own name
        pass


def make_card(root: Path, version: str, sources_text: str = "") -> Card:
    """Make a card in a folder, on which this version of a small program plays."""
    card = Card(root, "root")
    for folder in (
        "data/apt",
        "data/state",
        "data/program",
        "etc",
        "var/lib/dpkg",
        "boot/firmware",
    ):
        (root / folder).mkdir(parents=True)
    (root / "var/lib/beisitzer").symlink_to("../../data/state")
    (root / "etc/beisitzer-card").write_text("0.1.0\n")
    libraries = [line for line in depends().split(", ") if "beisitzer" not in line]
    (root / "var/lib/dpkg/status").write_text(
        STATUS
        + "".join(_stanza(each.split()[0]) for each in libraries if each.split()[0] != "python3")
    )
    program.lay_out(card.programs, version, program_modules(root, "print('plays')"), sources_text)
    card.link("current", version)
    return card


def _stanza(name: str) -> str:
    return STATUS.replace("Package: python3\n", f"\nPackage: {name}\n").replace("3.13.5-1", "99")
