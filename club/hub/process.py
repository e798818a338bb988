"""The hub's process: takes in, commits, and only then says so."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError

from club.evening.era import begin_era
from club.hub.announcing import Announcer
from club.hub.broker import HUB_USER, SMART_HOME, OwnBroker
from club.hub.certificates import make_server
from club.hub.connection import BrokerConnection, BrokerPlace
from club.hub.identity import BrokerAddress, authority_of, ensure_identity, note_place
from club.hub.inbox import Inbox
from club.hub.publishing import Publisher, read_retained
from club.hub.web import WebThread
from club.judging.acks import ack_of
from club.judging.intake import AckWanted, Intake, TableMessage
from club.store.database import INTAKE_LOCK, ClubDatabase, DatabaseError, Writing, get
from club.store.live import active_tables
from club.store.running import lock_file
from club.store.schema import tables
from pi_app.files.host import addresses
from pi_app.link.contract import payload, topic

log = logging.getLogger(__name__)

TICK_S = 0.1
"""How often the hub looks whether an act has changed something."""
QUIET_S = 0.3
"""After so long without another message a broker has said all that it kept."""
KEPT_S = 5
"""The longest time that a hub reads what a broker kept."""
CONNECT_S = 30
AWAY = (OperationalError, InterfaceError, InternalError)
"""What a database raises that cannot be used now; other errors are of the message that is taken."""
LOCK_S = 0.5
"""How long a hub tries to get an SQLite database's lock: who looks has it for a moment."""
AGAIN_S = 0.5
"""The pause before a database that cannot be used is tried again."""


class HubError(Exception):
    """The hub cannot run: `code` is `taken`, `no-broker`, `refused`."""

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(why or code)
        self.code = code


class BeginAgainError(Exception):
    """The hub must begin anew: a backup was restored, or another hub has its place."""


@dataclass(frozen=True, slots=True)
class HubSettings:
    """How a hub was started. `broker` None: its own, on `port`; `host` "": found by itself."""

    folder: Path
    port: int
    web_port: int
    host: str = ""
    broker: BrokerPlace | None = None
    time_up: Callable[[int], str] = str
    """What tables are told when the time of the round with this number is up."""


class Hub:
    """Runs until `stop`; everything that may fail is tried again."""

    def __init__(
        self,
        database: ClubDatabase,
        settings: HubSettings,
        ready: Callable[[BrokerAddress, str], None],
        waiting: Callable[[], None],
    ) -> None:
        self._database = database
        self._settings = settings
        self._ready = ready
        self._waiting = waiting
        self._stop = threading.Event()
        self._inbox = Inbox()
        self._fresh = threading.Event()
        """Set when the connection to the broker is a new one."""
        self._broker: OwnBroker | None = None
        self._web: WebThread | None = None
        self._wire: BrokerConnection | None = None
        self._connection: Connection | None = None
        self._lock_file: IO[str] | None = None
        self._publisher: Publisher | None = None
        self._announcer = Announcer(self._say, settings.time_up)
        self._acts = self._generation = self._users = ""
        self._standings_due: float | None = None
        self._said_ready = False

    def stop(self) -> None:
        """Let `run` end; may be called by a signal's handler."""
        self._stop.set()

    def run(self) -> None:
        """Run until it is stopped; HubError or BrokerError if it cannot begin."""
        try:
            while not self._stop.is_set():
                with suppress(BeginAgainError):
                    self._run_once()
        finally:
            self._let_go()

    def _run_once(self) -> None:
        self._database.prepare()
        self._take_lock()
        try:
            self._begin()
            while not self._stop.is_set():
                self._turn()
        finally:
            if self._web is not None:
                self._web.stop()
                self._web = None
            self._close_wire()
            if self._broker is not None:
                self._broker.stop()
                self._broker = None

    # --- beginning

    def _take_lock(self) -> None:
        """Become the one hub that takes in; on PostgreSQL another one is waited for."""
        if self._database.is_sqlite:
            if self._lock_file is None:
                self._lock_file = lock_file(self._database, LOCK_S)
                if self._lock_file is None:
                    raise HubError("taken")
            if self._connection is None:
                self._connection = self._database.engine.connect()
            return
        told = False
        while not self._stop.is_set() and not self._try_lock():
            if not told:
                self._waiting()
                told = True
            self._stop.wait(AGAIN_S)

    def _has_lock(self) -> bool:
        """Return whether the lock is ours again; BeginAgainError if another hub has it now."""
        if self._database.is_sqlite:
            self._connection = self._connection or self._database.engine.connect()
            return True
        if self._try_lock():
            return True
        if self._connection is not None:  # the database answers: begin anew, and wait for the place
            raise BeginAgainError
        return False

    def _try_lock(self) -> bool:
        """Connect and ask PostgreSQL for the lock; it is ours as long as the connection is."""
        try:
            if self._connection is None:
                self._connection = self._database.engine.connect()
            with self._connection.begin():
                held = self._connection.scalar(text(f"SELECT pg_try_advisory_lock({INTAKE_LOCK})"))
            return bool(held)
        except DBAPIError as error:
            log.warning("the database is away: %s", error.orig)
            self._drop_connection()
            return False

    def _drop_connection(self) -> None:
        if self._connection is not None:
            with suppress(DBAPIError):
                self._connection.invalidate()
            with suppress(DBAPIError):
                self._connection.close()
            self._connection = None

    def _writing(self) -> AbstractContextManager[Writing]:
        if self._connection is None:
            raise DatabaseError("open", "not connected")
        return self._database.writing_on(self._connection)

    def _begin(self) -> None:
        with self._writing() as writing:
            ensure_identity(writing)
            self._generation = writing.get("generation")
            place = self._place(writing)
            note_place(writing, place)
            hub = writing.get("hub")
        where = self._settings.broker or self._start_broker()
        self._inbox.forget_states()
        self._wire = BrokerConnection(
            where, where.user or f"hub-{hub}", self._inbox.put, self._fresh.set
        )
        self._wire.start()
        self._wait_for_broker()
        retained, pairs = read_retained(self._read_kept())
        with self._writing() as writing:
            era = begin_era(writing, retained, pairs)
        wire = self._wire
        self._publisher = Publisher(lambda name, data: wire.publish(name, data, retain=True), era)
        self._acts = ""
        self._fresh.set()
        self._turn()
        if self._broker is not None:
            self._start_web()
        if not self._said_ready:
            self._said_ready = True
            self._ready(place, hub)

    def _place(self, writing: Writing) -> BrokerAddress:
        """Return where tables reach the broker."""
        broker = self._settings.broker
        if broker is None:
            host = self._settings.host or next(iter(addresses()), "127.0.0.1")
            return BrokerAddress(host, self._settings.port, writing.get("ca"))
        authority = Path(broker.authority).read_text("utf-8") if broker.authority else ""
        return BrokerAddress(self._settings.host or broker.host, broker.port, authority)

    def _start_web(self) -> None:
        """Serve the page at which tables join; without our own broker nobody can be let in."""
        folder = self._settings.folder / "broker"
        try:
            web = WebThread(
                self._database,
                self._settings.web_port,
                folder / "server.pem",
                folder / "server.key",
            )
        except OSError as error:
            log.warning("there is no page to join at: %s", error)
            return
        self._web = web
        with self._writing() as writing:
            writing.put("web_port", str(web.port) if web.wait(CONNECT_S) else "")

    def _start_broker(self) -> BrokerPlace:
        """Start our own broker; return where and as whom the hub reaches it."""
        folder = self._settings.folder / "broker"
        broker = OwnBroker(folder, self._settings.port)
        with self._writing() as writing:
            authority = authority_of(writing.connection)
            password = writing.get("hub_password")
        names = [self._settings.host, "localhost", "127.0.0.1", "::1", os.uname().nodename]
        names += [*addresses(), f"{os.uname().nodename.partition('.')[0]}.local"]
        broker.write(
            make_server(authority, dict.fromkeys(filter(None, names))), authority.certificate
        )
        (folder / "ca.pem").write_text(authority.certificate, "ascii")
        self._broker, self._users = broker, ""
        self._write_users()
        broker.start()
        return BrokerPlace(
            "127.0.0.1",
            self._settings.port,
            tls=True,
            user=HUB_USER,
            password=password,
            authority=str(folder / "ca.pem"),
        )

    def _wait_for_broker(self) -> None:
        assert self._wire is not None  # noqa: S101  # was just made
        end = time.monotonic() + CONNECT_S
        while not self._wire.up.wait(TICK_S) and not self._stop.is_set():
            if self._wire.refused:
                raise HubError("refused", self._wire.refused)
            if time.monotonic() > end:
                raise HubError("no-broker")

    def _read_kept(self) -> dict[str, bytes]:
        """Return what the broker kept, once it has said no more for a while."""
        end, seen = time.monotonic() + KEPT_S, -1
        while seen != self._inbox.arrived and time.monotonic() < end:
            seen = self._inbox.arrived
            if self._stop.wait(QUIET_S):
                break
        if self._wire is not None:
            self._wire.forget_ours()
        return self._inbox.take_retained()

    # --- running

    def _turn(self) -> None:
        """Take in what has come, then publish what has changed."""
        messages = self._inbox.take(TICK_S)
        try:
            if messages:
                self._take_in(messages)
            if self._inbox.dropped:
                self._answer_dropped()
            self._look()
        except (*AWAY, DatabaseError) as error:
            log.warning("the database is away: %s", getattr(error, "orig", error))
            self._return_to_database(messages)
        self._keep_broker()

    def _return_to_database(self, messages: Sequence[TableMessage]) -> None:
        """Wait until the database can be used and the lock is ours again; then take in again.

        What was committed without our knowing is there already and is taken for the same.
        """
        self._drop_connection()
        while not self._stop.is_set():
            try:
                if not self._has_lock():
                    self._stop.wait(AGAIN_S)
                    continue
                with self._writing() as writing:
                    if writing.get("generation") != self._generation:
                        raise BeginAgainError
                if messages:
                    self._take_in(messages)
            except (*AWAY, DatabaseError) as error:
                log.warning("the database is away: %s", getattr(error, "orig", error))
                self._drop_connection()
                self._stop.wait(AGAIN_S)
            else:
                return

    def _take_in(self, messages: Sequence[TableMessage]) -> None:
        """Commit messages together; then answer them."""
        try:
            intake = self._commit(messages)
        except (*AWAY, DatabaseError):
            raise
        except Exception:
            if len(messages) == 1:  # one message must not keep all others out
                log.exception("a message of %s is left out", messages[0].table)
                return
            for message in messages:
                self._take_in([message])
            return
        self._answer(list(intake.wanted.values()))
        self._announcer.repeat({each.table for each in messages if each.leaf == "up/hello"})
        if intake.evenings and self._standings_due is None:
            self._standings_due = time.monotonic()

    def _commit(self, messages: Sequence[TableMessage]) -> Intake:
        with self._writing() as writing:
            intake = Intake(writing)
            for message in messages:
                intake.take(message)
            intake.finish()
        return intake

    def _answer(self, wanted: Sequence[AckWanted]) -> None:
        if not wanted or self._wire is None:
            return
        with self._database.read() as connection:
            acks = [(each.table, ack_of(connection, each)) for each in wanted]
        for table, ack in acks:
            self._wire.publish(topic(table, "down/ack"), payload(ack.facts()))

    def _answer_dropped(self) -> None:
        dropped, self._inbox.dropped = self._inbox.dropped, set()
        log.warning("more came than fits, from %s: they are told what is here", sorted(dropped))
        with self._database.read() as connection:
            wanted = self._stores_of(connection, dropped)
        self._answer(wanted)

    @staticmethod
    def _stores_of(connection: Connection, wanted: set[str] | None = None) -> list[AckWanted]:
        rows = connection.execute(
            select(tables.c.id, tables.c.store).where(tables.c.store.is_not(None))
        )
        return [AckWanted(row.id, row.store) for row in rows if wanted is None or row.id in wanted]

    def _look(self) -> None:
        """Publish what an act or a result has changed; everything after a new connection."""
        if self._publisher is None or self._wire is None or not self._wire.up.is_set():
            return
        with self._database.read() as connection:
            known = get(connection, "acts")
            if get(connection, "generation") != self._generation:
                raise BeginAgainError
            again = self._fresh.is_set()
            if again:
                self._fresh.clear()
                self._publisher.forget()
                self._announcer.repeat()
            if again or known != self._acts:
                self._publisher.publish(connection)
                self._announcer.read(connection)
                self._standings_due = self._standings_due or time.monotonic()
                # what waits was judged again by an act, or was lost with the connection
                wanted = self._stores_of(connection)
            else:
                wanted = []
            if self._standings_due is not None and time.monotonic() >= self._standings_due:
                self._publisher.publish_standings(connection)
                self._announcer.read(connection)
                self._standings_due = None
        if known != self._acts:
            self._write_users()
        self._acts = known
        self._answer(wanted)
        self._announcer.look()

    def _say(self, name: str, data: bytes, for_s: int) -> None:
        if self._wire is not None:
            self._wire.publish(name, data, expires_s=for_s)

    def _write_users(self) -> None:
        """Let the broker know who belongs to the club now, and note it for whoever waits."""
        with self._database.read() as connection:
            # what is decided from here on is not known to the broker yet
            acts = get(connection, "acts", "0")
            active = active_tables(connection)
            rows = connection.execute(select(tables.c.id, tables.c.password))
            users = {row.id: row.password for row in rows if row.id in active}
            users[HUB_USER] = get(connection, "hub_hash")
            home = get(connection, "home_hash")
        if home:
            users[SMART_HOME] = home
        text_of_users = repr(sorted(users.items()))
        if self._broker is not None and text_of_users != self._users:
            self._broker.write_users(users, active)
            if self._broker.runs and not self._broker.reload():
                log.error("the broker has not read its users anew")
            self._users = text_of_users
        with self._writing() as writing:
            writing.put("users", acts)

    def _keep_broker(self) -> None:
        """Start our broker anew if it has ended."""
        if self._broker is not None and not self._broker.runs and not self._stop.is_set():
            log.error("the broker has ended and is started anew")
            self._broker.start()

    # --- ending

    def _close_wire(self) -> None:
        if self._wire is not None:
            self._wire.stop()
            self._wire = None
        self._publisher = None

    def _let_go(self) -> None:
        self._drop_connection()
        if self._lock_file is not None:
            self._lock_file.close()
            self._lock_file = None
