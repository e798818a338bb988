"""Pairing on a phone: it counts once, a wrong code waits where everybody sees it, a name stays."""

import threading

from playwright.sync_api import Route, expect

from tests.pi_app.phones.web.browsers import Device
from tests.pi_app.phones.web.canned import ANSWERS
from tests.pi_app.phones.web.stage import Stage
from tests.stand_ins.companion import CODE


def pairing(stage: Stage, *, paired: bool = False) -> Device:
    """Return a phone with the page that asks for six digits."""
    stage.companion.answers |= ANSWERS
    stage.scene("just4fun-free")
    device = stage.device(paired=paired)
    device.open("/pair")
    return device


def slow(device: Device, path: str) -> threading.Event:
    """Hold answers back until the event is set; the requests themselves arrive at once."""
    go = threading.Event()

    def hold(route: Route) -> None:
        answer = route.fetch()
        while not go.is_set():
            device.page.wait_for_timeout(10)
        route.fulfill(response=answer)

    device.page.route(path, hold)
    return go


def test_six_digits_and_enter_pair_once_whatever_comes_before_the_answer(stage: Stage) -> None:
    """A frame, which the companion shows at once, and a second Enter come before it."""
    device = pairing(stage)
    go = slow(device, "**/api/pair")
    device.page.locator("#code").focus()
    device.page.keyboard.type(CODE)
    device.page.keyboard.press("Enter")
    device.page.keyboard.press("Enter")
    stage.site.wait_for(lambda: stage.companion.requests("pair"))
    stage.scene("just4fun-blocked")
    device.page.wait_for_function("() => document.title.includes('Anna')")
    device.page.keyboard.press("Enter")
    go.set()
    device.page.wait_for_url("**/play")
    device.live()
    assert len(stage.requests("pair")) == 1


def test_an_answer_that_was_lost_is_asked_for_again(stage: Stage) -> None:
    device = pairing(stage)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    device.page.route("**/api/pair", lose, times=1)
    device.page.locator("#code").fill(CODE)
    device.page.keyboard.press("Enter")
    expect(device.page.get_by_role("alert")).to_contain_text("no connection")
    device.context.clear_cookies()  # it was in the answer that was lost
    device.page.reload()
    device.live()
    device.page.locator("#code").fill(CODE)
    device.page.keyboard.press("Enter")
    device.page.wait_for_url("**/play")
    assert len(stage.requests("pair")) == 2


def test_after_a_wrong_code_one_may_try_again(stage: Stage) -> None:
    device = pairing(stage)
    wrong = {"error": "wrong", "text": "This is not the code on show.", "wait_s": 1.0}
    stage.companion.answers["pair"] = wrong
    device.page.locator("#code").fill("654321")
    device.page.keyboard.press("Enter")
    expect(device.page.get_by_role("alert")).to_have_text("This is not the code on show.")
    expect(device.page.locator("#code")).to_be_focused()
    del stage.companion.answers["pair"]
    device.page.keyboard.type(CODE)  # in place of the wrong one, which is selected
    device.page.keyboard.press("Enter")
    device.page.wait_for_url("**/play")


def test_a_paired_phone_shows_its_name_and_takes_another_without_a_code(stage: Stage) -> None:
    stage.companion.tokens = dict.fromkeys(stage.companion.tokens, "Anna's phone")
    device = pairing(stage, paired=True)
    name = device.page.get_by_label("Whose phone is it?")
    expect(name).to_have_value("Anna's phone")
    name.fill("Lena")
    device.page.keyboard.press("Enter")
    device.page.wait_for_url("**/more")
    assert [each["name"] for each in stage.requests("rename")] == ["Lena"]
    assert not stage.requests("pair")


def test_a_phone_says_what_it_is_called_to_its_owner_alone(stage: Stage) -> None:
    stage.companion.answers |= ANSWERS
    stage.companion.tokens = dict.fromkeys(stage.companion.tokens, "Anna's phone")
    stage.scene("just4fun-free")
    device, other = stage.device(), stage.device(paired=False)
    for one in (device, other):
        one.open("/more")
    device.page.get_by_role("link", name="Anna's phone").click()
    device.page.wait_for_url("**/pair")
    expect(device.page.get_by_label("Whose phone is it?")).to_have_value("Anna's phone")
    expect(other.page.locator("main")).not_to_be_empty()
    assert "Anna's phone" not in other.page.locator("body").inner_text()


def test_a_forgotten_phone_says_so_at_once(stage: Stage) -> None:
    device = pairing(stage, paired=True)
    device.open("/play")
    device.title("Who are you?")
    stage.companion.tokens = {}
    stage.site.call(lambda: stage.companion.say(stage.companion.hello()))
    expect(device.page.locator("main")).to_contain_text("To play it has to be paired.")


def test_the_first_start_leads_a_phone_to_the_code_that_opens_the_table(stage: Stage) -> None:
    stage.companion.answers |= ANSWERS
    stage.companion.first = True
    stage.scene("just4fun-free")
    device = stage.device(paired=False)
    device.open("/")
    device.page.wait_for_url("**/pair")
    expect(device.page.locator("form")).to_contain_text("Key the six digits on the screen.")
    paired = stage.device()
    paired.open("/")
    paired.title("Anna")
    assert paired.page.url.endswith("/")


def test_the_code_s_address_pairs_and_leads_to_the_seats_and_leaves_no_code_behind(
    stage: Stage,
) -> None:
    stage.companion.answers |= ANSWERS
    stage.scene("just4fun-free")
    device = stage.device(paired=False)
    device.page.goto(f"{stage.url}/pair#{CODE}")
    device.page.wait_for_url("**/play")
    device.title("Who are you?")
    assert CODE not in device.page.evaluate("() => location.href")
    cookie = next(each for each in device.context.cookies() if each["name"] == "beisitzer")
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Strict"
