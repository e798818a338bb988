"""The pages' requests: each becomes one line to the companion, and its answer one response."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from pi_app.phones.protocol import REQUESTS, AskWho, refused, status_of
from pi_app.phones.web.relay import Relay
from pi_app.texts.language import Texts
from pi_app.wire.client import Answer, AwayError, BusyError, LongRequestError
from pi_app.wire.messages import MessageError, read_object

COOKIE = "beisitzer"
REMEMBERED_S = 365 * 24 * 3600
"""How long a browser keeps the cookie."""
BODY_LIMIT_BYTES = 4096
"""The most bytes of a request's body."""
BODY_S = 5.0
"""How long a browser may take to send the body."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{8,128}")


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

    async def ask(self, request: Request) -> Response:
        """Pass a request on to the companion, and its answer back."""
        kind = REQUESTS.get(request.path_params["kind"])
        if kind is None:
            raise RefusedError("missing")
        fields, token = await read_body(request), _cookie(request)
        if token is None and kind.paired:  # the companion would refuse it too
            raise RefusedError("unpaired")
        answer = await self._relay.request(kind.read({**fields, "token": token or ""}))
        return self._reply(kind.kind, answer)

    async def who(self, request: Request) -> dict[str, Any]:
        """Return whether a browser is paired, and its name."""
        answer: Answer = {}
        if token := _cookie(request):
            with suppress(*CODES):
                answer = await self._relay.request(AskWho.read({"token": token}))
        return {"paired": answer.get("paired", False), "name": answer.get("name", "")}

    def refused(self, code: str) -> Response:
        return refusal(self._texts(), code)

    def _reply(self, kind: str, answer: Answer) -> Response:
        """Return the companion's answer as a response; a token goes only into the cookie."""
        facts = {name: value for name, value in answer.items() if name != "token"}
        if not answer.get("ok"):
            return json_response(facts, status_of(str(answer.get("error"))))
        response = json_response(facts)
        if kind == "pair":
            token = str(answer.get("token", ""))
            response.set_cookie(
                COOKIE, token, REMEMBERED_S, path="/", httponly=True, samesite="strict"
            )
        return response


def _cookie(request: Request) -> str | None:
    token = request.cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else None


async def read_body(request: Request, most: int = BODY_LIMIT_BYTES) -> Mapping[str, object]:
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
    # "replace": a lone surrogate has no bytes
    data = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return Response(data, status, {"Cache-Control": "no-store"}, "application/json")


def refusal(tx: Texts, code: str) -> Response:
    """Return the response of an error that was found here, not by the companion."""
    return json_response(refused(tx, code), status_of(code))
