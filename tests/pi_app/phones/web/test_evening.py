"""Whole games on phones, with everything that falls over at a table, against the real thing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.crash.process import stored
from tests.pi_app.phones.web.browsers import TABLET, Device
from tests.pi_app.phones.web.evening import Evening

ROW = ("1", "7", "14", "6", "9+10+11", "8", "12+12")
"""A row of four fields for the one who begins: 1, 14, 30, 24."""


@pytest.fixture(name="evening")
def _evening(place: Path, browser: Browser) -> Iterator[Evening]:
    evening = Evening(place, browser)
    try:
        evening.start_companion()
        evening.start_web()
        yield evening
    finally:
        evening.stop()


def begin(evening: Evening, game: str) -> tuple[Device, Device, Device, Device]:
    """Begin a game with its two players' phones; return these, a tablet and an unpaired phone."""
    looking = evening.device()
    yellow, red = evening.pair(looking), evening.pair(looking)
    tablet = evening.device(TABLET, "/")
    yellow.page.locator("[data-choose]").filter(has_text=game).click()
    yellow.title(game)
    yellow.key("ENTER")
    yellow.title("Yellow")
    return yellow, red, tablet, looking


def play(phone: Device, move: str) -> None:
    """Key cards and play them."""
    for place, card in enumerate(move.split("+")):
        phone.key(*(["STAR"] if place else []), *card)
    phone.key("ENTER")
    phone.settled()


def cannot_key(device: Device) -> None:
    """Prove that a device may look and nothing else, whatever its keys or its owner try."""
    expect(device.page.get_by_role("link", name="Take part")).to_be_visible()
    device.open("/keys")
    device.open("/")
    asked = """() => fetch("/api/key", {
        method: "POST",
        headers: {"Content-Type": "application/json"},
        body: JSON.stringify({epoch: "", seen: 0, n: 1, key: "5"}),
    }).then((answer) => answer.status)"""
    assert device.page.evaluate(asked) == 401


@pytest.mark.timeout(600)
def test_just_4_fun_is_played_whole_on_two_phones_whatever_falls_over(evening: Evening) -> None:
    yellow, red, tablet, looking = begin(evening, "Just 4 Fun")
    cannot_key(looking)

    play(yellow, ROW[0])
    yellow.page.reload()
    red.title("Red")

    play(red, ROW[1])
    red.freeze()
    play(yellow, ROW[2])
    red.wake()
    red.title("Red")

    # The server goes while a key is on its way.
    red.page.route("**/api/key", lambda route: route.abort())
    red.key(ROW[3])
    evening.kill_web()
    evening.start_web()
    red.live()
    red.page.unroute_all(behavior="wait")
    red.settled()
    expect(red.page.locator(".keyed")).to_have_text(ROW[3])
    red.key("ENTER")
    red.settled()
    yellow.title("Yellow")
    assert stored(evening.store)[0] == ROW[:4]

    # The companion goes while a key is on its way: that one is not confirmed, all others count.
    yellow.page.route("**/api/key", lambda route: route.abort())
    yellow.key("5")
    evening.pull_the_plug()
    evening.start_companion()
    expect(yellow.page.locator("#notice")).to_contain_text("Not confirmed: 5.")
    yellow.page.unroute_all(behavior="wait")
    yellow.live()
    yellow.title("Yellow")

    hand(yellow, ROW[4], field="30")
    red.title("Red")
    play(red, ROW[5])
    play(yellow, ROW[6])
    for device in (yellow, red, tablet, looking):
        expect(device.page.locator(".verdict")).to_contain_text("Yellow wins!")
    assert stored(evening.store) == (ROW, ())

    looking.open("/history")
    expect(looking.page.locator("main")).to_contain_text("To play it has to be paired")
    expect(looking.page.get_by_role("link", name="Take part")).to_be_visible()
    history(red)


def hand(phone: Device, move: str, field: str) -> None:
    """Play a move from a hand of one's own, with a tap."""
    phone.open("/play")
    phone.page.locator("[data-claim]").filter(has_text="Yellow").click()
    for card in (*move.split("+"), "2"):
        phone.page.locator(f'[data-add="{card}"]').click()
    phone.page.locator(f'[data-tap="{field}"]').click()
    phone.settled()
    expect(phone.page.locator(".card")).to_have_text(["2"])
    phone.open("/keys")


def history(device: Device) -> None:
    """Look at the game that was just played."""
    device.open("/history")
    device.page.locator(".games a").first.click()
    expect(device.page.locator("article")).to_contain_text("Yellow")
    # how the chances went comes beside it when nobody needs the processor
    expect(device.page.locator("article .chart").first).to_be_visible()


@pytest.mark.timeout(300)
def test_a_tab_takes_its_seat_and_its_hand_again_and_plays_on(evening: Evening) -> None:
    phone = evening.pair(evening.device())
    page = phone.page
    page.locator("[data-choose]").filter(has_text="Just 4 Fun").click()
    phone.title("Just 4 Fun")
    phone.key("ENTER")
    phone.title("Yellow")
    phone.open("/play")
    page.locator("[data-claim]").filter(has_text="Yellow").click()
    for card in ("9", "10", "11", "2"):
        page.locator(f'[data-add="{card}"]').click()
    page.locator('[data-pick="0"]').click()
    evening.pull_the_plug()
    expect(page.locator("html")).not_to_have_attribute("data-link", "live")
    evening.start_companion()
    phone.live()
    phone.title("Hand of Yellow")
    expect(page.locator(".card")).to_have_text(["9", "10", "11", "2"])
    expect(page.locator('[data-pick="0"]')).to_have_attribute("aria-pressed", "true")
    page.locator('[data-tap="30"]').click()
    phone.settled()
    expect(page.locator(".card")).to_have_text(["2"])
    assert stored(evening.store) == (("9+10+11",), ())


@pytest.mark.timeout(300)
def test_a_turn_is_played_by_a_keyboard_alone_with_what_a_screen_reader_says(
    evening: Evening,
) -> None:
    """From the first menu on, without a finger or a mouse; only names of the tree are read."""
    phone = evening.pair(evening.device())
    page = phone.page
    page.keyboard.press("Tab")
    row = page.get_by_role("list", name="To choose from").get_by_role("button", name="Just 4 Fun")
    while not row.evaluate("row => row === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    heard = page.locator("#aloud")
    expect(heard).to_contain_text("Start")

    def press(*keys: str) -> None:
        for key in keys:
            page.locator(f'[data-key="{key}"]').focus()
            page.keyboard.press("Enter")

    press("ENTER")
    expect(heard).to_contain_text("Yellow")
    press("5", "STAR", "1", "1", "STAR", "1", "3")
    expect(heard).to_contain_text("5+11+13. yes. 29 free")
    field = page.get_by_role("group", name="Board").get_by_role("button", name="29, chosen")
    expect(field).to_be_visible()
    press("ENTER")
    expect(heard).to_contain_text("Red")
    field = page.get_by_role("group", name="Board").get_by_role("button", name="29, Yellow")
    expect(field).to_be_visible()
    phone.settled()
    assert stored(evening.store)[0] == ("5+11+13",)
