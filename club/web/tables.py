"""The requests of tables: joining, hello, results, state and news (docs/link.md)."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import Annotated, Any, TypeVar

from sqlalchemy import Connection, Row, select
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from club.evening import members
from club.evening.members import RequestError
from club.judging.intake import count_revisions, take_results, verdict_facts
from club.judging.reading import load_json
from club.store.database import ClubDatabase, DatabaseError, Writing, get
from club.store.identity import place_of
from club.store.schema import results
from club.web.door import STREAMS, STREAMS_OF_ONE, client_address
from club.web.news import HubWatch, ToldTables
from pi_app.link import contract
from pi_app.phones.web.api import json_response
from pi_app.phones.web.app import EventStream
from pi_app.phones.web.live import event_bytes
from pi_app.phones.web.rates import Buckets, Quota, Rate
from pi_app.wire.messages import Message, MessageError, String, compact

log = logging.getLogger(__name__)
T = TypeVar("T")

BODY_S = 60.0
COMMENT_S = 15.0
LISTS_S = 5.0
"""The least time between two rounds, or two standings, for a table."""
VERDICT_LIMIT = 200
WRONG_CODES = Rate(1 / 12, 5)
"""Wrong codes of one address: five at once, then five a minute."""
WRONG_CODES_OF_ALL = Rate(20, 1000)
STRANGERS = Rate(1, 60)
"""Requests of one address with an unknown token."""
STATES = Rate(2, 4)
JUDGES = 2
"""Threads that replay records: more would only wait for one another."""
MACHINE_LIMIT_LETTERS = 128
ALL_METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH")


class JoinTry(Message):
    code: Annotated[str, String(20)]
    nonce: Annotated[str, String(200, raw=True)]
    software: Annotated[str, String(40, cut=True)] = ""


class TableRoutes:
    """The function that answers each request of a table."""

    def __init__(self, database: ClubDatabase, news: HubWatch, club: str) -> None:
        self._database = database
        self._news = news
        self._club = club
        self._wrong = Buckets(WRONG_CODES)
        self._wrong_of_all = Buckets(WRONG_CODES_OF_ALL)
        self._strangers = Buckets(STRANGERS)
        self._states = Buckets(STATES)
        self._streams = Quota(STREAMS_OF_ONE, STREAMS)
        self._judges = ThreadPoolExecutor(JUDGES, "judge")

    def all(self) -> list[Route]:
        return [
            *(
                Route(f"{contract.ROOT}/{name}", self._answered(answer), methods=[method])
                for name, answer, method in (
                    ("join", self._join, "POST"),
                    ("hello", self._hello, "POST"),
                    ("results", self._results, "POST"),
                    ("state", self._state, "PUT"),
                    ("news", self._follow, "GET"),
                )
            ),
            Route(
                "/api/{version:int}/{rest:path}",
                self._other_version,
                methods=ALL_METHODS,
            ),
        ]

    def _answered(
        self, route: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer_route(request: Request) -> Response:
            try:
                return await route(request)
            except RequestError as error:
                return _refused(error)
            except MessageError as error:
                log.warning("%s of a table is refused: %s", request.url.path, error)
                return _refused(RequestError(422, "bad"))
            except DatabaseError as error:
                log.warning("the database cannot be used: %s", error)
                return _refused(RequestError(503, "database", 2))

        return answer_route

    async def _other_version(self, request: Request) -> Response:
        if request.path_params["version"] == contract.VERSION:
            return _refused(RequestError(404, "missing"))
        return _refused(RequestError(410, "version", speaks=[contract.VERSION]))

    # --- requests and their tables

    async def _read(self, request: Request) -> dict[str, Any]:
        """Return a request's object; RequestError or MessageError."""
        data = bytearray()
        try:
            async with asyncio.timeout(BODY_S):
                async for chunk in request.stream():
                    data += chunk
                    if len(data) > contract.BATCH_LIMIT_BYTES:
                        raise RequestError(413, "long")
        except TimeoutError:
            raise RequestError(408, "slow") from None
        except ClientDisconnect:
            raise MessageError("it broke off") from None
        try:
            facts = load_json(bytes(data))
        except (ValueError, RecursionError) as error:
            raise MessageError("this is no JSON in UTF-8") from error
        if not isinstance(facts, dict) or "" in facts:
            raise MessageError("this is no object")
        if type(facts.get("v")) is not int:
            raise MessageError("v is missing")
        if facts["v"] != contract.VERSION:
            raise RequestError(410, "version", speaks=[contract.VERSION])
        return facts

    async def _write(self, request: Request, what: Callable[[Writing, Row[Any], str], T]) -> T:
        """Do something for the requesting table, in one transaction; RequestError."""
        token, address = _token(request), client_address(request)
        machine = request.headers.get("machine", "")[:MACHINE_LIMIT_LETTERS]

        def write(writing: Writing) -> T:
            return what(writing, members.table_of(writing.connection, token), machine)

        try:
            return await self._database.writing(write)
        except RequestError as error:
            if error.status == 401 and not self._strangers.take(address):
                raise RequestError(429, "rate", 60) from None
            raise

    async def _heard(self, request: Request) -> str:
        """Note a table's request, and return its id; RequestError."""

        def hear(writing: Writing, row: Row[Any], machine: str) -> str:
            return row.id if members.note_said(writing, row, machine) else ""

        return _holder(await self._write(request, hear))

    # --- the five requests

    async def _join(self, request: Request) -> Response:
        asked = JoinTry.read(await self._read(request))
        address = client_address(request)
        if not (self._wrong.peek(address) and self._wrong_of_all.peek("")):
            raise RequestError(429, "rate", 60)
        machine = request.headers.get("machine", "")[:MACHINE_LIMIT_LETTERS]

        def join(writing: Writing) -> dict[str, Any] | None:
            if not members.is_code(writing.connection, asked.code):
                return None
            table, token = members.join(
                writing,
                nonce=asked.nonce,
                software=asked.software,
                machine=machine,
                address=address,
                token=_token(request),
            )
            place = place_of(writing.connection)
            named = {"hub": place["hub"], "ca_pem": place["ca_pem"]}
            return contract.body({"table": table, "token": token, "club": self._club, **named})

        answer = await self._database.writing(join)
        if answer is None:
            self._wrong.take(address)
            self._wrong_of_all.take("")
            raise RequestError(403, "code")
        self._news.wake()
        return json_response(answer)

    async def _hello(self, request: Request) -> Response:
        asked = contract.HelloAsked.read(await self._read(request))

        def greet(writing: Writing, row: Row[Any], machine: str) -> dict[str, Any] | None:
            if not members.note_said(writing, row, machine, **asked.facts()):
                return None
            held = count_revisions(writing.connection, row.id)
            named = {name: get(writing.connection, name) for name in ("hub", "era")}
            return contract.body({**named, "had": held, "has": held})

        return json_response(_holder(await self._write(request, greet)))

    async def _results(self, request: Request) -> Response:
        facts = await self._read(request)
        sent = facts.get("results")
        if not isinstance(sent, list) or not sent:
            raise MessageError("results must be a list")
        if len(sent) > contract.BATCH_RESULTS:
            raise RequestError(413, "long")
        table = await self._heard(request)
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self._judges, take_results, self._database, table, sent)
        self._news.wake()
        return json_response(contract.body(answer))

    async def _state(self, request: Request) -> Response:
        state = contract.TableState.read(await self._read(request)).facts()
        if not self._states.take(members.hash_token(_token(request))):
            raise RequestError(429, "rate", 1)

        def store_state(writing: Writing, row: Row[Any], machine: str) -> str:
            said = {"state": state, "waiting": state["waiting"]}
            return row.id if members.note_said(writing, row, machine, **said) else ""

        _holder(await self._write(request, store_state))
        self._news.wake()
        return Response(None, 204)

    async def _follow(self, request: Request) -> Response:
        stream = secrets.token_hex(8)

        def begin(writing: Writing, row: Row[Any], machine: str) -> tuple[str, int] | None:
            is_heard = members.note_said(writing, row, machine, stream=stream)
            return (str(row.id), writing.next("touched")) if is_heard else None

        is_once = "once" in request.query_params
        table, since = _holder(await self._write(request, begin))
        address = client_address(request)
        if not self._streams.take(address):
            raise RequestError(503, "busy", 10)
        self._news.wake()
        try:
            told = await self._news.told_since(since)
            verdicts = await self._database.reading(partial(_verdicts_for, table))
        except BaseException:
            self._streams.give_back(address)
            raise
        following = _Following(self._news, table, stream, since)
        answer = EventStream(
            following.events(told, verdicts, is_once=is_once),
            lambda: self._streams.give_back(address),
        )
        answer.headers["X-Accel-Buffering"] = "no"
        return answer


def _verdicts_for(table: str, connection: Connection) -> list[dict[str, Any]]:
    """Return the verdicts that a table may lack: changed ones, and ones that do not count."""
    is_news = (results.c.tick > results.c.answered) | (results.c.verdict != "counted")
    query = select(results).where(results.c.table_id == table, is_news)
    rows = connection.execute(
        query.order_by(results.c.tick.desc(), results.c.id.desc()).limit(VERDICT_LIMIT)
    ).all()
    return [verdict_facts(connection, row) for row in reversed(rows)]


class _Following:
    """One table's stream of news."""

    def __init__(self, news: HubWatch, table: str, stream: str, since: int) -> None:
        self._news = news
        self._table = table
        self._stream = stream
        self._since = since
        self._sent: dict[str, bytes] = {}
        """What was sent last of each kind of event."""
        self._said: set[str] = set()
        self._lists_due = 0.0
        """When `round` and `standings` may be sent again."""

    async def events(
        self, told: ToldTables, verdicts: list[dict[str, Any]], *, is_once: bool
    ) -> AsyncIterator[bytes]:
        """Yield the current state, then changes, until another stream replaces this one."""
        tick, comment_due = told.tick, monotonic() + COMMENT_S
        for event in self._current(told):
            yield event
        for facts in verdicts:
            yield event_bytes("verdict", compact(facts))
        while not (is_once or self._news.closed or self._is_over(told)):
            if monotonic() >= comment_due:
                comment_due = monotonic() + COMMENT_S
                yield b":\n\n"
            wait_s = min(comment_due - monotonic(), 1.0 if told.says else COMMENT_S)
            if self._lists_wait(told):
                wait_s = min(wait_s, self._lists_due - monotonic())
            await self._news.changed(told.news, max(wait_s, 0.01))
            told = self._news.told
            if self._is_over(told):
                return
            for event in self._current(told):
                yield event
            for at, table, facts in told.verdicts:
                if at > tick and table == self._table:
                    yield event_bytes("verdict", compact(facts))
            tick = told.tick

    def _is_over(self, told: ToldTables) -> bool:
        """Tell whether the table was removed, or has a newer stream."""
        if told.touched < self._since:
            return False
        return self._table not in told.seats or told.streams[self._table] != self._stream

    def _current(self, told: ToldTables) -> list[bytes]:
        found = [*self._changed("hub", told.hub)]
        found += self._changed("seat", told.seats.get(self._table, b""))
        for say in told.says_now(self._table):
            if say["id"] not in self._said:
                self._said.add(say["id"])
                found.append(event_bytes("say", compact(say)))
        if self._lists_wait(told) and monotonic() >= self._lists_due:
            self._lists_due = monotonic() + LISTS_S
            found += self._changed("round", told.round)
            found += self._changed("standings", told.standings)
        return found

    def _lists_wait(self, told: ToldTables) -> bool:
        lists = (("round", told.round), ("standings", told.standings))
        return any(data and self._sent.get(name) != data for name, data in lists)

    def _changed(self, name: str, data: bytes) -> list[bytes]:
        if not data or self._sent.get(name) == data:
            return []
        self._sent[name] = data
        return [event_bytes(name, data)]


def _refused(error: RequestError) -> Response:
    answer = json_response({"error": error.code, **error.facts}, error.status)
    if error.retry_s:
        answer.headers["Retry-After"] = str(error.retry_s)
    return answer


def _token(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _holder(answer: T | None) -> T:
    """Return the answer for the holder of a token; RequestError 409 for another machine."""
    if not answer:
        raise RequestError(409, "twice")
    return answer
