"""Asks a service for known vulnerabilities of all pinned libraries: `make audit`.

`python -m tools.audit [--where-possible]`. Exit status 0: all were looked up, none is known.
1: some are known. 3: not audited, as no service answers; `--where-possible` says so and gives 0.

A service that knows nothing and one that nobody reaches look the same: pip-audit says "No known
vulnerabilities found" of packages that it could not look up. So a version with known holes is
looked up first, the CANARY. Where it is found clean, nothing counts as looked up.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PINNED = ("constraints.txt", "systemd/requirements.txt", "systemd/requirements-parts.txt")
CANARY = "jinja2==2.4.1"
SERVICES = ("pypi", "osv")
TIMEOUT_S = 10
NOT_AUDITED = 3
_LONGEST_S = 600


@dataclass(frozen=True)
class Audit:
    """What a service said: lines about `known` holes, and what it has not looked up."""

    service: str
    known: tuple[str, ...]
    unknown: tuple[str, ...]


def pinned(texts: Iterable[str]) -> list[str]:
    """Return each NAME==VERSION of requirement files once, if it is for this machine and Python."""
    found: dict[str, None] = {}
    for line in "\n".join(texts).splitlines():
        words = line.split("#")[0].split("--hash")[0].strip(" \\")
        if "==" not in words:
            continue
        requirement = Requirement(words)
        if requirement.marker is None or requirement.marker.evaluate():
            found[f"{requirement.name.lower().replace('_', '-')}{requirement.specifier}"] = None
    return sorted(found)


def ask(service: str, requirements: Iterable[str]) -> Mapping[str, Any] | None:
    """Return pip-audit's answer by this service; None if there is none."""
    with tempfile.TemporaryDirectory() as temporary:
        listed = Path(temporary) / "requirements.txt"
        listed.write_text("\n".join(requirements))
        words = ["-r", str(listed), "--no-deps", "--disable-pip", "--format", "json"]
        quiet = ["--progress-spinner", "off", "--timeout", str(TIMEOUT_S)]
        command = [sys.executable, "-m", "pip_audit", "-s", service, *words, *quiet]
        try:
            done = subprocess.run(  # noqa: S603  # our own
                command, capture_output=True, text=True, check=False, timeout=_LONGEST_S
            )
            answer = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            return None
    return answer if isinstance(answer, dict) else None


def judge(service: str, answer: Mapping[str, Any], requirements: Iterable[str]) -> Audit:
    """Read an answer: whoever was asked for and is not in it, or was skipped, is unknown."""
    known, looked_up = [], set()
    for each in answer.get("dependencies", ()):
        if "vulns" not in each:
            continue
        looked_up.add(f"{each['name'].lower().replace('_', '-')}=={each['version']}")
        for hole in each["vulns"]:
            fixed = ", ".join(hole.get("fix_versions", ())) or "no version"
            known.append(f"{each['name']} {each['version']}: {hole['id']}, mended in {fixed}")
    return Audit(service, tuple(known), tuple(sorted(set(requirements) - looked_up)))


def audit(requirements: list[str]) -> Audit | None:
    """Return what the first service says that knows the canary; None if there is none."""
    for service in SERVICES:
        answer = ask(service, [CANARY])
        if answer is None or not judge(service, answer, [CANARY]).known:
            continue
        answer = ask(service, requirements)
        if answer is not None:
            return judge(service, answer, requirements)
    return None


def main(words: list[str]) -> int:
    """Audit the pinned libraries, say what is known, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.audit")
    parser.add_argument("--where-possible", action="store_true")
    lenient = parser.parse_args(words).where_possible
    requirements = pinned((ROOT / name).read_text() for name in PINNED)
    found = audit(requirements)
    if found is None:
        sys.stdout.write(f"not audited: no service answers ({', '.join(SERVICES)})\n")
        return 0 if lenient else NOT_AUDITED
    for line in found.known:
        sys.stdout.write(f"{line}\n")
    if found.known:
        return 1
    if found.unknown:
        sys.stdout.write(f"not audited: {found.service} lacks {', '.join(found.unknown)}\n")
        return 0 if lenient else NOT_AUDITED
    sys.stdout.write(f"{len(requirements)} libraries: {found.service} knows no vulnerability\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
