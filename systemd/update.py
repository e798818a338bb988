"""Brings a card's program up to date: fetches a newer one, switches to it, and back if it fails.

A card's system is never written to, so apt installs nothing. It only looks and downloads, with
lists of its own on /data, and checks every signature. The program is unpacked into a folder of its
own beside the others:

    /data/program/0.2.0    a whole program; it gets this name when all of it is on the disk
    /data/program/current  a link to the one that plays, changed by one rename
    /data/program/next     a link to the one that is ready
    /data/program/trial    the one that has not shown its first frame yet, and the one before it
    /data/program/refused  the one that showed no first frame twice
    /data/program/looked   when it was looked for updates, and what was wrong

systemd starts it as root: `look` by a timer, `switch` when the table says so, `begin` and `shown`
before a start of the companion and after its first frame. It needs Python's standard library only.
"""

import fcntl
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

PACKAGE = "beisitzer-program"
"""What a repository calls the card's program."""
CARD = "beisitzer-card"
"""The card's system, as a package that a program can depend on."""
INSIDE = f"usr/lib/{PACKAGE}"
"""Where the folder of a version lies in its package."""
SUITES = ("stable", "testing")
MOST_STARTS = 2
"""How often a new program may start without showing its first frame."""
NEEDED_BYTES = 200 << 20
"""An update is not fetched unless so much is free."""
FETCH_S, UNPACK_S, READ_S = 3600, 1800, 60
MOST_BYTES = 1 << 16
"""Files that somebody else may have written are read no further."""
_VERSION = re.compile(r"\d[\w.+~-]{0,60}", re.ASCII)
_FETCHED = re.compile(rf"{PACKAGE}_([^_\s]+)_\w+\.deb")
_UNSIGNED = re.compile(
    r"NO_PUBKEY|GPG error|not signed|signature|sqv|gpgv|OpenPGP|Hash Sum mismatch|not valid"
)


class UpdateError(Exception):
    """No update could be made ready; the code says why.

    no-source (no repository is known), unreachable, untrusted (the repository is not signed by a
    key that is known here), unfit (the program needs a newer card), space, damaged (the package
    holds no program), failed (a command did).
    """

    def __init__(self, code: str, text: str = "") -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text


@dataclass(frozen=True, slots=True)
class Card:
    """The card: where its files are, and as whom apt fetches."""

    root: Path = Path("/")
    fetcher: str = "_apt"
    architecture: str = "arm64"

    def path(self, place: str) -> Path:
        """Return where a file is."""
        return self.root / place.lstrip("/")

    @property
    def programs(self) -> Path:
        return self.path("data/program")

    @property
    def apt(self) -> Path:
        return self.path("data/apt")

    @property
    def refused(self) -> str:
        """The version that showed no first frame; "" if none was refused."""
        return self.read("data/program/refused").strip()

    @property
    def state(self) -> Path:
        return self.path("data/state")

    def leads_to(self, link: str) -> str:
        """Return the version that a link leads to; "" if it leads nowhere."""
        try:
            name = str((self.programs / link).readlink())
        except OSError:
            return ""
        return name if _VERSION.fullmatch(name) and (self.programs / name).is_dir() else ""

    def link(self, name: str, version: str) -> None:
        """Let a link lead to a version, by one rename."""
        new = self.programs / f".{name}.new"
        new.unlink(missing_ok=True)
        new.symlink_to(version)
        new.replace(self.programs / name)
        _flush(self.programs)

    def put(self, name: str, text: str) -> None:
        """Replace a file in the programs' folder by a new one that is on the disk."""
        new = self.programs / f".{name}.new"
        with new.open("w") as file:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), 0o644)
            os.fsync(file.fileno())
        new.replace(self.programs / name)
        _flush(self.programs)

    def take_away(self, *names: str) -> None:
        """Remove files or links in the programs' folder."""
        for name in names:
            (self.programs / name).unlink(missing_ok=True)
        _flush(self.programs)

    def read(self, place: str) -> str:
        """Return a file's text; "" if it cannot be read or is no plain file."""
        try:
            handle = os.open(self.path(place), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return ""
                return file.read(MOST_BYTES).decode("utf-8", "replace")
        except OSError:
            return ""


def _flush(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _run(
    words: Sequence[str],
    environment: Mapping[str, str],
    limit_s: float,
    user: os.stat_result | None = None,
) -> tuple[int, str]:
    """Run a program, perhaps as another user; return its exit status and all that it printed."""
    other = user is not None and os.getuid() == 0
    try:
        done = subprocess.run(  # noqa: S603  # as listed here
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            timeout=limit_s,
            user=user.st_uid if user and other else None,
            group=user.st_gid if user and other else None,
            extra_groups=[] if other else None,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", **environment},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UpdateError("failed", str(error)) from error
    return done.returncode, done.stdout


# --- looking


def followed_suite(card: Card) -> str:
    """Return the suite that the settings name, "off" if the card looks for nothing by itself."""
    try:
        taken = tomllib.loads(_settings(card))["updates"]["take"]
    except (ValueError, KeyError, TypeError, RecursionError):  # ValueError: 5,000 digits too
        return SUITES[0]
    return taken if taken in (*SUITES, "off") else SUITES[0]


def _settings(card: Card) -> str:
    """Return the table's settings, read with their owner's rights: a link may lead anywhere."""
    script = '[ -f "$1" ] && exec head -c "$2" "$1"'
    words = ("sh", "-c", script, "sh", str(card.state / "settings.toml"), str(MOST_BYTES))
    with suppress(UpdateError, OSError):
        status, said = _run(words, {}, READ_S, card.state.stat())
        return "" if status else said
    return ""


def source(card: Card) -> str:
    """Return the sources file: the owner's on the boot partition, else the program's own."""
    own = card.read("boot/firmware/beisitzer.sources")
    current = card.leads_to("current")
    text = own or (card.read(f"data/program/{current}/beisitzer.sources") if current else "")
    if not text:
        raise UpdateError("no-source")
    return text


def _write_lists(card: Card, suite: str) -> dict[str, str]:
    """Write what apt reads; return the environment in which it does."""
    folder = card.apt
    for name in ("state/lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    text = re.sub(r"(?m)^Suites:.*$", f"Suites: {suite}", source(card))
    (folder / "beisitzer.sources").write_text(text)
    installed = card.path("var/lib/dpkg/status").read_text("utf-8", "replace").rstrip("\n")
    for name, version in ((CARD, card.read("etc/beisitzer-card").strip()),
                          (PACKAGE, card.leads_to("current"))):  # fmt: skip
        # a program that nobody versioned is older than any
        installed += (
            f"\n\nPackage: {name}\nStatus: install ok installed\nArchitecture:"
            f" {card.architecture}\nVersion: {version or 0}\nMaintainer: -\nDescription: -\n"
        )
    (folder / "status").write_text(installed)
    config = folder / "apt.conf"
    config.write_text(
        f"""\
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::Etc::trusted "/dev/null";
Dir::Etc::trustedparts "/dev/null";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::sourcelist "{folder}/beisitzer.sources";
Dir::State "{folder}/state";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
APT::Architecture "{card.architecture}";
APT::Architectures "{card.architecture}";
APT::Sandbox::User "{card.fetcher}";
APT::Install-Recommends "false";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
"""
    )
    return {"APT_CONFIG": str(config), "DEBIAN_FRONTEND": "noninteractive"}


def look(card: Card) -> str:
    """Fetch a newer program, if there is one, and make it ready; return its version or "".

    UpdateError if that fails: then nothing has changed.
    """
    sweep(card)
    for package in (card.apt / "cache/archives").glob("*.deb"):
        package.unlink()  # after a power cut it may be whole in name only: apt looks no further
    suite = followed_suite(card)
    environment = _write_lists(card, SUITES[0] if suite == "off" else suite)
    if shutil.disk_usage(card.programs).free < NEEDED_BYTES:
        raise UpdateError("space")
    status, said = _run(("apt-get", "update", "--quiet"), environment, FETCH_S)
    if status:
        raise UpdateError("untrusted" if _UNSIGNED.search(said) else "unreachable", said)
    asked = ("apt-get", "install", "--yes", "--quiet", "--no-remove", PACKAGE)
    status, said = _run((*asked, "--print-uris"), environment, FETCH_S)
    if status:
        raise UpdateError("unfit", said)
    found = _FETCHED.search(said)
    # one that is the same but for a word in its description, apt would install again
    if found is None or found[1] in (card.leads_to("current"), card.refused):
        return ""
    version, package = found[1], card.apt / "cache/archives" / found[0]
    if not _VERSION.fullmatch(version):
        raise UpdateError("damaged", version)
    if not (card.programs / version).is_dir():
        status, said = _run((*asked, "--download-only"), environment, FETCH_S)
        if status or not package.is_file():
            raise UpdateError("unreachable", said)
        _unpack(card, package, version)
        package.unlink()
    card.link("next", version)
    return version


def _unpack(card: Card, package: Path, version: str) -> None:
    """Make a program's folder of its package: complete on the disk, or not there at all."""
    new = card.programs / ".new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o755)
    try:
        _must("damaged", ("dpkg-deb", "--extract", str(package), str(new)))
        made = new / INSIDE / version
        if not os.access(made / "bin" / "beisitzer", os.X_OK) or (
            (made / "VERSION").read_text().strip() != version
        ):
            raise UpdateError("damaged", "no program in it")
        compiled = (
            "-m",
            "compileall",
            "-q",
            "--invalidation-mode",
            "unchecked-hash",
            "-s",
            str(new),
        )
        # what cannot be compiled is compiled when it is read
        _run((sys.executable, "-I", "-S", *compiled, str(made / "lib")), {}, UNPACK_S)
        _must("space", ("sync", "--file-system", str(made)))
        made.rename(card.programs / version)
        _flush(card.programs)
    except OSError as error:
        raise UpdateError("damaged", str(error)) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _must(code: str, words: Sequence[str]) -> None:
    status, said = _run(words, {}, UNPACK_S)
    if status:
        raise UpdateError(code, said)


def sweep(card: Card) -> None:
    """Remove programs that nobody needs any more, and what a power cut left half done."""
    # in this order, and the link once more: whatever a switch or a way back changes meanwhile, the
    # program that it leads to is found in one place or the other
    needed = {card.refused, card.leads_to("next"), card.leads_to("current")}
    trial = _trial(card)
    needed |= {trial.version, trial.before} if trial else set()
    needed.add(card.leads_to("current"))
    for path in card.programs.iterdir():
        if path.is_dir() and not path.is_symlink() and path.name not in needed:
            shutil.rmtree(path, ignore_errors=True)


# --- switching


@dataclass(frozen=True, slots=True)
class Trial:
    """A program that has not shown its first frame yet."""

    version: str
    before: str
    """The version that played before it."""
    starts: int = 0
    """How often it was started."""


def _trial(card: Card) -> Trial | None:
    """Return the trial of the program that `current` leads to, if it is on trial."""
    try:
        note = json.loads(card.read("data/program/trial"))
        trial = Trial(str(note["version"]), str(note["before"]), int(note["starts"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    # a power cut between the note and the link: there was no switch
    return trial if trial.version == card.leads_to("current") else None


def switch(card: Card) -> str:
    """Let the next start be that of the ready, or else the refused, program; return its version."""
    before, refused = card.leads_to("current"), card.refused
    version = card.leads_to("next") or (refused if (card.programs / refused).is_dir() else "")
    if not version or version == before:
        raise UpdateError("failed", "no program is ready")
    card.put("trial", json.dumps(asdict(Trial(version, before))))
    card.link("current", version)
    card.take_away("next", "refused")
    return version


def begin(card: Card) -> str:
    """Count a start of a new program; go back to the one before if it had its chances.

    Return the version that is refused, or "". The companion must not run meanwhile.
    """
    if card.leads_to("next") == card.leads_to("current"):  # a power cut after the switch
        card.take_away("next")
    trial = _trial(card)
    if trial is None:
        card.take_away("trial")
        return ""
    can_go_back = trial.before and (card.programs / trial.before).is_dir()
    if trial.starts < MOST_STARTS or not can_go_back:
        card.put("trial", json.dumps(asdict(replace(trial, starts=trial.starts + 1))))
        return ""
    card.put("refused", f"{trial.version}\n")
    card.link("current", trial.before)
    card.take_away("trial")
    return trial.version


def shown(card: Card) -> None:
    """End the trial: the new program has shown its first frame."""
    card.take_away("trial")


# --- together


def note_look(card: Card, fault: str) -> None:
    """Note for the table when it was looked for updates, and what was wrong."""
    card.put("looked", json.dumps({"at": int(time.time()), "fault": fault}))


def _look_and_note(card: Card, *, by_itself: bool) -> str:
    if by_itself and followed_suite(card) == "off":
        return "looks for nothing by itself"
    try:
        # one at a time: another may run already
        with (card.apt / "looking").open("w") as alone:
            fcntl.flock(alone, fcntl.LOCK_EX)
            version = look(card)
    except UpdateError as error:
        note_look(card, error.code)
        # also where the table cannot be asked: a sentence, no trace
        return f"{error.code}: {error.text.strip()[-1000:]}"
    note_look(card, "")
    return f"{version} is ready" if version else "nothing newer"


def main(words: Sequence[str], card: Card) -> int:
    """Do what the one word says; return an exit status."""
    try:
        match list(words):
            case ["look", "timer" | "now" as who]:
                said = _look_and_note(card, by_itself=who == "timer")
            case ["switch"]:
                said = f"{switch(card)} plays from the next start on"
            case ["begin"]:
                refused = begin(card)
                said = f"{refused} showed no first frame: back to the one before" if refused else ""
            case ["shown"]:
                shown(card)
                said = ""
            case _:
                sys.stderr.write("say look timer, look now, switch, begin or shown\n")
                return 2
    except (UpdateError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stderr.write(f"{said}\n" if said else "")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Card()))
