"""The places of the one page: ways between them, and a game that is begun and played from there."""

import json
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Request, expect

from tests.pi_app.phones.client import Table, table
from tests.pi_app.phones.web.browsers import PHONE, Device
from tests.pi_app.phones.web.canned import ANSWERS
from tests.pi_app.phones.web.process import serving
from tests.pi_app.phones.web.stage import Stage
from tests.players.touch import Finger, until

SLOW = {"latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""400 kbit/s and 400 ms, as Chromium emulates it."""
BUDGET = 45_000
REQUESTS = 8
LIVE_S = 2.5


def test_changing_places_costs_no_page_and_no_file(stage: Stage) -> None:
    stage.companion.answers |= ANSWERS
    stage.scene("just4fun-free")
    device = stage.device()
    device.open("/play")
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url.removeprefix(stage.url))

    device.page.on("request", note)
    for name, path, title in (
        ("Table", "/", "Anna"),
        ("More", "/more", "More"),
        ("History", "/history", "History"),
        ("Play", "/play", "Who are you?"),
    ):
        device.page.get_by_role("link", name=name, exact=True).click()
        device.title(title)
        assert device.page.url == stage.url + path
    device.page.go_back()
    device.title("History")
    assert {each.partition("?")[0] for each in asked} <= {"/api/history", "/api/seats"}


@pytest.mark.parametrize("path", ["/play", "/", "/more"])
def test_letters_follow_the_font_size_of_the_browser(stage: Stage, path: str) -> None:
    stage.companion.answers |= ANSWERS
    stage.scene("just4fun-free")
    device = stage.device()
    session = device.context.new_cdp_session(device.page)

    def sizes() -> list[float]:
        device.open(path)
        device.page.locator("main h1").first.wait_for()
        found: list[float] = device.page.evaluate(
            """() => ["main :is(.who b, .choices, .games)", "nav a"].map((query) =>
            parseFloat(getComputedStyle(document.querySelector(query)).fontSize))"""
        )
        return found

    before = sizes()
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 24, "fixed": 20}})
    for was, size in zip(before, sizes(), strict=True):
        assert size >= 1.3 * was


@pytest.mark.parametrize("path", ["/play", "/"])
@pytest.mark.parametrize("most_s", [4 * LIVE_S, pytest.param(LIVE_S, marks=pytest.mark.nightly)])
def test_a_first_load_on_a_slow_line_is_small_and_soon_live(
    stage: Stage, path: str, most_s: float
) -> None:
    """By day a busy machine adds what it adds; most of it is the line's."""
    stage.companion.answers |= ANSWERS
    stage.scene("just4fun-free")
    device = stage.device()
    session = device.context.new_cdp_session(device.page)
    sizes: list[int] = []
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False, **SLOW})
    session.on("Network.requestWillBeSent", lambda _: sizes.append(0))
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    began = time.monotonic()
    device.open(path)
    took = time.monotonic() - began
    assert sizes.count(0) <= REQUESTS
    assert sum(sizes) <= BUDGET
    assert took < most_s


@pytest.fixture(name="idle")
def _idle(browser: Browser) -> Iterator[tuple[Table, Finger]]:
    """Return a table where nothing is played, and a phone that was just paired."""
    with table(new_game=True) as opened, serving(opened.path) as (_, url):
        token = opened.pairing.pair(opened.pairing.show_code(), "Chrome")
        assert isinstance(token, str)
        with closing(Finger(browser, url, PHONE, token)) as finger:
            yield opened, finger


@pytest.mark.parametrize(
    ("game", "turn", "most"),
    [
        ("numeri", ['[data-roll="4"]'], 6),
        ("Just 4 Fun", [*(f'[data-add="{n}"]' for n in (5, 11, 13, 8)), '[data-tap="8"]'], 7),
    ],
)
def test_a_game_is_begun_and_moved_in_by_few_touches(
    idle: tuple[Table, Finger], game: str, turn: list[str], most: int
) -> None:
    """Counted from the page that the phone's camera opens: nothing is played yet."""
    opened, finger = idle
    touches = [("[data-game]", game), ("[data-go]", "Yellow"), *((each, "") for each in turn)]
    for query, text in touches:
        finger.tap(query, text)
    until(opened.tokens, lambda: "nothing was played")
    assert len(touches) <= most


def test_what_a_game_lacks_is_asked_for_on_the_phone(idle: tuple[Table, Finger]) -> None:
    _, finger = idle
    page = finger.page
    finger.tap("[data-game]", "Einmaleins")
    finger.tap("[data-go]")
    expect(page.locator("#notice")).to_have_text("No open card yet.")
    page.locator("#missing").fill("24")
    finger.tap("[data-go]", "Red")
    expect(page.locator("h1")).to_contain_text("Hand of Red")


def test_people_are_added_and_left_out_by_touches(stage: Stage) -> None:
    stage.companion.answers |= ANSWERS
    stage.companion.answers["seats"] = {**ANSWERS["seats"], "game": None, "seats": []}
    game = {
        "game": "numeri", "name": "numeri", "counts": [2, 3, 4], "players": ["Anna", "Ben"],
    }  # fmt: skip
    stage.companion.answers["games"] = {
        "ok": True, "waiting": "", "games": [game], "people": ["Ben", "Cleo"],
        "worn": {"Anna": "red", "Ben": "yellow", "Cleo": "white"},
    }  # fmt: skip
    stage.companion.answers["start"] = {"ok": True}
    stage.scene("home-first")
    page = started(stage).page
    expect(page.locator(".start .of-red")).to_contain_text("Anna")
    expect(page.locator(".start .of-yellow")).to_contain_text("Ben")
    page.locator("[data-without]", has_text="Anna").click()
    assert all(each.is_disabled() for each in page.locator("[data-go]").all())
    page.get_by_role("button", name="+ Cleo").click()
    page.locator("#person").fill("Dora, the ")
    page.keyboard.press("Enter")
    expect(page.locator(".start .of-white")).to_contain_text("Cleo")
    page.get_by_role("button", name="Begin without me").click()
    stage.site.wait_for(lambda: stage.companion.requests("start"))
    (asked,) = stage.requests("start")
    assert (asked["game"], asked["players"]) == ("numeri", "Ben,Cleo,Dora  the")


def started(stage: Stage) -> Device:
    """Return a phone on which numeri was chosen."""
    device = stage.device()
    device.open("/play")
    device.page.locator("[data-game]").click()
    return device


def test_the_pages_can_be_put_on_a_home_screen(stage: Stage) -> None:
    stage.scene("just4fun-free")
    device = stage.device(paired=False)
    device.open()
    session = device.context.new_cdp_session(device.page)
    found = session.send("Page.getAppManifest")
    assert not found["errors"]
    manifest = json.loads(found["data"])
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        reply = stage.site.ask("GET", icon["src"], cookie=None)
        assert reply.status == 200
        assert reply.headers["Content-Type"] == icon["type"]
