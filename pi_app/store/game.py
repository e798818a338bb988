"""A stored game: what the facts of its file make of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pi_app.store.journal import Fact, FactLines
from pi_app.system.host import FIRST_YEAR
from pi_app.texts.printable import printable_data

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
             "result", "revision", "shelved"}  # fmt: skip
"""What a fact says itself; every other key hangs a note on the game."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A stored game: its tags, the moves that count, and the moves that can be redone."""

    id: int
    tags: Mapping[str, str]
    tokens: tuple[str, ...]
    undone: tuple[str, ...] = ()
    """Tokens of undone moves, in the order in which redo plays them."""
    game_id: str = ""
    """A random id of 128 bits in hexadecimal digits, which no other game anywhere has."""
    began: str = ""
    ended: str | None = None
    """When it began and ended, in ISO format."""
    result: Mapping[str, Any] | None = None
    """How it ended, as in records."""
    shelved: bool = False
    notes: Mapping[str, str] = field(default_factory=dict)
    """What hangs on the game: a text by its key."""
    revision: int = -1
    """How often a result was written or taken back after the first; -1: it never had one."""
    damage: int | None = None
    """The number (from 1) of the first move that cannot be read; None: the file is whole."""
    newer: bool = False
    """Whether a newer program wrote it: nothing of it can be read here."""

    @property
    def withdrawn(self) -> bool:
        """Whether it had a result that was taken back."""
        return self.revision >= 0 and self.result is None


def name_of(number: int, kind: str, began: str) -> str:
    """Return the name of a new game's file, by which a person finds it."""
    day = began[:10] if began >= str(FIRST_YEAR) else ""
    words = (f"{number:04}", kind[:40], day)
    return "-".join(re.sub(r"[^A-Za-z0-9_-]", "_", word) for word in words if word) + ".jsonl"


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of the history. `began` and `ended` are in ISO format, `result` is as in records."""

    id: int
    game: str
    players: tuple[str, ...]
    began: str
    ended: str | None
    result: Mapping[str, Any] | None
    shelved: bool
    tags: Mapping[str, str]
    game_id: str = ""
    moves: int = 0
    revision: int = -1
    damage: int | None = None
    """The number (from 1) of the first move that cannot be read; None: the file is whole."""
    newer: bool = False
    """Whether a newer program wrote it: nothing of it can be read here."""
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(map(str, self.result["winners"])) if self.result else ()


def fingerprint(tags: Mapping[str, str]) -> str:
    """Return the tags as one text, without the date, which an export adds."""
    return json.dumps({name: tags[name] for name in sorted(tags) if name != "Date"})


def kind_in(name: str) -> str:
    """Return the kind of game that a file's name says; "" if it does not."""
    match = re.fullmatch(r"\d+-([A-Za-z0-9_]+).*\.jsonl", name)
    return match[1] if match else ""


def unreadable(number: int, name: str, *, newer: bool = False) -> StoredGame:
    """Return a game of which only the file's name can be read."""
    return StoredGame(number, {"Game": kind_in(name)}, (), damage=None if newer else 1, newer=newer)


def from_lines(number: int, name: str, lines: FactLines) -> StoredGame | None:
    """Return the game that a file's lines tell; None while nothing of it was confirmed."""
    facts = lines.facts()
    if not facts:
        return unreadable(number, name) if lines.damaged else None
    with suppress(*NO_FACT):
        if facts[0]["format"] > FORMAT:
            return unreadable(number, name, newer=True)
        return Telling(facts, damaged=lines.damaged).game(number)
    return unreadable(number, name)


class Telling:
    """Follows the facts of one game."""

    def __init__(self, facts: Sequence[Fact], *, damaged: bool = False) -> None:
        """Read these facts; an error of `NO_FACT` if the first one does not begin a game."""
        self.damaged = damaged
        self._head = facts[0]
        self._id, self._began = str(self._head["id"]), str(self._head["at"])
        tags = printable_data(self._head["tags"])
        self._tags = {str(name): str(value) for name, value in tags.items()}
        self._played: list[str] = []
        self._undone: list[str] = []
        self._notes: dict[str, str] = {}
        self._result: Mapping[str, Any] | None = None
        self._ended: str | None = None
        self._shelved = False
        self._revision = int(self._head.get("revision", -1))
        for fact in facts:
            try:
                self.add(fact)
            except NO_FACT:  # it is right by its checksum: what follows it is not guessed
                self.damaged = True
                break

    @property
    def has_result(self) -> bool:
        """Whether the game is over now."""
        return self._result is not None

    def add(self, fact: Fact) -> None:
        """Read another fact; an error of `NO_FACT` if it is none."""
        if "move" in fact:
            self._played.append(str(fact["move"]))
            self._undone.clear()
        elif "undo" in fact:
            self._undone.insert(0, self._played.pop())
        elif "redo" in fact:
            self._played.append(self._undone.pop(0))
        elif "rewrite" in fact:
            self._played = list(map(str, fact["rewrite"]))
            self._undone = list(map(str, fact.get("undone", ())))
        if "result" in fact:
            self._result = None if fact["result"] is None else _sound_result(fact["result"])
            self._ended = None if self._result is None else str(fact["at"])
            self._revision += 1
        if "shelved" in fact:
            self._shelved = bool(fact["shelved"])
        for key in fact.keys() - _OWN_KEYS:
            self._notes[key] = text_of(fact[key])

    def game(self, number: int) -> StoredGame:
        """Return the game as it is now."""
        return StoredGame(
            number,
            self._tags,
            tuple(self._played),
            tuple(self._undone),
            self._id,
            self._began,
            self._ended,
            self._result,
            self._shelved,
            dict(self._notes),
            self._revision,
            len(self._played) + 1 if self.damaged else None,
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


def facts_of_game(game: StoredGame) -> list[dict[str, Any]]:
    """Return the fewest facts that tell this game."""
    first = first_fact(game.id, game.game_id, game.tags, game.began)
    # the result below counts again
    before = {"revision": game.revision - (game.result is not None)}
    facts: list[dict[str, Any]] = [first | before if game.revision >= 0 else first]
    if game.tokens or game.undone:
        facts.append({"rewrite": list(game.tokens), "undone": list(game.undone)})
    facts += [note_fact(key, text) for key, text in game.notes.items()]
    if game.result is not None:
        facts.append({"result": dict(game.result), "at": game.ended or game.began})
    if game.shelved:
        facts.append({"shelved": True})
    return facts
