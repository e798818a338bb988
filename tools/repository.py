"""Makes the signed apt repository for updates of machines, with reprepro.

`python3 -m tools.repository --key FINGERPRINT --url ADDRESS [FOLDER]`.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from systemd.update import SUITES
from tools import package

DISTRIBUTION = """\
Origin: Beisitzer
Label: Beisitzer
Suite: {suite}
Codename: {suite}
Components: main
Architectures: amd64 arm64 armhf
SignWith: {keys}

"""


class RepositoryError(Exception):
    """The repository cannot be made; the text is one line that says what to do."""


@dataclass(frozen=True)
class SigningKeys:
    """Fingerprints of keys, and gpg's folder with them; None for its usual one."""

    fingerprints: tuple[str, ...]
    home: Path | None = None

    def public(self) -> str:
        """Return their public parts, in armour."""
        return _run(self.home, *GPG, "--armor", "--export", *self.fingerprints)


GPG = ("gpg", "--batch", "--no-tty", "--quiet")


def _run(keys: Path | None, *words: str) -> str:
    """Run gpg or reprepro with the keys of a folder; RepositoryError with its last line."""
    if shutil.which(words[0]) is None:
        raise RepositoryError(f"this needs {words[0]}: sudo apt-get install reprepro gpg gpg-agent")
    environment = {**os.environ, "LC_ALL": "C.UTF-8"} | ({"GNUPGHOME": str(keys)} if keys else {})
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # our own
    if done.returncode:
        raise RepositoryError(f"{words[0]}: {done.stderr.strip().splitlines()[-1:] or words}")
    return done.stdout


@contextmanager
def opened(words: Sequence[str]) -> Iterator[SigningKeys]:
    """Open keys: each word names a key in gpg's own folder, or a file with an exported key.

    Signing needs a secret key; for `public` a public key is enough.
    """
    if not words:
        raise RepositoryError(
            "say by which key, KEY= or --key: a fingerprint, or a file with an exported one"
        )
    with tempfile.TemporaryDirectory(prefix="keys-") as temporary:
        files = [word for word in words if Path(word).is_file()]
        if files and len(files) < len(words):
            raise RepositoryError("name all keys by files, or all by fingerprints")
        home = Path(temporary) if files else None
        try:
            if files:
                _run(home, *GPG, "--import", *files)
            listed = _run(home, *GPG, "--with-colons", "--list-keys", *([] if files else words))
            found = re.findall(r"^pub:.*\n(?:rvk:.*\n)*fpr:+([0-9A-F]+):", listed, re.M)
            yield SigningKeys(tuple(found), home)
        finally:
            if files and shutil.which("gpgconf") is not None:
                # stops the agent that gpg has started for this folder
                stop = ["gpgconf", "--homedir", temporary, "--kill", "all"]
                subprocess.run(stop, capture_output=True, check=False)  # noqa: S603  # our own


def sources(url: str, suite: str, public: str) -> str:
    """Return a file for /etc/apt/sources.list.d: this repository, signed by these keys only."""
    if not re.fullmatch(r"(https?|file)://?\S+", url):
        raise RepositoryError(f"say where it will lie, URL= or --url: https://..., not {url!r}")
    armour = "".join(f" {line or '.'}\n" for line in public.strip().splitlines())
    return f"Types: deb\nURIs: {url}\nSuites: {suite}\nComponents: main\nSigned-By:\n{armour}"


def publish(repository: Path, suite: str, version: str, url: str, keys: SigningKeys) -> None:
    """Add this version's package to a suite; stable packages are in testing too.

    A version that was published never changes: its package is built once.
    """
    if suite not in SUITES:
        raise RepositoryError(f"a suite is {' or '.join(SUITES)}")
    text = sources(url, SUITES[0], keys.public())
    published = list(repository.glob(f"pool/main/b/beisitzer/beisitzer_{version}_all.deb"))
    with tempfile.TemporaryDirectory(prefix="packages-") as temporary:
        built = published[0] if published else package.build(Path(temporary), version, text)
        for each in SUITES[SUITES.index(suite) :]:
            add(repository, each, built, keys)
    (repository / "beisitzer.sources").write_text(sources(url, suite, keys.public()))


def add(repository: Path, suite: str, built: Path, keys: SigningKeys) -> None:
    """Add a package to a suite, and sign the suite's lists."""
    signed_by = " ".join(f"{each}!" for each in keys.fingerprints)
    (repository / "conf").mkdir(parents=True, exist_ok=True)
    about = "".join(DISTRIBUTION.format(suite=each, keys=signed_by) for each in SUITES)
    (repository / "conf" / "distributions").write_text(about)
    _run(keys.home, "reprepro", "--silent", "--basedir", str(repository), "includedeb", suite,
         str(built))  # fmt: skip


def main(words: list[str]) -> None:
    """Publish this checkout's version, and print the place."""
    parser = argparse.ArgumentParser(prog="python -m tools.repository")
    parser.add_argument("--version", default=package.project_version())
    parser.add_argument("--suite", default=SUITES[0])
    parser.add_argument("--key", default="")
    parser.add_argument("--url", default="")
    parser.add_argument("folder", nargs="?", type=Path, default=package.ROOT / "dist" / "apt")
    chosen = parser.parse_args(words)
    try:
        with opened(chosen.key.split()) as keys:
            publish(chosen.folder, chosen.suite, chosen.version, chosen.url, keys)
    except RepositoryError as error:
        raise SystemExit(f"tools.repository: {error}") from None
    sys.stdout.write(f"{chosen.folder}: copy its pool and dists to {chosen.url}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
