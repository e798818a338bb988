"""A table joins over HTTPS with a code, and whoever guesses does not."""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from club.hub.certificates import fingerprint
from tests.club.parts import Club, result_event
from tests.stand_ins.table import SimTable


def opened(club: Club) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(club.do("join", "--json"))
    return found


def fetch(
    url: str, authority: str, body: bytes | None = None, claimed: str = ""
) -> tuple[int, str]:
    """Ask the hub's page; `authority` is the one that is trusted, "": none is looked at.

    `claimed` is the address that the request says it comes from.
    """
    if authority:
        context = ssl.create_default_context(cadata=authority)
    else:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    headers = {"X-Forwarded-For": claimed} if claimed else {}
    request = urllib.request.Request(url, body, headers)  # noqa: S310  # https, as the test says
    try:
        with urllib.request.urlopen(request, timeout=30, context=context) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def join(shown: dict[str, Any], authority: str, code: str) -> tuple[int, dict[str, Any]]:
    status, text = fetch(f"{shown['url']}/join", authority, json.dumps({"code": code}).encode())
    return status, json.loads(text)


def test_a_table_joins_with_the_code_after_comparing_the_fingerprint(club: Club) -> None:
    shown = opened(club)
    _, authority = fetch(f"{shown['url']}/ca.pem", "")
    assert fingerprint(authority) == shown["fingerprint"], "what people compare"
    status, access = join(shown, authority, shown["code"])
    assert status == 200
    assert access["fingerprint"] == shown["fingerprint"]
    table = SimTable(access).connect()
    try:
        table.send(result_event(1))
        assert table.ack_upto(1)["hub"] == access["hub"]
    finally:
        table.close()
    assert [each["table"] for each in json.loads(club.do("tables", "--json"))] == [access["user"]]


def test_five_wrong_codes_close_joining_for_their_address(club: Club) -> None:
    shown = opened(club)
    _, authority = fetch(f"{shown['url']}/ca.pem", "")
    wrong = f"{(int(shown['code']) + 1) % 10**6:06}"
    for _ in range(5):
        assert join(shown, authority, wrong) == (403, {"error": "wrong"})
    assert join(shown, authority, shown["code"]) == (429, {"error": "closed"})
    assert json.loads(club.do("tables", "--json")) == []
    assert club.do("journal").count("wrong-code") == 5


def test_whoever_guesses_cannot_say_that_each_guess_comes_from_elsewhere(club: Club) -> None:
    shown = opened(club)
    url = f"https://127.0.0.1:{urlsplit(shown['url']).port}/join"
    body = json.dumps({"code": f"{(int(shown['code']) + 1) % 10**6:06}"}).encode()
    answers = [fetch(url, "", body, f"192.0.2.{n}")[0] for n in range(6)]
    assert answers == [403] * 5 + [429]


def test_nobody_joins_before_it_is_opened_nor_after_it_is_ended(club: Club) -> None:
    shown = opened(club)
    _, authority = fetch(f"{shown['url']}/ca.pem", "")
    club.do("join", "--end")
    assert join(shown, authority, shown["code"]) == (403, {"error": "not-open"})


def test_junk_at_the_page_is_refused(club: Club) -> None:
    shown = opened(club)
    _, authority = fetch(f"{shown['url']}/ca.pem", "")
    for body, status in ((b"{", 400), (b"[]", 400), (b'{"code":7}', 400), (b"x" * 5000, 413)):
        assert fetch(f"{shown['url']}/join", authority, body)[0] == status
    assert fetch(f"{shown['url']}/elsewhere", authority)[0] == 404


def test_a_smart_home_reads_tables_and_writes_nothing_but_texts(club: Club) -> None:
    table = club.add_table()
    home = SimTable(json.loads(club.do("smart-home")))
    home.hellos = False
    home.connect()
    try:
        say = f"beisitzer/1/{table.id}/down/say"
        text = b'{"v":1,"id":"a","text":"Tea","for_s":60}'
        assert home.answer(home.publish_at(say, text)) in {0, 0x10}
        for leaf in ("down/seat", "down/ack", "up/events", "state"):
            assert home.answer(home.publish_at(f"beisitzer/1/{table.id}/{leaf}", b"{}")) == 0x87
    finally:
        home.close()
