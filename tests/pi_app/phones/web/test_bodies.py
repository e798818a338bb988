"""What is sent along is looked at before the companion hears of it."""

import json
import socket

import pytest

from pi_app.phones.protocol import ShowHand
from pi_app.wire.client import LongRequestError
from tests.pi_app.phones.web.site import COOKIE, WAIT_S, Site

KEY = {"epoch": "e1", "seen": 0, "n": 1, "key": "5"}


NO_REQUESTS: tuple[tuple[str, object], ...] = (
    ("key", b""), ("key", b"\xff\xfe"), ("key", b"5"), ("key", b"[]"), ("key", b"null"),
    ("key", b"NaN"), ("key", b"{" * 3000), ("key", b'{"a":' * 600), ("key", b'"' + b"a" * 3000),
    ("key", {}), ("key", {**KEY, "n": 10**400}), ("key", {**KEY, "key": "5" * 33}),
    ("hand", {"seat": "0", "cards": "5"}), ("tip", {"seat": 0}), ("claim", {"seat": 0}),
    ("play", {"epoch": "e1", "seen": 0, "n": 1, "seat": 0}), ("release", {}),
    ("pair", {"code": "123456"}), ("game", {"game": "3"}),
)  # fmt: skip


def test_what_is_no_request_is_refused_here(site: Site) -> None:
    """What fits a field is tried with the requests themselves, which both ends check with."""
    site.live().until("hello")
    heard = len(site.companion.heard)
    for verb, body in NO_REQUESTS:
        reply = site.ask("POST", f"/api/{verb}", body)
        assert reply.error == "400 bad", (verb, body)
        assert reply.json["text"]
    assert site.companion.heard[heard:] == []


def test_a_body_is_bounded_whatever_it_says_of_its_length(site: Site) -> None:
    assert site.ask("POST", "/api/key", b" " * 4097).error == "413 long"
    assert site.ask("POST", "/api/hand", {"seat": 0, "cards": "5", "x": "y" * 5000}).status == 413
    chunked = [b"1000\r\n" + b" " * 4096 + b"\r\n"] * 3
    with socket.create_connection(("127.0.0.1", site.port), WAIT_S) as end:
        head = "POST /api/key HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
        head += f"Cookie: {COOKIE}\r\n"
        end.sendall(
            f"{head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        for chunk in chunked:
            end.sendall(chunk)
        assert end.recv(100).startswith(b"HTTP/1.1 413 ")


def test_signs_beyond_ascii_arrive_whole(site: Site) -> None:
    site.live().until("hello")
    cards = "\U0001f0a1" * 200
    body = json.dumps({"seat": 0, "cards": cards}, ensure_ascii=False).encode()
    assert site.ask("POST", "/api/hand", body).json["options"] == [cards]


def test_a_line_that_the_companion_would_not_take_is_not_sent(site: Site) -> None:
    site.live().until("hello")

    async def ask() -> None:
        with pytest.raises(LongRequestError):
            await site.relay.request(ShowHand(seat=0, cards="5" * 8 * 1024))

    site.do(ask)
    assert all(asked["kind"] == "who" for asked in site.companion.heard)


def test_a_form_of_another_page_is_no_request(site: Site) -> None:
    for kind in ["", "text/plain", "application/x-www-form-urlencoded", "json"]:
        reply = site.ask("POST", "/api/key", KEY, Content_Type=kind)
        assert reply.error == "415 type"


def test_a_lone_surrogate_does_no_harm(site: Site) -> None:
    site.live().until("hello")
    reply = site.ask("POST", "/api/hand", b'{"seat":0,"cards":"\\ud800"}')
    assert reply.status == 200
    assert reply.json["options"] == ["?"]
