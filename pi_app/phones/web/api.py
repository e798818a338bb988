"""The pages' requests: each becomes one line to the companion, and its answer one response."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from pi_app.phones.protocol import (
    REQUESTS,
    AskWho,
    FromBrowser,
    refused,
    status_of,
)
from pi_app.phones.web.relay import Relay
from pi_app.texts.language import Texts
from pi_app.wire.client import Answer, AwayError, BusyError, LongRequestError
from pi_app.wire.messages import MessageError, Whole, checks, read_object, rule_of

COOKIE = "beisitzer"
REMEMBERED_S = 365 * 24 * 3600
"""How long a browser keeps the cookie."""
MOST_BODY = 4096
"""The most bytes of a request's body."""
BODY_S = 5.0
"""How long a browser may take to send the body."""
LATER_S = 1
"""After this time a browser may repeat a request that was too much, in seconds."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{8,128}")
_NUMBER = re.compile("[0-9]{1,15}")


class RefusedError(Exception):
    """A request that is not passed on; the text is the error's code."""


CODES: Mapping[type[Exception], str] = {
    MessageError: "bad",
    AwayError: "away",
    BusyError: "busy",
    LongRequestError: "long",
}
"""The error's code for a browser, for each of these exceptions."""


class Api:
    """The requests under /api/; `texts` gives the table's language."""

    def __init__(self, relay: Relay, texts: Callable[[], Texts]) -> None:
        self._relay = relay
        self._texts = texts

    async def post(self, request: Request) -> Response:
        """Answer a request with a body: one that may change something."""
        kind = _found(request.path_params["verb"], looks=False)
        return self._reply(kind.kind, await self._send(request, kind, await read_body(request)))

    async def get(self, request: Request) -> Response:
        """Answer a request that changes nothing."""
        kind = request.path_params.get("kind", "game")  # /api/game/{game} has no `kind`
        answer = await self._send_query(request, kind)
        if answer.get("ok") and "game" in request.path_params:
            # adds the game's number, because `id` in a line is its request's
            answer = {**answer, "id": int(request.path_params["game"])}
        return self._reply(kind, answer)

    async def record(self, request: Request) -> Response:
        """Answer with a game's record as a file."""
        answer = await self._send_query(request, "game")
        if not answer.get("ok"):
            return self._reply("game", answer)
        disposition = f'attachment; filename="game-{request.path_params["game"]}.txt"'
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
        # "replace": a lone surrogate has no bytes
        text = str(answer.get("record", "")).encode(errors="replace")
        return Response(text, 200, headers, "text/plain; charset=utf-8")

    async def who(self, request: Request) -> dict[str, Any]:
        """Return whether a browser is paired, and its name."""
        answer: Answer = {}
        if token := _cookie(request):
            with suppress(*CODES):
                answer = await self._relay.request(AskWho.read({"token": token}))
        return {"paired": answer.get("paired", False), "name": answer.get("name", "")}

    def refused(self, code: str) -> Response:
        return refusal(self._texts(), code)

    async def _send_query(self, request: Request, kind: str) -> Answer:
        """Send the companion a request with its fields from a page's address."""
        asked = _found(kind, looks=True)
        fields: dict[str, object] = {**request.query_params, **request.path_params}
        for name in checks(asked):
            text = str(fields.get(name, ""))  # in an address numbers are text, too
            if isinstance(rule_of(asked, name), Whole) and _NUMBER.fullmatch(text):
                fields[name] = int(text)
        return await self._send(request, asked, fields)

    async def _send(
        self, request: Request, kind: type[FromBrowser], fields: Mapping[str, object]
    ) -> Answer:
        """Send the companion a request."""
        token = _cookie(request)
        if token is None and kind.paired:  # the companion would refuse it too
            raise RefusedError("unpaired")
        asked = kind.read({**fields, "token": token or ""})
        return await self._relay.request(asked)

    def _reply(self, kind: str, answer: Answer) -> Response:
        """Return the companion's answer as a response; a token goes only into the cookie."""
        facts = {name: value for name, value in answer.items() if name != "token"}
        if not answer.get("ok"):
            return json_response(facts, status_of(str(answer.get("error"))))
        response = json_response(facts)
        if kind == "pair":
            token = str(answer.get("token", ""))
            if not _TOKEN.fullmatch(token):  # `_cookie` would not recognise it
                return self.refused("fault")
            response.set_cookie(
                COOKIE, token, REMEMBERED_S, path="/", httponly=True, samesite="strict"
            )
        return response


def _found(kind: str, *, looks: bool) -> type[FromBrowser]:
    """Return the request of this kind; RefusedError for an unknown kind or a wrong method."""
    ask = REQUESTS.get(kind)
    if ask is None or ask.looks is not looks:
        raise RefusedError("missing")
    return ask


def _cookie(request: Request) -> str | None:
    token = request.cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else None


async def read_body(request: Request, most: int = MOST_BODY) -> Mapping[str, object]:
    """Return the JSON object in a request's body of at most `most` bytes; RefusedError."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedError("type")
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                data += chunk
                if len(data) > most:
                    raise RefusedError("long")
    except TimeoutError:
        raise RefusedError("slow") from None
    except ClientDisconnect:
        raise RefusedError("bad") from None
    try:
        return read_object(data)
    except MessageError:
        raise RefusedError("bad") from None


def json_response(facts: object, status: int = 200) -> Response:
    """Return a response of JSON that no browser caches."""
    headers = {"Cache-Control": "no-store"}
    if status in (429, 503):  # too much, or the companion is away
        headers["Retry-After"] = str(LATER_S)
    # "replace": a lone surrogate has no bytes
    data = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return Response(data, status, headers, "application/json")


def refusal(tx: Texts, code: str) -> Response:
    """Return the response of an error that was found here, not by the companion."""
    return json_response(refused(tx, code), status_of(code))
