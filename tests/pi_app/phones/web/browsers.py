"""The system's Chromium, driven without a screen: what a person sees and touches of the pages."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first, without the browser around the page, takes a third of the processor time."""
MISSING = "no browser for the pages: sudo apt-get install chromium-headless-shell"
WAIT_MS = 60_000
"""Nothing takes so long, however busy the machine is."""

PHONE = (360, 800)
TABLET = (800, 1280)
TELEVISION = (1920, 1080)

FRAMED = """async () => {
  const { dataset } = document.documentElement;
  while (Number(dataset.n) < Number(dataset.confirmed))
    await new Promise((done) => setTimeout(done, 20));
}"""
"""Resolves when the frame of what was confirmed last is there."""

_EXPECTED = re.compile(r"Failed to load resource|ERR_|net::")
"""What Chromium says itself of a server that is gone or refuses."""


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """Open the first Chromium that is installed; skip where there is none."""
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(MISSING)
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


class Device:
    """A phone, a tablet or a television with one page; `faults` are what its console said."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        size: tuple[int, int] = PHONE,
        *,
        light: bool = False,
        cookie: str | None = None,
    ) -> None:
        self.url = url
        self.faults: list[str] = []
        self.context: BrowserContext = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="light" if light else "dark",
            has_touch=size != TELEVISION,
        )
        self.context.set_default_timeout(WAIT_MS)
        if cookie is not None:
            name, value = cookie.split("=", 1)
            self.context.add_cookies([{"name": name, "value": value, "url": url}])
        self.page: Page = self.context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not _EXPECTED.search(message.text):
            self.faults.append(message.text)

    def open(self, path: str = "/") -> None:
        """Open one of the pages and wait until it is live."""
        self.page.goto(self.url + path)
        self.live()

    def live(self) -> None:
        """Wait until the page follows the table and its words are there."""
        expect(self.page.locator("html")).to_have_attribute("data-link", "live")
        expect(self.page.locator("nav a")).to_have_count(3)

    def title(self, text: str) -> None:
        """Wait for what the page says first."""
        expect(self.page.locator("main h1")).to_contain_text(text)

    def key(self, *keys: str) -> None:
        """Touch keys of the pad, one after the other."""
        for key in keys:
            self.page.locator(f'[data-key="{key}"]').click()

    def settled(self) -> None:
        """Wait until every key was answered and its frame is there, in a hidden tab too."""
        self.page.wait_for_function(
            "() => !(JSON.parse(localStorage.getItem('beisitzer.row') ?? '{}').row ?? []).length",
            polling=50,
        )
        self.page.evaluate(FRAMED)

    def freeze(self) -> None:
        """Let the page sleep as a phone does in a pocket."""
        self._life("frozen")

    def wake(self) -> None:
        """Let a sleeping page go on."""
        self._life("active")

    def _life(self, state: str) -> None:
        session = self.context.new_cdp_session(self.page)
        session.send("Page.setWebLifecycleState", {"state": state})
        session.detach()

    def close(self) -> None:
        self.context.close()
        assert not self.faults, self.faults
