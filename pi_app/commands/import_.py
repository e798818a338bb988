"""`beisitzer import`: checks game records completely, then stores their games."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import click

from engines.replay import Violation, replay
from pi_app.commands.console import DAMAGED, no_file_words, refuse, version_words
from pi_app.commands.reading import resolve_store, store_option
from pi_app.commands.record_sentences import RecordSentences
from pi_app.commands.records import LoadedRecord, file_name, load_record
from pi_app.files.regular import NotAFileError
from pi_app.store.archive import fingerprint, same_games
from pi_app.store.comments import store_comments
from pi_app.store.lock import StoreInUseError, StoreLock
from pi_app.store.migrations import VersionError
from pi_app.store.store import Store
from pi_app.table.table import outcome
from pi_app.texts.printable import shorten


@click.command("import")
@click.argument("files", nargs=-1, required=True)
@store_option
def import_(files: tuple[str, ...], store: Path | None) -> None:
    """Check records and store their games.

    FILES - is standard input. Every tag and every move must be right. If one is not, nothing is
    stored: exit status 2, and one line names the file, the line and the reason.
    """
    loaded = [_load_legal(file) for file in files]
    path = resolve_store(store)
    try:
        lock = StoreLock(path)
    except StoreInUseError:
        refuse(f"a companion is using {path}: end it first, or name another --store FILE")
    except NotAFileError as error:
        refuse(no_file_words(error))
    try:
        _store_games(loaded, path)
    finally:
        lock.release()


def _load_legal(file: str) -> LoadedRecord:
    """Load a record; end with one line and status 2 if a move of it is illegal."""
    loaded = load_record(file)
    for number, step in enumerate(replay(loaded.start, loaded.record.tokens)):
        if isinstance(step, Violation):
            sentence = RecordSentences(loaded.game.name, "en").refusal(step.refusal)
            line = loaded.record.lines[number]
            move = f"move {number + 1}, {shorten(step.token)}"
            refuse(f"{file_name(file)}:{line}: {move}: {sentence}")
    return loaded


def _store_games(loaded: list[LoadedRecord], path: Path) -> None:
    """Store those games that the store does not have yet, in one transaction."""
    try:
        games = Store(path)
    except VersionError as error:
        refuse(version_words(path, error))
    if games.trouble is not None:
        games.close()
        refuse(f"{path} cannot be written ({games.trouble}): nothing was imported")
    stored = same_games(games)
    # by tags and moves, which make two games equal: a game given twice is stored once
    new: dict[tuple[str, tuple[str, ...]], LoadedRecord] = {}
    for each in loaded:
        tags_key, tokens = fingerprint(each.record.tags), each.record.tokens
        if not any(games.load(game).tokens == tokens for game in stored.get(tags_key, ())):
            new.setdefault((tags_key, tokens), each)
    known_count = len(loaded) - len(new)
    added = games.add_all(
        [
            (
                each.record.tags,
                each.record.tokens,
                _began_at(each.record.tags),
                outcome(each.game, each.record.tags, each.record.tokens, each.end()),
            )
            for each in new.values()
        ]
    )
    for game, imported in zip(added, new.values(), strict=True):
        store_comments(games, game, imported.record.notes)
    trouble, news = games.trouble, games.news()
    games.close()
    if trouble is not None:
        refuse(f"{path} cannot be written ({trouble}): nothing was imported")
    known = f", {known_count} already there" if known_count else ""
    click.echo(f"imported: {len(new)}{known}")
    # a damaged file was moved aside when the store was opened or written
    for aside in filter(None, (item.aside for item in news)):
        refuse(
            f"{path} was damaged, so games or moves may be missing: it is repaired now, and the old"
            f" file is {aside.name}",
            DAMAGED,
        )


def _began_at(tags: Mapping[str, str]) -> str:
    """Return when a game was played, in ISO format: as its Date tag says, else now."""
    try:
        day = date.fromisoformat(tags.get("Date", "").replace(".", "-"))  # records write 2026.01.31
        return datetime(day.year, day.month, day.day, tzinfo=UTC).isoformat(timespec="seconds")
    except ValueError:
        return datetime.now(UTC).isoformat(timespec="seconds")
