"""The store: a folder with a file for each game, and one for facts about people.

A `Reader` reads it; the `Store` of a table also writes. A fact is on the disk before the display
says that it counts; if the disk refuses it, it stays in memory and is written later.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain, islice
from os import sync
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Protocol
from weakref import finalize

from engines.game import Result
from pi_app.store.disk import Disk, News, number_of
from pi_app.store.game import (
    CLOCK_SET,
    CLOCK_UNSET,
    NOTHING,
    SESSION,
    GameEntry,
    StoredGame,
    bytes_of,
    content_key,
    game_in,
    name_of,
    new_file,
    note_fact,
)
from pi_app.store.index import Index
from pi_app.store.journal import Fact, FactLines, encode
from pi_app.store.names import NAMES, Renaming, new_names, renamed_fact, text_of_renamings
from pi_app.store.people import PEOPLE_FILE, People, texts_of
from pi_app.store.reader import NO_GAME, TABLE, Reader
from pi_app.system.host import FIRST_YEAR, boot_moment, clock_is_sure, utc_now

log = logging.getLogger(__name__)

LATEST = "latest"
"""The key for the highest number that a game ever had here."""
MOST_WAITING = 9
"""The most unfinished games that the table offers; the history has all."""
KEPT_DAYS = 30
"""How long a deleted game can be brought back."""
DELETED = "deleted/"
"""The folder of deleted games, and the prefix of the keys of their ids."""
MOST_GAMES = 10**8
"""A file with a higher number gets another one, to leave numbers free."""


@dataclass(slots=True)
class Added:
    """The result of taking over another store."""

    games: dict[int, str] = field(default_factory=dict)
    """The files of the games that came, by their numbers."""
    here: int = 0
    """How many were here already."""
    deleted: int = 0
    """How many were left out because they were deleted here."""


class Follower(Protocol):
    """Adds notes to games that begin at this table, and follows their results."""

    def extras(self, tags: Mapping[str, str], given: Mapping[str, str]) -> Mapping[str, str]:
        """Return notes by key for a new game, in addition to those given, or replacing them.

        They are written together with it.
        """

    def changed(self, game: int) -> None:
        """Handle a change of a game that has a result, or had one before."""


def _log_game(event: str, game: int, kind: str = "") -> None:
    fields = {"EVENT": f"game-{event}", "GAME": game, "KIND": kind}
    log.info("game %s %s", game, event, extra={"journal": fields})


class Store(Reader):
    """The games of one table in one folder; ":memory:" stores them for this run only."""

    def __init__(
        self,
        path: Path | str,
        now: Callable[[], datetime] = utc_now,
        *,
        disk: Disk | None = None,
    ) -> None:
        """Open or make the folder; `news` reports one that cannot be written."""
        self.stamp = 0
        """Differs after each change."""
        self._utc_now = now
        self._last = 0
        """The highest number that a game ever had here; 0: it is not known yet."""
        self._resumable: tuple[int, list[StoredGame]] = -1, []
        """After which change the waiting games were found, and these."""
        self.follower: Follower | None = None
        self._is_temporary = str(path) == ":memory:"
        if self._is_temporary:
            disk = Disk(Path(mkdtemp(prefix="beisitzer-")), lasts=False)
            finalize(self, rmtree, disk.folder, ignore_errors=True)
        disk = disk or Disk(Path(path))
        super().__init__(disk, People(disk, writes=True), Index(disk, stored=True))
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

    def retry(self) -> bool:
        """Try to write what is in memory only; return whether everything is on the disk."""
        return self._disk.retry()

    @property
    def path(self) -> Path | None:
        """The folder; None for a store for this run only."""
        return self._disk.folder if not self._is_temporary else None

    # --- the index

    def check_index(self, pause: Callable[[], None] = lambda: None) -> list[str]:
        """Compare the index with every file; return the files that share another one's number.

        For any thread; `pause` is called every few milliseconds. `end_check` follows in the thread
        that writes, and is given these files: listing all there would keep a key waiting.
        """
        return self._index.refresh(pause)

    def end_check(self, doubles: Sequence[str] | None = None) -> None:
        """Update lists after the check; renumber doubles, remove games deleted long ago."""
        try:
            for name in doubles or ():
                renamed = self._disk.make_room(self._disk.folder / name)
                self._last = 0
                self._index.due.append((number_of(renamed), renamed))
            self._remove_old(self._utc_now())
        except OSError as error:
            log.warning("old deleted games cannot be removed: %s", error)
        self.stamp += 1

    def reader(self) -> Reader:
        """Return a reader of this store for another thread; it need not be closed."""
        return Reader(self._disk, self._people, self._index)

    # --- games

    def waiting_games(self) -> list[StoredGame]:
        if self._resumable[0] != self.stamp:  # menus ask several times for each frame
            self._resumable = self.stamp, super().waiting_games()
        return self._resumable[1]

    def _now(self) -> str:
        return self._utc_now().isoformat(timespec="seconds")

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
        followed = {} if self.follower is None else self.follower.extras(tags, extras)
        notes = {**extras, **followed, **self._session_note()}
        name, data = new_file(number, tags, self._now(), notes=notes, result=result)
        self._disk.append(name, data)
        self._announce_change(number, name, has_result=result is not None)
        table = self._table_with(name) if result is None else {}
        self.remember_all({LATEST: str(number)} | table)
        _log_game("begun", number, tags.get("Game", ""))
        return number

    def put_on_table(self, game: int | None) -> None:
        """Put a game on the table, or none; the previous one waits, unless it has no move."""
        self.remember_all(self._table_with(NO_GAME if game is None else self._name(game)))

    def _table_with(self, name: str) -> dict[str, str]:
        """Return the facts to store when this file's game is on the table."""
        waiting = (
            file for file, game in self._waiting()
            if file != name and (game.moves or "Position" in game.tags)
        )  # fmt: skip
        return {TABLE: " ".join([name, *islice(waiting, MOST_WAITING - 1)])}

    def _session_note(self) -> dict[str, str]:
        """Return the next game's note on its time in this session; {} if not needed.

        It is needed while the clock is not set, and afterwards until the session ends.
        """
        boot, seconds = boot_moment()
        is_sure = clock_is_sure(self._utc_now())
        before = self.note(self.latest_game() or 0, SESSION) or ""
        if is_sure and before.split(" ")[0] != boot:
            return {}
        return {SESSION: f"{boot} {seconds} {CLOCK_SET if is_sure else CLOCK_UNSET}"}

    def _change(self, game: int, facts_after: Callable[[StoredGame], Sequence[Fact]]) -> None:
        """Append facts to a game; KeyError if it is missing, or newer.

        After damage, all valid facts are written again first.
        """
        name = self._name(game)
        lines, stored, counted = self._read(game, name)
        if not counted:
            raise KeyError(game)
        facts = facts_after(stored)
        # the file keeps its own names
        if names := {now: name for name, now in new_names(self.renamings, stored).items()}:
            players = self._named(stored).players
            facts = [renamed_fact(fact, players, names) for fact in facts]
        is_whole = stored.damage is None
        place = (lines.count + 1, lines.seed) if is_whole else (1, 0)
        data = encode(facts if is_whole else (*counted, *facts), *place)
        self._disk.append(name, data, behind=lines.data)
        self._announce_change(game, name, has_result="result" in facts[0])

    def _announce_change(self, game: int, name: str, *, has_result: bool) -> None:
        """Tell the index and the follower that a game began or changed."""
        self.stamp += 1
        self._index.due.append((game, name))
        if has_result and self.follower is not None:
            self.follower.changed(game)

    def _play(self, game: int, fact: Fact, result: Result | None, *more: Fact) -> None:
        """Append a fact, with this result if the game has or had one."""

        def facts_after(stored: StoredGame) -> Sequence[Fact]:
            played = {**fact, "at": self._now()}
            if result is not None or stored.result is not None:
                played["result"] = None if result is None else result.as_json()
            return played, *more

        self._change(game, facts_after)

    def append(self, game: int, n: int, token: str, result: Result | None) -> None:
        """Store move n (from 0) and, if it ended the game, the result."""
        self._play(game, {"n": n + 1, "move": token}, result)
        if result is not None:
            _log_game("ended", game)

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
        self._change(game, lambda _: [note_fact(key, text)])

    # --- what is remembered

    def remember(self, key: str, text: str) -> None:
        """Store a small text for next time (the last players, house rules, ...)."""
        self.remember_all({key: text})

    def remember_all(self, texts: Mapping[str, str]) -> None:
        """Store small texts by their keys, all or none; "" forgets one."""
        self._people.remember(texts)
        self.stamp += 1

    def rename(self, old: str, new: str, *, joined: bool) -> Mapping[str, str]:
        """Call somebody otherwise in all games so far; `joined`: as somebody who is known.

        Returns what `remember_all` stores for that.
        """
        renaming = Renaming(old, new, self._highest(), self._now(), joined)
        return {NAMES: text_of_renamings([*self.renamings, renaming])}

    def lately_renamed(self) -> list[Renaming]:
        """Return the renamings that can still be taken back, the latest first."""
        first = (self._utc_now() - timedelta(days=KEPT_DAYS)).isoformat(timespec="seconds")
        return [each for each in self.renamings if each.at >= first][::-1]

    def take_back(self, renaming: Renaming) -> Mapping[str, str]:
        """Return what `remember_all` stores so that a renaming is taken back."""
        kept = [each for each in self.renamings if each != renaming]
        return {NAMES: text_of_renamings(kept)}

    # --- deleting

    def delete(self, game: int) -> None:
        """Put a game aside for `KEPT_DAYS`; nothing brings it back unasked."""
        name = self._name(game)
        self._note_deleted(self._read(game, name)[1], self._now())
        self._move(game, name, f"{DELETED}{name}")

    def bring_back(self, game: StoredGame) -> None:
        """Put a deleted game back among the others."""
        name = self._disk.find(game.id, DELETED)
        self._note_deleted(self._read(game.id, DELETED + name)[1], "")
        self._move(game.id, f"{DELETED}{name}", name)

    def _note_deleted(self, game: StoredGame, at: str) -> None:
        """Remember when a game was deleted, under its id and its records' id; "" forgets it."""
        keys = game.game_id, content_key(game.tags, game.tokens)
        self.remember_all({f"{DELETED}{key}": at for key in keys})

    def _move(self, game: int, old: str, new: str) -> None:
        """Rename a game's file, and follow in the index."""
        try:
            self._disk.rename(old, new)
        except OSError as error:
            self._disk.refused(error)
        self.stamp += 1
        self._index.due.append((game, old.removeprefix(DELETED)))

    def deleted_games(self) -> list[StoredGame]:
        """Return the deleted games that can still be brought back, the latest number first."""
        return [self._named(game) for _, game in self._deleted_files()][::-1]

    def _deleted_files(self) -> Iterator[tuple[str, StoredGame]]:
        """Yield deleted games with their files, except those imported again."""
        for name in sorted(self._disk.games(DELETED), key=number_of):
            game = game_in(bytes_of(self._disk, DELETED + name), name, number_of(name))
            if game and self.recall(DELETED + game.game_id):
                yield DELETED + name, game

    def _remove_old(self, now: datetime) -> None:
        """Remove games deleted more than `KEPT_DAYS` ago, if the clock is sure."""
        first = (now - timedelta(days=KEPT_DAYS)).isoformat(timespec="seconds")
        for path, game in self._deleted_files() if clock_is_sure(now) else ():
            at = self.recall(DELETED + game.game_id) or ""
            if at < str(FIRST_YEAR):  # deleted with an unset clock: its days begin now
                self._note_deleted(game, now.isoformat(timespec="seconds"))
            elif at[: len(first)] < first:
                self._disk.remove(path)

    # --- another store

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of every file; for any thread. OSError if one cannot be read."""
        self._disk.check()
        for name in chain(self._disk.games(), [PEOPLE_FILE]):
            with suppress(FileNotFoundError):
                yield name, self._disk.read(name)

    def add_files(self, files: Iterable[tuple[str, bytes]], *, deleted: bool = False) -> Added:
        """Add another store's games and facts.

        A game that is known here is skipped, unless the other store has more of it or only ours is
        damaged. Games deleted here are skipped unless `deleted`. What is remembered here stays.
        OSError if the disk refuses something; a part may be stored then.
        """
        added, used = Added(), set(map(number_of, chain(*map(self._disk.games, ("", DELETED)))))
        lasts, self._disk.lasts = self._disk.lasts, False  # it waits for the disk once, for all
        try:
            for name, data in files:
                if name == PEOPLE_FILE:
                    theirs = texts_of(FactLines(data, each=True)).items()
                    new = {k: v for k, v in theirs if k != LATEST and self.recall(k) is None}
                    self.remember_all(new)
                elif game := game_in(data, name, number_of(name)):
                    # a record's id is its content, which ours may have, too
                    mine = self._index.entries("game_id=?1 OR content=?1", game.game_id)[:1]
                    if mine and not self._has_more(mine[0].id, data):
                        added.here += 1
                    elif self.recall(DELETED + game.game_id) and not deleted:
                        added.deleted += 1
                    else:
                        self._add_file(added, used, game, data, mine)
        finally:
            self._disk.lasts = lasts
        if lasts:
            sync()
        self.remember(LATEST, str(self._highest()))
        self._index.update(added.games)
        if self.trouble is not None:
            raise OSError(errno.EIO, str(self.trouble))
        return added

    def _add_file(
        self, added: Added, used: set[int], game: StoredGame, data: bytes, mine: list[GameEntry]
    ) -> None:
        """Write another store's game, in the place of `mine` if there is one."""
        number = mine[0].id if mine else game.id
        if mine:
            ours = self._name(number)
            self._disk.rename(ours, DELETED + ours)
        elif number in used or not 0 < number < MOST_GAMES:
            number = self._highest() + 1
        self._last = max(self._highest(), number)
        used.add(number)
        added.games[number] = name_of(number, game.game, game.began)
        self._note_deleted(game, "")
        self._disk.append(added.games[number], FactLines(data).data)
        self._index.due.append((number, added.games[number]))

    def _has_more(self, game: int, data: bytes) -> bool:
        """Return whether another store's file has more of a game than ours."""
        ours = self._disk.read(self._name(game))
        return len(data) > len(ours) and (data.startswith(ours) or FactLines(ours).damaged)


def read_file(name: str, data: bytes) -> StoredGame | None:
    """Return the game in a file of another store; None if it is unreadable."""
    game = game_in(data, name)
    return game if game is not None and (game.tags or game.newer) else None


def is_stored_name(name: str) -> bool:
    """Tell whether a file of a store may have this name."""
    return name == PEOPLE_FILE or number_of(name) > 0
