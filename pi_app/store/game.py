"""A stored game: what the facts of its file make of it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from engines.seating import player_pairs
from pi_app.store.disk import Disk
from pi_app.store.journal import Fact, FactLines
from pi_app.system.host import FIRST_YEAR
from pi_app.texts.printable import printable_data

log = logging.getLogger(__name__)

FORMAT = 1
"""The format of a game's file; a file of a higher one is left as it is."""
DAY_ALONE = "T00:00:00+00:00"
"""How the stored time of an imported record ends, which has a day and no time."""
SESSION = "session"
"""The note on a game that tells when it began in a session, if the clock was not set then or
earlier in it: the session's id, the seconds since the machine's start, and whether the clock was
set.
"""
CLOCK_SET, CLOCK_UNSET = "set", "unset"
NO_FACT = (TypeError, ValueError, KeyError, IndexError, AttributeError)
"""What reading something raises that is no fact of a game."""
_OWN_KEYS = {"game", "id", "format", "tags", "at", "n", "move", "undo", "redo", "rewrite", "undone",
             "result", "shelved"}  # fmt: skip
"""What a fact says itself; every other key hangs a note on the game."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of the history. `began` and `ended` are in ISO format, `result` is as in records."""

    id: int
    game: str
    players: Sequence[str]
    began: str = ""
    ended: str | None = None
    result: Mapping[str, Any] | None = None
    shelved: bool = False
    tags: Mapping[str, str] = field(default_factory=dict)
    game_id: str = ""
    """A random id of 128 bits in hexadecimal digits, which no other game anywhere has."""
    moves: int = 0
    revision: int = -1
    """How often a result was written or taken back after the first; -1: it never had one."""
    damage: int | None = None
    """The number (from 1) of the first move that cannot be read; None: the file is whole."""
    newer: bool = False
    """Whether a newer program wrote it: nothing of it can be read here."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """What hangs on the game: a text by its key; in an entry of the index not the long ones."""

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(map(str, self.result["winners"])) if self.result else ()

    @property
    def waits(self) -> bool:
        """Whether it can be continued, and not only was left for another before its first move."""
        begun = self.moves or not self.shelved or "Position" in self.tags
        return self.result is None and not self.newer and bool(begun)


@dataclass(frozen=True, slots=True)
class StoredGame(GameEntry):
    """A game with its moves that count, and those that redo plays, in their order."""

    tokens: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()


def name_of(number: int, kind: str, began: str) -> str:
    """Return the name of a new game's file, by which a person finds it."""
    day = began[:10] if began >= str(FIRST_YEAR) else ""
    words = (f"{number:04}", kind[:40], day)
    return "-".join(re.sub(r"[^A-Za-z0-9_-]", "_", word) for word in words if word) + ".jsonl"


def fingerprint(tags: Mapping[str, str]) -> str:
    """Return the tags as one text, without the date, which an export adds."""
    return json.dumps({name: tags[name] for name in sorted(tags) if name != "Date"})


def content_key(tags: Mapping[str, str], tokens: Sequence[str]) -> str:
    """Return a key that identifies a game's content, but for its date, in any store."""
    data = json.dumps([fingerprint(tags), list(tokens)]).encode()
    return f"{crc32(data):08x}{crc32(data[::-1]):08x}"  # hashlib would take 3 MiB of memory


def lines_of(disk: Disk, name: str) -> FactLines:
    """Return what a file says, damage if it cannot be read; FileNotFoundError without one."""
    try:
        return FactLines(disk.read(name))
    except FileNotFoundError:
        raise
    except OSError as error:
        log.warning("%s cannot be read: %s", name, error)
        return FactLines(b"\n")


def read_game(disk: Disk, number: int, name: str) -> StoredGame:
    """Return the game in a file; KeyError if there is none."""
    try:
        stored = from_lines(number, name, lines_of(disk, name))
    except FileNotFoundError:
        stored = None
    if stored is None:
        raise KeyError(number)
    return stored


def from_lines(number: int, name: str, lines: FactLines) -> StoredGame | None:
    """Return the game that a file's lines tell; None while nothing of it was confirmed.

    A file without a game that can be read has an id made of its bytes.
    """
    newer = False
    try:
        return Telling(number, lines).game()
    except NewerError:
        newer = True
    except NO_FACT:
        if not lines.count and not lines.damaged:
            return None
    match = re.fullmatch(r"\d+-([A-Za-z0-9_]+).*\.jsonl", name)
    return StoredGame(
        number,
        match[1] if match else "",
        (),
        game_id=f"{crc32(lines.data):08x}-{len(lines.data)}",
        damage=None if newer else 1,
        newer=newer,
    )


class NewerError(ValueError):
    """A newer program wrote a file."""


class Telling:
    """Follows the facts of one game."""

    def __init__(self, number: int, lines: FactLines) -> None:
        """Read a file; NewerError, or another of `NO_FACT` if it does not begin a game."""
        facts = lines.facts()
        self.damaged = lines.damaged
        self.facts: list[Fact] = []
        """Those that count."""
        first = facts[0]
        if first["format"] > FORMAT:
            raise NewerError
        tags = printable_data(first["tags"])
        tags = {str(name): str(value) for name, value in tags.items()}
        # an empty text gives one empty pair
        players = tuple(name for name, colour in player_pairs(tags.get("Players", "")) if colour)
        self._game: dict[str, Any] = {
            "id": number,
            "game": tags.get("Game", ""),
            "players": players,
            "began": str(first["at"]),
            "tags": tags,
            "game_id": str(first["id"]),
            "result": None,
            "revision": -1,
            "notes": {},
        }
        self._played: list[str] = []
        self._undone: list[str] = []
        for fact in facts:
            try:
                self.add(fact)
            except NO_FACT:  # it is right by its checksum: what follows it is not guessed
                self.damaged = True
                break

    @property
    def has_result(self) -> bool:
        """Whether the game is over now."""
        return self._game["result"] is not None

    def add(self, fact: Fact) -> None:
        """Read another fact; an error of `NO_FACT` if it is none."""
        game, at = self._game, str(fact["at"]) if "result" in fact else ""
        if "move" in fact:
            self._played.append(str(fact["move"]))
            self._undone.clear()
        elif "undo" in fact:
            self._undone.insert(0, self._played.pop())
        elif "redo" in fact:
            self._played.append(self._undone.pop(0))
        elif "rewrite" in fact:
            lists = fact["rewrite"], fact.get("undone", ())
            self._played, self._undone = (list(map(str, tokens)) for tokens in lists)
        if "result" in fact:
            game["result"] = None if fact["result"] is None else _sound_result(fact["result"])
            game["ended"] = at if self.has_result else None
            game["revision"] += 1
        if "shelved" in fact:
            game["shelved"] = bool(fact["shelved"])
        for key in fact.keys() - _OWN_KEYS:
            game["notes"][key] = text_of(fact[key])
        self.facts.append(fact)

    def game(self) -> StoredGame:
        """Return the game as it is now."""
        count = len(self._played)
        return StoredGame(
            **self._game | {"notes": dict(self._game["notes"])},
            moves=count,
            damage=count + 1 if self.damaged else None,
            tokens=tuple(self._played),
            undone=tuple(self._undone),
        )


def _sound_result(result: Any) -> Mapping[str, Any]:
    if isinstance(result, Mapping) and isinstance(result.get("winners"), list):
        return printable_data(result)
    return {"winners": [], "reason": "unknown"}  # it has ended, though nobody can tell how


def first_fact(number: int, game_id: str, tags: Mapping[str, str], began: str) -> dict[str, Any]:
    """Return the fact that begins a game's file."""
    return {"game": number, "format": FORMAT, "id": game_id, "at": began, "tags": dict(tags)}


def note_fact(key: str, text: str) -> dict[str, Any]:
    """Return the fact that hangs a text on a game; JSON is written as such, for people."""
    with suppress(ValueError, RecursionError):
        value = json.loads(text)
        if isinstance(value, dict | list) and json.dumps(value) == text:
            return {key: value}
    return {key: text}


def text_of(value: Any) -> str:
    """Return the text that `note_fact` was given."""
    return value if isinstance(value, str) else json.dumps(value)
