"""`beisitzer import`: game records into the store, checked whole before anything is kept."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import click

from engines.replay import Violation, replay
from pi_app.commands.console import refuse
from pi_app.commands.reading import place_of, store_option
from pi_app.commands.record_sentences import RecordSentences
from pi_app.commands.records import LoadedRecord, load_record
from pi_app.store.archive import fingerprint, same_games
from pi_app.store.lock import StoreInUseError, StoreLock
from pi_app.store.migrations import TooNewError
from pi_app.store.store import Store
from pi_app.texts.printable import shortened


@click.command("import")
@click.argument("files", nargs=-1, required=True)
@store_option
def import_(files: tuple[str, ...], store: Path | None) -> None:
    """Check the records FILES (- for standard input) and keep their games.

    Every tag and every move must be right. If one is not, nothing of any file is kept: exit
    status 2, and one line that says which file and line, and why.
    """
    loaded = [_checked(file) for file in files]
    place = place_of(store)
    try:
        lock = StoreLock(place)
    except StoreInUseError:
        refuse(f"a companion is using {place}: end it first, or name another --store FILE")
    try:
        _keep(loaded, place)
    finally:
        lock.release()


def _checked(file: str) -> LoadedRecord:
    """Return a record whose every move is legal; one line and status 2 otherwise."""
    loaded = load_record(file)
    for number, step in enumerate(replay(loaded.start, loaded.record.tokens)):
        if isinstance(step, Violation):
            sentence = RecordSentences(loaded.game.name, None).refusal(step.refusal)
            line = loaded.record.lines[number]
            name = "standard input" if file == "-" else click.format_filename(file)
            refuse(f"{name}:{line}: move {number + 1}, {shortened(step.token)}: {sentence}")
    return loaded


def _keep(loaded: list[LoadedRecord], place: Path) -> None:
    """Store what is not there yet, all of it in one transaction."""
    try:
        games = Store(place)
    except TooNewError as error:
        refuse(f"{place} was written by a newer Beisitzer ({error}): update this one")
    if games.trouble is not None:
        games.close()
        refuse(f"{place} cannot be written ({games.trouble}): nothing was imported")
    known = same_games(games)
    fresh: dict[tuple[str, tuple[str, ...]], LoadedRecord] = {}
    for record in loaded:
        mark, tokens = fingerprint(record.record.tags), record.record.tokens
        if not any(games.load(game).tokens == tokens for game in known.get(mark, ())):
            fresh.setdefault((mark, tokens), record)
    again = len(loaded) - len(fresh)
    games.add_all(
        [
            (r.record.tags, r.record.tokens, _began(r.record.tags), r.end().result)
            for r in fresh.values()
        ]
    )
    trouble = games.trouble
    games.close()
    if trouble is not None:
        refuse(f"{place} cannot be written ({trouble}): nothing was imported")
    said = f", {again} already there" if again else ""
    click.echo(f"{len(fresh)} {'game' if len(fresh) == 1 else 'games'} imported{said}")


def _began(tags: Mapping[str, str]) -> str:
    """Return when a game was played as its Date tag says, else now, in ISO format."""
    try:
        day = date.fromisoformat(tags.get("Date", "").replace(".", "-"))
        return datetime(day.year, day.month, day.day, tzinfo=UTC).isoformat(timespec="seconds")
    except ValueError:
        return datetime.now(UTC).isoformat(timespec="seconds")
