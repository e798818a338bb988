"""A file of results that a run appends to and resumes from: a head, then a line for each round."""

import json
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from bench.strength import StrengthError

INFORMATION = ("commits",)
"""Keys of a head that are for the reader: a run with other ones may go on."""
NEWS_S = 60.0
"""How often a run says how far it is."""

PlayedRound = dict[str, Any]
"""What a file keeps of a round, as JSON."""
Play = Callable[[int], PlayedRound]
"""Plays the round of this number."""


class Results:
    """The rounds in a file; the head is written before the first one is played."""

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        """Open a file, new or begun; StrengthError if it was begun for something else."""
        self._path = path
        self.rounds: dict[int, PlayedRound] = {}
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

    def complete(
        self, count: int, playing: Callable[[], AbstractContextManager[Play]], news: str = ""
    ) -> list[PlayedRound]:
        """Play those of `count` rounds that are missing, keep each at once; return all of them.

        `playing` is only entered if a round is missing. Now and then it is said how far the run
        is, with `news` in front; not if that is empty.
        """
        missing = [number for number in range(count) if number not in self.rounds]
        if missing:
            said = time.monotonic()
            with playing() as play:
                for number in missing:
                    self._add(number, play(number))
                    if news and time.monotonic() - said > NEWS_S:
                        said = time.monotonic()
                        sys.stderr.write(f"{news}: {len(self.rounds)} of {count} rounds played\n")
        return [self.rounds[number] for number in range(count)]

    def _add(self, number: int, content: PlayedRound) -> None:
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
