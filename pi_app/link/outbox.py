"""The outbox: what a hub must get, in the store, until the hub has it and needs it no more.

An event is written in the transaction that makes a result true. It gets its number when the link
asks: a file that cannot be written, or has to be rescued, must not give a number twice.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from os import urandom
from time import monotonic, time
from typing import Any

from engines.anonymous import anonymous
from engines.ranking import places
from engines.record import Record
from engines.seating import player_pairs
from pi_app.files.host import clock_is_sure
from pi_app.link.contract import (
    MOST_EVENTS,
    Ack,
    Assignment,
    Json,
    compact,
    event_hash,
    fitting,
    person,
)
from pi_app.link.protocol import EventAnswer, OutboxState
from pi_app.link.results import (
    LONGEST_S,
    ClubGame,
    game_facts,
    game_of,
    in_parts,
    numbered,
    record_text,
    seconds_since,
    utc,
    without_names,
)
from pi_app.settings.schema import LinkSettings
from pi_app.store.check import PLIES, check_row, ids, played_and_undone, tags_of
from pi_app.store.database import Ask, Database
from pi_app.store.migrations import DamagedError
from pi_app.store.recovery import LOST, STATE, OutboxFacts
from pi_app.store.store import remember_in

log = logging.getLogger(__name__)

GAME = "link"
"""The key in `memory` of what an outbox knows of a game, followed by its id: `link/17`."""
_NEW_EVENT = (
    "INSERT INTO outbox (id, game, seq, body, crc) VALUES (?1, ?2, 0, ?3, checksum(?1, ?2, 0, ?3))"
    # as for moves: a repeated transaction finds the same row
    " ON CONFLICT (id) DO UPDATE SET crc=NULL WHERE game<>excluded.game OR body<>excluded.body"
)


_NAMED = '%"show":%'
"""Matches an event with names: within a record these quotes would be escaped."""
_WITHDRAWN = '{"kind":"withdrawn"%'


class AckError(Exception):
    """An ack was not taken note of; `code` says why.

    It is of another `hub`, or for another `store`, or the file is in `trouble`.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class ClubJoined:
    """The club that this table belongs to now: its broker, and whether names go there."""

    broker: str
    names: bool = False


def joined_by(settings: LinkSettings) -> ClubJoined | None:
    """Return the club that the settings name, None while the link is off."""
    if not settings.enabled:
        return None
    return ClubJoined(f"{settings.user}@{settings.host}:{settings.port}", settings.names)


class Outbox:
    """Follows the games of a store, and gives what it wrote to the link.

    `joined` returns the club that the table belongs to now, None while the link is off; `now` the
    time, and `is_sure` whether that is right. Only for the loop's thread.
    """

    def __init__(
        self,
        db: Database,
        joined: Callable[[], ClubJoined | None],
        now: Callable[[], datetime],
        is_sure: Callable[[datetime], bool] = clock_is_sure,
    ) -> None:
        self._db = db
        self._joined = joined
        self._now = now
        self._is_sure = is_sure
        self._begun: dict[int, float] = {}
        """When games of this run began, by a clock that nobody sets."""
        self._counted: tuple[object, int] | None = None
        """The database that was counted, and how many waited; None after a change."""
        self._given = ("", 0)
        """The store, and up to which number all its events were given to the link in this run."""

    # --- what the store tells

    def begun(self, game: int) -> None:
        """Remember a game that begins while the table has joined a hub."""
        if self._joined() is None:
            return
        self._begun[game] = monotonic()
        facts = self._game_facts(game) or game_facts()
        self._remember_game(game, replace(facts, sure=self._is_sure(self._now())))

    def changed(self, game: int) -> None:
        """Write what has become true of a game that began while the table had joined a hub."""
        facts = self._game_facts(game)
        if facts is not None:
            self._report(game, facts)

    def _report(self, game: int, facts: ClubGame) -> None:
        head, result = self._played(game)
        if result is None:
            if not facts.digest:
                return
            facts = replace(
                facts, revision=facts.revision + 1, digest="", ended=None, lasted_s=None
            )
            self._write(
                game, [{"kind": "withdrawn", "game_id": facts.id, "revision": facts.revision}]
            )
        else:
            if not facts.digest:
                facts = self._end(game, facts)
            event = self._result(facts, head, result)
            digest = event_hash(event)
            if digest == facts.digest:
                return
            facts = replace(facts, digest=digest, revision=facts.revision + 1)
            self._write(game, in_parts({**event, "revision": facts.revision}))
        self._remember_game(game, replace(facts, closed=False))

    def _played(self, game: int) -> tuple[tuple[str, Record], dict[str, Any] | None]:
        """Return when a game began, its record, and its result as in records."""

        def find(ask: Ask) -> tuple[tuple[str, Record], dict[str, Any] | None]:
            rows = ask("SELECT tags, began, result FROM game WHERE id=?", (game,))
            if not rows:
                raise DamagedError(f"game {game} is gone")
            tags, began, result = rows[0]
            played, _ = played_and_undone(game, ask(PLIES, ids(game)))
            record = Record(tags_of(tags), played)
            return (str(began), record), None if result is None else json.loads(result)

        return self._db.read(find)

    def _end(self, game: int, facts: ClubGame) -> ClubGame:
        """Return the facts of a game that ends now."""
        now = self._now()
        begun = self._begun.pop(game, None)
        if begun is not None:
            seconds = round(monotonic() - begun)
            lasted = seconds if seconds <= LONGEST_S else None
        else:
            (row,) = self._db.rows("SELECT began FROM game WHERE id=?", (game,))
            lasted = seconds_since(str(row[0]), now)
        ended = utc(now) if self._is_sure(now) else None
        return replace(facts, ended=ended, lasted_s=lasted)

    def _result(
        self, facts: ClubGame, head: tuple[str, Record], result: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the event of a result, without `seq` and `revision`."""
        began, record = head
        joined = self._joined()
        has_names = joined is not None and joined.names
        names = [name for name, _ in player_pairs(record.tags["Players"])]
        people = facts.people or tuple(map(person, names))
        seats = [
            {
                "seat": seat + 1,
                "p": people[seat] if seat < len(people) else None,
                **({"show": name} if has_names else {}),
                **place._asdict(),
            }
            for seat, (name, place) in enumerate(zip(names, places(result, names), strict=True))
        ]
        return {
            "kind": "result",
            "game_id": facts.id,
            "evening": facts.evening,
            "round": facts.round,
            "game": record.tags["Game"],
            "began": utc(datetime.fromisoformat(began)) if facts.sure else None,
            "ended": facts.ended,
            "lasted_s": facts.lasted_s,
            "clock": "sure" if facts.sure and facts.ended else "unsure",
            "seats": seats,
            "reason": str(result.get("reason", "")),
            "record": record_text(record if has_names else anonymous(record)),
        }

    def _write(self, game: int, events: Sequence[Json]) -> None:
        """Write events in the open transaction, one after the other."""
        self._counted = None
        first = self._next_id()
        for count, event in enumerate(events):
            body = compact(event).decode()
            self._db.execute(_NEW_EVENT, (first + count, game, body))

    def _next_id(self) -> int:
        """Return an unused id that is above all others, also of a file that cannot be read."""
        last = int(self._db.rows("SELECT ifnull(max(id), 0) FROM outbox")[0][0])
        if self._db.whole:
            return last + 1
        # counting never reaches such an id, and events of the same second differ by chance
        seconds = int(time()) % (1 << 32) | 1 << 32
        return max(last + 1, seconds << 16 | urandom(1)[0] << 8)

    def _game_facts(self, game: int) -> ClubGame | None:
        text = self._recall(f"{GAME}/{game}")
        return None if text is None else ClubGame.read(text)

    def _remember_game(self, game: int, facts: ClubGame) -> None:
        remember_in(self._db, {f"{GAME}/{game}": facts.text()})

    def _recall(self, key: str) -> str | None:
        def find(ask: Ask) -> str | None:
            rows = ask("SELECT key, value, crc FROM memory WHERE key=?", (key,))
            for row in rows:
                check_row("what is remembered", row)
            return str(rows[0][1]) if rows else None

        return self._db.read(find)

    def is_of_round(self, game: int) -> bool:
        """Tell whether a hub has assigned this game to a round."""
        facts = self._game_facts(game)
        return facts is not None and facts.round is not None

    def is_of(self, game: int, assignment: Assignment) -> bool:
        """Tell whether this game is the one that was assigned: that round, those people."""
        facts = self._game_facts(game)
        if facts is None or facts.round is None:
            return False
        people = tuple(seat.p for seat in assignment.seats)
        assigned = (assignment.evening, assignment.round, people)
        return (facts.evening, facts.round, facts.people) == assigned

    # --- what the link asks

    @property
    def waiting(self) -> int:
        """How many events the hub has not acknowledged; counted only after a change.

        Every frame asks: a move that ends no game must cost nothing here.
        """
        database, _ = self._db.stamp  # another one after a rescue
        if self._counted is None or self._counted[0] is not database:
            facts = self._facts()
            (row,) = self._db.rows("SELECT count(*) FROM outbox WHERE seq=0")
            self._counted = database, int(row[0]) + max(0, facts.last - facts.upto)
        return self._counted[1]

    def state(self) -> OutboxState:
        """Return where it stands, after every event has its number if the file can be written."""
        facts = self._number()
        return OutboxState(
            facts.store or "",
            facts.previous,
            facts.last,
            facts.upto,
            facts.closed,
            self.waiting,
            facts.hub if facts.broker == self._broker else None,
        )

    def events(self, seq: int, most: int = MOST_EVENTS) -> EventAnswer:
        """Return the events from this number on that one message may carry."""
        facts = self._number()
        if self._db.trouble is not None:  # numbers of now may not be there after the next start
            return EventAnswer(facts.store or "")

        def find(ask: Ask) -> list[tuple[int, str]]:
            rows = ask(
                "SELECT id, game, seq, body, crc FROM outbox WHERE seq>=? ORDER BY seq LIMIT ?",
                (max(1, seq), most),
            )
            for row in rows:
                check_row("an event", row)
            return [(int(row[2]), str(row[3])) for row in rows]

        store = facts.store or ""
        events = [numbered(number, body) for number, body in self._db.read(find)]
        if self._facts().store != store:  # damage was found: what was read has other numbers now
            return EventAnswer(self._number().store or "")
        events = events[: fitting(store, events)]
        if events and seq <= self._surely_sent(facts) + 1:
            self._given = store, max(self._surely_sent(facts), events[-1]["seq"])
        return EventAnswer(store, tuple(events))

    def _surely_sent(self, facts: OutboxFacts) -> int:
        """Return up to which number the hub can have the events of this very store.

        What was acknowledged before, and what went out in this run. A hub that says more knows
        events of the same numbers from a card that was copied or restored since.
        """
        store, number = self._given
        return max(facts.upto, number) if store == facts.store else facts.upto

    def ack(self, ack: Ack) -> OutboxState:
        """Take note of what a hub says that it has; AckError if it is not for this table now.

        The answer's `upto` may be lower than the hub's: what follows it is sent once more.
        """
        facts = self._number()
        if self._db.trouble is not None:
            raise AckError("trouble")
        joined_hub = facts.hub if facts.broker == self._broker else None
        if joined_hub not in (None, ack.hub):
            raise AckError("hub")
        if ack.store != facts.store:
            raise AckError("store")
        facts = replace(facts, hub=ack.hub, broker=self._broker)
        conflict = any(refused.why == "conflict" for refused in ack.refused)
        if conflict or ack.upto > facts.last:
            if facts.restarted:  # a hub that says so again is wrong: it would never end
                log.warning("the hub knows other events of a store that is new")
                raise AckError("store")
            log.warning("the hub has other events than this store: all are sent anew")
            self._restart(facts)
        else:
            upto = min(ack.upto, self._surely_sent(facts))
            closed = max(facts.closed, min(ack.closed, upto))
            restarted = facts.restarted and not upto
            self._keep(replace(facts, upto=upto, closed=closed, restarted=restarted))
        return self.state()

    @property
    def _broker(self) -> str:
        joined = self._joined()
        return "" if joined is None else joined.broker

    def _facts(self) -> OutboxFacts:
        return OutboxFacts.read(self._recall(STATE))

    def _remember(self, facts: OutboxFacts) -> None:
        self._counted = None
        remember_in(self._db, {STATE: facts.text()})

    def _keep(self, facts: OutboxFacts) -> None:
        """Store the state, and forget the events that the hub needs no more."""
        if facts == self._facts():
            return
        # the last row stays, so that no id is given twice
        done = "seq BETWEEN 1 AND ? AND id<(SELECT max(id) FROM outbox)"
        gone = f"SELECT game FROM outbox WHERE {done}"
        kept = f"SELECT game FROM outbox WHERE NOT ({done})"
        games = self._db.rows(f"{gone} EXCEPT {kept}", (facts.closed, facts.closed))
        with self._db.transaction():
            for (game,) in games:
                if club_game := self._game_facts(int(game)):
                    self._remember_game(int(game), replace(club_game, closed=True))
            self._db.execute(f"DELETE FROM outbox WHERE {done}", (facts.closed,))
            self._remember(facts)

    def _number(self) -> OutboxFacts:
        """Give each event its number; return the state. Nothing changes while the file fails."""
        facts = self._facts()
        if self._db.trouble is not None:
            return facts
        if facts.store is None and facts.previous:
            with self._db.transaction():
                self._complete()
        rows = self._db.rows("SELECT id FROM outbox WHERE seq=0 ORDER BY id")
        if facts.store and not rows:
            return facts
        store = facts.store or urandom(8).hex()
        facts = replace(facts, store=store, last=facts.last + len(rows))
        with self._db.transaction():
            for count, (key,) in enumerate(rows):
                seq = facts.last - len(rows) + 1 + count
                self._db.execute(
                    "UPDATE outbox SET seq=?2, crc=checksum(id, game, ?2, body) WHERE id=?1",
                    (key, seq),
                )
            self._remember(facts)
        return facts

    def _complete(self) -> None:
        """Write what a rescue has left of only one of both: a result, and its event.

        A result is never taken back here: that its game lost moves does not make it untrue.
        """
        events: dict[int, dict[int, dict[str, Any]]] = {}
        for game, body in self._db.rows("SELECT game, body FROM outbox ORDER BY id"):
            event = json.loads(body)
            if game and "revision" in event:
                events.setdefault(int(game), {})[event["revision"]] = event
        known = self._db.rows(
            "SELECT substr(key, length(?1) + 1) FROM memory WHERE substr(key, 1, length(?1))=?1",
            (f"{GAME}/",),
        )
        for game in sorted({*events, *(int(key) for (key,) in known)}):
            own = events.get(game, {})
            facts = self._game_facts(game) or game_of(own.values())
            if facts.closed:  # old copies of what was forgotten
                self._db.execute("DELETE FROM outbox WHERE game=?", (game,))
                continue
            if max(own, default=-1) > facts.revision:  # the event came to the disk, this did not
                facts = facts.after(own[max(own)])
            elif facts.revision not in own:
                facts = replace(facts, digest="")  # its event is lost: it gets another one
            self._remember_game(game, facts)
            if self._has_result(game):
                self._report(game, facts)

    def _has_result(self, game: int) -> bool:
        query = "SELECT 1 FROM game WHERE id=? AND result IS NOT NULL"
        return bool(self._db.rows(query, (game,)))

    def _restart(self, facts: OutboxFacts) -> None:
        """Take a new id; all that is kept gets new numbers."""
        with self._db.transaction():
            self._db.execute("UPDATE outbox SET seq=0, crc=checksum(id, game, 0, body)")
            self._remember(replace(facts.anew(), restarted=True))

    def forget_names(self) -> None:
        """Replace results that were written with names by the same without, for the same games.

        What the hub has already got with names it gets again as a correction without.
        """
        rows = self._db.rows("SELECT id, game, body FROM outbox WHERE body LIKE ?", (_NAMED,))
        if not rows:
            return
        with self._db.transaction():
            for game in {int(game) for _, game, _ in rows if game}:
                self._db.execute(
                    "DELETE FROM outbox WHERE game=? AND body NOT LIKE ?", (game, _WITHDRAWN)
                )
                self.changed(game)
            # these are of a store that was replaced: the games themselves are not here
            for key, body in [(key, body) for key, game, body in rows if not game]:
                event = json.loads(body)
                text = compact(without_names(event)).decode()
                parts = event.get("parts", 0)
                self._db.execute("UPDATE outbox SET body=?2 WHERE id=?1", (key, text))
                self._db.execute(
                    "UPDATE outbox SET body=?3 WHERE id>?1 AND id<=?1+?2", (key, parts, LOST)
                )
            self._db.execute("UPDATE outbox SET seq=0, crc=checksum(id, game, 0, body)")
            self._remember(self._facts().anew())
