"""Brings the installed package up to date from a signed apt repository, and back if it fails.

apt looks, checks every signature, and installs. The files in /var/lib/beisitzer-update say how far
an update has come:

    ready-0.3.0.deb     fetched and checked; it waits to be installed
    before.deb          what was installed before it; there until the newer one's first frame
    refused-0.3.0.deb   it showed no first frame
    looked              when updates were last looked for (its time), and the error (its text)

systemd starts it as root: `look SUITE` and `install` on the table's order, `back` when a newer
program fails, and at a start after a power cut. It needs Python's standard library only.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "beisitzer"
SUITES = ("stable", "testing")
SOURCES = (
    "boot/firmware/beisitzer.sources",
    "etc/apt/sources.list.d/beisitzer.sources",
    "usr/share/beisitzer/beisitzer.sources",
)
"""Files with a repository's address and keys: the owner's, then the package's own."""
NEEDED_BYTES = 200 << 20
"""Free space needed to fetch an update."""
COMMAND_S = 3600
_FETCHED = re.compile(rf"{PACKAGE}_(\d[\w.+~-]{{0,60}})_all\.deb", re.ASCII)
_UNSIGNED = re.compile(
    r"NO_PUBKEY|GPG error|not signed|signature|sqv|gpgv|OpenPGP|Hash Sum mismatch|not valid"
)
TRIAL = "run/systemd/system/beisitzer.service.d/trial.conf"
"""While it exists, the first failure of a newer program leads back; a reboot removes it."""


class UpdateError(Exception):
    """The update failed; the code says why.

    no-source (no repository is known), unreachable, untrusted (the repository is not signed by a
    key that is known here), unfit (its dependencies are missing here), space, failed.
    """

    def __init__(self, code: str, text: str = "") -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text


def _run(words: Sequence[str], **environment: str) -> tuple[int, str]:
    """Run a program; return its exit status and all that it printed."""
    try:
        done = subprocess.run(  # noqa: S603  # as listed here
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            timeout=COMMAND_S,
            env={
                "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                "LC_ALL": "C.UTF-8",
                "DEBIAN_FRONTEND": "noninteractive",
                **environment,
            },
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UpdateError("failed", str(error)) from error
    return done.returncode, done.stdout


@dataclass(frozen=True, slots=True)
class Updater:
    """The machine that is updated: its root folder, and how commands are run."""

    root: Path = Path("/")
    run: Callable[..., tuple[int, str]] = _run

    @property
    def folder(self) -> Path:
        return self.root / "var/lib/beisitzer-update"

    def must(self, code: str, *words: str, **environment: str) -> str:
        """Run a command and return what it printed; UpdateError with this code if it fails."""
        status, said = self.run(words, **environment)
        if status:
            raise UpdateError(code, said)
        return said

    def query(self, *words: str) -> str:
        """Ask dpkg about what is installed."""
        return self.must("failed", "dpkg-query", f"--admindir={self.root}/var/lib/dpkg", *words)

    def put(self, name: str, make: Callable[[Path], object]) -> None:
        """Have `make` write a file that appears in the folder complete and flushed."""
        new = self.folder / ".new"
        new.unlink(missing_ok=True)
        make(new)
        new.chmod(0o644)
        self.must("space", "sync", str(new))
        new.replace(self.folder / name)
        self.must("failed", "sync", str(self.folder))

    def sweep(self, *kept: str) -> None:
        """Remove ready and refused packages, except these."""
        for path in self.folder.glob("re*-*.deb"):
            if path.name not in kept:
                path.unlink()


# --- looking


def look(updater: Updater, suite: str) -> str:
    """Fetch a newer package of a suite, if there is one; return its version or ""."""
    folder = updater.folder
    source = next((updater.root / each for each in SOURCES if (updater.root / each).exists()), None)
    if source is None:
        raise UpdateError("no-source")
    text = re.sub(r"(?m)^Suites:.*$", f"Suites: {suite}", source.read_text("utf-8", "replace"))
    (folder / "beisitzer.sources").write_text(text)
    archives = folder / "cache/archives"
    for place in (folder / "lists/partial", archives / "partial"):
        place.mkdir(parents=True, exist_ok=True)
    for package in archives.glob("*.deb"):
        # after a power cut its content may be damaged, and apt would check only the name
        package.unlink()
    if shutil.disk_usage(folder).free < NEEDED_BYTES:
        raise UpdateError("space")
    # looks for no other package and leaves the machine's own lists alone
    options = {
        "Dir::Etc::sourcelist": f"{folder}/beisitzer.sources", "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": f"{folder}/lists", "Dir::Cache": f"{folder}/cache",
        "Dir::State::status": f"{updater.root}/var/lib/dpkg/status",
        "APT::Update::Error-Mode": "any", "APT::Install-Recommends": "false",
        "Acquire::Languages": "none", "Acquire::Retries": "2",
        "Acquire::http::Timeout": "30", "Acquire::https::Timeout": "30",
    }  # fmt: skip
    apt = ("apt-get", "--quiet", *(f"-o{name}={value}" for name, value in options.items()))
    status, said = updater.run((*apt, "update"))
    if status:
        raise UpdateError("untrusted" if _UNSIGNED.search(said) else "unreachable", said)
    asked = (*apt, "install", "--yes", "--no-remove", PACKAGE)
    found = _FETCHED.search(updater.must("unfit", *asked, "--print-uris"))
    # apt would reinstall a package even if only its description differed
    if found is None or found[1] == updater.query("-W", "-f${Version}", PACKAGE):
        updater.sweep()
        return ""
    ready, refused = f"ready-{found[1]}.deb", f"refused-{found[1]}.deb"
    updater.sweep(ready, refused)
    if (folder / refused).exists():
        return ""
    if not (folder / ready).exists():
        updater.must("unreachable", *asked, "--download-only")
        updater.put(ready, (archives / found[0]).rename)
    return found[1]


# --- installing, and the way back


def _md5(path: Path) -> str:
    """Return a file's MD5 sum as in dpkg's lists; "" without the file."""
    return (
        hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest() if path.exists() else ""
    )


def pack_installed(updater: Updater) -> None:
    """Make `before.deb` of what is installed: a package that dpkg can install again."""
    tree = updater.folder / ".tree"
    shutil.rmtree(tree, ignore_errors=True)
    (tree / "DEBIAN").mkdir(mode=0o755, parents=True)
    control = updater.query("-s", PACKAGE)
    listed = re.findall(r"(?m)^ (/\S+) ([0-9a-f]{32})$", control)
    # files that the owner changed stay out: they must not be taken for delivered ones
    own = {name for name, digest in listed if _md5(updater.root / name[1:]) != digest}
    names = set(updater.query("-L", PACKAGE).splitlines()) - own - {"/."}
    there = sorted(name[1:] for name in names if os.path.lexists(updater.root / name[1:]))
    (updater.folder / ".names").write_text("\n".join(there))
    script = 'tar -c -C "$1" --no-recursion -T "$2" | tar -x -C "$3"'
    updater.must(
        "space", "sh", "-c", script, "sh", str(updater.root), f"{updater.folder}/.names", str(tree)
    )
    for path in updater.query("--control-path", PACKAGE).splitlines():
        shutil.copy2(path, tree / "DEBIAN" / path.rpartition(".")[2])
    kept = [f"{name}\n" for name, _ in listed if name not in own]
    (tree / "DEBIAN/conffiles").write_text("".join(kept))
    control = re.sub(r"(?m)^(Status|Config-Version|Conffiles):.*\n(?: .*\n)*", "", control)
    (tree / "DEBIAN/control").write_text(control)
    # the machine may leave out files such as manual pages
    build = ("dpkg-deb", "--nocheck", "--root-owner-group", "-Zgzip", "-z1", "--build", str(tree))
    updater.put("before.deb", lambda new: updater.must("space", *build, str(new)))
    shutil.rmtree(tree)


def install(updater: Updater) -> str:
    """Install the package that is ready; return a line about it.

    The service shows the first frame of the newer program, or its failure starts `back`.
    """
    for refused in updater.folder.glob("refused-*.deb"):  # the owner wants to try it again
        if not list(updater.folder.glob("ready-*.deb")):
            refused.rename(updater.folder / refused.name.replace("refused", "ready", 1))
    (ready,) = updater.folder.glob("ready-*.deb")
    # otherwise a start of this version would remove the package to go back to
    updater.must("failed", "systemctl", "stop", "beisitzer.service")
    trial = updater.root / TRIAL
    trial.parent.mkdir(parents=True, exist_ok=True)
    trial.write_text("[Service]\nRestart=no\n")
    options = ("-oDpkg::Options::=--force-confold", "-oDPkg::Lock::Timeout=600")
    try:
        pack_installed(updater)
        updater.must("failed", "apt-get", "--quiet", "--yes", *options, "install", str(ready))
    except UpdateError:
        back(updater, refuse=True)
        raise
    finally:
        trial.unlink()
        updater.run(("systemctl", "daemon-reload"))
    if not (updater.folder / "before.deb").exists():  # it has shown its first frame
        ready.unlink()
    return f"{ready.name} is installed"


def back(updater: Updater, *, refuse: bool) -> str:
    """Install the version before again; return a line about it.

    Without `refuse` the newer one stays ready, for instance after a power cut.
    """
    before = updater.folder / "before.deb"
    if before.exists():  # first, because the newer one's configuration may be what hangs
        # this function starts the service, which may wait for it
        words = ("dpkg", "--force-confold", "--install", str(before))
        updater.must("failed", *words, BEISITZER_SERVICE="stays")
        for ready in updater.folder.glob("ready-*.deb") if refuse else ():
            ready.rename(updater.folder / ready.name.replace("ready", "refused", 1))
        before.unlink()
    updater.run(("dpkg", "--configure", "-a"))
    if refuse:  # else the machine is about to start it
        updater.run(("systemctl", "reset-failed", "beisitzer.service"))
        updater.must("failed", "systemctl", "--no-block", "start", "beisitzer.service")
    return "the version before is installed"


def main(words: Sequence[str], updater: Updater) -> int:
    """Run the command, and note its outcome for the table; return an exit status."""
    try:
        match list(words):
            case ["look", suite] if suite in SUITES:
                said = look(updater, suite) or "nothing newer"
            case ["install"]:
                said = install(updater)
            case ["back"]:
                # systemd passes on the service's result; at boot, Debian 12 passes "success"
                ended = os.environ.get("MONITOR_SERVICE_RESULT", "success")
                said = back(updater, refuse=ended != "success")
            case _:
                sys.stderr.write(f"say look {' or look '.join(SUITES)}, install or back\n")
                return 2
        fault = ""
    except (UpdateError, OSError, ValueError) as error:
        # errors become a sentence, not a traceback
        said = str(error).strip()[-1000:]
        fault = error.code if isinstance(error, UpdateError) else "failed"
    with suppress(UpdateError, OSError):
        updater.put("looked", lambda new: new.write_text(fault))
    sys.stderr.write(f"{said}\n")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Updater()))
