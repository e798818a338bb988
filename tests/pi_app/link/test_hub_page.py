"""Asking a hub's page: only the hub that was compared gets the code; failures are answers."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from club.hub.certificates import KeyPair, fingerprint, make_authority, make_server
from pi_app.link import hub_page
from pi_app.link.contract import ContractError
from pi_app.link.hub_page import (
    AskHub,
    HubAnswer,
    TableAccess,
    ask,
    mark,
    one_certificate,
    place_of,
)
from tests.ports import free_port

CLUB, OTHER = make_authority("club"), make_authority("other")
CODE = "123456"


class Page:
    """A hub's page that says what a test wants; `bodies` is what it was sent."""

    def __init__(self, folder: Path, signed_by: KeyPair, authority: str) -> None:
        self.authority = authority
        self.status = 200
        self.answer: Any = access(authority)
        self.bodies: list[str] = []
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._say(200, page.authority)

            def do_POST(self) -> None:
                page.bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
                answer = page.answer
                self._say(page.status, answer if isinstance(answer, str) else json.dumps(answer))

            def _say(self, status: int, text: str) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the library's
                """Say nothing."""

        server = make_server(signed_by, ["hub.example"])
        for name, text in (("cert", server.certificate), ("key", server.key)):
            (folder / name).write_text(text)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "cert", folder / "key")
        self.port = free_port()
        self._server = HTTPServer(("127.0.0.1", self.port), Handler)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def asked(self, code: str = "", authority: str = "") -> HubAnswer:
        return ask(
            AskHub(
                7,
                "127.0.0.1",
                self.port,
                one_certificate(authority or CLUB.certificate) if code else "",
                code,
            )
        )


def access(authority: str, **others: Any) -> dict[str, Any]:
    facts = {"host": "10.0.0.7", "port": 8883, "user": "table-07", "password": "abc"}
    return {**facts, "ca_pem": authority, "hub": "h-1", **others}


@contextmanager
def page(folder: Path, signed_by: KeyPair = CLUB, authority: str = "") -> Iterator[Page]:
    opened = Page(folder, signed_by, authority or CLUB.certificate)
    try:
        yield opened
    finally:
        opened.close()


def test_the_mark_is_how_the_fingerprint_begins() -> None:
    digits = fingerprint(CLUB.certificate).replace(":", "")
    assert mark(CLUB.certificate).replace(" ", "") == digits[:20]
    assert len(mark(CLUB.certificate).split()) == 5


@pytest.mark.parametrize(
    "pem",
    [
        "",
        "junk",
        CLUB.certificate + OTHER.certificate,
        CLUB.key,
        CLUB.certificate.replace("M", "!"),
    ],
)
def test_what_is_not_exactly_one_certificate_is_refused(pem: str) -> None:
    with pytest.raises(ContractError):
        one_certificate(pem)


def test_a_certificate_is_always_written_alike() -> None:
    told = "\r\n" + CLUB.certificate.replace("\n", "\r\n")
    assert one_certificate(told) == CLUB.certificate


def test_authority_and_access_come_from_the_hub_that_was_compared(tmp_path: Path) -> None:
    with page(tmp_path) as hub:
        assert hub.asked() == HubAnswer(7, authority=CLUB.certificate)
        answer = hub.asked(CODE)
    assert answer.access == TableAccess("10.0.0.7", 8883, "table-07", "abc", CLUB.certificate)
    assert [json.loads(body) for body in hub.bodies] == [{"code": CODE}]
    assert HubAnswer.read(answer.line()) == answer


def test_who_only_shows_the_clubs_authority_never_hears_the_code(tmp_path: Path) -> None:
    with page(tmp_path, signed_by=OTHER) as thief:
        assert thief.asked().authority == CLUB.certificate
        assert thief.asked(CODE) == HubAnswer(7, "certificate")
        assert thief.bodies == []


def test_another_authority_than_the_compared_one_is_not_trusted_later(tmp_path: Path) -> None:
    with page(tmp_path) as hub:
        hub.answer = access(OTHER.certificate)
        assert hub.asked(CODE) == HubAnswer(7, "certificate")


@pytest.mark.parametrize(
    ("status", "answer", "fault"),
    [
        (403, {"error": "wrong"}, "wrong"),
        (403, {"error": "not-open"}, "not-open"),
        (429, {"error": "closed"}, "closed"),
        (503, {"error": "database"}, "hub"),
        (403, {"error": ["wrong"]}, "hub"),
        (200, "<html>", "no-hub"),
        (200, [], "no-hub"),
        (200, {}, "no-hub"),
        (200, access(CLUB.certificate, user="../../etc"), "no-hub"),
        (200, access(CLUB.certificate, host="a b"), "no-hub"),
        (200, access(CLUB.certificate) | {"password": "a\nb"}, "no-hub"),
        (200, access(CLUB.certificate, port=0), "no-hub"),
        (200, "x" * 50_000, "no-hub"),
    ],
)
def test_every_answer_that_is_no_access_is_a_fault(
    tmp_path: Path, status: int, answer: Any, fault: str
) -> None:
    with page(tmp_path) as hub:
        hub.status, hub.answer = status, answer
        assert hub.asked(CODE) == HubAnswer(7, fault)


def test_nobody_there_an_unknown_name_and_a_page_without_tls_are_told_apart() -> None:
    assert ask(AskHub(1, "127.0.0.1", free_port())).fault == "away"
    assert ask(AskHub(1, "a..b", 8443)).fault == "name"
    with socket.create_server(("127.0.0.1", 0)) as plain:

        def answer() -> None:
            with plain.accept()[0] as client:
                client.recv(1000)
                client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        assert ask(AskHub(1, "127.0.0.1", plain.getsockname()[1])).fault == "no-hub"


def test_a_hub_that_is_silent_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_page, "ANSWER_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert ask(AskHub(1, "127.0.0.1", silent.getsockname()[1])).fault == "away"


@pytest.mark.parametrize(
    ("keyed", "place"),
    [
        ("192.168.1.20", ("192.168.1.20", 8443)),
        ("Laptop.local:9443", ("laptop.local", 9443)),
        ("https://laptop.local/", ("laptop.local", 8443)),
        ("[fd00::1]:9443", ("fd00::1", 9443)),
        ("laptop:0", None),
        ("laptop:99999", None),
        ("a/b", None),
        ("a b", None),
        (".", None),
        ("", None),
        ("a" * 300, None),
    ],
)
def test_an_address_as_people_key_it(keyed: str, place: tuple[str, int] | None) -> None:
    assert place_of(keyed) == place
