"""The link's process: the companion's socket on one side, a club's hub and a house on the other."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from pi_app.link.contract import TableState, mark
from pi_app.link.ends.admission import JoinError, ask_to_join
from pi_app.link.ends.club import Club
from pi_app.link.ends.companion import CompanionError, CompanionTable
from pi_app.link.ends.credentials import ClubAccess, LinkFolder
from pi_app.link.ends.https import HubConnection, pinned, public
from pi_app.link.protocol import (
    ClubWanted,
    HomePassword,
    HomeWanted,
    JoinedClub,
    JoinHub,
    JoinOutcome,
    KeepHub,
    LinkStatus,
    SwitchedOff,
    TableEvent,
    Wanted,
)
from pi_app.system.host import clock_is_sure, utc_now, version
from pi_app.wire.messages import Message

log = logging.getLogger(__name__)

AGAIN_S = 30.0
"""How long after a fault of our own an end begins anew."""
GOODBYE_S = 2.0
"""How long the last words may take."""


@dataclass(frozen=True, slots=True)
class LinkVoices:
    """Callbacks: one end is connected to a place; or is not, for a reason in words of `words.py`."""

    connected: Callable[[str, str], None]
    trouble: Callable[[str, str, str], None]


@dataclass
class LinkProcess:
    """Serves one connection to the companion after the other."""

    path: Path
    folder: LinkFolder
    voices: LinkVoices
    _nonces: dict[tuple[str, int, str], str] = field(default_factory=dict)
    """The nonce of each code, so that asking again is no second table."""
    _admitted: dict[int, ClubAccess] = field(default_factory=dict)
    """What hubs have given and nobody has compared yet, by the question's number."""

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

    def software(self) -> str:
        return version()[:40]

    def nonce(self, asked: JoinHub) -> str:
        return self._nonces.setdefault((asked.host, asked.port, asked.code), secrets.token_hex(16))

    def admit(self, number: int, access: ClubAccess) -> None:
        self._admitted = {number: access}

    def keep_admitted(self, number: int) -> bool:
        """Keep what people have compared; return whether there was anything to keep."""
        access = self._admitted.pop(number, None)
        if access is not None:
            self.folder.keep_club(access)
        return access is not None


class _House(Protocol):
    """A house, which is imported only where there is one."""

    def show(self, state: TableState) -> None:
        """Take note of what the table does now."""

    def signal(self, event: TableEvent) -> None:
        """Tell that something has happened."""


class _Session:
    """What is done while the companion is there."""

    def __init__(self, link: LinkProcess, table: CompanionTable) -> None:
        self._link = link
        self._table = table
        self._state = TableState()
        self._club: Club | None = None
        self._house: _House | None = None
        self._ends: dict[str, asyncio.Task[None]] = {}
        self._wanted: dict[str, Message] = {}
        """What each end was begun for."""
        self._status: dict[str, LinkStatus] = {}
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
                if isinstance(message, SwitchedOff):
                    return True
                self._take(message)
            return False
        finally:
            reader.cancel()
            await self._end(*self._ends)
            for task in self._told:
                task.cancel()

    def _take(self, message: Message) -> None:
        match message:
            case Wanted():
                self._follow(message)
            case TableState():
                self._state = message
                for end in (self._club, self._house):
                    if end is not None:
                        end.show(message)
            case TableEvent():
                if self._house is not None:
                    self._house.signal(message)
            case JoinHub():
                self._do(self._join(message))
            case KeepHub():
                self._do(self._keep(message))
            case HomePassword():
                self._do(self._keep_password(message))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        """Work beside reading what the companion says."""

        async def guarded() -> None:
            with suppress(CompanionError):  # reading ends too
                await work

        task = asyncio.create_task(guarded())
        self._told.add(task)
        task.add_done_callback(self._told.discard)

    # --- joining

    async def _join(self, asked: JoinHub) -> None:
        link = self._link
        try:
            access = await ask_to_join(
                asked,
                link.nonce(asked),
                link.software(),
                link.folder.club(),
                sure=clock_is_sure(utc_now()),
            )
        except JoinError as error:
            log.info("joining: %s", error)
            outcome = JoinOutcome(number=asked.number, fault=error.fault)
        else:
            link.admit(asked.number, access)
            outcome = JoinOutcome(
                number=asked.number,
                table=access.table,
                club=access.club,
                mark="" if access.ca_pem is None else mark(access.ca_pem),
            )
        await self._table.tell("joined", outcome)

    async def _keep(self, asked: KeepHub) -> None:
        try:
            is_kept = self._link.keep_admitted(asked.number)
            fault = "" if is_kept else "no-hub"
        except OSError as error:
            log.warning("the access to the club cannot be kept: %s", error)
            fault = "disk"
        wanted = self._wanted.get("club")
        if not fault and isinstance(wanted, ClubWanted):
            await self._begin("club", wanted)
        await self._table.tell("joined", JoinOutcome(number=asked.number, fault=fault))

    async def _keep_password(self, asked: HomePassword) -> None:
        try:
            self._link.folder.keep_password(asked.password)
        except OSError as error:
            log.warning("the password cannot be kept: %s", error)
        wanted = self._wanted.get("home")
        if isinstance(wanted, HomeWanted):
            await self._begin("home", wanted)

    # --- the ends

    def _follow(self, wanted: Wanted) -> None:
        """Begin anew what is wanted otherwise than before."""
        for end, part in (("club", wanted.club), ("home", wanted.home)):
            if self._wanted.get(end) != part:
                self._do(self._begin(end, part))

    async def _begin(self, end: str, wanted: ClubWanted | HomeWanted) -> None:
        self._wanted[end] = wanted
        await self._end(end)
        if wanted.enabled and self._wanted[end] is wanted:

            async def work() -> None:
                if isinstance(wanted, ClubWanted):
                    await self._run_club(wanted)
                else:
                    await self._run_house(wanted)

            self._ends[end] = asyncio.create_task(self._guarded(end, work))

    async def _end(self, *ends: str) -> None:
        tasks = [self._ends.pop(end) for end in ends if end in self._ends]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=GOODBYE_S)

    async def _guarded(self, end: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run one end; a fault of it leaves the other one alone, and it begins anew."""
        while True:
            try:
                return await work()
            except CompanionError as error:
                log.info("%s: %s", end, error)
                return None
            except Exception:
                log.exception("%s failed", end)
                self._report(end, "", "fault" if end == "club" else "refused")
                await asyncio.sleep(AGAIN_S)

    async def _run_club(self, wanted: ClubWanted) -> None:
        place = f"{wanted.host}:{wanted.port}"
        access = self._link.folder.club()
        if access is None:
            self._report("club", place, "unjoined")
            return
        joined = JoinedClub(hub=access.hub, table=access.table, club=access.club)
        await self._table.tell("club", joined)

        async def connect() -> HubConnection:
            sure = clock_is_sure(utc_now())
            trusted = public(sure=sure)
            if access.ca_pem is not None:
                trusted = pinned(access.ca_pem, sure=sure)
            return await HubConnection.connect(wanted.host, wanted.port, trusted)

        self._club = Club(
            access,
            self._link.folder.machine(access),
            self._link.software(),
            self._table,
            connect,
            lambda why: self._report("club", place, why),
        )
        self._club.show(self._state)
        try:
            await self._club.run()
        finally:
            self._club = None

    async def _run_house(self, wanted: HomeWanted) -> None:
        place = f"{wanted.host}:{wanted.port}"
        if find_spec("aiomqtt") is None:
            self._report("home", place, "extra")
            return
        from pi_app.link.ends.house import House  # a table without a house does without MQTT

        self._house = house = House(
            wanted,
            self._link.folder,
            self._link.software(),
            self._table,
            lambda why: self._report("home", place, why),
        )
        house.show(self._state)
        try:
            await house.run()
        finally:
            self._house = None

    def _report(self, end: str, place: str, why: str) -> None:
        """Tell the companion and whoever reads standard output what has changed."""
        is_club = end == "club"
        status = LinkStatus(
            end="club" if is_club else "home", connected=not why, why=why, detail=place
        )
        if self._status.get(end) == status:
            return
        self._status[end] = status
        self._do(self._table.tell("status", status))
        if why:
            self._link.voices.trouble(end, place, why)
        else:
            self._link.voices.connected(end, place)
