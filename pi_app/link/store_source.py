"""The store itself as the link's source, while no companion runs: `beisitzer link --store FILE`."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from time import sleep

from pi_app.files.host import utc_now
from pi_app.files.regular import NotAFileError
from pi_app.link.contract import MOST_EVENTS, Ack, Assignment, Say
from pi_app.link.hub_page import HubAnswer
from pi_app.link.outbox import AckError, ClubJoined, Outbox
from pi_app.link.protocol import (
    EventAnswer,
    LinkNews,
    LinkSourceError,
    LinkStatus,
    OutboxState,
    TableState,
)
from pi_app.store.lock import StoreInUseError, StoreLock
from pi_app.store.migrations import VersionError
from pi_app.store.store import Store

log = logging.getLogger(__name__)


class StoreSource:
    """A table where nobody plays: it has an outbox, and takes neither assignments nor texts.

    LinkSourceError if a companion has the store (`locked`), or it cannot be read (`store`).
    """

    def __init__(
        self, path: Path, joined: ClubJoined, now: Callable[[], datetime] = utc_now
    ) -> None:
        if not path.exists():  # a mistyped name must not become a store
            raise LinkSourceError("store", f"{path} does not exist")
        try:
            self._lock = StoreLock(path)
        except StoreInUseError as error:
            raise LinkSourceError("locked", str(error)) from error
        except NotAFileError as error:
            raise LinkSourceError("store", str(error)) from error
        self._told: OutboxState | None = None
        try:
            self._store = Store(path, now=now)
            self._box = self._store.follow(lambda db: Outbox(db, lambda: joined, now))
            if not joined.names:
                self._box.forget_names()
        except (VersionError, OSError, sqlite3.Error) as error:
            self._lock.release()
            raise LinkSourceError("store", str(error)) from error

    def outbox(self) -> OutboxState:
        """Return where the outbox stands."""
        return self._box.state()

    def events(self, seq: int, most: int = MOST_EVENTS) -> EventAnswer:
        """Return events from this number on, ready to send."""
        return self._box.events(seq, most)

    def ack(self, ack: Ack) -> OutboxState:
        """Take note of what a hub has; the outbox is as before if the ack is not for it."""
        try:
            return self._box.ack(ack)
        except AckError as error:
            log.warning("an ack was not taken note of: %s", error.code)
            return self._box.state()

    def assign(self, assignment: Assignment) -> None:
        """Leave an assignment to the companion: it is retained at the broker."""

    def say(self, say: Say) -> None:
        """Say nothing: nobody is here."""

    def status(self, status: LinkStatus) -> None:
        """Show nothing: nobody is here."""

    def joined(self, answer: HubAnswer) -> None:
        """Pass nothing on: nobody has asked."""

    def news(self, timeout_s: float) -> list[LinkNews]:
        """Return the state at first, and the outbox whenever it has changed."""
        now = self._box.state()
        if now == self._told:
            sleep(timeout_s)
            return []
        first, self._told = self._told is None, now
        return [now, TableState(waiting=now.waiting)] if first else [now]

    def close(self) -> None:
        """Close the store and unlock it."""
        self._store.close()
        self._lock.release()
