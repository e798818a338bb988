"""The results that a hub lacks, derived from finished games and the hub's verdicts.

A restored hub may have lost results: then all earlier verdicts are void, and all results for this
hub are sent again.
"""

from __future__ import annotations

import json
import logging
from bisect import bisect_right, insort
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from pi_app.link.contract import Assignment, Verdict
from pi_app.link.protocol import HubWords, JoinedClub, Results
from pi_app.link.results import ClubNote, result_of
from pi_app.store import Store
from pi_app.system.host import clock_is_sure
from pi_app.wire.messages import Message, MessageError, Number, Word, read_object

M = TypeVar("M", bound=Message)
log = logging.getLogger(__name__)

NOTE = "link"
"""The key of the note on a club's game."""
JOINED = "club"
"""The store's key for the club that was joined last."""
ANSWER_LIMIT_BYTES = 200 * 1024
"""Limit of the results in one answer, as JSON in ASCII: one line on the socket."""


class HubFacts(Message):
    """Stored facts about a hub: its era, and how many revisions of this table it had.

    Verdicts of this `turn` count: a new turn begins when the hub was restored.
    """

    era: Word
    has: Number
    turn: Number = 0


@dataclass(frozen=True, slots=True)
class ClubGame:
    """A club's game that had a result at least once, and its verdict."""

    number: int
    game_id: str
    revision: int
    note: ClubNote
    verdict: Verdict | None = None
    """None: the hub has not judged this revision since its last restore."""

    @property
    def sent(self) -> int:
        """The revision's number at the hub."""
        return self.note.sent(self.revision)


class Outbox:
    """Follows the games of a store. Only for the loop's thread.

    `is_on` and `names` return what the settings say now, `evening` the evening that is open at the
    hub.
    """

    def __init__(
        self,
        store: Store,
        is_on: Callable[[], bool],
        names: Callable[[], bool],
        evening: Callable[[], str | None],
        now: Callable[[], datetime],
        is_sure: Callable[[datetime], bool] = clock_is_sure,
    ) -> None:
        self._store = store
        self._is_on = is_on
        self._names = names
        self._evening = evening
        self._now = now
        self._is_sure = is_sure
        self._club = read_stored(JoinedClub, store.recall(JOINED))
        self._games: dict[int, ClubGame] | None = None
        """The games of this hub by their numbers; None until somebody asks."""
        self._numbers: dict[str, int] = {}
        """The number of each of them by its random id."""
        self._pending: list[int] = []
        """The games that wait, ascending."""

    @property
    def club(self) -> JoinedClub | None:
        """This table's club; None while it is switched off."""
        return self._club if self._is_on() else None

    def join(self, club: JoinedClub) -> None:
        """Let games that begin from now on belong to this hub."""
        if club != self._club:
            self._store.remember_all({JOINED: json.dumps(club.facts())})
            if self._club is None or self._club.hub != club.hub:
                self._games = None
            self._club = club

    # --- calls of the store

    def notes(self) -> Mapping[str, str]:
        """Note on a new game its hub."""
        return {} if self.club is None else {NOTE: self.note_text(self._evening())}

    def note_text(
        self, evening: str | None, round_: int | None = None, people: tuple[str | None, ...] = ()
    ) -> str:
        """Return the note on a new game, "" without a club."""
        if self.club is None:
            return ""
        is_sure = self._is_sure(self._now())
        note = ClubNote(
            hub=self.club.hub, evening=evening, round=round_, people=people, sure=is_sure
        )
        return json.dumps(note.facts())

    def changed(self, game: int) -> None:
        """Handle a change of a game that has a result, or had one before."""
        note = self._note(game)
        if self._games is not None and note is not None:
            stored = self._store.load(game)
            self._sort(game, stored.game_id, stored.revision, note)

    def _note(self, game: int) -> ClubNote | None:
        """Return the note on a game."""
        try:
            return read_stored(ClubNote, self._store.load(game).notes.get(NOTE))
        except KeyError:
            return None

    # --- waiting results

    @property
    def waiting(self) -> int:
        """How many results wait for a verdict; cheap, as every frame asks."""
        if self.club is None:
            return 0
        self._known()
        return len(self._pending)

    def _known(self) -> dict[int, ClubGame]:
        """Return the games of this hub by their numbers."""
        if self._games is None:
            self._games, self._numbers, self._pending = {}, {}, []
            for game in self._store.games_with(NOTE):
                note = read_stored(ClubNote, game.notes[NOTE])
                if note is not None:
                    self._sort(game.id, game.game_id, game.revision, note)
        return self._games

    def _sort(self, number: int, game_id: str, revision: int, note: ClubNote) -> None:
        """Add a game to the waiting ones, or remove it."""
        if self._games is None or self._club is None or note.hub != self._club.hub:
            return
        if revision < 0:
            return
        verdict = self._verdict(game_id, note.sent(revision))
        game = ClubGame(number, game_id, revision, note, verdict)
        self._games[number], self._numbers[game_id] = game, number
        waits = verdict is None and note.evening is not None
        if waits and number not in self._pending:
            insort(self._pending, number)
        elif not waits and number in self._pending:
            self._pending.remove(number)

    def _verdict(self, game_id: str, revision: int) -> Verdict | None:
        """Return this hub's verdict on a revision since its last restore."""
        hub = "" if self._club is None else self._club.hub
        text = self._store.recall(_verdict_key(hub, game_id)) or ""
        turn, _, rest = text.partition(" ")
        verdict = read_stored(Verdict, rest) if turn == str(self._facts(hub).turn) else None
        return verdict if verdict and verdict.revision == revision else None

    def _facts(self, hub: str) -> HubFacts:
        return read_stored(HubFacts, self._store.recall(f"hub/{hub}")) or HubFacts(era="-", has=0)

    # --- calls of the link

    def results(self, hub: str, after: int, few: int) -> Results:
        """Return some waiting results, of games after this number."""
        found: list[dict[str, Any]] = []
        size = 0
        if self.club is None or self.club.hub != hub:
            return Results(results=(), after=None)
        games = self._known()
        for number in self._pending[bisect_right(self._pending, after) :]:
            result = self._result(games[number])
            size += len(json.dumps(result))
            if found and (len(found) >= few or size > ANSWER_LIMIT_BYTES):
                return Results(results=tuple(found), after=after)
            after = number
            if result is not None:
                found.append(result)
        return Results(results=tuple(found), after=None)

    def _result(self, game: ClubGame) -> dict[str, Any] | None:
        """Return a game's result, None if it is unreadable."""
        try:
            stored = self._store.load(game.number)
            if stored.result is None and stored.damage is not None:
                return None
            return result_of(stored, game.note, game.sent, names=self._names())
        except (KeyError, ValueError) as error:
            log.warning("game %s has no result for the club: %s", game.number, error)
            return None

    def heard(self, heard: HubWords) -> int:
        """Store a hub's verdicts; return how many results wait."""
        facts = self._facts(heard.hub)
        if self._club is None or self._club.hub != heard.hub:
            return 0
        texts: dict[str, str] = {}
        if heard.had is not None and heard.has is not None:
            is_restored = heard.era != facts.era or heard.had < facts.has
            now = HubFacts(era=heard.era, has=heard.has, turn=facts.turn + is_restored)
            if is_restored:
                self._games = None  # earlier verdicts are void: all results wait again
            if now != facts:
                texts[f"hub/{heard.hub}"] = json.dumps(now.facts())
                facts = now
        elif heard.era != facts.era:
            return self.waiting  # from an old era, or a new one that the next hello announces
        if self._games is None:
            self._store.remember_all(texts)  # before the games are read, as it has their turn
        games = self._known()
        judged = [
            (game, verdict)
            for verdict in heard.verdicts
            if (game := games.get(self._numbers.get(verdict.game_id, 0)))
            and verdict.revision == game.sent
        ]
        for game, verdict in judged:
            key = _verdict_key(heard.hub, game.game_id)
            texts[key] = f"{facts.turn} {_text(verdict)}"
        if texts:
            self._store.remember_all(texts)
        for game, verdict in judged:
            self._sort(game.number, game.game_id, game.revision, self._number_on(game, verdict))
        return self.waiting

    def _number_on(self, game: ClubGame, verdict: Verdict) -> ClubNote:
        """Let the next revision's number exceed all at the hub; return the game's note."""
        if verdict.highest is None or verdict.highest <= game.sent:
            return game.note
        note = replace(
            game.note,
            above=game.revision,
            by=verdict.highest - game.revision,
            was=game.sent - game.revision,
        )
        self._store.set_note(game.number, NOTE, json.dumps(note.facts()))
        return note

    # --- calls of the screens

    def last_games(self, most: int) -> list[ClubGame]:
        """Return this hub's last finished games, the latest first."""
        games = self._known() if self.club is not None else {}
        return [games[number] for number in sorted(games, reverse=True)[:most]]

    def send(self, number: int) -> bool:
        """Send a game without an evening; return whether an evening is open for it."""
        game, evening = self._known().get(number), self._evening()
        if game is None or evening is None:
            return False
        note = replace(game.note, evening=evening)
        self._store.set_note(number, NOTE, json.dumps(note.facts()))
        self._sort(number, game.game_id, game.revision, note)
        return True

    def is_of_round(self, game: int) -> bool:
        """Tell whether a hub has assigned this game to a round."""
        note = self._note(game)
        return note is not None and note.round is not None

    def is_of(self, game: int, assignment: Assignment) -> bool:
        """Tell whether this game is the assigned one: the same round and people."""
        note = self._note(game)
        assigned = (assignment.evening, assignment.round, assignment.people)
        return note is not None and (note.evening, note.round, note.people) == assigned


def _verdict_key(hub: str, game_id: str) -> str:
    return f"verdict/{hub}/{game_id}"


def _text(verdict: Verdict) -> str:
    return json.dumps({name: value for name, value in verdict.facts().items() if value is not None})


def read_stored(message: type[M], text: str | None) -> M | None:
    """Return a stored message, None if it is missing or unreadable."""
    try:
        return None if not text else message.read(read_object(text))
    except MessageError:
        return None
