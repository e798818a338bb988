"""The hub's pages over HTTPS: where a table joins with a code.

`GET /ca.pem` gives the authority, whose fingerprint people compare on both sides; a table trusts
nothing before. `POST /join` with `{"code": "..."}` gives what `club add-table` prints.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from club.evening.joining import CLOSED_S, JoinError, join
from club.hub.identity import place_of
from club.store.database import ClubDatabase, DatabaseError, get
from club.store.running import wait_for_users
from pi_app.phones.web.guard import counted_address

log = logging.getLogger(__name__)

MOST_BODY = 1_000
STATUS = {"not-open": 403, "wrong": 403, "closed": 429}
END_S = 5


class JoinPages:
    """Answers requests; each in a transaction of its own."""

    def __init__(self, database: ClubDatabase) -> None:
        self._database = database

    def application(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/ca.pem", self._authority, methods=["GET"]),
                Route("/join", self._join, methods=["POST"]),
            ]
        )

    async def _authority(self, _request: Request) -> Response:
        return PlainTextResponse(
            await run_in_threadpool(self._read_authority), media_type="application/x-pem-file"
        )

    def _read_authority(self) -> str:
        with self._database.read() as connection:
            return get(connection, "ca")

    async def _join(self, request: Request) -> Response:
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_BODY:
                return _refusal("bad", 413)
        try:
            facts = json.loads(body)
            code = facts["code"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return _refusal("bad", 400)
        if not isinstance(code, str):
            return _refusal("bad", 400)
        where = counted_address(request.client.host) if request.client else "?"
        try:
            return await run_in_threadpool(self._let_in, code, where)
        except DatabaseError:
            return _refusal("database", 503)

    def _let_in(self, code: str, where: str) -> Response:
        with self._database.write() as writing:
            joined = join(writing, code, where)
            hub, act = writing.get("hub"), int(writing.get("acts"))
            place = place_of(writing.connection)
        if isinstance(joined, JoinError) or place is None:
            refused = joined.code if isinstance(joined, JoinError) else "not-open"
            log.warning("%s cannot join: %s", where, refused)
            return _refusal(refused, STATUS[refused])
        wait_for_users(self._database, act)
        log.info("%s has joined from %s", joined[0], where)
        return _private(JSONResponse(place.access(*joined, hub)))


def _refusal(code: str, status: int) -> Response:
    response = JSONResponse({"error": code}, status)
    if code == "closed":
        response.headers["Retry-After"] = str(CLOSED_S)
    return _private(response)


def _private(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


class WebThread:
    """Serves the pages in a thread of this process until `stop`."""

    def __init__(self, database: ClubDatabase, port: int, certificate: Path, key: Path) -> None:
        """Bind the port, or any other one if it is taken; OSError if there is none."""
        self._socket = _bound(port)
        self.port: int = self._socket.getsockname()[1]
        config = uvicorn.Config(
            JoinPages(database).application(),
            ssl_certfile=certificate,
            ssl_keyfile=key,
            log_config=None,
            access_log=False,
            proxy_headers=False,  # codes count for the address at the other end
            server_header=False,
            limit_concurrency=100,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=2,
            lifespan="off",
            ws="none",
        )
        logging.getLogger("uvicorn").setLevel(logging.ERROR)  # strangers write what they like
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(END_S)
        self._socket.close()

    def wait(self, seconds: float) -> bool:
        """Wait until it serves; whether it does."""
        end = time.monotonic() + seconds
        while not self._server.started and time.monotonic() < end and self._thread.is_alive():
            time.sleep(0.01)
        return self._server.started


def _bound(port: int) -> socket.socket:
    found: OSError | None = None
    for each in dict.fromkeys((port, 0)):
        opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind(("0.0.0.0", each))  # noqa: S104  # tables are in the whole house
        except OSError as error:
            opened.close()
            found = error
            log.warning("port %d is taken: tables join at another one", each)
        else:
            return opened
    raise found or OSError
