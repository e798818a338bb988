"""The application: the hall's pages, the organiser's, their texts, and the stream they follow."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Collection
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from club.evening import passwords
from club.evening.acts.every import carry_out, preview
from club.evening.acts.shared import ACTS
from club.evening.errors import ActError
from club.evening.members import hash_token
from club.evening.reports.export import NoSuchEveningError
from club.evening.sentences import act_words, database_words
from club.store.database import ClubDatabase, DatabaseError, Writing
from club.store.live import HALL, last_decision
from club.web.desk import desk_facts
from club.web.door import EACH, STREAMS, STREAMS_OF_ONE, HubDoor, client_address
from club.web.hall import list_facts
from club.web.news import HubWatch
from club.web.tables import TableRoutes
from club.web.words import PAGES, words
from pi_app.phones.web.api import RefusedError, json_response, read_body, refusal
from pi_app.phones.web.app import EventStream, beside, code_of
from pi_app.phones.web.files import PAGES as SHARED
from pi_app.phones.web.files import PageFiles
from pi_app.phones.web.live import events
from pi_app.phones.web.rates import Buckets, Quota, Rate
from pi_app.texts.language import LANGUAGES, Text, Texts

NAMED = {"/": "hall", "/where": "where", "/lists": "lists", "/organiser": "organiser"}
"""The pages: one file, with another script for each."""
COOKIE = "beisitzer-club"
DEVICE = "beisitzer-device"
"""The cookie that distinguishes phones in the hall."""
BODY_LIMIT_BYTES = 1024 * 1024
"""Limit of a request's body: a list of all people may be long."""
PAGE = "page"
"""Who acts by the organiser's page, for the journal."""
LOGIN = Rate(0.1, 5)
"""Password tries of one address: five at once, then six a minute."""
LOGIN_ALL = Rate(4, 400)
"""Passwords that all addresses together may try."""
SAID = Rate(0.5, 60)
"""The hall's requests from one address: a whole hall may share one."""
SAID_BY_ALL = Rate(5, 300)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,100}")
_WANTED = re.compile(r"\s*([a-z]{1,3})(?:-[A-Za-z0-9]+)*\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*")


class PageError(Exception):
    """Refuses a page's request; its text is a key of PAGE_REFUSALS."""


PAGE_REFUSALS = {
    "stale": (409, Text("page", "Something was decided meanwhile: look at it first.")),
    "organiser": (
        401,
        Text("page", "Another device is the organiser's now: say the password again."),
    ),
    "wait": (429, Text("page", "That was much at once: wait a minute.")),
    "wrong": (403, Text("page", "This is not the password.")),
}

RAISED_BY_ROUTES = (RefusedError, ActError, PageError, NoSuchEveningError, DatabaseError)
"""The exceptions that routes raise instead of an answer."""


class HallRoutes:
    """The function that answers each path."""

    def __init__(self, database: ClubDatabase, news: HubWatch, language: str) -> None:
        self._database = database
        self._news = news
        self._language = language
        self._files = PageFiles(PAGES, SHARED, places=NAMED.values())
        self._live = Quota(STREAMS_OF_ONE, STREAMS)
        self._tries = Buckets(LOGIN)
        self._all_tries = Buckets(LOGIN_ALL)
        self._said = Buckets(SAID)
        self._all_said = Buckets(SAID_BY_ALL)

    def all(self) -> list[Route]:
        return [
            *(Route(path, self._page) for path in NAMED),
            Route("/static/{name}", self._file),
            Route("/live", self._follow),
            Route("/api/login", self._login, methods=["POST"]),
            Route("/api/logout", self._logout, methods=["POST"]),
            Route("/api/act/{verb}", self._post_act, methods=["POST"]),
            Route("/api/preview/{verb}", self._post_preview, methods=["POST"]),
            Route("/api/hall/{verb}", self._post_hall, methods=["POST"]),
            Route("/api/lists", self._lists),
            Route("/api/desk", self._desk),
        ]

    def texts_for(self, request: Request) -> Texts:
        """Return the texts in the browser's language, or in the club's."""
        return Texts(wanted_language(request.headers.get("accept-language", ""), self._language))

    async def refuse(self, request: Request, error: Exception) -> Response:
        """Say in one sentence why something is not possible."""
        tx = self.texts_for(request)
        match error:
            case ActError():
                return _refused(error.code, act_words(tx, error), 409)
            case PageError():
                status, text = PAGE_REFUSALS[str(error)]
                return _refused(str(error), tx(*text), status)
            case NoSuchEveningError():
                return refusal(tx, "missing")
            case DatabaseError():
                return _refused("database", database_words(tx, error), 503)
        return refusal(tx, code_of(error))

    # --- pages for everybody

    async def _page(self, request: Request) -> Response:
        tx = self.texts_for(request)
        return self._files.page(tx, words(tx), NAMED[request.url.path])

    async def _file(self, request: Request) -> Response:
        return self._files.file(request) or refusal(self.texts_for(request), "missing")

    async def _follow(self, request: Request) -> Response:
        """Answer with a stream that ends when the browser disconnects."""
        address = request.client.host if request.client else ""
        if request.method == "HEAD":
            return refusal(self.texts_for(request), "method")
        if not self._live.take(address):
            return refusal(self.texts_for(request), "busy")
        language = self.texts_for(request).language

        async def own() -> dict[str, Any]:
            return {"language": language, "now": time.time()}

        return EventStream(events(self._news, own), lambda: self._live.give_back(address))

    async def _lists(self, request: Request) -> Response:
        read = partial(list_facts, wanted=request.query_params.get("evening"))
        return json_response(await self._database.reading(read))

    async def _post_hall(self, request: Request) -> Response:
        """Do an act on a phone: report presence, key or confirm a result."""
        fields = await read_body(request)
        name, tx = request.path_params["verb"], self.texts_for(request)
        if name not in ACTS or not ACTS[name].by_anybody:
            return refusal(tx, "missing")
        _check_rate(request, self._said, self._all_said)
        device = _token(request, DEVICE) or secrets.token_urlsafe(32)
        who = f"{HALL}{hash_token(device)[:12]}"
        done = await self._database.writing(lambda writing: carry_out(writing, who, name, fields))
        self._news.wake()
        answer = json_response(done)
        _set_cookie(request, answer, DEVICE, device)
        return answer

    # --- the organiser

    async def _login(self, request: Request) -> Response:
        """Sign a device in with the password; this signs another one out."""
        fields = await read_body(request)
        _check_rate(request, self._tries, self._all_tries)
        password = fields.get("password")
        if not isinstance(password, str):
            raise RefusedError("bad")
        if not await self._database.reading(partial(passwords.is_password, password=password)):
            raise PageError("wrong")
        token = await self._database.writing(passwords.take_over)
        self._news.wake()
        answer = json_response({"ok": True})
        _set_cookie(request, answer, COOKIE, token)
        return answer

    async def _logout(self, request: Request) -> Response:
        await read_body(request)
        await self._check_organiser(request)
        await self._database.writing(passwords.let_go)
        self._news.wake()
        answer = json_response({"ok": True})
        answer.delete_cookie(COOKIE)
        return answer

    async def _check_organiser(self, request: Request) -> None:
        """Raise PageError unless the organiser's device asks."""
        read = partial(passwords.is_organiser, token=_token(request))
        if not await self._database.reading(read):
            raise PageError("organiser")

    async def _desk(self, request: Request) -> Response:
        token, tx = _token(request), self.texts_for(request)

        def read_desk(connection: Any) -> dict[str, Any]:
            if passwords.is_organiser(connection, token):
                return {"organiser": True, **desk_facts(connection, tx)}
            return {"organiser": False, "other": bool(passwords.session_of(connection))}

        return json_response(await self._database.reading(read_desk))

    async def _post_act(self, request: Request) -> Response:
        fields = await read_body(request, BODY_LIMIT_BYTES)
        name = request.path_params["verb"]
        await self._check_organiser(request)

        def act(writing: Writing) -> dict[str, Any]:
            _check_seen(fields, writing)
            done = carry_out(writing, PAGE, name, fields)
            return {**done, "after": last_decision(writing.connection)}

        done = await self._database.writing(act)
        self._news.wake()
        return json_response(done)

    async def _post_preview(self, request: Request) -> Response:
        fields = await read_body(request, BODY_LIMIT_BYTES)
        name = request.path_params["verb"]
        await self._check_organiser(request)
        check = partial(_check_seen, fields)
        changes = await asyncio.to_thread(preview, self._database, PAGE, name, fields, check)
        return json_response({"changes": changes})


def _check_rate(request: Request, of_one: Buckets, of_all: Buckets) -> None:
    """Raise PageError if one address, or all together, send too many requests."""
    if not (of_one.take(client_address(request)) and of_all.take("")):
        raise PageError("wait")


def _check_seen(fields: Any, writing: Writing) -> None:
    """Raise PageError if the page has not seen the latest act."""
    if fields.get("after") != last_decision(writing.connection):
        raise PageError("stale")


def _token(request: Request, cookie: str = COOKIE) -> str | None:
    token = request.cookies.get(cookie, "")
    return token if _TOKEN.fullmatch(token) else None


def _set_cookie(request: Request, answer: Response, cookie: str, token: str) -> None:
    """Store a token in a browser for an evening, hidden from scripts and other sites."""
    answer.set_cookie(
        cookie,
        token,
        max_age=int(passwords.LASTS.total_seconds()),
        httponly=True,
        secure=request.url.scheme == "https",
        samesite="strict",
    )


def _refused(code: str, text: str, status: int) -> Response:
    return json_response({"error": code, "text": f"{text[:1].upper()}{text[1:]}"}, status)


def wanted_language(accepted: str, otherwise: str) -> str:
    """Return the most wanted available language of an Accept-Language header."""
    weighed = [
        (float(match[2] or 1), match[1])
        for match in map(_WANTED.fullmatch, accepted[:500].split(","))
        if match is not None and match[1] in LANGUAGES
    ]
    weight, language = max(weighed, key=lambda each: each[0], default=(0.0, otherwise))
    return language if weight > 0 else otherwise


def application(
    database: ClubDatabase,
    news: HubWatch,
    language: str,
    *,
    proxies: Collection[str] = (),
    each: Rate = EACH,
) -> ASGIApp:
    """Return the application for pages and tables; it watches for news while it runs."""
    routes = HallRoutes(database, news, language)
    tx = Texts(language)
    tables = TableRoutes(database, news, tx("page", "Club"))

    app = Starlette(
        routes=[*routes.all(), *tables.all()],
        exception_handlers=dict.fromkeys(
            (HTTPException, *RAISED_BY_ROUTES, Exception), routes.refuse
        ),
        lifespan=beside(news.run),
    )
    app.router.redirect_slashes = False
    return HubDoor(app, proxies, each)
