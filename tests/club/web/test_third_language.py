"""The club's pages in a third language: nothing left in English, nothing cut where German is not.

At night at every size.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.club.web.site import WHO, ClubSite
from tests.club.web.test_pages import LONG, log_in, opened, tabs
from tests.pi_app.phones.web.browsers import TABLET
from tests.pi_app.phones.web.layout import CHECK, ZOOMED, resize
from tests.pi_app.phones.web.layout import SIZES as EVERY_SIZE
from tests.pi_app.phones.web.wordy import SIZES, Size, english, shortened, words_in

NAMES = [f"{LONG[n % 5]} {n}"[-40:] for n in range(9)]
Look = tuple[str, Size]


def _pages(site: ClubSite, browser: Browser, language: str) -> Iterator[tuple[str, Page]]:
    """Yield each page of an evening, and each part of the organiser's, as a device shows it."""
    for path in ("/", "/where", "/lists", "/organiser"):
        with opened(browser, site.url, path, TABLET, language) as page:
            expect(page.locator("html")).to_have_attribute("lang", language)
            if path == "/where":
                page.locator("#number").fill("3")
            expect(page.locator("main h1").first).to_be_attached()
            yield path, page
            if path != "/organiser":
                continue
            log_in(page)
            for tab in tabs(page):
                yield f"{path}#{tab}", page
            page.locator(".tabs a[href='#results']").click()
            page.locator("[data-key='2']").click()
            expect(page.locator("dialog fieldset").first).to_be_visible()
            yield f"{path} places", page


def _walk(site: ClubSite, browser: Browser, language: str, sizes: tuple[Size, ...]) -> list[str]:
    """Return what is wrong with the pages as they are now."""
    wrong: list[str] = []
    short: dict[Look, list[str]] = {}
    people = words_in(NAMES) | {WHO}
    for name, page in _pages(site, browser, language):
        for size in sizes:
            resize(page, size)
            found = page.evaluate(CHECK, size in ZOOMED)
            if name.endswith("places"):  # a dialog lies over all that is not in it
                found = [fault for fault in found if fault.startswith("text")]
            wrong += [f"{name} at {size}: {fault}" for fault in found]
            if texts := shortened(page):
                short[name, size] = texts
        wrong += [f"{name}: {each}" for each in english(page, people)]
    if short:
        for name, page in _pages(site, browser, "de"):
            for size in sizes:
                if texts := short.pop((name, size), []):
                    resize(page, size)
                    if len(texts) > len(shortened(page)):
                        wrong.append(f"{name}: cut at {size}, but not in German: {texts}")
    assert not short, "German was not looked at"
    return wrong


@pytest.mark.parametrize(
    "sizes", [SIZES, pytest.param(EVERY_SIZE, marks=pytest.mark.nightly)], ids=["some", "every"]
)
def test_the_pages_of_an_evening_are_whole_in_a_third_language(
    site: ClubSite, browser: Browser, third_language: str, sizes: tuple[Size, ...]
) -> None:
    site.people(*NAMES)
    site.evening("just4fun", "numeri", "einmaleins")
    for people in site.pair():
        site.key(1, *people)
    second = site.pair()
    site.key(2, *second[0])
    wrong = _walk(site, browser, third_language, sizes)
    assert not wrong, "\n".join(wrong)


def test_the_pages_without_an_evening_are_whole_in_a_third_language(
    site: ClubSite, browser: Browser, third_language: str
) -> None:
    wrong = []
    for path in ("/", "/where", "/lists"):
        with opened(browser, site.url, path, TABLET, third_language) as page:
            expect(page.locator("html")).to_have_attribute("lang", third_language)
            for size in SIZES:
                resize(page, size)
                wrong += [f"{path} at {size}: {each}" for each in page.evaluate(CHECK, False)]
            wrong += [f"{path}: {each}" for each in english(page)]
    assert not wrong, "\n".join(wrong)
