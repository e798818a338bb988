"""`beisitzer import`: checks game records completely, then stores their games; copies files."""

from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import click

from engines.game import Violation, replay
from pi_app.commands.console import fail, no_file_words, refuse, why
from pi_app.commands.reading import refuse_damage, resolve_store, store_option
from pi_app.commands.record_sentences import refusal_sentence
from pi_app.commands.records import file_name, load_record, read_bytes
from pi_app.settings.schema import ENGLISH
from pi_app.store import (
    PEOPLE_FILE,
    Store,
    StoreInUseError,
    StoreLock,
    content_key,
    game_in,
    new_file,
)
from pi_app.system.regular import NotAFileError
from pi_app.table.table import COMMENTS, comments_text, outcome
from pi_app.texts.printable import shorten

SUFFIX = ".jsonl"
"""How the names of a store's files end."""


@click.command("import")
@click.argument("files", nargs=-1, required=True)
@store_option
@click.option("--deleted", is_flag=True, help="Also store games that were deleted there.")
def import_(files: tuple[str, ...], store: Path | None, *, deleted: bool) -> None:
    """Store the games of records, or of another folder of games.

    As FILES, - is standard input. A name that ends with .jsonl is a file of a folder of games; all
    others are records. In records every tag and every move must be right. If one is not, or a file
    has no game, nothing is stored: exit status 2, and one line names the file, the line and the
    reason.
    """
    copies = [_read_copy(file) for file in files if file.endswith(SUFFIX)]
    copies += [_load_legal(file) for file in files if not file.endswith(SUFFIX)]
    path = resolve_store(store)
    try:
        lock = StoreLock(path)
    except StoreInUseError:
        refuse(f"a companion is using {path}: end it first, or name another --store FOLDER")
    except NotAFileError as error:
        refuse(no_file_words(error))
    with closing(Store(path)) as games:
        try:
            _store_games(games, path, copies, deleted=deleted)
        finally:
            lock.close()
        refuse_damage(path, games)


def _read_copy(file: str) -> tuple[str, bytes]:
    """Return name and content of a store's file; end with status 2 if it has no game."""
    name, data = Path(file).name, read_bytes(file)
    game = game_in(data, name)
    if name != PEOPLE_FILE and not (game and (game.tags or game.newer)):
        fail(f"{file_name(file)}: no game can be read in it")
    return name, data


def _load_legal(file: str) -> tuple[str, bytes]:
    """Return a record as a store's file; end with one line and status 2 if a move is illegal."""
    loaded = load_record(file)
    record = loaded.record
    for number, step in enumerate(replay(loaded.start, record.tokens)):
        if isinstance(step, Violation):
            sentence = refusal_sentence(ENGLISH, loaded.presentation, step.refusal)
            line = record.lines[number]
            move = f"move {number + 1}, {shorten(step.token)}"
            refuse(f"{file_name(file)}:{line}: {move}: {sentence}")
    return new_file(
        0,
        record.tags,
        _began_at(record.tags),
        notes={COMMENTS: comments_text(record.notes)} if record.notes else {},
        tokens=record.tokens,
        result=outcome(loaded.game, record.tags, record.tokens, loaded.end()),
        game_id=content_key(record.tags, record.tokens),  # a game given twice is stored once
    )


def _store_games(
    games: Store, path: Path, copies: list[tuple[str, bytes]], *, deleted: bool
) -> None:
    """Store games that are new to the store, and were not deleted there."""
    if games.trouble is not None:
        refuse(f"{path} cannot be written ({games.trouble}): nothing was imported")
    try:
        added = games.add_files(copies, deleted=deleted)
    except OSError as error:
        refuse(f"{path} cannot be written ({why(error)}): not everything was imported")
    here, gone = (added[what] for what in ("here", "deleted"))
    known = f", {here} already there" if here else ""
    left = f", {gone} deleted there (--deleted imports them, too)" if gone else ""
    click.echo(f"imported: {added['added']}{known}{left}")


def _began_at(tags: Mapping[str, str]) -> str:
    """Return when a game was played, in ISO format: as its Date tag says, else now."""
    try:
        day = date.fromisoformat(tags.get("Date", "").replace(".", "-"))  # records write 2026.01.31
        return datetime(day.year, day.month, day.day, tzinfo=UTC).isoformat(timespec="seconds")
    except ValueError:
        return datetime.now(UTC).isoformat(timespec="seconds")
