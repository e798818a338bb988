"""What pages ask for: each request becomes one line to the companion, its answer one reply."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from pi_app.phones.protocol import (
    REQUESTS,
    BadRequestError,
    facts_of,
    read_object,
    refused,
    status_of,
)
from pi_app.phones.web.rates import Quota
from pi_app.phones.web.relay import Answer, AwayError, BusyError, Relay, TooLongError
from pi_app.texts.language import Texts

COOKIE = "beisitzer"
REMEMBERED_S = 365 * 24 * 3600
MOST_BODY = 4096
BODY_S = 5.0
ASKING_OF_ONE = 8
"""Requests of one address that the companion has not answered yet."""
ASKING = 32
LATER_S = 1
"""After so long a browser may ask again for what was too much, in seconds."""
LOOKS = frozenset({"seats", "who", "history", "game", "statistics"})
"""What changes nothing is asked for by GET."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{8,128}")
_NUMBER = re.compile("[0-9]{1,15}")


class RefusedError(Exception):
    """A request that is not passed on, by the code of its refusal."""


class Api:
    """The requests under /api/; `texts` gives the table's language."""

    def __init__(self, relay: Relay, texts: Callable[[], Texts]) -> None:
        self._relay = relay
        self._texts = texts
        self._asking = Quota(ASKING_OF_ONE, ASKING)

    async def post(self, request: Request) -> Response:
        """Answer what has a body: everything that may change something."""
        kind = request.path_params["verb"]

        async def act() -> Response:
            if kind in LOOKS or kind not in REQUESTS:
                raise RefusedError("missing")
            body = await _body(request)
            if kind != "pair" and _cookie(request) is None:
                raise RefusedError("unpaired")
            return self._reply(kind, await self._ask(request, kind, body))

        return await self._answered(act)

    async def get(self, request: Request) -> Response:
        """Answer what changes nothing."""
        kind = request.path_params.get("kind", "game")

        async def act() -> Response:
            said = await self._look(request, kind)
            named = (
                {"id": int(request.path_params["game"])} if "game" in request.path_params else {}
            )
            return self._reply(kind, {**said, **named} if said.get("ok") else said)

        return await self._answered(act)

    async def record(self, request: Request) -> Response:
        """Answer with a game's record as a file."""

        async def act() -> Response:
            said = await self._look(request, "game")
            if not said.get("ok"):
                return self._reply("game", said)
            name = f'attachment; filename="game-{request.path_params["game"]}.txt"'
            headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
            text = str(said.get("record", "")).encode(errors="replace")
            return Response(text, 200, headers, "text/plain; charset=utf-8")

        return await self._answered(act)

    async def who(self, request: Request) -> dict[str, Any]:
        """Return what the companion knows of a browser: nothing while it is away."""
        if token := _cookie(request):
            tab = request.query_params.get("tab", "")
            try:
                # not counted: there are only so many streams, and all ask at once when the
                # companion is found again
                said = await self._relay.ask("who", **facts_of("who", {"token": token, "tab": tab}))
            except (AwayError, BadRequestError, BusyError, TooLongError):
                said = {}
            if said.get("ok") and said.get("paired"):
                return {"paired": True, "name": said.get("name", ""), "n": said.get("n", -1)}
        return {"paired": False, "name": "", "n": -1}

    def refused(self, code: str) -> Response:
        return refusal(self._texts(), code)

    async def _look(self, request: Request, kind: str) -> Answer:
        """Ask the companion for what a page's address names."""
        if kind not in LOOKS:
            raise RefusedError("missing")
        given = {**request.query_params, **request.path_params}
        numbers = {name for name, field in REQUESTS[kind].items() if not field.most}
        read = {
            name: int(text) if name in numbers and _NUMBER.fullmatch(text) else text
            for name, text in given.items()
        }
        return await self._ask(request, kind, read)

    async def _ask(self, request: Request, kind: str, given: Mapping[str, object]) -> Answer:
        """Ask the companion; one address alone must not take all places."""
        facts = facts_of(kind, {**given, "token": _cookie(request) or ""})
        address = request.client.host if request.client else ""
        if not self._asking.take(address):
            raise BusyError
        try:
            return await self._relay.ask(kind, **facts)
        finally:
            self._asking.give_back(address)

    async def _answered(self, act: Callable[[], Awaitable[Response]]) -> Response:
        try:
            return await act()
        except RefusedError as error:
            return self.refused(str(error))
        except BadRequestError:
            return self.refused("bad")
        except AwayError:
            return self.refused("away")
        except BusyError:
            return self.refused("busy")
        except TooLongError:
            return self.refused("long")

    def _reply(self, kind: str, said: Answer) -> Response:
        """Return the companion's answer; a token goes into a cookie and nowhere else."""
        facts = {name: value for name, value in said.items() if name != "token"}
        if not said.get("ok"):
            return json_response(facts, status_of(str(said.get("error"))))
        reply = json_response(facts)
        if kind == "pair":
            token = str(said.get("token", ""))
            if not _TOKEN.fullmatch(token):
                return self.refused("fault")
            reply.set_cookie(
                COOKIE, token, REMEMBERED_S, path="/", httponly=True, samesite="strict"
            )
        return reply


def _cookie(request: Request) -> str | None:
    token = request.cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else None


async def _body(request: Request) -> Mapping[str, object]:
    """Return the object of a request's body."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedError("type")
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                data += chunk
                if len(data) > MOST_BODY:
                    raise RefusedError("long")
    except TimeoutError:
        raise RefusedError("slow") from None
    except ClientDisconnect:
        raise RefusedError("bad") from None
    try:
        return read_object(data)
    except (ValueError, RecursionError):
        raise RefusedError("bad") from None


def json_response(facts: object, status: int = 200) -> Response:
    """Return JSON that nobody keeps."""
    headers = {"Cache-Control": "no-store"}
    if status in (429, 503):
        headers["Retry-After"] = str(LATER_S)
    data = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return Response(data, status, headers, "application/json")


def refusal(tx: Texts, code: str) -> Response:
    """Return a refusal of our own; the companion's bring their sentence."""
    return json_response(refused(tx, code), status_of(code))
