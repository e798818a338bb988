"""The table's Wi-Fi on a phone: it says what follows before it does it, and why it is there."""

import pytest
from playwright.sync_api import expect

from tests.pi_app.phones.web.browsers import Device
from tests.pi_app.phones.web.canned import ANSWERS, WIFI
from tests.pi_app.phones.web.stage import Stage

RIGHT = "long enough"


def shown(stage: Stage, *, paired: bool = True, **facts: object) -> Device:
    """Return a phone with the page."""
    stage.companion.answers |= ANSWERS
    stage.companion.answers |= {
        "networks": {**WIFI, **facts}, "look": {**WIFI, "networks": []}, "join": {"ok": True},
        "forget": {**WIFI, "known": []},
    }  # fmt: skip
    stage.scene("just4fun-free")
    device = stage.device(paired=paired)
    device.open("/network")
    return device


def test_it_says_where_the_table_is_and_why_and_what_is_in_reach(stage: Stage) -> None:
    page = shown(stage).page
    expect(page.locator(".wifi")).to_contain_text("own Wi-Fi, Beisitzer-abc")
    expect(page.locator(".wifi")).to_contain_text("Home: the password is wrong.")
    expect(page.locator(".network b")).to_have_text(["Home <b>", "Open air", "Office"])
    expect(page.locator(".network svg").first).to_have_attribute("aria-label", "80 %")
    expect(page.locator(".network").nth(2)).to_be_disabled()


def test_before_the_table_goes_the_page_says_that_it_will_and_what_to_do(stage: Stage) -> None:
    page = shown(stage).page
    page.locator(".network").first.click()
    expect(page.locator("form")).to_contain_text("it leaves Beisitzer-abc")
    expect(page.locator("form")).to_contain_text("within a minute")
    assert not stage.requests("join")
    page.locator("#secret").fill("short")
    page.locator("form .button").click()
    assert not stage.requests("join")
    page.locator("#secret").fill(RIGHT)
    page.locator("form .button").click()
    # the page does not wait for it
    stage.site.wait_for(lambda: stage.companion.requests("join"))
    expect(page.locator(".wifi")).to_be_visible()
    (join,) = stage.requests("join")
    assert (join["name"], join["password"], join["security"]) == ("Home <b>", RIGHT, "wpa-psk")


def test_an_open_network_asks_for_no_password_and_back_leads_back(stage: Stage) -> None:
    page = shown(stage).page
    page.locator(".network").nth(1).click()
    expect(page.locator("form")).to_be_visible()
    expect(page.locator("#secret")).to_have_count(0)
    page.locator("[data-back]").click()
    expect(page.locator(".wifi")).to_be_visible()
    assert not stage.requests("join")


def test_a_network_out_of_reach_is_forgotten(stage: Stage) -> None:
    page = shown(stage).page
    page.locator("[data-forget=Attic]").click()
    expect(page.locator("[data-forget]")).to_have_count(0)
    assert [each["name"] for each in stage.requests("forget")] == ["Attic"]


def test_a_look_around_says_that_the_own_network_ends_for_it(stage: Stage) -> None:
    page = shown(stage).page
    expect(page.locator(".wifi")).to_contain_text("Beisitzer-abc ends for some seconds")
    page.locator("[data-look]").click()
    expect(page.locator(".network")).to_have_count(0)
    assert len(stage.requests("look")) == 1


def test_in_the_houses_network_nothing_ends(stage: Stage) -> None:
    page = shown(stage, link="joined", name="Open air", why="").page
    expect(page.locator(".network").nth(1)).to_be_disabled()
    expect(page.locator(".network").nth(1)).to_contain_text("the table is here")
    expect(page.locator(".wifi")).not_to_contain_text("ends for some seconds")
    page.locator(".network").first.click()
    expect(page.locator("form")).not_to_contain_text("leaves")


@pytest.mark.parametrize("wifi", [True, False])
def test_only_where_phones_can_do_something_about_it_they_are_led_here(
    stage: Stage, wifi: bool
) -> None:
    hello = {**stage.companion.hello(), "wifi": wifi}
    stage.companion.hello = lambda: hello  # type: ignore[method-assign]
    stage.site.call(lambda: stage.companion.say(hello))
    stage.scene("just4fun-free")
    device = stage.device()
    device.open("/more")
    device.title("More")
    expect(device.page.locator('main a[href="/network"]')).to_have_count(int(wifi))


def test_a_phone_that_is_not_paired_is_told_so(stage: Stage) -> None:
    page = shown(stage, paired=False).page
    expect(page.locator("main")).to_contain_text("it has to be paired")
    assert not stage.requests("networks")


def test_why_the_table_did_nothing_is_said(stage: Stage) -> None:
    device = shown(stage)
    refusal = {"error": "no-wifi", "text": "The table cannot do anything about its Wi-Fi now."}
    stage.companion.answers["look"] = refusal
    device.page.locator("[data-look]").click()
    expect(device.page.locator("[role=alert]")).to_have_text(refusal["text"])


def test_a_page_that_comes_back_with_the_own_network_says_why(stage: Stage) -> None:
    device = shown(stage, why="No known Wi-Fi is in reach.")
    page = device.page
    page.locator(".network").first.click()
    page.locator("#secret").fill(RIGHT)
    page.route("**/api/*", lambda route: route.abort())  # the network has gone
    page.locator("form .button").click()
    expect(page.locator("[role=alert]")).to_have_text("Not live: no connection.")
    why = "Home: the password is wrong."
    stage.companion.answers["networks"] = {**WIFI, "why": why}
    page.unroute("**/api/*")
    expect(page.locator(".wifi")).to_contain_text(why)
    expect(page.locator("[role=alert]")).to_be_empty()
