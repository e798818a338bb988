"""A signed repository on the loopback with small packages in it, and a machine in a folder."""

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

from systemd.update import SUITES, Updater
from tests.ran import ran
from tools.repository import SigningKeys, add, sources

NEEDED = ("apt-get", "dpkg-deb", "gpg", "gpgconf", "reprepro")
MISSING = [tool for tool in NEEDED if shutil.which(tool) is None]
needs_apt = pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} not installed")
WHEN = 1_700_000_000
CONTROL = """\
Package: beisitzer
Version: {version}
Architecture: all
Maintainer: -
Section: misc
Priority: optional
Depends: {depends}
Description: -
"""
CONFFILES = ("etc/default/beisitzer", "etc/beisitzer.conf")
STATUS = """\
Package: {name}
Status: install ok installed
Architecture: all
Version: {version}
Maintainer: -
Description: -

"""


def make_key(home: Path, name: str) -> SigningKeys:
    """Make a key for a test in a folder of its own."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    person = f"{name} <{name}@beisitzer.invalid>"
    gpg = ["gpg", "--homedir", str(home), "--batch"]
    words = [*gpg, "--quiet", "--passphrase", "", "--quick-gen-key", person]
    subprocess.run([*words, "ed25519", "sign", "never"], check=True, capture_output=True)
    listed = ran([*gpg, "--with-colons", "--list-keys", f"={person}"], check=True).stdout
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


def make_package(folder: Path, version: str, depends: str = "python3") -> Path:
    """Build a package with one file in it."""
    root = folder / "root"
    shutil.rmtree(root, ignore_errors=True)
    (root / "DEBIAN").mkdir(parents=True)
    (root / "DEBIAN/control").write_text(CONTROL.format(version=version, depends=depends))
    (root / "usr/lib/beisitzer").mkdir(parents=True)
    (root / "usr/lib/beisitzer/VERSION").write_text(f"{version}\n")
    for name in CONFFILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("as it was\n")
    (root / "DEBIAN/conffiles").write_text("".join(f"/{name}\n" for name in CONFFILES))
    built = folder / f"beisitzer_{version}_all.deb"
    words = ["dpkg-deb", "--root-owner-group", "--build", str(root), str(built)]
    subprocess.run(words, check=True, capture_output=True)
    return built


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

    def add(self, version: str, suite: str = "stable", depends: str = "python3") -> None:
        """Publish a small package, or another one."""
        self.publish(make_package(self.folder, version, depends), suite)

    def publish(self, built: Path, suite: str = "stable") -> None:
        for each in SUITES[SUITES.index(suite) :]:
            add(self.folder, each, built, self.keys)
        # apt takes an index of the same second as the one before for unchanged
        self.written_s += 10
        for path in (self.folder / "dists").rglob("*"):
            if path.is_file():
                os.utime(path, (self.written_s, self.written_s))


@contextmanager
def served(repository: Repository, bind: str = "127.0.0.1") -> Iterator[Repository]:
    """Serve a repository on a port of the loopback, or of every address (bind "")."""
    quiet = functools.partial(_Quiet, directory=str(repository.folder))
    with http.server.ThreadingHTTPServer((bind, 0), quiet) as server:
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


def make_machine(root: Path, version: str, sources_text: str = "") -> Updater:
    """Make a machine in a folder, on which dpkg has installed this version of a small package."""
    for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/beisitzer-update",
                   "usr/share/beisitzer", "tmp"):  # fmt: skip
        (root / folder).mkdir(parents=True)
    python = STATUS.format(name="python3", version="3.13.5-1")
    (root / "var/lib/dpkg/status").write_text(python)
    if sources_text:
        (root / "usr/share/beisitzer/beisitzer.sources").write_text(sources_text)
    put_in(root, make_package(root / "tmp", version))
    return Updater(root)


def put_in(root: Path, built: Path) -> None:
    """Let dpkg install a package in a folder."""
    words = ["dpkg", f"--root={root}", "--force-not-root", "--force-bad-path",
             "--force-confold", "--install"]  # fmt: skip
    subprocess.run([*words, str(built)], check=True, capture_output=True)
