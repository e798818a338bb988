"""The store: a folder in which each game is a file, and what is remembered of people another.

A `Reader` reads it; the `Store` of a table also writes. A fact is on the disk before the display
says that it counts; what the disk refuses is kept in memory, and written later at its place.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
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
    from_lines,
    lines_of,
    name_of,
    note_fact,
)
from pi_app.store.index import Index
from pi_app.store.journal import Fact, FactLines, Journal
from pi_app.store.people import PEOPLE_FILE, People, texts_of
from pi_app.store.reader import TABLE, Reader
from pi_app.system.host import boot_moment, clock_is_sure, utc_now

log = logging.getLogger(__name__)

NOTHING: Mapping[str, str] = MappingProxyType({})
SHELF = "shelf"
"""The key for the file of the game that was put on the shelf last, `NONE` if there is none.

It is forgotten when that may have changed, and then found by the index.
"""
NONE = "-"
_QUIET = {"at", "n", "move", "undo", "redo", "rewrite", "undone", "comments", "edits"}
"""What facts say that can wait for somebody who looks into the index."""

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


@dataclass(slots=True)
class Added:
    """What was taken over from another store."""

    games: dict[int, str] = field(default_factory=dict)
    """The files of the games that came, by their numbers."""
    here: int = 0
    """How many were here already."""
    deleted: int = 0
    """How many were left out because they were deleted here."""


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
        self.trouble: Trouble | None = None
        """Why something is in memory only at the moment; None while the disk takes all."""
        self.stamp = 0
        """Differs after each change."""
        self._utc_now = now
        self._news: list[News] = []
        self._open: dict[int, _Open] = {}
        """The game that was written last, and those that the disk has not whole."""
        self._resumable: tuple[int, StoredGame | None] = -1, None
        """After which change the game to resume was found, and that game."""
        self._follower: Follower | None = None
        self._check_others = self._has_counted = False
        self._is_temporary = str(path) == ":memory:"
        if self._is_temporary:
            disk = Disk(Path(mkdtemp(prefix="beisitzer-")), lasts=False)
            finalize(self, rmtree, disk.folder, ignore_errors=True)
        disk = disk or Disk(Path(path))
        super().__init__(disk, People(disk, writes=True), Index(disk, stored=True))
        self._deleted = Deleted(disk, self._people)
        self._last = number_of(self.recall(TABLE) or "") or 0
        """The highest number that a game had, as far as it is known."""
        if self.forgotten:
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
            if trouble != self.trouble:
                self.trouble = trouble
                self._news.append(News(trouble))
        elif self._check_others:  # if one file was removed, others may be
            self._check_others = self._has_counted = False
            self.retry()
        elif self.trouble is not None and not self._disk.waiting:
            self.trouble = None
            self._news.append(News(written=True))

    def news(self) -> list[News]:
        """Return the news about the store that people have not seen yet, and clear it."""
        news, self._news = self._news, []
        return news

    def retry(self) -> bool:
        """Try to write what is in memory only; return whether everything is on the disk."""
        for journal in (self._journal, *(each.journal for each in self._open.values())):
            journal.retry()
        return self.trouble is None

    def close(self) -> None:
        """Bring the index up to date and close it."""
        if self._index.is_open:
            self._lists()
        super().close()
        self._disk.close()

    @property
    def path(self) -> Path | None:
        """The folder; None for a store for this run only."""
        return self._disk.folder if not self._is_temporary else None

    # --- the index

    def _lists(self) -> Index:
        due = {game: each for game, each in self._open.items() if each.row_due}
        # while the index is made anew, the games are read in their order
        if due and self.progress is None:
            written = self._index.update({game: each.journal.name for game, each in due.items()})
            for each in due.values():
                each.row_due = not written
        return self._index

    def check_index(self, pause: Callable[[], None] = lambda: None) -> None:
        """Compare the index with every file; `end_check` follows in the thread that writes.

        For any thread; `pause` is called every few milliseconds.
        """
        self._index.refresh(pause)

    def end_check(self, _: object = None) -> None:
        """Let lists show what the check has found; remove what was deleted long ago."""
        self.stamp += 1
        try:
            self._deleted.remove_old(self._utc_now())
        except OSError as error:
            log.warning("old deleted games cannot be removed: %s", error)

    def reader(self) -> Reader:
        """Return a reader of this store for another thread; it need not be closed."""
        return Reader(self._disk, self._people, self._index)

    # --- games

    def _load_file(self, game: int, name: str) -> StoredGame:
        if game in self._open and self._open[game].journal.name == name:
            return self._open[game].telling.game()
        return super()._load_file(game, name)

    def game_to_resume(self) -> StoredGame | None:
        if self._resumable[0] != self.stamp:  # menus ask each frame
            self._resumable = self.stamp, super().game_to_resume()
        return self._resumable[1]

    def _game_on_shelf(self) -> StoredGame | None:
        if not self._index.is_open:  # a start can do without it
            if self.recall(SHELF) == NONE or not self._disk.games():
                return None
            if (waiting := self._waiting(SHELF)) is not None:
                return waiting
        found = super()._game_on_shelf()
        self._people.remember({SHELF: NONE if found is None else self._name(found.id)})
        return found

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
            gone = (number for number, _, _ in self._deleted.rows().values())
            self._last = max(self._last, *gone, *self._disk.games(), 0)
            with suppress(OSError):
                for name in self._disk.doubles():
                    self._disk.rename(name, renumbered(name, self._last + 1))
                    self._last += 1
        self._last += 1
        return self._last

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
        game, facts = self._first_facts(tags, self._now(), self._notes_here(tags, extras))
        if result is not None:
            facts.append({"result": result.as_json(), "at": facts[0]["at"]})
        self._begin(game, facts)
        self.remember_all({TABLE: self._name(game), SHELF: ""})
        if before is not None:
            self.shelve(before)
        _log_game("begun", game, tags.get("Game", ""))
        return game

    def _first_facts(
        self, tags: Mapping[str, str], began: str, notes: Mapping[str, str]
    ) -> tuple[int, list[Fact]]:
        """Return the number of a new game, and the facts that begin it."""
        game = self._next_number()
        identity = {"game": game, "format": FORMAT, "id": urandom(16).hex()}
        first = {**identity, "at": began, "tags": dict(tags)}
        return game, [first, *(note_fact(key, text) for key, text in notes.items())]

    def _begin(
        self, game: int, facts: Sequence[Fact], *, together: bool = True, here: bool = True
    ) -> None:
        """Write the first facts of a new game."""
        name = name_of(game, facts[0]["tags"].get("Game", ""), facts[0]["at"])
        journal = Journal(self._disk, name, self._report)
        journal.append(*facts, together=together)
        self._keep_open(game, _Open(journal, Telling(game, FactLines(journal.data))))
        self._tell(game, facts, here=here)

    def _keep_open(self, game: int, opened: _Open) -> None:
        """Keep this game open, and close those that are whole on the disk."""
        if any(each.row_due for each in self._open.values()):
            self._lists()  # it writes their rows
        for number, each in list(self._open.items()):
            if not each.journal.waits and not each.row_due:
                del self._open[number]
        self._open[game] = opened

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
        self.stamp += 1
        self._open[game].row_due = True
        if any(fact.keys() - _QUIET for fact in facts) and self._index.is_open:
            self._lists()  # it writes the row
        changed = any("result" in fact for fact in facts)
        if changed and here and self._follower is not None:
            self._follower.changed(game)

    def add_all(self, games: Sequence[PlayedElsewhere], *, here: bool = False) -> list[int]:
        """Store whole games that were played elsewhere; return their numbers.

        Unfinished games go on the shelf; the game on the table stays there. `here`: they were
        played at this table, without it.
        """
        added = []
        self._people.remember({SHELF: ""})
        with self._disk.together():
            for tags, tokens, began, result in games:
                notes = self._notes_here(tags, {}) if here else {}
                game, facts = self._first_facts(tags, began, notes)
                facts[0] = {**facts[0], "shelved": True}  # also if a power cut leaves a part
                facts += [{"n": n, "move": token} for n, token in enumerate(tokens, 1)]
                if result is not None:
                    facts.append({"result": result.as_json(), "at": began, "shelved": False})
                # not together: else damage would hide the moves before it, too
                self._begin(game, facts, together=False, here=here)
                added.append(game)
        return added

    def _change(self, game: int, *facts: Fact) -> None:
        """Add facts to a game's file; KeyError if there is no such game, or it is newer."""
        opened = self._opened(game)
        opened.journal.append(*facts)
        for fact in facts:
            opened.telling.add(fact)
        self._tell(game, facts)

    def _opened(self, game: int) -> _Open:
        """Return a game that can be written; KeyError as in `_change`.

        In a damaged file what counts is written once more: what is there stays before it.
        """
        if game in self._open:
            return self._open[game]
        name = self._name(game)
        try:
            lines = lines_of(self._disk, name)
            telling = Telling(game, lines)
        except (*NO_FACT, FileNotFoundError):
            raise KeyError(game) from None
        opened = _Open(Journal(self._disk, name, self._report, lines), telling)
        self._keep_open(game, opened)
        if telling.damaged:
            opened.journal.begin_anew(*telling.facts)
            telling.damaged = False
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
        on_table = {} if shelved else {TABLE: self._name(game)}
        self.remember_all({**on_table, SHELF: ""})
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
        self.stamp += 1

    # --- deleting

    def delete(self, game: int) -> None:
        """Put a game aside for `KEPT_DAYS`; nothing brings it back unasked."""
        stored, name = self.load(game), self._name(game)
        self._open.pop(game, None)
        try:
            self._deleted.add(stored, name, self._now())
        except OSError as error:
            self._report(error)
        self._reread(game, name)

    def bring_back(self, game: StoredGame) -> None:
        """Put a deleted game back among the others."""
        try:
            self._reread(game.id, self._deleted.bring_back(game))
        except OSError as error:
            self._report(error)

    def _reread(self, game: int, name: str) -> None:
        self.remember_all({SHELF: ""})
        self._index.update({game: name})

    def deleted_games(self) -> list[StoredGame]:
        """Return the deleted games that can still be brought back, the latest number first."""
        return self._deleted.games()

    def was_deleted(self, tags: Mapping[str, str], tokens: Sequence[str]) -> bool:
        """Tell whether a game with these tags, but for the date, and moves was deleted here."""
        return self._deleted.has_content(tags, tokens)

    # --- another store

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of every file; for any thread. OSError if one cannot be read."""
        self._disk.check(writes=False)
        for name in (*self._disk.games().values(), PEOPLE_FILE):
            with suppress(FileNotFoundError):
                yield name, self._disk.read(name)

    def add_files(self, files: Iterable[tuple[str, bytes]], *, deleted: bool = False) -> Added:
        """Take over another store's games and what it remembers.

        Games that are here already, by their random ids, are left out, and those that were deleted
        here, unless these are wanted; one that goes on there, or is damaged only here, takes the
        place of that here. What is remembered here stays. OSError if the disk refuses; then a part
        is here.
        """
        added = Added()
        ids = {entry.game_id: entry.id for entry in self._lists().entries("id")}
        gone = self._deleted.rows()
        used = {*self._disk.games(), *(number for number, _, _ in gone.values())}
        with self._disk.together():
            for name, data in files:
                if name == PEOPLE_FILE:
                    theirs = texts_of(FactLines(data, each=True)).items()
                    own = (TABLE, SHELF)
                    new = {k: v for k, v in theirs if k not in own and self.recall(k) is None}
                    self.remember_all(new)
                    continue
                lines = FactLines(data)
                game = from_lines(0, name, lines)
                if game is None:
                    continue
                if game.game_id in gone:
                    if not deleted:
                        added.deleted += 1
                        continue
                    self._deleted.forget(game.game_id)
                number, target = ids.get(game.game_id), name
                if number is None:
                    number = number_of(name)
                    if number is None or number in used:
                        number = self._next_number()
                        target = name_of(number, game.game, game.began)
                elif self._is_less(number, lines.data):
                    target = self._name(number)
                    self._open.pop(number, None)
                    self._disk.set_aside(target)
                else:
                    added.here += 1
                    continue
                self._disk.append(target, b"", 0, lines.data)
                added.games[number] = target
                ids[game.game_id], self._last = number, max(self._last, number)
                used.add(number)
        self._index.update(added.games)
        self.remember_all({SHELF: ""})
        return added

    def _is_less(self, game: int, data: bytes) -> bool:
        """Tell whether the game here has less than this file of it: it goes on, or is whole."""
        ours = self._disk.read(self._name(game))
        goes_on = data.startswith(ours) or self.load(game).damage is not None
        return len(data) > len(ours) and goes_on


def read_file(name: str, data: bytes) -> StoredGame | None:
    """Return the game in a file of another store; None if nothing of it can be read."""
    game = from_lines(0, name, FactLines(data))
    return game if game is not None and (game.tags or game.newer) else None


def is_stored_name(name: str) -> bool:
    """Tell whether a file of a store may have this name."""
    return name == PEOPLE_FILE or number_of(name) is not None
