"""What pages ask for: each request becomes one line to the companion, its answer one reply."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from pi_app.phones.web.rates import Quota
from pi_app.phones.web.refusals import STATUS, json_response, refusal
from pi_app.phones.web.relay import Answer, AwayError, BusyError, Relay, TooLongError
from pi_app.texts.language import Texts

COOKIE = "beisitzer"
REMEMBERED_S = 365 * 24 * 3600
MOST_BODY = 4096
MOST_GAME = 64
BODY_S = 5.0
MOST_NUMBER = 2**53
"""From here on numbers of a browser are not exact."""
ASKING_OF_ONE = 8
"""Requests of one address that the companion has not answered yet."""
ASKING = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]{8,200}")
_OURS = {"kind", "id", "token"}


class RefusedError(Exception):
    """A request that is not passed on, by the code of its refusal."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A request with a body: its fields, each with the length of a text, or 0 for a number.

    Fields of `extra` are texts that may be missing.
    """

    kind: str
    fields: Mapping[str, int]
    extra: Mapping[str, int] = field(default_factory=dict)
    token: bool = True


TAB = {"tab": 32}
"""Two windows of a browser may count their keys each for itself."""
VERBS = {
    "pair": Verb("pair", {"code": 16, "name": 64}, token=False),
    "key": Verb("key", {"epoch": 64, "n": 0, "key": 32}, TAB),
    "hand": Verb("hand", {"seat": 0, "cards": 200}),
    "tip": Verb("tip", {"seat": 0, "cards": 200}),
    "play": Verb("play", {"epoch": 64, "n": 0, "seat": 0, "move": 200}, TAB),
    "claim": Verb("claim", {"seat": 0}),
    "release": Verb("release", {"seat": 0}),
}


class Api:
    """The requests under /api/; `texts` gives the table's language."""

    def __init__(self, relay: Relay, texts: Callable[[], Texts]) -> None:
        self._relay = relay
        self._texts = texts
        self._asking = Quota(ASKING_OF_ONE, ASKING)

    async def post(self, request: Request) -> Response:
        verb = VERBS.get(request.path_params["verb"])
        if verb is None:
            return self.refused("missing")

        async def act() -> Response:
            facts = _facts(verb, await _body(request))
            if verb.token:
                facts["token"] = self._token(request)
            return self._reply(verb.kind, await self._ask(request, verb.kind, **facts))

        return await self._answered(act)

    async def get(self, request: Request) -> Response:
        """Answer what changes nothing: seats, who, history, game, statistics."""

        async def act() -> Response:
            kind, facts = _wanted(request)
            said = await self._ask(request, kind, **facts)
            # on the socket `id` is the request's, for a page it is the game's
            return self._reply(kind, said, {"id": facts["game"]} if kind == "game" else {})

        return await self._answered(act)

    async def record(self, request: Request) -> Response:
        """Answer with a game's record as a file."""

        async def act() -> Response:
            kind, facts = _wanted(request)
            said = await self._ask(request, kind, **facts)
            if not said.get("ok"):
                return self._reply(kind, said)
            name = f'attachment; filename="game-{facts["game"]}.txt"'
            headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
            text = str(said.get("record", "")).encode(errors="replace")
            return Response(text, 200, headers, "text/plain; charset=utf-8")

        return await self._answered(act)

    async def who(self, request: Request) -> dict[str, Any]:
        """Return what the companion knows of a browser: nothing while it is away."""
        if _cookie(request):
            tab = request.query_params.get("tab", "")[: TAB["tab"]]
            try:
                # not counted: there are only so many streams, and all ask at once when the
                # companion is found again
                said = await self._relay.ask("who", token=self._token(request), tab=tab)
            except (AwayError, BusyError, TooLongError):
                said = {}
            if said.get("ok") and said.get("paired"):
                return {"paired": True, "name": said.get("name", ""), "n": said.get("n", -1)}
        return {"paired": False, "name": "", "n": -1}

    def refused(self, code: str) -> Response:
        return refusal(self._texts(), code)

    def _token(self, request: Request) -> str:
        if token := _cookie(request):
            return token
        raise RefusedError("unpaired")

    async def _ask(self, request: Request, kind: str, **facts: object) -> Answer:
        """Ask the companion; one address alone must not take all places."""
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
        except AwayError:
            return self.refused("away")
        except BusyError:
            return self.refused("busy")
        except TooLongError:
            return self.refused("long")

    def _reply(self, kind: str, said: Answer, more: Answer = MappingProxyType({})) -> Response:
        """Return the companion's answer; a token goes into a cookie and nowhere else."""
        facts = {name: value for name, value in said.items() if name not in _OURS}
        if not said.get("ok"):
            code = str(said.get("error"))
            # a code that was tried too often is refused like a wrong one
            status = 403 if kind == "pair" and code == "wait" else STATUS.get(code, 400)
            return json_response(facts, status)
        reply = json_response({**facts, **more})
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


def _wanted(request: Request) -> tuple[str, dict[str, object]]:
    """Return what a GET asks the companion for."""
    match kind := request.path_params.get("kind", "game"):
        case "game":
            return kind, {"game": _number(request.path_params.get("game", ""))}
        case "history":
            return kind, {"page": _number(request.query_params.get("page", "0"))}
        case "statistics":
            return kind, {"game": request.query_params.get("game", "")[:MOST_GAME]}
        case "seats" | "who":
            token = _cookie(request)
            return kind, {"token": token} if token else {}
        case _:
            raise RefusedError("missing")


def _number(text: str) -> int:
    if re.fullmatch("[0-9]{1,15}", text) is None:
        raise RefusedError("bad")
    return int(text)


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
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise RefusedError("bad") from None
    if not isinstance(body, dict):
        raise RefusedError("bad")
    return body


def _facts(verb: Verb, body: Mapping[str, object]) -> dict[str, object]:
    """Return the fields that a request must have; others are left behind."""
    given = dict(body)
    tap = None
    if verb.kind == "key" and "tap" in given:
        tap = given["key"] = given.pop("tap")
    facts = {name: given.get(name) for name in verb.fields}
    facts |= {name: given[name] for name in verb.extra if name in given}
    most = {**verb.fields, **verb.extra}
    if not all(_fits(value, most[name]) for name, value in facts.items()):
        raise RefusedError("bad")
    if tap is not None:
        facts["key"] = {"tap": tap}
    return facts


def _fits(value: object, most: int) -> bool:
    """Tell whether a value is a text of at most so many characters; 0: a number."""
    if most:
        return isinstance(value, str) and len(value) <= most
    return type(value) is int and 0 <= value < MOST_NUMBER
