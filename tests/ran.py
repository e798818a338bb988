"""How tests run a command to its end and read what it said."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def ran(
    words: Sequence[str | Path],
    *,
    check: bool = False,
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    input: str | None = None,  # noqa: A002  # as subprocess calls it
    timeout: float | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run a command; its output and its errors are text."""
    return subprocess.run(
        words, check=check, cwd=cwd, env=env, input=input, timeout=timeout,
        capture_output=True, text=True,
    )  # fmt: skip
