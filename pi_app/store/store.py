"""The store: a folder in which each game is a file, and what is remembered of people another.

A `Reader` reads it; the `Store` of a table also writes. A fact is on the disk before the display
says that it counts; what the disk refuses is kept in memory, and written later at its place.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from os import urandom
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import MappingProxyType
from typing import Any, Protocol, TypeVar
from weakref import finalize

from engines.game import Result
from pi_app.store.deleted import Deleted
from pi_app.store.disk import Disk, Trouble, number_of, renumbered, trouble_of
from pi_app.store.game import (
    CLOCK_SET,
    CLOCK_UNSET,
    FORMAT,
    NO_FACT,
    SESSION,
    StoredGame,
    Telling,
    facts_of_game,
    first_fact,
    from_lines,
    name_of,
    note_fact,
)
from pi_app.store.index import Index, IndexRow
from pi_app.store.journal import Fact, FactLines, Journal
from pi_app.store.people import NAME as PEOPLE
from pi_app.store.people import People, texts_in
from pi_app.store.reader import TABLE, Reader
from pi_app.system.host import boot_moment, clock_is_sure, utc_now

log = logging.getLogger(__name__)

NOTHING: Mapping[str, str] = MappingProxyType({})
_QUIET = {"at", "n", "move", "undo", "redo", "rewrite", "undone", "comments", "edits"}
"""What facts say that can wait for somebody who looks into the index."""
_SOON = 200
"""So many files are read at once when the index is missing; more are read in the background."""

PlayedElsewhere = tuple[Mapping[str, str], Sequence[str], str, Result | None]
"""Tags, moves, when it began (ISO format) and how it ended."""


@dataclass(frozen=True, slots=True)
class News:
    """Something about the store that people at the table must learn.

    Either a `trouble` began, or everything is `written` again, or something that was remembered of
    people is `forgotten`, because it was damaged.
    """

    trouble: Trouble | None = None
    written: bool = False
    forgotten: bool = False


class Follower(Protocol):
    """Hangs notes on games that begin at this table, and is told of results."""

    def extras(self, tags: Mapping[str, str], given: Mapping[str, str]) -> Mapping[str, str]:
        """Return notes by key for a game that begins, beside those given or in their place.

        They are written together with it.
        """

    def changed(self, game: int) -> None:
        """Take note that a game has a result, or had one before."""


F = TypeVar("F", bound=Follower)


def _log_game(event: str, game: int, kind: str = "") -> None:
    fields = {"EVENT": f"game-{event}", "GAME": game, "KIND": kind}
    log.info("game %s %s", game, event, extra={"journal": fields})


@dataclass(slots=True)
class _Open:
    """A game that is written: its file, and what it tells."""

    journal: Journal
    telling: Telling
    row_due: bool = False
    """Whether its row in the index is out of date."""


class Store(Reader):
    """The games of one table in one folder; ":memory:" stores them for this run only."""

    def __init__(
        self,
        path: Path | str,
        now: Callable[[], datetime] = utc_now,
        *,
        disk: Disk | None = None,
    ) -> None:
        """Open or make the folder; the `news` tell of one that cannot be written."""
        self._utc_now = now
        self._trouble: Trouble | None = None
        self._news: list[News] = []
        self._open: dict[int, _Open] = {}
        """The game that was written last, and those that the disk has not whole."""
        self._changes = 0
        self._resumable: tuple[int, int | None] | None = None
        """After which change the game to resume was found, and its number."""
        self._follower: Follower | None = None
        self._check_others = self._has_counted = False
        self._is_temporary = str(path) == ":memory:"
        if self._is_temporary:
            disk = Disk(Path(mkdtemp(prefix="beisitzer-")), lasts=False)
            finalize(self, rmtree, disk.folder, ignore_errors=True)
        disk = disk or Disk(Path(path))
        super().__init__(disk, People(disk))
        self._deleted = Deleted(disk, self._people)
        self._last = max((number_of(name) or 0 for name in self._table_files()), default=0)
        """The highest number that a game had, as far as it is known."""
        if self._people.damaged:
            self._news.append(News(forgotten=True))
        self._journal = self._people.open(self._report)
        try:
            disk.check()
        except OSError as error:
            self._report(error)

    # --- the disk

    def _report(self, error: OSError | None) -> None:
        """Take note that the disk refused something, or that it took what a journal had."""
        if error is not None:
            trouble = trouble_of(error)
            self._check_others |= trouble is Trouble.GONE
            if trouble != self._trouble:
                self._trouble = trouble
                self._news.append(News(trouble))
            return
        if self._check_others:  # if one file was removed, others may be
            self._check_others = self._has_counted = False
            self.retry()
        elif self._trouble is not None and not any(each.waiting for each in self._journals()):
            self._trouble = None
            self._news.append(News(written=True))

    def _journals(self) -> list[Journal]:
        return [self._journal, *(each.journal for each in self._open.values())]

    @property
    def trouble(self) -> Trouble | None:
        """Why something is in memory only at the moment; None while the disk takes all."""
        return self._trouble

    def news(self) -> list[News]:
        """Return the news about the store that people have not seen yet, and clear it."""
        news, self._news = self._news, []
        return news

    def retry(self) -> bool:
        """Try to write what is in memory only; return whether everything is on the disk."""
        for journal in self._journals():
            journal.retry()
        return self._trouble is None

    def close(self) -> None:
        """Bring the index up to date and close it."""
        if self._index is not None:
            self._write_rows()
        super().close()
        self._disk.close()

    @property
    def path(self) -> Path | None:
        """The folder; None for a store for this run only."""
        return self._disk.folder if not self._is_temporary else None

    @property
    def stamp(self) -> int:
        """A value that differs after each change."""
        return self._changes

    # --- the index

    @property
    def index(self) -> Index:
        """The index; while it is made anew in the background it has a part of the games."""
        if self._index is None:
            self._index = self._open_index()
        self._write_rows()
        return self._index

    def _open_index(self) -> Index:
        index = Index(self._disk, writes=True)
        if index.fresh:
            games = len(self._games())
            if games <= _SOON:
                index.refresh_all()
            else:
                self._progress = self._progress or (0, games)
        return index

    def _write_rows(self) -> None:
        """Bring the rows of open games up to date."""
        due = {game: each for game, each in self._open.items() if each.row_due}
        if not due or self._index is None:
            return
        rows = (
            IndexRow(
                each.journal.name,
                len(each.journal.data),
                each.journal.mark,
                each.telling.game(game),
            )
            for game, each in due.items()
        )
        if self._index.put(list(rows)):
            for each in due.values():
                each.row_due = False

    def check_index(self, pause: Callable[[], None]) -> Index | None:
        """Compare the index with every file, in another thread; `end_check` takes the answer.

        `pause` is called every few milliseconds.
        """
        index = Index(self._disk, writes=True)
        is_anew = index.fresh or self._progress is not None
        try:
            for progress in index.refresh():
                if is_anew:
                    self._progress = progress
                pause()
        finally:
            self._progress = None
        return index

    def end_check(self, index: Index | None) -> None:
        """Use an index that `check_index` made, if it is in memory only; tidy the deleted games."""
        if index is not None and index.in_memory:
            super().close()
            self._index = index
        elif index is not None:
            index.close()
        try:
            self._deleted.remove_old(self._utc_now())
        except OSError as error:
            log.warning("old deleted games cannot be removed: %s", error)

    def reader(self) -> Reader:
        """Return a reader of this store for another thread; it must be closed."""
        return Reader(self._disk, self._people, self._open_index())

    # --- games

    def _games(self) -> dict[int, str]:
        """Return the names of all games' files by their numbers, also of those in memory only."""
        try:
            games = self._disk.games()
        except OSError:  # it was told, or will be when something is written
            games = {}
        return games | {game: each.journal.name for game, each in self._open.items()}

    def _name(self, game: int) -> str:
        is_open = self._open.get(game)
        return self._games()[game] if is_open is None else is_open.journal.name

    def _load_file(self, game: int, name: str) -> StoredGame:
        if game in self._open and self._open[game].journal.name == name:
            return self._open[game].telling.game(game)
        return super()._load_file(game, name)

    def latest_game(self) -> int | None:
        return max(self._games(), default=None)

    def game_to_resume(self) -> int | None:
        if self._resumable is None or self._resumable[0] != self._changes:  # menus ask each frame
            self._resumable = self._changes, super().game_to_resume()
        return self._resumable[1]

    def follow(self, follower: F) -> F:
        """Let a follower hang notes on games that begin, and be told of results; return it."""
        self._follower = follower
        return follower

    def _now(self) -> str:
        return self._utc_now().isoformat(timespec="seconds")

    def _next_number(self) -> int:
        """Return the number of a new game, above that of every game there ever was."""
        if not self._has_counted:  # once: nobody else writes games
            self._has_counted = True
            self._last = max(self._last, *self._deleted.numbers(), *self._games(), 0)
            for name in self._disk.doubles:
                with suppress(OSError):
                    self._disk.rename(name, renumbered(name, self._last + 1))
                    self._last += 1
        self._last += 1
        return self._last

    def _begin(
        self, game: int, facts: Sequence[Fact], *, on_table: bool = False, together: bool = True
    ) -> None:
        """Write the first facts of a new game."""
        first = facts[0]
        name = name_of(game, str(first["tags"].get("Game", "")), str(first["at"]))
        if on_table:  # both, in their order: a power cut may come before the new one is there
            self.remember(TABLE, json.dumps([name, *self._table_files()[:1]]))
        journal = Journal(self._disk, name, self._report)
        self._keep_open(game, _Open(journal, Telling(facts)))
        journal.append(*facts, together=together)

    def _keep_open(self, game: int, opened: _Open) -> None:
        """Keep this game open, and close those that are whole on the disk."""
        others = {
            number: each
            for number, each in self._open.items()
            if number != game and not each.journal.waiting
        }
        if any(each.row_due for each in others.values()):
            self.index  # noqa: B018  # it writes their rows
        for number, each in others.items():
            if not each.row_due:
                del self._open[number]
        self._open[game] = opened

    def begin(
        self,
        tags: Mapping[str, str],
        extras: Mapping[str, str] = NOTHING,
        result: Result | None = None,
    ) -> int:
        """Store a new game and return its number; put any unfinished game on the shelf.

        The `extras` are notes on it by key, written together with it. A game that is set up in its
        final position already has a `result`.
        """
        before = self.game_on_table()
        notes = self._notes_here(tags, extras)
        game = self._next_number()
        facts = self._first_facts(game, tags, self._now(), notes, result)
        self._begin(game, facts, on_table=True)
        self._tell(game, facts)
        if before is not None:
            self.shelve(before)
        _log_game("begun", game, tags.get("Game", ""))
        return game

    def _first_facts(
        self,
        game: int,
        tags: Mapping[str, str],
        began: str,
        notes: Mapping[str, str],
        result: Result | None,
    ) -> list[Fact]:
        facts: list[Fact] = [first_fact(game, urandom(16).hex(), tags, began)]
        facts += [note_fact(key, text) for key, text in notes.items()]
        if result is not None:
            facts.append({"result": result.as_json(), "at": began})
        return facts

    def _notes_here(self, tags: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
        """Return the notes on a game that begins at this table."""
        followed = {} if self._follower is None else self._follower.extras(tags, given)
        return {**given, **followed, **self._session_note()}

    def _session_note(self) -> dict[str, str]:
        """Return the note that tells when the next game begins in this session; {} if not needed.

        It is needed while the clock is not set, and afterwards until the session ends.
        """
        boot, seconds = boot_moment()
        is_sure = clock_is_sure(self._utc_now())
        before = self.note(self.latest_game() or 0, SESSION) or ""
        if is_sure and before.split(" ")[0] != boot:
            return {}
        return {SESSION: f"{boot} {seconds} {CLOCK_SET if is_sure else CLOCK_UNSET}"}

    def _tell(self, game: int, facts: Sequence[Fact], *, here: bool = True) -> None:
        """Bring the index up to date after a game began or its result changed."""
        self._changes += 1
        self._open[game].row_due = True
        if any(fact.keys() - _QUIET for fact in facts):
            self.index  # noqa: B018  # it writes the row
        changed = any("result" in fact for fact in facts)
        if changed and here and self._follower is not None:
            self._follower.changed(game)

    def add_all(self, games: Sequence[PlayedElsewhere], *, here: bool = False) -> list[int]:
        """Store whole games that were played elsewhere; return their numbers.

        Unfinished games go on the shelf; the game on the table stays there. `here`: they were
        played at this table, without it.
        """
        added = []
        with self._disk.together() if len(games) > 1 else nullcontext():
            for tags, tokens, began, result in games:
                game = self._next_number()
                notes = self._notes_here(tags, {}) if here else {}
                facts = self._first_facts(game, tags, began, notes, None)
                facts[0] = {**facts[0], "shelved": True}  # also if a power cut leaves a part
                facts += [{"n": n, "move": token} for n, token in enumerate(tokens, 1)]
                if result is not None:
                    facts.append({"result": result.as_json(), "at": began, "shelved": False})
                # else damage would hide the moves before it, too
                self._begin(game, facts, together=False)
                self._tell(game, facts, here=here)
                added.append(game)
        return added

    def _change(self, game: int, *facts: Fact) -> None:
        """Add facts to a game's file; KeyError if there is no such game, or it is newer."""
        opened = self._opened(game)
        if opened.telling.damaged:  # what is there stays, and what counts of it follows
            opened.journal.begin_anew(*facts_of_game(opened.telling.game(game)), *facts)
            opened.telling.damaged = False
        else:
            opened.journal.append(*facts)
        for fact in facts:
            opened.telling.add(fact)
        self._tell(game, facts)

    def _opened(self, game: int) -> _Open:
        """Return a game that can be written; KeyError as in `_change`."""
        if game in self._open:
            return self._open[game]
        name = self._name(game)
        try:
            lines = FactLines(self._disk.read(name))
        except OSError as error:
            self._report(error)
            raise KeyError(game) from None
        facts = lines.facts()
        try:
            if facts[0]["format"] > FORMAT:
                raise KeyError(game)
            telling = Telling(facts, damaged=lines.damaged)
        except NO_FACT:
            raise KeyError(game) from None
        opened = _Open(Journal(self._disk, name, self._report, lines), telling)
        self._keep_open(game, opened)
        return opened

    def _play(self, game: int, fact: dict[str, Any], result: Result | None, *more: Fact) -> None:
        """Add a fact after which the game has this result; it says so if it has or had one."""
        fact["at"] = self._now()
        if result is not None or self._opened(game).telling.has_result:
            fact["result"] = None if result is None else result.as_json()
        self._change(game, fact, *more)

    def append(self, game: int, n: int, token: str, result: Result | None) -> None:
        """Store move n (from 0) and, if it ended the game, the result."""
        self._play(game, {"n": n + 1, "move": token}, result)
        if result is not None:
            _log_game("ended", game)

    def mark(self, game: int, n: int, state: str, result: Result | None) -> None:
        """Undo move n (`undone`) or redo it (`played`); `result` is the result after that."""
        self._play(game, {"undo" if state == "undone" else "redo": n + 1}, result)

    def end(self, game: int, result: Result) -> None:
        """Store how a game ended that its rules would let go on."""
        self._play(game, {}, result)

    def rewrite(
        self,
        game: int,
        tokens: Sequence[str],
        result: Result | None,
        undone: Sequence[str] = (),
        notes: Mapping[str, str] = NOTHING,
    ) -> None:
        """Replace all moves, and hang these notes on the game; the old moves stay in the file."""
        more = (note_fact(key, text) for key, text in notes.items())
        self._play(game, {"rewrite": list(tokens), "undone": list(undone)}, result, *more)

    def set_note(self, game: int, key: str, text: str) -> None:
        """Hang a text on a game, replacing an earlier one under this key."""
        self._change(game, note_fact(key, text))

    def shelve(self, game: int, *, shelved: bool = True) -> None:
        """Put an unfinished game on the shelf, or take it back to the table."""
        if not shelved:
            name = self._name(game)
            if (files := self._table_files())[:1] != [name]:
                self.remember(TABLE, json.dumps([name, *files[:1]]))
        with suppress(KeyError):  # a newer program's
            if self.load(game).shelved != shelved:
                self._change(game, {"shelved": shelved})

    # --- what is remembered

    def remember(self, key: str, text: str) -> None:
        """Store a small text for next time (the last players, house rules, ...)."""
        self.remember_all({key: text})

    def remember_all(self, texts: Mapping[str, str]) -> None:
        """Store small texts by their keys, all or none; "" forgets one."""
        self._people.remember(texts)
        self._changes += 1

    # --- deleting

    def delete(self, game: int) -> None:
        """Put a game aside for `KEPT_DAYS`; nothing brings it back unasked."""
        stored, name = self.load(game), self._name(game)
        self._open.pop(game, None)
        self._changes += 1
        try:
            self._deleted.add(stored, name, self._now())
        except OSError as error:
            self._report(error)
        self.index.refresh_game(game, name)

    def bring_back(self, game: StoredGame) -> None:
        """Put a deleted game back among the others."""
        self._changes += 1
        try:
            name = self._deleted.bring_back(game)
        except OSError as error:
            self._report(error)
        else:
            self.index.refresh_game(game.id, name)

    def deleted_games(self) -> list[StoredGame]:
        """Return the deleted games that can still be brought back, the latest number first."""
        return self._deleted.games()

    def was_deleted(self, tags: Mapping[str, str], tokens: Sequence[str]) -> bool:
        """Tell whether a game with these tags, but for the date, and moves was deleted here."""
        return self._deleted.has_content(tags, tokens)

    # --- another store

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of every file; for any thread. OSError if one cannot be read."""
        for name in (*self._disk.games().values(), PEOPLE):
            with suppress(FileNotFoundError):
                yield name, self._disk.read(name)

    def add_files(self, files: Iterable[tuple[str, bytes]]) -> int:
        """Take over another store's games and what it remembers; return how many games came.

        Games that are here already, by their random ids, or were deleted here, are left out; one
        that goes on there, or is damaged only here, takes the place of that here. What is
        remembered here stays. OSError if the disk refuses; then a part is here.
        """
        here = {game_id: game for game, (game_id, _) in self.revisions().items()}
        count = 0
        with self._disk.together():
            for name, data in files:
                if name == PEOPLE:
                    theirs = {k: v for k, v in texts_in(data).items() if k != TABLE}
                    self.remember_all({k: v for k, v in theirs.items() if self.recall(k) is None})
                else:
                    count += self._add_file(name, data, here)
        self._changes += 1
        self.index.refresh_all()
        return count

    def _add_file(self, name: str, data: bytes, here: Mapping[str, int]) -> bool:
        """Take over one game, unless it is here; tell whether it was taken."""
        lines = FactLines(data)
        theirs = from_lines(0, name, lines)
        if theirs is None or self._deleted.has_id(theirs.game_id):
            return False
        data = lines.data
        number = here.get(theirs.game_id)
        if number is not None:
            name = self._name(number)
            ours = self._disk.read(name)
            whole = self.load(number).damage is None
            if len(data) <= len(ours) or (whole and not data.startswith(ours)):
                return False
            self._open.pop(number, None)
            self._disk.set_aside(name)
        elif (number := number_of(name)) in self._games() or number is None:
            number = self._next_number()
            name = renumbered(name, number)
        self._disk.append(name, b"", 0, data)
        self._last = max(self._last, number)
        return True


def is_stored_name(name: str) -> bool:
    """Tell whether a file of a store may have this name."""
    return name == PEOPLE or number_of(name) is not None
