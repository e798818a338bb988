"""What a page says of its link to the table: truly, soon, and only as long as it is so."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.pi_app.phones.web.browsers import TELEVISION, Device
from tests.pi_app.phones.web.canned import ANSWERS, TAKEN
from tests.pi_app.phones.web.process import serving
from tests.pi_app.phones.web.site import COOKIE
from tests.pi_app.phones.web.stage import Stage

WITHIN_MS = 2_000
"""A page says so soon that nothing comes any more."""


class Frozen:
    """The pages' server as a process that can be stopped and let go on."""

    def __init__(self, process: "subprocess.Popen[bytes]", device: Device) -> None:
        self._process, self.device = process, device

    def stop(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)


@pytest.fixture(name="frozen")
def _frozen(stage: Stage, browser: Browser) -> Iterator[Frozen]:
    with (
        serving(stage.companion.path) as (process, url),
        closing(Device(browser, url, cookie=COOKIE)) as device,
    ):
        yield Frozen(process, device)


def beats(device: Device, count: int) -> None:
    """Wait until a page heard so many beats."""
    device.page.wait_for_function("count => window.beats >= count", arg=count)


COUNT_BEATS = """
window.beats = 0;
window.streams = 0;
const Plain = window.EventSource;
window.EventSource = class extends Plain {
  constructor(...given) {
    super(...given);
    window.streams += 1;
    this.addEventListener("beat", () => (window.beats += 1));
  }
};
"""


@pytest.mark.parametrize("path", ["/", "/keys", "/play"])
def test_a_page_whose_server_stands_still_says_so_and_goes_on_with_it(
    stage: Stage, frozen: Frozen, path: str
) -> None:
    """The stream stays open for the browser: only the missing beats tell."""
    stage.scene("just4fun-free")
    device = frozen.device
    device.page.add_init_script(COUNT_BEATS)
    device.page.clock.install()
    device.open(path)
    beats(device, 2)
    frozen.stop()
    device.page.clock.run_for(WITHIN_MS)
    assert device.page.locator("html").get_attribute("data-link") == "lost"
    assert device.page.locator("#link").inner_text() == "Not live: no connection."
    frozen.go_on()
    device.live()
    expect(device.page.locator("#link")).to_be_empty()
    assert device.page.evaluate("() => window.streams") == 1, "the same stream goes on"


def test_who_only_watches_costs_nothing_but_the_beats(stage: Stage) -> None:
    """Neither the server nor the companion is asked for anything once the page is shown."""
    stage.companion.invites = True
    stage.scene("just4fun-free")
    device = stage.device(TELEVISION, paired=False)
    device.page.add_init_script(COUNT_BEATS)
    device.open()
    device.page.wait_for_load_state("load")
    beats(device, 1)
    asked: list[str] = []
    device.page.on("request", lambda request: asked.append(request.url))
    beats(device, 4)
    assert not asked
    assert not stage.site.call(lambda: stage.companion.heard)
    assert device.page.evaluate("() => window.streams") == 1


def test_what_was_not_keyed_is_said_until_the_table_is_back(stage: Stage) -> None:
    stage.scene("just4fun-free")
    device = stage.device()
    device.open("/keys")
    stage.site.do(stage.companion.stop)
    expect(device.page.locator("#link")).to_contain_text("Not live")
    device.key("5")
    expect(device.page.locator("#notice")).to_contain_text("nothing was keyed")
    stage.companion.language = "de"
    stage.site.do(stage.companion.start)
    device.live()
    expect(device.page.locator("#notice")).to_be_empty()


def test_what_was_refused_stays_when_the_table_was_away(stage: Stage) -> None:
    stage.scene("just4fun-free")
    device = stage.device()
    device.open("/keys")
    stage.companion.answers["key"] = {"error": "old", "text": "That was keyed too late."}
    device.key("5")
    expect(device.page.locator("#notice")).to_contain_text("too late")
    stage.site.do(stage.companion.stop)
    expect(device.page.locator("#link")).to_contain_text("Not live")
    stage.site.do(stage.companion.start)
    device.live()
    expect(device.page.locator("#notice")).to_contain_text("too late")


def test_phones_that_are_switched_off_are_not_called_a_table_that_does_not_run(
    stage: Stage,
) -> None:
    stage.scene("just4fun-free")
    device = stage.device()
    device.open("/keys")
    stage.site.call(lambda: stage.companion.say({"kind": "off"}))
    stage.site.do(stage.companion.stop)
    link = device.page.locator("#link")
    expect(link).to_have_text("Not live: phones are switched off at the table.")
    stage.site.stop()
    device.page.wait_for_function("() => document.documentElement.dataset.link === 'off'")
    expect(link).to_have_text("Not live: phones are switched off at the table.")


def offline(device: Device) -> None:
    """Let nothing reach a page any more that it has not got yet."""

    def fail(route: Route) -> None:
        route.abort()

    device.page.route("**/*", fail)


def test_all_that_a_page_needs_is_there_when_it_is_first_shown(stage: Stage) -> None:
    """A key that is touched offline asks for no file, nor does a name that is to be typed."""
    stage.scene("just4fun-free")
    device = stage.device()
    device.open("/keys")
    device.page.wait_for_load_state("load")
    asked: list[str] = []
    device.page.on("request", lambda request: asked.append(request.url))
    offline(device)
    device.key("5")
    stage.scene("home-name")
    expect(device.page.locator("#name")).to_be_visible()
    assert not [url for url in asked if url.endswith((".js", ".css"))]


def test_a_restart_that_was_announced_is_not_called_a_table_that_does_not_run(
    stage: Stage,
) -> None:
    stage.scene("just4fun-free")
    device = stage.device()
    device.open("/keys")
    stage.site.call(lambda: stage.companion.say({"kind": "ends"}))
    stage.site.do(stage.companion.stop)
    expect(device.page.locator("html")).to_have_attribute("data-link", "ends")
    expect(device.page.locator("#link")).to_be_empty()
    device.key("5")
    expect(device.page.locator("#notice")).to_contain_text("nothing was keyed")
    stage.site.do(stage.companion.start)
    device.live()


def test_a_page_in_another_language_loads_itself_anew_with_its_hand(stage: Stage) -> None:
    stage.companion.answers |= {"seats": {**ANSWERS["seats"], "seats": TAKEN}}
    stage.scene("just4fun-free")
    device = stage.device()
    device.open("/play")
    device.page.locator('[data-add="5"]').click()
    stage.scene("just4fun-free", "de")
    expect(device.page.locator("nav")).to_contain_text("Mehr")
    expect(device.page.locator("html")).to_have_attribute("lang", "de")
    expect(device.page.locator("[data-pick]")).to_have_text("5")
