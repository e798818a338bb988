"""The store: a folder with a file for each game, and one for facts about people.

A `Reader` reads it; the `Store` of a table also writes. A fact is on the disk before the display
says that it counts; if the disk refuses it, it stays in memory and is written later.
"""

from __future__ import annotations

import errno
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain, islice
from os import sync
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from weakref import finalize

from engines.game import Result
from pi_app.store.disk import Disk, News, number_of
from pi_app.store.game import (
    AFTER,
    CLOCK_SET,
    CLOCK_UNSET,
    NOTHING,
    SESSION,
    GameEntry,
    StoredGame,
    content_key,
    game_in,
    name_of,
    new_file,
    note_fact,
)
from pi_app.store.journal import Fact, FactLines
from pi_app.store.names import NAMES, Renaming, new_names, renamed_fact, text_of_renamings
from pi_app.store.people import PEOPLE_FILE, texts_of
from pi_app.store.reader import NO_GAME, TABLE, Reader
from pi_app.system.host import FIRST_YEAR, boot_moment, clock_is_sure, utc_now

log = logging.getLogger(__name__)

LATEST = "latest"
"""The key for the highest number that a game ever had here."""
WAITING_GAME_LIMIT = 9
"""The most unfinished games that the table offers; the history has all."""
KEPT_DAYS = 30
"""How long a deleted game can be brought back."""
DELETED = "deleted/"
"""The folder of deleted games, and the prefix of the keys of their ids."""
GAME_NUMBER_LIMIT = 10**8
"""A file with a higher number gets another one, to leave numbers free."""


class Store(Reader):
    """The games of one table in one folder; ":memory:" stores them for this run only."""

    def __init__(self, place: Path | str | Disk, now: Callable[[], datetime] = utc_now) -> None:
        """Open or make the folder; `news` reports one that cannot be written."""
        self.stamp = 0
        """Differs after each change."""
        self._utc_now = now
        self._last = 0
        """The highest number that a game ever had here; 0: it is not known yet."""
        self._written = GameEntry(0, "", ()), "", False
        """The game that is written, as it was read, its file, and whether it has a result."""
        self._resumable: tuple[int, list[StoredGame]] = -1, []
        """After which change the waiting games were found, and these."""
        self.notes_on_new_game: Callable[[], Mapping[str, str]] = dict
        """Returns notes by key, which are written together with a game that begins."""
        self.on_result: Callable[[int], None] = lambda _: None
        """Called after a game was written that has a result, or had one before that."""
        is_temporary = place == ":memory:"
        if is_temporary:
            place = Disk(Path(mkdtemp(prefix="beisitzer-")), lasts=False)
            finalize(self, rmtree, place.folder, ignore_errors=True)
        disk = place if isinstance(place, Disk) else Disk(Path(place))
        super().__init__(disk, writes=True)
        self.path = None if is_temporary else disk.folder
        self.retry = disk.retry
        if self.forgotten:
            disk.news.append(News.FORGOTTEN)

    # --- the disk

    @property
    def trouble(self) -> News | None:
        """Why some data is in memory only; None if the disk has everything."""
        return self._disk.trouble

    def news(self) -> list[News]:
        """Return the news about the store that people have not seen yet, and clear it."""
        news, self._disk.news = self._disk.news, []
        return news

    # --- the index

    def check_index(self, pause: Callable[[], None] = lambda: None) -> list[str]:
        """Compare the index with every file; return the files that share another one's number.

        For any thread; `pause` is called every few milliseconds. `end_check` follows in the thread
        that writes, and is given these files: listing all there would keep a key waiting.
        """
        return self._index.refresh(pause)

    def end_check(self, doubles: Sequence[str] | None = None) -> None:
        """Update lists after the check; renumber doubles, remove games deleted long ago."""
        now, first = self._utc_now(), self._first_kept()
        try:
            for name in doubles or ():
                self._index.due.append(self._disk.make_room(self._disk.folder / name))
                self._last = 0
            for game in self.deleted_games() if clock_is_sure(now) else ():
                at = self.recall(DELETED + game.game_id) or ""
                if at < str(FIRST_YEAR):  # deleted with an unset clock: its days begin now
                    self._note_deleted(game, self._now())
                elif at[: len(first)] < first:
                    (self._disk.folder / DELETED / game.file).unlink()
        except OSError as error:
            log.warning("the files cannot be tidied: %s", error)
        self.stamp += 1

    # --- games

    def waiting_games(self) -> list[StoredGame]:
        if self._resumable[0] != self.stamp:  # menus ask several times for each frame
            self._resumable = self.stamp, super().waiting_games()
        return self._resumable[1]

    def _now(self) -> str:
        return self._utc_now().isoformat(timespec="seconds")

    def _first_kept(self) -> str:
        """Return the time since which something can be brought back."""
        return (self._utc_now() - timedelta(days=KEPT_DAYS)).isoformat(timespec="seconds")

    def _highest(self) -> int:
        """Return the highest number that a game ever had here."""
        return self._last or max(int(self.recall(LATEST) or 0), self._disk.highest)

    def begin(
        self,
        tags: Mapping[str, str],
        extras: Mapping[str, str] = NOTHING,
        result: Result | None = None,
    ) -> int:
        """Store a new game and return its number; it is on the table, and another one waits.

        The `extras` are notes on it by key, written together with it. A game that is set up in its
        final position already has a `result`: it leaves the game on the table there.
        """
        self._last = number = self._highest() + 1
        notes = {**self.notes_on_new_game(), **extras, **self._session_notes()}
        name, data = new_file(number, tags, self._now(), notes=notes, result=result)
        self._disk.hold(name, FactLines(data), is_new=True)
        self._written = game_in(data, name) or self._written[0], name, result is not None
        self._write((), has_result=result is not None)
        table = self._table_with(name) if result is None else {}
        self.remember_all({LATEST: str(number)} | table)
        fields = {"EVENT": "game-begun", "GAME": number, "KIND": tags.get("Game", "")}
        log.info("game %s begun", number, extra={"journal": fields})
        return number

    def put_on_table(self, game: int | None) -> None:
        """Put a game on the table, or none; the previous one waits, unless it has no move."""
        self.remember_all(self._table_with(NO_GAME if game is None else self._name(game)))

    def _table_with(self, name: str) -> dict[str, str]:
        """Return the facts to store when this file's game is on the table."""
        waiting = (
            game.file for game in self.waiting_games()
            if game.file != name and (game.moves or "Position" in game.tags)
        )  # fmt: skip
        return {TABLE: " ".join([name, *islice(waiting, WAITING_GAME_LIMIT - 1)])}

    def _session_notes(self) -> dict[str, str]:
        """Return the notes that tell when the next game begins in this session; {} if not needed.

        They are needed while the clock is not set, and afterwards until the session ends.
        """
        boot, seconds = boot_moment()
        is_sure = clock_is_sure(self._utc_now())
        before = self.note(self.latest_game() or 0, SESSION) or ""
        if is_sure and before.split(" ")[0] != boot:
            return {}
        latest = () if is_sure else self.list_games(1)
        after = {AFTER: latest[0].happened} if latest else {}
        return after | {SESSION: f"{boot} {seconds} {CLOCK_SET if is_sure else CLOCK_UNSET}"}

    def _open(self, game: int) -> bool:
        """Make this the game that is written; return whether it has a result.

        KeyError if there is none, or it is newer.
        """
        written, file, _ = self._written
        if written.id != game or file not in self._disk.held:
            stored = self._load(game)
            if stored.newer or not stored.lines.bodies:
                raise KeyError(game)
            self._disk.hold(stored.file, copy(stored.lines))
            self._written = stored, stored.file, stored.result is not None
        return self._written[2]

    def _write(self, facts: Sequence[Fact], *, has_result: bool) -> None:
        """Append facts to the game that is written, after which it has a result or not."""
        game, file, had_result = self._written
        if self.renamings:  # the file keeps its own names
            names = {now: name for name, now in new_names(self.renamings, game).items()}
            players = self._named(game).players
            facts = [renamed_fact(fact, players, names) for fact in facts]
        self._disk.held[file].add(facts)
        self._disk.retry()
        self._written = game, file, has_result
        self._index.due.append(file)
        self.stamp += 1
        if has_result or had_result:
            self.on_result(game.id)

    def _play(self, game: int, fact: Fact, result: Result | None, *more: Fact) -> None:
        """Append a fact, with this result if the game has or had one."""
        played = {**fact, "at": self._now()}
        if self._open(game) or result is not None:
            played["result"] = None if result is None else result.as_json()
        self._write([played, *more], has_result=result is not None)

    def append(self, game: int, n: int, token: str, result: Result | None) -> None:
        """Store move n (from 0) and, if it ended the game, the result."""
        self._play(game, {"n": n + 1, "move": token}, result)
        if result is not None:
            fields = {"EVENT": "game-ended", "GAME": game}
            log.info("game %s ended", game, extra={"journal": fields})

    def mark(self, game: int, n: int, state: str, result: Result | None) -> None:
        """Undo move n (`undone`) or redo it (`played`); `result` is the result after that."""
        self._play(game, {"undo" if state == "undone" else "redo": n + 1}, result)

    def end(self, game: int, result: Result) -> None:
        """Store the result of a game that its rules would continue."""
        self._play(game, {}, result)

    def rewrite(
        self,
        game: int,
        tokens: Sequence[str],
        result: Result | None,
        undone: Sequence[str] = (),
        notes: Mapping[str, str] = NOTHING,
    ) -> None:
        """Replace all moves, and set these notes; the old moves stay in the file."""
        more = (note_fact(key, text) for key, text in notes.items())
        self._play(game, {"rewrite": list(tokens), "undone": list(undone)}, result, *more)

    def set_note(self, game: int, key: str, text: str) -> None:
        """Set the note on a game under this key."""
        self._write([note_fact(key, text)], has_result=self._open(game))

    # --- what is remembered

    def remember(self, key: str, text: str) -> None:
        """Store a small text for next time (the last players, house rules, ...)."""
        self.remember_all({key: text})

    def remember_all(self, texts: Mapping[str, str]) -> None:
        """Store small texts by their keys, all or none; "" forgets one."""
        self._people.remember(texts)
        self.stamp += 1

    def rename(self, old: str, new: str, *, joined: bool) -> Mapping[str, str]:
        """Return the texts for `remember_all` that rename somebody in all games so far.

        `joined`: somebody else has the new name already.
        """
        renaming = Renaming(old, new, self._highest(), self._now(), joined)
        return {NAMES: text_of_renamings([*self.renamings, renaming])}

    def lately_renamed(self) -> list[Renaming]:
        """Return the renamings that can still be taken back, the latest first."""
        first = self._first_kept()
        return [each for each in self.renamings if each.at >= first][::-1]

    def take_back(self, renaming: Renaming) -> Mapping[str, str]:
        """Return the texts for `remember_all` that take a renaming back."""
        kept = [each for each in self.renamings if each != renaming]
        return {NAMES: text_of_renamings(kept)}

    # --- deleting

    def delete(self, game: int) -> None:
        """Put a game aside for `KEPT_DAYS`; nothing brings it back unasked."""
        stored = self._load(game)
        self._note_deleted(stored, self._now())
        self._move(stored.file, DELETED + stored.file)

    def bring_back(self, game: StoredGame) -> None:
        """Put a deleted game back among the others."""
        deleted = DELETED + game.file
        self._note_deleted(game_in(self._disk.read(deleted), game.file) or game, "")
        self._move(deleted, game.file)

    def _note_deleted(self, game: StoredGame, at: str) -> None:
        """Remember when a game was deleted, under its id and its records' id; "" forgets it."""
        keys = game.game_id, content_key(game.tags, game.tokens)
        self.remember_all({f"{DELETED}{key}": at for key in keys})

    def _move(self, old: str, new: str) -> None:
        """Rename a game's file, and follow in the index."""
        try:
            self._disk.rename(old, new)
        except OSError as error:
            self._disk.refused(error)
        self.stamp += 1
        self._index.due.append(old.removeprefix(DELETED))

    def deleted_games(self) -> list[StoredGame]:
        """Return the deleted games that can still be brought back, the latest number first."""
        files = sorted(self._disk.games(DELETED), key=number_of, reverse=True)
        games = (game_in(self._disk.read(DELETED + file), file) for file in files)
        # one that came back by an import has a file there, too
        return [self._named(g) for g in games if g and self.recall(DELETED + g.game_id)]

    # --- another store

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of every file; for any thread. OSError if one cannot be read."""
        self._disk.check()
        for name in chain(self._disk.games(), [PEOPLE_FILE]):
            if data := self._disk.read(name, strict=True):  # none: it was deleted meanwhile
                yield name, data

    def add_files(
        self, files: Iterable[tuple[str, bytes]], *, deleted: bool = False
    ) -> Counter[str]:
        """Take over another store's games and what it remembers; count what became of the games.

        A game is "here" already, unless the other store has more of it or only ours is damaged; one
        deleted here stays "deleted" unless `deleted`; all others are "added". What is remembered
        here stays. OSError if the disk refuses something; a part may be stored then.
        """
        self._index.refresh()
        lasts, self._disk.lasts = self._disk.lasts, False  # it waits for the disk once, for all
        try:
            counts = Counter(self._take_over(*file, deleted=deleted) for file in files)
        finally:
            self._disk.lasts = lasts
        if lasts:
            sync()
        self.remember(LATEST, str(self._highest()))
        self._index.count()  # the last game gets its row
        if self.trouble is not None:
            raise OSError(errno.EIO, str(self.trouble))
        return counts

    def _take_over(self, name: str, data: bytes, *, deleted: bool) -> str:
        """Take over a file of another store if need be; return what became of it."""
        if name == PEOPLE_FILE:
            theirs = texts_of(FactLines(data, each=True)).items()
            self.remember_all({k: v for k, v in theirs if k != LATEST and self.recall(k) is None})
        game = game_in(data, name)
        if name == PEOPLE_FILE or game is None:
            return ""
        # a record's id is its content, which ours may have, too
        mine = self._index.entries("game_id=?1 OR content=?1", game.game_id)[:1]
        number = mine[0].id if mine else game.id
        ours = self._name(number) if mine else ""
        if mine and not _has_more(data, self._disk.read(ours)):
            return "here"
        if self.recall(DELETED + game.game_id) and not deleted:
            return "deleted"
        gone = map(number_of, self._disk.games(DELETED))
        if mine:
            self._disk.rename(ours, DELETED + ours)
        elif self._index.known(name) or number in gone or not 0 < number < GAME_NUMBER_LIMIT:
            number = self._highest() + 1
        self._last = max(self._highest(), number)
        self._note_deleted(game, "")
        file = name_of(number, game.game, game.began)
        self._disk.hold(file, FactLines(data), is_new=True)
        self._disk.retry()
        self._written = GameEntry(0, "", ()), "", False
        self._index.due.append(file)
        self._note(replace(game, id=number))
        return "added"


def _has_more(data: bytes, ours: bytes) -> bool:
    """Tell whether another store's file has more of a game than ours."""
    return len(data) > len(ours) and (data.startswith(ours) or FactLines(ours).damaged)


def is_stored_name(name: str) -> bool:
    """Tell whether a file of a store may have this name."""
    return name == PEOPLE_FILE or number_of(name) > 0
