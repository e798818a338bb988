"""Keys: signs a repository's index, and writes the sources file that lets apt trust it."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


class RepositoryError(Exception):
    """The repository cannot be made; the text is one line that says what to do."""


@dataclass(frozen=True)
class SigningKeys:
    """Keys by their fingerprints, and the folder in which gpg has them; None: its usual one."""

    fingerprints: tuple[str, ...]
    home: Path | None = None

    def public(self) -> str:
        """Return their public parts, in armour."""
        return _gpg(self.home, "--armor", "--export", *self.fingerprints)

    def sign(self, release: Path) -> None:
        """Sign a `Release` file by every key, as `InRelease` and as `Release.gpg` beside it."""
        by = [word for each in self.fingerprints for word in ("--local-user", f"{each}!")]
        for name, how in (("InRelease", "--clearsign"), ("Release.gpg", "--detach-sign")):
            new = release.with_name(f"{name}.new")
            _gpg(self.home, *by, "--digest-algo", "SHA512", "--armor", "--yes",
                 "--output", str(new), how, str(release))  # fmt: skip
            new.replace(release.with_name(name))


def _gpg(home: Path | None, *words: str) -> str:
    if shutil.which("gpg") is None:
        raise RepositoryError("this needs gpg: sudo apt-get install gpg gpg-agent")
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    if home is not None:
        environment["GNUPGHOME"] = str(home)
    command = ["gpg", "--batch", "--no-tty", "--quiet", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # our own
    if done.returncode:
        raise RepositoryError(f"gpg: {done.stderr.strip().splitlines()[-1:] or words}")
    return done.stdout


@contextmanager
def opened(words: Sequence[str]) -> Iterator[SigningKeys]:
    """Open keys: each word is a key of gpg's own, or a file with an exported one.

    A secret key is needed for signing, a public one is enough for `public`.
    """
    if not words:
        raise RepositoryError("say by which key: KEY=FINGERPRINT, or KEY=FILE with an exported one")
    with tempfile.TemporaryDirectory(prefix="keys-") as temporary:
        home = Path(temporary)
        files = [word for word in words if Path(word).is_file()]
        if files and len(files) < len(words):
            raise RepositoryError("name all keys by files, or all by fingerprints")
        if files:
            _gpg(home, "--import", *files)
        folder = home if files else None
        try:
            listed = _gpg(folder, "--with-colons", "--list-keys", *([] if files else words))
            found = re.findall(r"^pub:.*\n(?:rvk:.*\n)*fpr:+([0-9A-F]+):", listed, re.M)
            yield SigningKeys(tuple(found), folder)
        finally:
            if files and shutil.which("gpgconf") is not None:
                # the agent that gpg has started for this folder
                stop = ["gpgconf", "--homedir", str(home), "--kill", "all"]
                subprocess.run(stop, capture_output=True, check=False)  # noqa: S603  # our own


def sources(url: str, suite: str, public: str) -> str:
    """Return a file for /etc/apt/sources.list.d: this repository, trusted by these keys alone."""
    if not re.fullmatch(r"(https?|file)://?\S+", url):
        raise RepositoryError(f"say where it will lie: URL=https://..., not {url!r}")
    armour = "".join(f" {line or '.'}\n" for line in public.strip().splitlines())
    return f"Types: deb\nURIs: {url}\nSuites: {suite}\nComponents: main\nSigned-By:\n{armour}"
