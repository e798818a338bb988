"""What browsers get: pages, the stream, answers; what they may not get."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pi_app.phones.protocol import REQUESTS
from pi_app.phones.web.app import PATHS, Routes
from tests.pi_app.phones.desk import sample_fields
from tests.pi_app.phones.web.site import COOKIE, Reply, Site
from tests.pi_app.pilot import at_home
from tests.stand_ins.companion import TOKEN

OPEN = {kind for kind, ask in REQUESTS.items() if not ask.paired}
OPEN_PATHS = {
    **{path: path for path in PATHS},
    "/static/{name}": "/static/icon.8f8cbb7dcf46.png",
    "/invitation.svg": "/invitation.svg",
}
"""What every browser in the network gets, beside the stream of frames: each route, an address."""
NOW = {"epoch": "e1", "seen": 0}
"""What goes with each request that changes something."""


def test_all_places_are_one_page_and_what_it_names_is_kept_for_ever(site: Site) -> None:
    page = site.ask("GET", "/")
    assert (page.status, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["Cache-Control"] == "no-cache"
    assert all(site.ask("GET", path).data == page.data for path in PATHS)
    script, icon = page.data.decode().split()[-2:]
    reply = site.ask("GET", script)
    assert reply.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert "immutable" in reply.headers["Cache-Control"]
    assert site.ask("GET", icon).headers["Content-Type"] == "image/png"
    assert site.ask("HEAD", "/").data == b""


def test_what_is_long_is_sent_compressed_but_not_the_stream(site: Site) -> None:
    page = site.ask("GET", "/play", Accept_Encoding="gzip")
    assert page.headers["Content-Encoding"] == "gzip"
    assert b"<title>" in gzip.decompress(page.data)
    assert site.live().headers.get("Content-Encoding") is None


NOT_SERVED = (
    "/static/secret.txt", "/static/none.js", "/static/app.js", "/static/../app.py",
    "/static/..%2fapp.py", "/static/%2e%2e/table.js", "/static//etc/passwd", "/static/a%00.js",
    "/static/", "/nothing", "/api/game/1", "//", "/keys/", "/live/",
    "//evil.example/",
)  # fmt: skip


def test_nothing_but_the_pages_files_is_given_away(site: Site) -> None:
    for path in NOT_SERVED:
        assert site.ask("GET", path).error == "404 missing"


def words_in(page: Reply) -> Any:
    """Return the words that a page has for its scripts."""
    return json.loads(page.data.decode().partition("<script>")[2].partition("</script>")[0])


def test_words_come_with_the_page_in_the_tables_language_and_end_no_element(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"More": "</script>"}
    monkeypatch.setattr("pi_app.phones.web.app.words", lambda tx: {"language": tx.language, **said})
    site.live().until("hello")
    assert words_in(site.ask("GET", "/")) == {"language": "en", "More": "</script>"}
    site.companion.language = "de"
    stream = site.live()
    site.call(lambda: site.companion.say(site.companion.hello()))
    while stream.until("hello")["language"] != "de":
        pass
    assert words_in(site.ask("GET", "/"))["language"] == "de"
    assert "Seite" in site.ask("GET", "/nothing").json["text"]


def test_a_stream_says_hello_then_the_frame_then_every_change(site: Site) -> None:
    stream = site.live()
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    hello = {"epoch": "e1", "language": "en", "theme": "dark", "invites": False, "first": False}
    urls = [f"http://{name}:{site.port}" for name in ("192.168.178.20", "beisitzer.local")]
    hello |= {"wifi": True, "joined": None, "urls": urls}
    events = iter(stream)
    name, facts = next(events)
    if name == "away":  # it was quicker than the companion
        name, facts = next(events)
    assert (name, facts) == ("hello", {**hello, "paired": True, "name": "Test"})
    assert next(events)[1]["frame"]["title"] == "ready"
    n = site.call(lambda: site.companion.show("next"))
    line = {"kind": "frame", "n": n, "frame": {"title": "next", "news": n, "keyed": n}}
    assert next(events) == ("frame", line)


def test_an_unpaired_browser_may_look_and_not_key(site: Site) -> None:
    stream = site.live(cookie=None)
    assert stream.until("hello")["paired"] is False
    assert site.key(1, cookie=None).error == "401 unpaired"
    assert site.key(1, cookie="beisitzer=guessed_token").error == "401 unpaired"
    assert site.key(1, cookie="beisitzer=no token").error == "401 unpaired"
    assert site.companion.played == []


def test_an_unpaired_browser_reads_the_table_and_nothing_of_past_games(site: Site) -> None:
    site.live().until("hello")
    routes = Routes(site.relay, site.pages, at_home).all()
    assert {route.path for route in routes} == {*OPEN_PATHS, "/live", "/api/{kind}"}
    for cookie in (None, "beisitzer=guessed_token"):
        for path in OPEN_PATHS.values():
            assert site.ask("GET", path, cookie=cookie).status == 200, path
        for kind in set(REQUESTS) - OPEN:
            facts = sample_fields(kind)
            answer = site.ask("POST", f"/api/{kind}", facts, cookie=cookie)
            assert answer.error == "401 unpaired", kind
        if cookie is None:  # the companion was not even asked
            assert {each["kind"] for each in site.companion.heard} <= OPEN
    for kind in OPEN - {"pair"}:
        assert site.ask("POST", f"/api/{kind}", {}, cookie=None).status == 200


def test_what_is_for_paired_browsers_reaches_others_as_a_secret_frame(site: Site) -> None:
    paired, other = site.live(), site.live(cookie=None)
    for stream in (paired, other):
        stream.until("frame")
    n = site.call(lambda: site.companion.show("Statistics", paired=True, lines=["Anna 3/4"]))
    assert paired.until("frame")["frame"]["lines"] == ["Anna 3/4"]
    told = other.until("frame")
    assert (told["n"], told["frame"]["secret"], told["frame"]["paired"]) == (n, True, True)
    assert "Anna" not in str(told)
    assert "Statistics" not in str(told)
    site.call(lambda: site.companion.show("next"))
    other.title("next")


def test_pairing_gives_a_cookie_that_no_script_and_no_other_site_gets(site: Site) -> None:
    site.live().until("hello")
    refused = site.pair("000000")
    assert refused.error == "403 wait"
    assert refused.json["wait_s"] == 2.0
    assert "Set-Cookie" not in refused.headers
    paired = site.pair()
    assert paired.json == {"ok": True}
    name, *rest = paired.headers["Set-Cookie"].split("; ")
    assert name == COOKIE
    assert {"HttpOnly", "SameSite=strict", "Path=/", "Max-Age=31536000"} <= set(rest)
    assert TOKEN.encode() not in paired.data


def test_a_key_is_answered_when_it_was_carried_out_and_acts_once(site: Site) -> None:
    stream = site.live()
    stream.title("ready")
    first = site.key(7, "ENTER")
    assert (first.status, first.json) == (200, {"ok": True, "shown": 1})
    stream.title("key ENTER")
    assert site.key(7, "ENTER").json == first.json
    tapped = site.ask("POST", "/api/key", {**NOW, "n": 8, "tap": "29"})
    assert tapped.status == 200
    assert site.companion.played == ["ENTER", {"tap": "29"}]
    assert site.key(9, epoch="e0").error == "409 epoch"


def test_every_request_reaches_the_companion_and_its_answer_the_browser(site: Site) -> None:
    site.live().until("hello")
    hand = site.ask("POST", "/api/hand", {"seat": 0, "cards": "5 11 13"})
    assert hand.json["options"] == ["5 11 13"]
    assert site.ask("POST", "/api/claim", {**NOW, "seat": 1}).error == "409 claimed"
    assert site.ask("POST", "/api/release", {**NOW, "seat": 1}).json == {"ok": True}
    move = {**NOW, "n": 1, "seat": 0, "move": "5+11"}
    assert site.ask("POST", "/api/play", move).status == 200
    assert site.ask("POST", "/api/seats", {}).json["game"] == "just4fun"
    assert site.ask("POST", "/api/who", {}).json["paired"] is True
    assert site.ask("POST", "/api/history", {}).json["ok"] is True
    assert site.ask("POST", "/api/game", {"game": 12}).json["ok"] is True
    assert site.ask("POST", "/api/nothing", {}).error == "404 missing"


def test_a_hand_goes_nowhere_but_into_its_answer(site: Site) -> None:
    stream, other = site.live(), site.live(cookie=None)
    stream.title("ready")
    other.title("ready")
    assert site.ask("POST", "/api/hand", {"seat": 0, "cards": "5 11 13"}).status == 200
    site.call(lambda: site.companion.show("after"))
    for each in (stream, other):
        assert [facts["frame"]["title"] for _, facts in [next(iter(each))]] == ["after"]
    assert b"5 11 13" not in (site.relay.news.frame or b"")


def test_the_companion_may_come_late_go_and_come_again(site: Site) -> None:
    stream = site.live()
    stream.title("ready")
    site.do(site.companion.stop)
    stream.until("away")
    assert site.key(1).error == "503 away"
    site.companion.epoch = "e2"
    site.do(site.companion.start)
    assert stream.until("hello")["epoch"] == "e2"
    stream.title("ready")
    assert site.key(1).error == "409 epoch"
    assert site.key(1, epoch="e2").status == 200


@pytest.mark.parametrize(
    "line",
    [
        b"no json\n", b"[1]\n", b'"kind"\n', b"[" * 100_000 + b"\n", b"\xff\n",
        b"{" + b" " * 300_000,
    ],
    ids=["words", "list", "text", "deep", "bytes", "long"],
)  # fmt: skip
def test_a_companion_that_talks_nonsense_is_left_and_found_again(site: Site, line: bytes) -> None:
    stream = site.live()
    stream.title("ready")
    site.call(lambda: site.companion.say_raw(line))
    stream.until("away")
    stream.until("hello")
    stream.title("ready")
    assert site.key(1).status == 200


@pytest.mark.parametrize(
    "line",
    [
        {"kind": "weather"}, {"kind": []}, {}, {"kind": "answer"}, {"kind": "answer", "id": {}},
        {"kind": "answer", "id": "1", "ok": True},
    ],
    ids=str,
)  # fmt: skip
def test_a_line_that_is_for_nobody_is_passed_over(site: Site, line: dict[str, object]) -> None:
    stream = site.live()
    stream.title("ready")
    site.call(lambda: site.companion.say(line))
    site.call(lambda: site.companion.show("next"))
    assert next(iter(stream))[1]["frame"]["title"] == "next"


def test_a_companion_of_another_version_is_away(site: Site) -> None:
    stream = site.live()
    stream.title("ready")
    site.companion.hello = lambda: {"kind": "hello", "version": 2}  # type: ignore[method-assign]
    site.do(site.companion.stop)
    site.do(site.companion.start)
    stream.until("away")
    assert site.key(1).error == "503 away"


def test_a_stream_ends_when_the_server_does(site: Site) -> None:
    stream = site.live()
    stream.title("ready")
    site.server.should_exit = True
    assert [name for name, _ in stream if name != "beat"] == []


def test_what_was_under_way_when_the_companion_went_is_answered_at_once(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser then asks again with the same number."""
    monkeypatch.setattr("pi_app.wire.client.ANSWER_S", 1000)
    stream = site.live()
    stream.until("hello")
    site.companion.dumb = True
    with ThreadPoolExecutor() as pool:
        asking = pool.submit(site.key, 1)
        while not any(asked["kind"] == "key" for asked in site.companion.heard):
            pass
        site.do(site.companion.stop)
        assert asking.result().error == "503 away"


def test_no_answer_in_time_is_said_and_the_place_is_free_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_app.wire.client.ANSWER_S", 0.05)
    site.live().until("hello")
    site.companion.dumb = True
    for n in range(12):
        assert site.key(n).error == "503 away"
    site.companion.dumb = False
    assert site.key(20).status == 200
