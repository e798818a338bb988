"""Comments beside a stored game: those of an imported record, and where a tip was shown."""

import json
from collections.abc import Iterable, Sequence

from engines.record import Note
from pi_app.store.store import Memory, Reader

TIP = "tip"
"""The comment behind a move before which a tip was shown."""


def store_comments(games: Memory, game: int, notes: tuple[Note, ...]) -> None:
    """Keep a stored game's comments."""
    if notes:
        _write(games, game, notes)


def _write(games: Memory, game: int, notes: Iterable[Note]) -> None:
    games.remember(_key(game), json.dumps([[note.before, note.text] for note in notes]))


def comments_of(games: Reader | Memory, game: int) -> tuple[Note, ...]:
    """Return a stored game's comments; none where they cannot be read."""
    try:
        rows = json.loads(games.recall(_key(game)) or "[]")
        return tuple(Note(int(before), str(text)) for before, text in rows)
    except (ValueError, TypeError):
        return ()


def note_tip(games: Memory, game: int, n: int) -> None:
    """Keep once that a tip was shown for move n (from 0), also if it is never played."""
    notes, tip = comments_of(games, game), Note(n + 1, TIP)
    if tip not in notes:
        before = [note for note in notes if note.before <= n + 1]
        _write(games, game, (*before, tip, *notes[len(before) :]))


def cut_comments(games: Memory, game: int, n: int) -> None:
    """Forget what was said of the moves from n on: others come in their place."""
    notes = comments_of(games, game)
    rest = tuple(note for note in notes if note.before <= n)
    if rest != notes:
        _write(games, game, rest)


def move_comments(games: Memory, game: int, old: Sequence[str], new: Sequence[str]) -> None:
    """Let comments follow their moves where the course of a game was changed.

    A move in another's place keeps its comments; those of a removed one go with it.
    """
    notes = comments_of(games, game)
    if not notes:
        return
    same = _common_start(old, new)
    rest = _common_start(old[same:][::-1], new[same:][::-1])
    replaced = len(old) == len(new)
    moved = []
    for note in notes:
        if note.before <= same or (replaced and note.before <= len(old)):
            moved.append(note)
        elif len(old) - rest < note.before <= len(old):
            moved.append(Note(note.before + len(new) - len(old), note.text))
    if tuple(moved) != notes:
        _write(games, game, moved)


def _common_start(some: Sequence[str], others: Sequence[str]) -> int:
    """Return with how many of the same moves both begin."""
    count = 0
    while count < min(len(some), len(others)) and some[count] == others[count]:
        count += 1
    return count


def _key(game: int) -> str:
    return f"comments/{game}"
