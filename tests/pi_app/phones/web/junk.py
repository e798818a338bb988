"""Requests that nobody should send: noise, halves, lies about lengths, JSON out of joint."""

import json
from collections.abc import Callable
from random import Random

from tests.pi_app.phones.web.site import COOKIE

METHODS = ("GET", "POST", "PUT", "HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "\x00", "A" * 300)
PATHS = (
    "/", "/keys", "/live", "/play", "/api/key", "/api/play", "/api/hand", "/api/pair",
    "/api/claim", "/api/seats", "/api/who", "/api/history?page=", "/api/game", "/static/",
    "/static/../", "/static/%00", "/static/%ff.js", "*", "http://evil.example/", "//", "/%",
)  # fmt: skip
HOSTS = ("localhost", "127.0.0.1", "evil.example", "", "[::1]", "localhost\tx", "a" * 5000)
TYPES = ("application/json", "text/plain", "", "application/json; charset=utf-16")
WORDS = (
    "epoch",
    "seen",
    "n",
    "key",
    "tap",
    "seat",
    "cards",
    "move",
    "code",
    "name",
    "token",
    "id",
    "kind",
)
NUMBERS = (0, -1, 1, 2**31, 2**53, 2**64, 10**30, 0.5, 1e308)


def junk(random: Random) -> bytes:
    """Return bytes for one connection; never a key that counts."""
    maker: Callable[[Random], bytes] = random.choice((noise, request, request, request, halves))
    return maker(random)


def noise(random: Random) -> bytes:
    data = random.randbytes(random.choice((1, 16, 300, 20_000)))
    return random.choice((b"", b"GET / HTTP/1.1\r\n", b"POST /api/key HTTP/1.1\r\nHost: ")) + data


def halves(random: Random) -> bytes:
    whole = request(random)
    return whole[: random.randrange(len(whole) + 1)]


def request(random: Random) -> bytes:
    """Return one to three requests, some of them nearly right."""
    return b"".join(_one(random) for _ in range(random.choice((1, 1, 1, 3))))


def _one(random: Random) -> bytes:
    path = random.choice(PATHS) + random.choice(("", "", str(random.choice(NUMBERS)), "x" * 9000))
    method = random.choice(METHODS) if random.random() < 0.5 else "POST"
    body = _body(random)
    host = random.choice(HOSTS) if random.random() < 0.5 else "localhost"
    lines = [f"{method} {path} HTTP/{random.choice(('1.1', '1.1', '1.0', '9.9', ''))}"]
    lines += [f"Host: {host}", f"Origin: http://{host}"]
    lines += [f"Content-Type: {random.choice(TYPES)}"]
    match random.randrange(6):
        case 0:
            lines += ["Transfer-Encoding: chunked"]
            body = random.choice((b"5\r\n", b"zz\r\n", b"ffffffff\r\n", b"0\r\n\r\n")) + body
        case 1:
            lines += [f"Content-Length: {random.choice(('-1', '99999999999', 'x', '0', '1'))}"]
        case 2:
            lines += ["Upgrade: websocket", "Connection: upgrade", "Expect: 100-continue"]
        case _:
            lines += [f"Content-Length: {len(body)}"]
    if random.random() < 0.5:
        lines += [f"Cookie: {COOKIE}"]
    if random.random() < 0.1:
        lines += [f"X-{number}: {'y' * random.choice((1, 500))}" for number in range(60)]
    return "\r\n".join([*lines, "", ""]).encode(errors="replace") + body


def _body(random: Random) -> bytes:
    match random.randrange(4):
        case 0:
            return random.randbytes(random.choice((0, 10, 5000)))
        case 1:
            return random.choice((b"[" * 3000, b'{"a":' * 500, b"null", b"NaN", b'"\\ud800"'))
        case _:
            given = {word: _value(random) for word in random.sample(WORDS, random.randrange(6))}
            # the table of the tests has another epoch, so that nothing of this counts
            return json.dumps(given | {"epoch": "junk"}).encode()


def _value(random: Random) -> object:
    return random.choice(
        (random.choice(NUMBERS), "5", "<script>", "x" * 300, None, True, [], {"tap": "1"}, "\ud800")
    )
