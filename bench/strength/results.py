"""A file of results that a run appends to and resumes from: a head, then a line for each round."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.strength.errors import StrengthError

INFORMATION = ("commits",)
"""Keys of a head that are for the reader: a run with other ones may go on."""


class Results:
    """The rounds in a file; the head is written before the first one is played."""

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        """Open a file, new or begun; StrengthError if it was begun for something else."""
        self._path = path
        self.rounds: dict[int, dict[str, Any]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        # a run that was killed may have left half a line: it is cut off
        whole = path.read_bytes() if path.exists() else b""
        whole = whole[: whole.rfind(b"\n") + 1]
        if not whole:
            path.write_text(json.dumps(head) + "\n", "utf-8")
            return
        with path.open("r+b") as file:
            file.truncate(len(whole))
        first, *lines = whole.decode("utf-8").splitlines()
        _compare(path, json.loads(first), head)
        for line in lines:
            found = json.loads(line)
            self.rounds[found["round"]] = found

    def add(self, number: int, **content: Any) -> None:
        """Keep a round, at once."""
        found = {"round": number, **content}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")
        self.rounds[number] = found


def _compare(path: Path, found: Mapping[str, Any], head: Mapping[str, Any]) -> None:
    # through JSON, which has no tuples
    wanted = json.loads(json.dumps(head))
    for key in sorted({*found, *wanted} - {*INFORMATION}):
        if found.get(key) != wanted.get(key):
            raise StrengthError(
                f"{path} was begun with {key} {found.get(key)}, not {wanted.get(key)}:"
                " name another file, or delete it"
            )
