"""A table in a club: sends results until each is judged, tells its state, and hears news."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any, TypeVar

from pi_app.link import contract
from pi_app.link.ends.companion import CompanionError, CompanionTable
from pi_app.link.ends.credentials import ClubAccess
from pi_app.link.ends.https import ConnectError, HubConnection, HubReply, LostError
from pi_app.link.ends.pauses import RETRIES_S, Retries
from pi_app.link.protocol import Assigned, TableEvent, TextToSay
from pi_app.wire.messages import Message, MessageError, compact, read_object

M = TypeVar("M", bound=Message)
log = logging.getLogger(__name__)

HELLO_S = 25.0
"""How often to say hello to the hub, which expects it at least every 30 s."""
STATE_S = 0.5
"""The least time between two states."""
TWICE_S = 30.0
"""How long a table waits after another machine has replaced it."""
JOIN_AGAIN_S = 600.0
"""How long a table waits that is unknown to the hub."""
UNCONFIRMED_S = 5.0
"""The longest pause while this table waits for confirmation at the hub."""
OBEYED_S = 300.0
"""The longest accepted pause in a `Retry-After`."""
ATTEMPTS = 3
"""How often a single result may fail before it is moved behind all others."""
BUFFERED = 2
"""How many silent streams in a row mean that a proxy buffers them."""
POLL_S = 10.0
POLLS = 30
"""Interval and number of polls for news before a stream is tried again."""
_SHRINKING = (413, 422, 500)
"""Answers after which fewer results are sent at once."""

OpenHub = Callable[[], Awaitable[HubConnection]]


class HubError(Exception):
    """The hub needs a pause of `pause_s` seconds; None: the usual pause before a retry.

    `why` is a word of `words.CLUB_WORDS`. `shrinks`: send fewer results at once.
    """

    def __init__(
        self, why: str, details: str, pause_s: float | None = None, *, shrinks: bool = False
    ) -> None:
        super().__init__(f"{why}: {details}")
        self.why = why
        self.pause_s = pause_s
        self.shrinks = shrinks


class Club:
    """Talks with one hub until its task is cancelled.

    `connect` opens a connection; `report` gets the current trouble, or "".
    """

    def __init__(
        self,
        access: ClubAccess,
        machine: str,
        software: str,
        table: CompanionTable,
        connect: OpenHub,
        report: Callable[[str], None],
    ) -> None:
        self._access = access
        self._headers = {"Authorization": f"Bearer {access.token}", "Machine": machine}
        self._software = software
        self._boot = secrets.token_hex(8)
        self._table = table
        self._connect = connect
        self._report = report
        self._clock = asyncio.get_running_loop().time
        self._connection: HubConnection | None = None
        self._hello_at = 0.0
        """When the hub is said hello next."""
        self._state = contract.TableState()
        self._told: contract.TableState | None = None
        """The state that the hub has; None: it has none of this connection."""
        self._state_at = 0.0
        """When the next state may be sent."""
        self._waiting = 0
        self._woken = asyncio.Event()
        self._is_well = asyncio.Event()
        """Whether the hub lets this table speak: only then it is asked for news."""
        self._blocked: HubError | None = None
        """What the hub has answered where news were asked for: it holds for all requests."""
        self._era = ""
        self._most = contract.BATCH_RESULTS
        self._failed: dict[str, int] = {}
        """How often each result has failed alone."""
        self._last: dict[str, None] = {}
        """The results at the end of the queue, in their order."""
        self._changed: dict[tuple[str, int], contract.Verdict] = {}
        """Verdicts that the hub told by itself since the last results were sent."""

    def show(self, state: contract.TableState) -> None:
        """Store the table's state."""
        self._state, self._waiting = state, state.waiting
        self._woken.set()

    def signal(self, event: TableEvent) -> None:
        """Ignore it: hubs get no events."""

    async def run(self) -> None:
        """Send and listen; CompanionError when the companion is gone."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._talk())
                tasks.create_task(self._listen())
        except* CompanionError as group:
            raise CompanionError("lost", str(group.exceptions[0])) from None
        finally:
            self._drop()

    # --- requests

    async def _talk(self) -> None:
        backoff = Retries()
        while True:
            try:
                await self._take_turn()
            except HubError as error:
                await self._pause(error, backoff)
            else:
                backoff.reset()
                self._report("")
                await self._rest()

    async def _pause(self, error: HubError, backoff: Retries) -> None:
        """Report the trouble, and wait; the next request begins with a hello."""
        log.info("the hub: %s", error)
        if error.why in ("unconfirmed", "token", "twice", "hub", "version"):
            self._is_well.clear()
        self._report(error.why)
        soon = UNCONFIRMED_S if error.why == "unconfirmed" else RETRIES_S[-1]
        pause_s = backoff.pause_s(soon) if error.pause_s is None else error.pause_s
        self._hello_at = 0.0
        await asyncio.sleep(pause_s)

    async def _take_turn(self) -> None:
        """Send everything due: hello, the state, one batch of results."""
        blocked, self._blocked = self._blocked, None
        if blocked is not None:
            raise blocked
        if self._clock() >= self._hello_at or self._connection is None:
            await self._ask_hub(None)
        state = self._state_to_tell()
        if state != self._told and self._clock() >= self._state_at:
            await self._ask_hub(("PUT", "/state", state.facts()))
            self._told, self._state_at = state, self._clock() + STATE_S
        if self._waiting:
            await self._send_results()

    async def _rest(self) -> None:
        """Wait until something is due."""
        if self._waiting:
            return
        due = self._hello_at
        if self._state_to_tell() != self._told:
            due = min(due, self._state_at)
        self._woken.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, due - self._clock())):
                await self._woken.wait()

    def _state_to_tell(self) -> contract.TableState:
        return replace(self._state, waiting=self._waiting)

    async def _ask_hub(self, asked: tuple[str, str, Mapping[str, Any]] | None) -> HubReply | None:
        """Say hello if that is due, then send the request; HubError unless it succeeds.

        If an open connection has ended meanwhile, repeat it at once.
        """
        for is_last in (False, True):
            if self._connection is not None and not self._connection.is_open:
                self._drop()
            is_used = self._connection is not None
            is_sent = False
            try:
                connection = self._connection = self._connection or await self._connect()
                if not is_used or asked is None:
                    await self._begin(connection)
                if asked is None:
                    return None
                is_sent = True
                method, path, facts = asked
                reply = await connection.request(method, contract.ROOT + path, self._headers, facts)
                _check(reply)
            except LostError as error:
                self._drop()
                if not is_used or is_last:
                    raise HubError("away", str(error)) from None
            except TimeoutError:
                self._drop()
                raise HubError("away", "no answer", shrinks=is_sent) from None
            except ConnectError as error:
                raise HubError(error.code, str(error)) from None
            else:
                return reply
        return None

    async def _say_hello(self, connection: HubConnection) -> contract.HelloAnswer:
        """Say hello; HubError unless it is the joined hub."""
        asked = contract.HelloAsked(boot=self._boot, software=self._software, waiting=self._waiting)
        reply = await connection.request(
            "POST", f"{contract.ROOT}/hello", self._headers, asked.facts()
        )
        _check(reply)
        answer = _read(contract.HelloAnswer, reply)
        if answer.hub != self._access.hub:
            raise HubError("hub", answer.hub, TWICE_S)
        self._told = None  # sends the state after each hello
        self._woken.set()
        return answer

    async def _begin(self, connection: HubConnection) -> None:
        """Say hello on the connection for requests, and note the hub's counts."""
        answer = await self._say_hello(connection)
        self._era = answer.era
        self._hello_at = self._clock() + HELLO_S
        counts = answer.had, answer.has
        self._waiting = await self._table.heard(answer.hub, answer.era, (), counts)
        self._is_well.set()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    # --- results

    async def _send_results(self) -> None:
        """Send one batch, and pass on the verdicts."""
        batch = await self._batch()
        if not batch:
            self._waiting = 0  # the waiting results belong to another hub
            return
        self._changed.clear()
        try:
            reply = await self._ask_hub(("POST", "/results", {"results": batch}))
            answer = _read(contract.ResultsAnswer, reply)
        except HubError as error:
            if error.shrinks:
                self._shrink(batch)
            raise
        sent = {(each["game_id"], each["revision"]) for each in batch}
        judged = {(each.game_id, each.revision): each for each in answer.verdicts}
        fresh = {key: judged[key] for key in judged.keys() & sent - self._changed.keys()}
        if not sent & (judged.keys() | self._changed.keys()):
            self._shrink(batch)
            raise HubError("fault", "none of the results was judged")
        counts = answer.had, answer.has
        self._era = answer.era
        self._waiting = await self._table.heard(
            self._access.hub, answer.era, tuple(fresh.values()), counts
        )
        self._most = min(contract.BATCH_RESULTS, self._most * 2)
        for game_id, _ in judged:
            self._failed.pop(game_id, None)
            self._last.pop(game_id, None)

    async def _batch(self) -> list[dict[str, Any]]:
        """Return the next results; failed ones come singly after all others."""
        batch: list[dict[str, Any]] = []
        late: dict[str, dict[str, Any]] = {}
        after: int | None = 0
        size = 0
        while after is not None:
            some = await self._table.results(self._access.hub, after)
            after = some.after
            for result in some.results:
                if result["game_id"] in self._last:
                    late[result["game_id"]] = result
                    continue
                size += len(compact(result)) + 1
                if batch and (len(batch) >= self._most or size > contract.BATCH_LIMIT_BYTES - 100):
                    return batch
                batch.append(result)
        return batch or [late[game_id] for game_id in self._last if game_id in late][:1]

    def _shrink(self, batch: list[dict[str, Any]]) -> None:
        """Send fewer at once; a single result that keeps failing moves behind all others."""
        self._most = max(1, len(batch) // 2)
        if len(batch) == 1:
            game_id = batch[0]["game_id"]
            self._failed[game_id] = self._failed.get(game_id, 0) + 1
            if self._failed[game_id] >= ATTEMPTS:
                del self._failed[game_id]
                self._last.pop(game_id, None)
                self._last[game_id] = None

    # --- news

    async def _listen(self) -> None:
        backoff = Retries()
        silent = polls = 0
        while True:
            await self._is_well.wait()
            is_poll, heard = polls > 0, False
            polls = max(0, polls - 1)
            try:
                async with aclosing(self._events(once=is_poll)) as events:
                    async for name, data in events:
                        heard = True
                        await self._take_news(name, data)
                pause_s = POLL_S if is_poll else RETRIES_S[0]
                backoff.reset()
            except HubError as error:
                self._is_well.clear()
                self._blocked = error
                self._woken.set()
                continue
            except (LostError, TimeoutError, ConnectError) as error:
                log.info("the news: %s", error)
                pause_s = backoff.pause_s()
                if isinstance(error, TimeoutError) and not heard:
                    silent += 1
            if heard:
                silent = 0
                backoff.reset()
            elif silent >= BUFFERED:
                silent, polls = 0, POLLS
            await asyncio.sleep(pause_s)

    async def _events(self, *, once: bool) -> AsyncGenerator[tuple[str, str], None]:
        """Yield each event of a stream: its name and its data."""
        connection = await self._connect()
        try:
            await self._say_hello(connection)
            path = f"{contract.ROOT}/news{'?once' if once else ''}"
            headers = {**self._headers, "Accept": "text/event-stream"}
            lines = aiter(connection.stream(path, headers))
            if (status := await anext(lines)) != b"200":
                raise LostError(f"news: {status!r}")  # the next hello tells why
            name, data = "", list[str]()
            async for line in lines:
                field, _, value = line.decode("utf-8", "replace").partition(":")
                value = value.removeprefix(" ")
                if field == "event":
                    name = value
                elif field == "data":
                    data.append(value)
                elif not line and data:
                    yield name, "\n".join(data)
                    name, data = "", []
        finally:
            connection.close()

    async def _take_news(self, name: str, data: str) -> None:
        """Pass on an event; ignore an invalid one."""
        try:
            facts = read_object(data)
            if name == "hub":
                era = contract.EraNews.read(facts).era
                if era != self._era:  # the hub was restored: the next hello tells what it has
                    self._era, self._hello_at = era, 0.0
                    self._woken.set()
            elif name == "seat":
                assignment = contract.Assignment.read(facts)
                assigned = Assigned(hub=self._access.hub, era=self._era, assignment=assignment)
                await self._table.tell("seat", assigned)
            elif name == "say":
                await self._table.tell("say", TextToSay(say=contract.Say.read(facts)))
            elif name == "verdict":
                verdict = contract.Verdict.read(facts)
                self._changed[verdict.game_id, verdict.revision] = verdict
                self._waiting = await self._table.heard(self._access.hub, self._era, (verdict,))
                self._woken.set()
        except MessageError as error:
            log.warning("%s of the hub is not valid: %s", name, error)


def _check(reply: HubReply) -> None:
    """Raise HubError unless the request succeeded."""
    status, said = reply.status, f"{reply.status} {reply.error}"
    if status in (200, 204):
        return
    if status == 401:
        raise HubError("token", said, JOIN_AGAIN_S)
    if status == 409:
        raise HubError("twice", said, TWICE_S)
    if status == 403 and reply.error == "unconfirmed":
        raise HubError("unconfirmed", said)
    if status == 410:
        raise HubError("version", said)
    if status in (429, 503):
        asked_s = reply.retry_after_s
        raise HubError("busy", said, None if asked_s is None else min(OBEYED_S, asked_s))
    raise HubError("fault", said, shrinks=status in _SHRINKING)


def _read(message: type[M], reply: HubReply | None) -> M:
    """Return the hub's answer; HubError for a malformed one."""
    try:
        return message.read(reply and reply.facts())
    except MessageError as error:
        raise HubError("fault", f"no {message.__name__}: {error}", shrinks=True) from None
