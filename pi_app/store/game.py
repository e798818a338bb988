"""A stored game, built from the facts of its file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from os import urandom
from typing import Any
from zlib import crc32

from engines.game import Result
from engines.seating import player_pairs
from pi_app.store.disk import number_of
from pi_app.store.journal import Fact, FactLines
from pi_app.system.host import FIRST_YEAR
from pi_app.texts.printable import printable_data

NOTHING: Mapping[str, str] = {}
FORMAT = 1
"""The format of a game's file; a file of a higher one is left as it is."""
DAY_ALONE = "T00:00:00+00:00"
"""The end of a stored time without a time of day, from an imported record."""
SESSION = "session"
"""The note on a game that began in a session with an unset clock: the session's id, the seconds
since the machine's start, and whether the clock was set.
"""
CLOCK_SET, CLOCK_UNSET = "set", "unset"
AFTER = "after"
"""The note on a game that began while the clock was not set: when the latest one before began."""
NO_FACT = (TypeError, ValueError, KeyError, IndexError, AttributeError)
"""The errors that reading a malformed fact raises."""
_OWN_KEYS = {"game", "id", "format", "tags", "at", "n", "move", "undo", "redo", "rewrite", "undone",
             "result"}  # fmt: skip
"""The keys of facts; every other key adds a note to the game."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of the history. `began` and `ended` are in ISO format, `result` is as in records."""

    id: int
    game: str
    players: Sequence[str]
    began: str = ""
    ended: str | None = None
    result: Mapping[str, Any] | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    game_id: str = ""
    """A random id of 128 bits in hexadecimal digits, which no other game anywhere has; that of an
    imported record is its `content_key`.
    """
    moves: int = 0
    revision: int = -1
    """Counts changes of its result after the first; -1 without any result."""
    damage: int | None = None
    """The number (from 1) of the first move that cannot be read; None: the file is whole."""
    newer: bool = False
    """Whether a newer program wrote it, so that it cannot be read here."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """The notes on the game, texts by key; an entry of the index omits the long ones."""

    @property
    def happened(self) -> str:
        """When the game began, by which lists are sorted."""
        return max(self.began, self.notes.get(AFTER, ""))

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(map(str, self.result["winners"])) if self.result else ()


@dataclass(frozen=True, slots=True)
class StoredGame(GameEntry):
    """A game with its current moves, and the moves that redo plays, in order."""

    tokens: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()
    file: str = ""
    lines: FactLines = field(default_factory=FactLines, compare=False, repr=False)
    """The lines of its file that count."""


def name_of(number: int, kind: str, began: str) -> str:
    """Return the name of a new game's file, readable for people."""
    day = began[:10] if began >= str(FIRST_YEAR) else ""
    words = (f"{number:04}", kind[:40], day)
    return "-".join(re.sub(r"[^A-Za-z0-9_-]", "_", word) for word in words if word) + ".jsonl"


def content_key(tags: Mapping[str, str], tokens: Sequence[str]) -> str:
    """Return a key that identifies a game's content, but for its date, in any store."""
    known = {name: tags[name] for name in sorted(tags) if name != "Date"}  # an export adds it
    data = json.dumps([json.dumps(known), list(tokens)]).encode()
    return f"{crc32(data):08x}{crc32(data[::-1]):08x}"  # hashlib would need 3 MiB of memory


@lru_cache(1)
def game_in(data: bytes, file: str) -> StoredGame | None:
    """Return the game in a file's bytes; None if none of its lines was confirmed yet.

    An unreadable game has an id made of its bytes, and the day in the file's name.
    """
    lines, count = FactLines(data), 0
    _, kind, day = [*file.removesuffix(".jsonl").split("-", 2), "", ""][:3]
    game: dict[str, Any] = {
        "id": number_of(file),
        "game": kind,
        "began": day and f"{day}{DAY_ALONE}",
        "players": (),
        "game_id": f"{crc32(lines.data):08x}-{len(lines.data)}",
        "notes": {},
        "revision": -1,
        "file": file,
        "lines": lines,
    }
    played: list[str] = []
    undone: list[str] = []
    facts = lines.facts()
    try:
        if facts[0]["format"] > FORMAT:
            return StoredGame(newer=True, **game)
        tags = {str(name): str(value) for name, value in printable_data(facts[0]["tags"]).items()}
        game |= {"game": tags.get("Game", ""), "began": str(facts[0]["at"]), "tags": tags}
        # an empty text gives one empty pair
        game["players"] = tuple(name for name, c in player_pairs(tags.get("Players", "")) if c)
        game["game_id"] = str(facts[0]["id"])
        for fact in facts:
            _follow(game, played, undone, fact)
            count += 1
    # its checksum is right, so a newer program wrote it: later facts are not guessed
    except NO_FACT:
        lines.cut(count)
    game |= {"moves": len(played), "damage": len(played) + 1 if lines.damaged else None}
    stored = StoredGame(tokens=tuple(played), undone=tuple(undone), **game)
    return stored if lines.bodies or lines.damaged else None


def _follow(game: dict[str, Any], played: list[str], undone: list[str], fact: Fact) -> None:
    """Apply a fact to a game; an error of `NO_FACT` for a malformed one."""
    at = str(fact["at"]) if "result" in fact else ""
    if "move" in fact:
        played.append(str(fact["move"]))
        undone.clear()
    elif "undo" in fact:
        undone.insert(0, played.pop())
    elif "redo" in fact:
        played.append(undone.pop(0))
    elif "rewrite" in fact:
        lists = fact["rewrite"], fact.get("undone", ())
        played[:], undone[:] = (map(str, tokens) for tokens in lists)
    if "result" in fact:
        game["result"] = None if fact["result"] is None else _sound_result(fact["result"])
        game["ended"] = at if game["result"] is not None else None
        game["revision"] += 1
    for key in fact.keys() - _OWN_KEYS:
        game["notes"][key] = text_of(fact[key])


def _sound_result(result: Any) -> Mapping[str, Any]:
    if isinstance(result, Mapping) and isinstance(result.get("winners"), list):
        return printable_data(result)
    return {"winners": [], "reason": "unknown"}  # it has ended, but the result is unreadable


def new_file(
    number: int,
    tags: Mapping[str, str],
    began: str,
    *,
    notes: Mapping[str, str] = NOTHING,
    tokens: Sequence[str] | None = None,
    result: Result | None = None,
    game_id: str = "",
) -> tuple[str, bytes]:
    """Return name and bytes of the file of a new game, with its moves if it was played already.

    Number 0 lets the store give the game one. Without an id it gets a random one.
    """
    identity = {"game": number, "format": FORMAT, "id": game_id or urandom(16).hex()}
    facts = [
        {**identity, "at": began, "tags": dict(tags)},
        *(note_fact(key, text) for key, text in notes.items()),
        *({"n": n, "move": token} for n, token in enumerate(tokens or (), 1)),
    ]
    if result is not None:
        facts.append({"result": result.as_json(), "at": began})
    lines = FactLines()
    # moves are separate: otherwise damage would hide earlier ones, too
    lines.add(facts, together=tokens is None)
    return name_of(number, tags.get("Game", ""), began), lines.data


def note_fact(key: str, text: str) -> dict[str, Any]:
    """Return the fact for a note on a game; JSON is written as such, for people."""
    with suppress(ValueError, RecursionError):
        value = json.loads(text)
        if isinstance(value, dict | list) and json.dumps(value) == text:
            return {key: value}
    return {key: text}


def text_of(value: Any) -> str:
    """Return the text that `note_fact` was given."""
    return value if isinstance(value, str) else json.dumps(value)
