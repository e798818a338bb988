"""Comments of an imported record, kept beside its game until it is exported again."""

import json

from engines.record import Note, Record
from pi_app.store.archive import GameEntry
from pi_app.store.store import Reader, Store


def keep_comments(games: Store, game: int, notes: tuple[Note, ...]) -> None:
    """Keep a stored game's comments."""
    if notes:
        games.remember(_key(game), json.dumps([[note.before, note.text] for note in notes]))


def comments_of(games: Reader, game: int) -> tuple[Note, ...]:
    """Return a stored game's comments; none where they cannot be read."""
    try:
        kept = json.loads(games.recall(_key(game)) or "[]")
        return tuple(Note(int(before), str(text)) for before, text in kept)
    except (ValueError, TypeError):
        return ()


def record_of(games: Reader, entry: GameEntry) -> Record:
    """Return a stored game as a record, with the date it began and its comments."""
    stored = games.load(entry.id)
    tags = {"Date": entry.began[:10], **stored.tags}
    return Record(tags, stored.tokens, comments_of(games, entry.id))


def _key(game: int) -> str:
    return f"comments/{game}"
