"""The link's process: the companion's socket on one side, a club's hub and a house on the other."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from pi_app.link import protocol
from pi_app.link.contract import TableState, mark
from pi_app.link.ends.admission import JoinError, ask_to_join
from pi_app.link.ends.club import Club
from pi_app.link.ends.companion import CompanionError, CompanionTable
from pi_app.link.ends.credentials import ClubAccess, LinkFolder
from pi_app.link.ends.https import HubConnection, pinned, public
from pi_app.system.host import clock_is_sure, utc_now, version
from pi_app.wire.messages import Message

log = logging.getLogger(__name__)

AGAIN_S = 30.0
"""How long after a fault in our code an end is restarted."""
GOODBYE_S = 2.0
"""How long the last messages may take."""


@dataclass
class LinkProcess:
    """Serves one connection to the companion after the other."""

    path: Path
    folder: LinkFolder
    report: Callable[[str, str, str], None]
    """Called with an end, its place, and why it cannot be reached (`words.py`), "" if it can."""
    _nonces: dict[tuple[str, int, str], str] = field(default_factory=dict)
    """The nonce of each code, so that a repeated request joins no second table."""
    _admitted: dict[int, ClubAccess] = field(default_factory=dict)
    """Access from hubs that people have not compared yet, by the question's number."""

    async def serve(self) -> bool:
        """Connect and work until the connection ends; return whether the link is switched off.

        CompanionError if there is no place at the companion.
        """
        table = await CompanionTable.connect(self.path)
        session = _Session(self, table)
        try:
            return await session.run()
        finally:
            table.close()

    def nonce(self, asked: protocol.JoinHub) -> str:
        return self._nonces.setdefault((asked.host, asked.port, asked.code), secrets.token_hex(16))

    def admit(self, number: int, access: ClubAccess) -> None:
        self._admitted = {number: access}

    def keep_admitted(self, number: int) -> bool:
        """Store the access that people have compared; return whether there was one."""
        access = self._admitted.pop(number, None)
        if access is not None:
            self.folder.keep_club(access)
        return access is not None


class _RunningEnd(Protocol):
    """A club, or a house, imported only when it is needed."""

    def show(self, state: TableState) -> None:
        """Store the table's state."""

    def signal(self, event: protocol.TableEvent) -> None:
        """Handle an event at the table."""

    async def run(self) -> None:
        """Work until the task is cancelled."""


class _Session:
    """The work during one connection to the companion."""

    def __init__(self, link: LinkProcess, table: CompanionTable) -> None:
        self._link = link
        self._table = table
        self._software = version()[:40]
        self._state = TableState()
        self._running: dict[str, _RunningEnd] = {}
        self._ends: dict[str, asyncio.Task[None]] = {}
        self._wanted: dict[str, Message] = {}
        """What each end was begun for."""
        self._status: dict[str, protocol.LinkStatus] = {}
        self._told: set[asyncio.Task[None]] = set()

    async def run(self) -> bool:
        """Return whether the link is switched off; False when the connection has ended."""
        news: asyncio.Queue[Message | None] = asyncio.Queue()

        async def read() -> None:
            async for message in self._table.news():
                news.put_nowait(message)
            news.put_nowait(None)

        reader = asyncio.create_task(read())
        try:
            self._follow(await self._table.take_place())
            while (message := await news.get()) is not None:
                if isinstance(message, protocol.SwitchedOff):
                    return True
                self._handle_message(message)
            return False
        finally:
            reader.cancel()
            await self._end(*self._ends)
            for task in self._told:
                task.cancel()

    def _handle_message(self, message: Message) -> None:
        match message:
            case protocol.Wanted():
                self._follow(message)
            case TableState():
                self._state = message
                for end in self._running.values():
                    end.show(message)
            case protocol.TableEvent():
                for end in self._running.values():
                    end.signal(message)
            case protocol.JoinHub():
                self._do(self._join(message))
            case protocol.KeepHub():
                self._do(self._store_credentials(message))
            case protocol.HomePassword():
                self._do(self._keep_password(message))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work beside reading the companion's messages."""

        async def guarded() -> None:
            with suppress(CompanionError):  # reading ends too
                await work

        task = asyncio.create_task(guarded())
        self._told.add(task)
        task.add_done_callback(self._told.discard)

    # --- joining

    async def _join(self, asked: protocol.JoinHub) -> None:
        link = self._link
        try:
            access = await ask_to_join(
                asked,
                link.nonce(asked),
                self._software,
                link.folder.club(),
                sure=clock_is_sure(utc_now()),
            )
        except JoinError as error:
            log.info("joining: %s", error)
            outcome = protocol.JoinOutcome(number=asked.number, fault=error.fault)
        else:
            link.admit(asked.number, access)
            outcome = protocol.JoinOutcome(
                number=asked.number,
                table=access.table,
                club=access.club,
                mark="" if access.ca_pem is None else mark(access.ca_pem),
            )
        await self._table.tell("joined", outcome)

    async def _store_credentials(self, asked: protocol.KeepHub) -> None:
        try:
            is_kept = self._link.keep_admitted(asked.number)
            fault = "" if is_kept else "no-hub"
        except OSError as error:
            log.warning("the access to the club cannot be kept: %s", error)
            fault = "disk"
        wanted = self._wanted.get("club")
        if not fault and isinstance(wanted, protocol.ClubWanted):
            await self._begin("club", wanted)
        await self._table.tell("joined", protocol.JoinOutcome(number=asked.number, fault=fault))

    async def _keep_password(self, asked: protocol.HomePassword) -> None:
        try:
            self._link.folder.keep_password(asked.password)
        except OSError as error:
            log.warning("the password cannot be kept: %s", error)
        wanted = self._wanted.get("home")
        if isinstance(wanted, protocol.HomeWanted):
            await self._begin("home", wanted)

    # --- the ends

    def _follow(self, wanted: protocol.Wanted) -> None:
        """Restart the ends with changed settings."""
        for end, part in (("club", wanted.club), ("home", wanted.home)):
            if self._wanted.get(end) != part:
                self._do(self._begin(end, part))

    async def _begin(self, end: str, wanted: protocol.ClubWanted | protocol.HomeWanted) -> None:
        self._wanted[end] = wanted
        await self._end(end)
        if wanted.enabled and self._wanted[end] is wanted:
            self._ends[end] = asyncio.create_task(self._guarded(end, wanted))

    async def _end(self, *ends: str) -> None:
        tasks = [self._ends.pop(end) for end in ends if end in self._ends]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=GOODBYE_S)

    async def _guarded(self, end: str, wanted: protocol.ClubWanted | protocol.HomeWanted) -> None:
        """Run one end; after a fault it restarts, and the other end goes on."""
        report = partial(self._report, end, f"{wanted.host}:{wanted.port}")
        while True:
            try:
                running: _RunningEnd | None
                if isinstance(wanted, protocol.ClubWanted):
                    running = await self._club(wanted, report)
                else:
                    running = self._house(wanted, report)
                if running is None:
                    return
                self._running[end] = running
                running.show(self._state)
                try:
                    await running.run()
                finally:
                    del self._running[end]
            except CompanionError as error:
                log.info("%s: %s", end, error)
                return
            except Exception:
                log.exception("%s failed", end)
                self._report(end, "", "fault" if end == "club" else "refused")
                await asyncio.sleep(AGAIN_S)

    async def _club(
        self, wanted: protocol.ClubWanted, report: Callable[[str], None]
    ) -> Club | None:
        """Return the joined club; None without one."""
        access = self._link.folder.club()
        if access is None:
            report("unjoined")
            return None
        joined = protocol.JoinedClub(hub=access.hub, table=access.table, club=access.club)
        await self._table.tell("club", joined)

        async def connect() -> HubConnection:
            sure = clock_is_sure(utc_now())
            ca_pem = access.ca_pem
            trusted = public(sure=sure) if ca_pem is None else pinned(ca_pem, sure=sure)
            return await HubConnection.connect(wanted.host, wanted.port, trusted)

        machine = self._link.folder.machine(access)
        return Club(access, machine, self._software, self._table, connect, report)

    def _house(
        self, wanted: protocol.HomeWanted, report: Callable[[str], None]
    ) -> _RunningEnd | None:
        """Return the house; None without its library."""
        if find_spec("aiomqtt") is None:
            report("extra")
            return None
        from pi_app.link.ends.house import House  # MQTT is needed only with a house

        return House(wanted, self._link.folder, self._software, self._table, report)

    def _report(self, end: str, place: str, why: str) -> None:
        """Report a change to the companion and on standard output."""
        known = {"end": end, "connected": not why, "why": why, "detail": place}
        status = protocol.LinkStatus.read(known)
        if self._status.get(end) != status:
            self._status[end] = status
            self._do(self._table.tell("status", status))
            self._link.report(end, place, why)
