"""Comments on a stored game: those of an imported record, and where a tip was shown.

A note's `before` is the number of moves before it: with 1 it comments on the first move.
"""

import json
from collections.abc import Iterable, Sequence

from engines.record import Note
from pi_app.store.store import Memory, Reader

TIP = "tip"
"""The comment after a move for which a tip was shown."""


def store_comments(games: Memory, game: int, notes: tuple[Note, ...]) -> None:
    """Store a game's comments."""
    if notes:
        _write(games, game, notes)


def _write(games: Memory, game: int, notes: Iterable[Note]) -> None:
    games.remember(comments_key(game), json.dumps([[note.before, note.text] for note in notes]))


def comments_of(games: Reader | Memory, game: int) -> tuple[Note, ...]:
    """Return a stored game's comments; empty if they cannot be read."""
    try:
        rows = json.loads(games.recall(comments_key(game)) or "[]")
        return tuple(Note(int(before), str(text)) for before, text in rows)
    except (ValueError, TypeError):
        return ()


def note_tip(games: Memory, game: int, n: int) -> None:
    """Store once that a tip was shown for move n (from 0), even if that move is never played."""
    notes, tip = comments_of(games, game), Note(n + 1, TIP)
    if tip not in notes:
        before = [note for note in notes if note.before <= n + 1]
        _write(games, game, (*before, tip, *notes[len(before) :]))


def cut_comments(games: Memory, game: int, n: int, *, keep_tip: bool = False) -> None:
    """Delete the comments on move n (from 0) and all later ones: other moves replace these.

    `keep_tip`: that a tip was shown for move n stays.
    """
    notes = comments_of(games, game)
    kept_tip = Note(n + 1, TIP) if keep_tip else None
    rest = tuple(note for note in notes if note.before <= n or note == kept_tip)
    if rest != notes:
        _write(games, game, rest)


def move_comments(games: Memory, game: int, old: Sequence[str], new: Sequence[str]) -> None:
    """Move comments along with their moves after a correction of the game.

    A move that replaces another gets its comments; those of a removed move are deleted.
    """
    notes = comments_of(games, game)
    if not notes:
        return
    same_start = _common_start(old, new)
    same_end = _common_start(old[same_start:][::-1], new[same_start:][::-1])
    replaced = len(old) == len(new)
    moved = []
    for note in notes:
        if note.before <= same_start or (replaced and note.before <= len(old)):
            moved.append(note)
        # the moves after the correction have only moved
        elif len(old) - same_end < note.before <= len(old):
            moved.append(Note(note.before + len(new) - len(old), note.text))
    if tuple(moved) != notes:
        _write(games, game, moved)


def _common_start(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the number of equal moves at the beginning of both."""
    count = 0
    while count < min(len(first), len(second)) and first[count] == second[count]:
        count += 1
    return count


def comments_key(game: int) -> str:
    """Return the store's key for the comments on a game."""
    return f"comments/{game}"
