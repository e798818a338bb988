"""Lets pip install the tested versions, whatever the user's configuration of pip says.

`python tools/installing.py [--log FILE] [--tested [--otherwise SENTENCE]] PYTHON -m pip ...` ends
with pip's status. Of the configuration only the way to the packages counts: index, mirror, proxy
and certificates. With `--tested` the versions of `constraints.txt` are installed, for building too;
with `--otherwise`, if one of them is no longer available, it prints the sentence and installs the
newest that fit. It needs the standard library only, because `make` calls it first.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"
KEPT = (
    "cert", "client-cert", "default-timeout", "extra-index-url", "find-links", "index-url",
    "keyring-provider", "no-index", "proxy", "retries", "timeout", "trusted-host",
)  # fmt: skip
"""The settings that say where packages are and how they are reached."""
_SECTIONS = ("global", "install", ":env:")
"""The later one counts."""
_SETTING = re.compile(rf"({'|'.join(_SECTIONS)})\.([a-z-]+)=(.*)")
_GONE = re.compile(r"\(from versions: (?!none)|ResolutionImpossible")
"""pip's message if other versions exist, but not this one."""


def way_to_packages(listed: str) -> dict[str, str]:
    """Return the environment variables for the listed settings about the way to the packages."""
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for match in filter(None, map(_SETTING.fullmatch, listed.splitlines())):
        section, name, value = match.groups()
        if name in KEPT:
            found[section][name] = str(ast.literal_eval(value))
    merged = {name: value for section in _SECTIONS for name, value in found[section].items()}
    return {f"PIP_{name.replace('-', '_').upper()}": value for name, value in merged.items()}


def environment(python: Sequence[str]) -> dict[str, str]:
    """Return the variables for a pip that knows the way to the packages and nothing else.

    `python` is the command that starts its Python.
    """
    asked = [*python, "-m", "pip", "config", "list"]
    # with `user` in the configuration this lists only the user's own file
    whole = {**os.environ, "PIP_USER": "0", "PIP_GLOBAL": "0", "PIP_SITE": "0"}
    listed = subprocess.run(  # noqa: S603  # the caller's Python
        asked, env=whole, capture_output=True, text=True, check=False
    )
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    return {
        **plain,
        **way_to_packages(listed.stdout),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONNOUSERSITE": "1",
    }


def tested(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the same with the tested versions, for build requirements too."""
    names = ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT")
    # a URL: a path with a space would be two
    return {**variables, **dict.fromkeys(names, CONSTRAINTS.as_uri())}


def download(listed: Path, folder: Path, *kind: str) -> bool:
    """Fetch the files of a list into a folder, checking their hashes; return whether all came.

    `kind` are pip's options that choose wheels or sources.
    """
    command = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--require-hashes"]
    command += [*kind, "-d", str(folder), "-r", str(listed)]
    return _run(command, environment([sys.executable]), None) == 0


def _run(command: Sequence[str], variables: Mapping[str, str], log: Path | None) -> int:
    if log is None:
        return subprocess.run(command, env=dict(variables), check=False).returncode  # noqa: S603
    with log.open("w", encoding="utf-8") as file:
        return subprocess.run(  # noqa: S603
            command, env=dict(variables), stdout=file, stderr=subprocess.STDOUT, check=False
        ).returncode


def main(words: Sequence[str]) -> int:
    """Run pip; return its status."""
    parser = argparse.ArgumentParser(prog="installing")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--tested", action="store_true")
    parser.add_argument("--otherwise", default="")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    chosen = parser.parse_args(words)
    plain = environment(chosen.command[: chosen.command.index("-m")])
    status = _run(chosen.command, tested(plain) if chosen.tested else plain, chosen.log)
    said = chosen.log.read_text("utf-8") if chosen.log else ""
    if status and chosen.otherwise and _GONE.search(said):
        sys.stdout.write(f"  {chosen.otherwise}\n")
        sys.stdout.flush()
        status = _run(chosen.command, plain, chosen.log)
    return status


if __name__ == "__main__":
    try:
        raise SystemExit(main(sys.argv[1:]))
    except KeyboardInterrupt:  # pip was interrupted too
        raise SystemExit(128 + 2) from None  # 2: SIGINT
