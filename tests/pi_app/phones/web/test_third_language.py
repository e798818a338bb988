"""Pages in a third language: no word that no catalogue has."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from engines.games import GAMES
from pi_app.view.keying import LETTERS
from tests.club.web.site import ClubSite
from tests.club.web.test_pages import log_in, opened, tabs
from tests.pi_app.phones.web.browsers import TABLET
from tests.pi_app.phones.web.canned import ANSWERS, WIFI
from tests.pi_app.phones.web.stage import Stage
from tests.third_language import plain_words

TEXTS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest("script,style")) found.push(node.data);
  for (const each of document.querySelectorAll("body *"))
    for (const name of ["aria-label", "title", "placeholder", "alt"])
      found.push(each.getAttribute(name) ?? "");
  return found;
}"""
"""Everything that a page says, also to a screen reader."""


def words_in(*values: object) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", json.dumps(values, ensure_ascii=False)))


NAMES = words_in(
    "Anna Ben Clara David Test tests Beisitzer numeri Sequence Einmaleins Just Fun http https",
    "local Chrome Android English Deutsch JSON main Python STORE SEQ",
    *(*GAMES, *LETTERS.values(), *ANSWERS.values(), *WIFI.values()),
)
"""Names, addresses, and what the stand-in for a companion answers, which is always English."""


MARK = re.compile(r"\b[0-9a-f]{4}(?: [0-9a-f]{4}){4}\b")
"""A hub's mark: hexadecimal digits, which may look like a word."""


def left(page: Page, name: str) -> Iterator[str]:
    """Yield what a page says in plain words."""
    for text in page.evaluate(TEXTS):
        text = MARK.sub("", text)  # noqa: PLW2901
        if words := plain_words(text, NAMES):
            yield f"{name}: {words} in {text[:60]!r}"


def test_no_page_of_a_phone_is_left_in_english(stage: Stage, third_language: str) -> None:
    stage.companion.answers |= ANSWERS | {"networks": WIFI}
    stage.scene("just4fun-free", third_language)
    device = stage.device()
    wrong: list[str] = []
    for path in ("/", "/keys", "/play", "/history", "/pair", "/network"):
        device.open(path)
        expect(device.page.locator("html")).to_have_attribute("lang", third_language)
        device.page.locator("main :is(h1, h2, p)").first.wait_for(state="attached")
        wrong += left(device.page, path)
    assert not wrong, "\n".join(wrong)


def test_no_page_of_a_club_is_left_in_english(
    tmp_path: Path, browser: Browser, third_language: str
) -> None:
    wrong: list[str] = []
    with ClubSite(tmp_path) as site:
        site.people("Anna", "Ben", "Clara", "David")
        site.evening("just4fun", "numeri")
        for people in site.pair():
            site.key(1, *people)
        for path in ("/", "/where", "/lists", "/organiser"):
            with opened(browser, site.url, path, TABLET, third_language) as page:
                expect(page.locator("html")).to_have_attribute("lang", third_language)
                expect(page.locator("main h1").first).to_be_attached()
                wrong += left(page, path)
                if path == "/organiser":
                    log_in(page)
                    for tab in tabs(page):
                        wrong += left(page, f"{path}#{tab}")
    assert not wrong, "\n".join(wrong)
