"""A whole small evening by hand in real Chromium: organiser, hall and somebody with a phone."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from club.store.live import people_now
from tests.club.parts import Club
from tests.club.web.site import PASSWORD, ClubSite
from tests.pi_app.phones.web.browsers import PHONE, TABLET, TELEVISION
from tests.pi_app.phones.web.layout import CHECK, SIZES, ZOOMED, resize
from tests.pi_app.phones.web.reach import out_of_reach, serious

HOSTILE = "<script>document.title='broken'</script><img src=x onerror=alert(1)>"
NAMES = ["Anna", "Ben", "Clara", "Anna", "Emil", "Frieda", HOSTILE, "Hans"]
WORDS = {
    "en": {"next": "Pair round {n}", "yes": "Yes, do it", "look": "Show what this changes"},
    "de": {"next": "Runde {n} auslosen", "yes": "Ja, so machen", "look": "Zeigen, was das ändert"},
}


@contextmanager
def opened(
    browser: Browser, url: str, path: str, size: tuple[int, int], language: str = "en"
) -> Iterator[Page]:
    """Open a page as a device of this size; nothing may go wrong on it."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        locale=language,
        reduced_motion="reduce",
        ignore_https_errors=True,
    )
    context.set_default_timeout(60_000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    page.goto(url + path)
    live(page)
    yield page
    context.close()
    assert not faults


def live(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    expect(page.locator("nav a")).to_have_count(4)


def log_in(page: Page) -> None:
    page.locator("#password").fill(PASSWORD)
    page.locator("form button[type=submit]").click()
    expect(page.locator(".tabs a")).to_have_count(5)


def tabs(desk: Page) -> Iterator[str]:
    """Yield the name of each part of the organiser's page once it is shown."""
    for name in ("now", "results", "people", "tables", "journal"):
        desk.locator(f".tabs a[href='#{name}']").click()
        expect(desk.locator(f".desk#{name}")).to_be_attached()
        yield name


def choose(desk: Page, *ranks: int) -> None:
    """Touch the place of each of a table's people, in the order of their seats."""
    choices = desk.locator("dialog fieldset")
    expect(choices).to_have_count(len(ranks))
    for choice, rank in zip(choices.all(), ranks, strict=True):
        choice.locator(f"input[value='{rank}']").check()


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "de"])
def test_a_small_evening_is_held_by_hand(site: ClubSite, browser: Browser, language: str) -> None:
    words = WORDS[language]
    with (
        opened(browser, site.url, "/organiser", TABLET, language) as desk,
        opened(browser, site.url, "/", TELEVISION, language) as hall,
        opened(browser, site.url, "/where", PHONE, language) as phone,
    ):
        log_in(desk)
        desk.locator(".tabs a[href='#people']").click()
        desk.locator("textarea").fill("\n".join(NAMES))
        desk.locator("[data-form=people] button").click()
        expect(desk.locator("[id^=person-]")).to_have_count(8)
        desk.locator(".tabs a[href='#now']").click()
        desk.locator("[data-form=evening] button").click()
        desk.get_by_role("button", name=words["next"].format(n=1)).click()
        expect(hall.locator("#round li")).to_have_count(2)
        expect(hall.locator("#standings li")).to_have_count(8)
        expect(hall.locator("#round")).to_contain_text("<script>document.title")
        assert "broken" not in hall.title()
        phone.locator("#sought").fill("<scr")
        phone.locator("[data-me=p7]").click()
        expect(phone.locator(".mine .who")).to_contain_text("<script>")
        expect(phone.locator(".mine .there")).to_have_text(re.compile("1|2"))

        desk.locator("[data-form=clock] input").fill("1")
        desk.locator("[data-form=clock] button[type=submit]").click()
        expect(hall.locator("#clock")).to_have_text(re.compile(r"^(1:00|0:5\d)$"))

        desk.locator(".tabs a[href='#results']").click()
        desk.locator("[data-key='1']").click()
        choose(desk, 1, 2, 3, 4)
        desk.locator("dialog [type=submit]").click()  # a first result counts at once
        expect(hall.locator("#round .over")).to_have_count(1)
        expect(hall.locator("#standings strong").first).to_have_text("5")
        desk.locator("[data-key='1']").click()
        choose(desk, 2, 1, 3, 4)
        desk.get_by_role("button", name=words["look"]).click()
        expect(desk.locator("dialog tbody tr").first).to_contain_text("(5)")
        expect(hall.locator("#standings strong").first).to_have_text("5")
        desk.get_by_role("button", name=words["yes"]).click()
        expect(desk.locator("dialog")).not_to_be_visible()

        desk.locator(".tabs a[href='#now']").click()
        desk.get_by_role("button", name=words["next"].format(n=2)).click()  # one is missing
        desk.get_by_role("button", name=words["yes"]).click()
        expect(hall.locator(".top h1")).to_contain_text("2")
        desk.locator(".tabs a[href='#journal']").click()
        desk.locator("[data-act=undo]").click()
        desk.get_by_role("button", name=words["yes"]).click()
        expect(hall.locator("#round .over")).to_have_count(1)


def test_the_device_that_was_taken_over_from_is_told(site: ClubSite, browser: Browser) -> None:
    with (
        opened(browser, site.url, "/organiser", TABLET) as first,
        opened(browser, site.url, "/organiser", PHONE) as second,
    ):
        log_in(first)
        second.reload()
        live(second)
        expect(second.locator(".login")).to_contain_text("Another device is the organiser")
        log_in(second)
        expect(first.locator(".login")).to_contain_text("Another device is the organiser")


def test_a_new_name_is_only_a_new_name(site: ClubSite, browser: Browser) -> None:
    site.people(*NAMES)
    with opened(browser, site.url, "/organiser", PHONE) as desk:
        log_in(desk)
        desk.locator(".tabs a[href='#people']").click()
        desk.locator("#person-p4 [data-rename]").click()
        desk.locator("form[data-p] input").fill("Anna B.")
        desk.locator("form[data-p] [type=submit]").click()
        expect(desk.locator("#person-p4")).to_contain_text("Anna B.")
        desk.locator("#person-p5 [data-rename]").click()
        desk.locator("#person-p5 .buttons [type=button]").click()  # no, leave it
        expect(desk.locator("form[data-p]")).to_have_count(0)
        desk.locator("#person-p6 .person").click()
        expect(desk.locator(".gone")).to_have_count(1)
    with site.database.read() as connection:
        there = [each.p for each in people_now(connection).values() if not each.present]
    assert there == ["p6"]


def test_each_page_says_that_it_is_not_live_when_the_hub_is_frozen_or_gone(
    tmp_path: Path, browser: Browser
) -> None:
    club = Club(tmp_path / "club").start()
    url = f"https://127.0.0.1:{club.port}"
    try:
        with (
            opened(browser, url, "/", PHONE) as page,
            opened(browser, url, "/where", PHONE) as other,
        ):
            os.kill(club.pid, signal.SIGSTOP)
            for each in (page, other):
                expect(each.locator("html")).to_have_attribute("data-link", "lost")
                expect(each.locator("#link")).to_contain_text("Not live")
            os.kill(club.pid, signal.SIGCONT)
            live(page)
            club.kill()
            expect(page.locator("#link")).to_contain_text("Not live")
            club.start()
            live(page)
    finally:
        club.kill()


LONG = [
    "Maximilian-Alexander Freiherr von",
    "Christina-Mara",
    "Annemarie-Lena",
    "Wolfgang-Amadeus Maria",
    "Bo",
]


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "de"])
@pytest.mark.parametrize("nth", [pytest.param(1, marks=pytest.mark.nightly), 8])
def test_no_text_leaves_its_box_at_any_size(
    site: ClubSite, browser: Browser, language: str, nth: int
) -> None:
    """Each page is tried at every size, or at each nth: other ones than the page before."""
    site.people(*[f"{LONG[n % 5]} {n}"[-40:] for n in range(41)], HOSTILE[:40])
    site.evening("just4fun", "numeri", "einmaleins")
    for people in site.pair():
        site.key(1, *people)
    second = site.pair()
    for people in second[:4]:
        site.key(2, *people)
    beside = next(p for people in second if "p42" in people for p in people if p != "p42")
    found: dict[str, list[str]] = {}

    first = count()

    def walk(page: Page, name: str) -> None:
        for size in SIZES[next(first) % nth :: nth]:
            resize(page, size)
            for fault in page.evaluate(CHECK, size in ZOOMED):
                found.setdefault(f"{name}: {fault}", []).append(f"{size[0]}x{size[1]}")

    for path in ("/", "/where", "/lists", "/organiser"):
        with opened(browser, site.url, path, TABLET, language) as page:
            expect(page.locator("main h1").first).to_be_attached()
            if path == "/where":
                page.locator("#sought").fill("a")
                walk(page, "search")
                page.locator("#sought").fill(beside[1:])
                page.locator(f"[data-me={beside}]").click()
                expect(page.locator(".mine")).to_be_attached()
            walk(page, path)
            if path != "/organiser":
                continue
            log_in(page)
            for tab in tabs(page):
                walk(page, f"{path}#{tab}")
    assert not found, "\n".join(f"{fault}: {' '.join(sizes)}" for fault, sizes in found.items())


LOOKS: list[tuple[str, Literal["dark", "light"]]] = [
    ("/", "light"),
    ("/where", "dark"),
    ("/lists", "light"),
    ("/organiser", "dark"),
]
OTHER_LOOKS = [("/", "dark"), ("/where", "light"), ("/lists", "dark"), ("/organiser", "light")]


@pytest.mark.parametrize(
    ("path", "scheme"),
    [*LOOKS, *(pytest.param(*look, marks=pytest.mark.nightly) for look in OTHER_LOOKS)],
)
def test_the_checker_finds_nothing_serious_and_a_finger_hits_everything(
    site: ClubSite, browser: Browser, path: str, scheme: Literal["dark", "light"]
) -> None:
    site.people(*NAMES)
    site.evening("just4fun", "numeri")
    groups = site.pair()
    site.key(1, *groups[0])
    for size in (TELEVISION, PHONE) if path == "/" else (PHONE,):
        with opened(browser, site.url, path, size) as page:
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("html")).to_have_attribute("data-theme", scheme)
            expect(page.locator("main h1").first).to_be_attached()
            if path == "/where":
                page.locator("#sought").fill("7")
                page.locator("[data-me=p7]").click()
                expect(page.locator(".mine")).to_be_attached()
            assert not serious(page)
            assert size == TELEVISION or not out_of_reach(page)
            if path != "/organiser":
                continue
            log_in(page)
            for tab in tabs(page):
                assert not serious(page), tab
                assert not out_of_reach(page), tab
            page.locator(".tabs a[href='#results']").click()
            page.locator("[data-key='1']").click()
            choose(page, 1, 1, 3, 4)
            assert not serious(page), "the places"
            assert not out_of_reach(page), "the places"
            page.get_by_role("button", name=WORDS["en"]["look"]).click()
            expect(page.locator("dialog tr").first).to_be_visible()
            assert not serious(page), "the dialog"


def test_two_phones_key_and_confirm_a_result_which_the_organiser_refuses(
    site: ClubSite, browser: Browser
) -> None:
    site.evening("sequence")
    with (
        opened(browser, site.url, "/where", PHONE, "de") as one,
        opened(browser, site.url, "/where", PHONE, "de") as other,
        opened(browser, site.url, "/organiser", TABLET, "de") as desk,
    ):
        log_in(desk)
        for page, name in ((one, "Anna"), (other, "Ben")):
            page.locator("#sought").fill(name)
            page.locator("[data-here]").click()
            expect(page.locator(".mine")).to_contain_text("Die erste Runde kommt noch")
        site.act("people", people=[{"name": "Clara"}, {"name": "David"}])
        seats = site.pair()[0]
        partner = seats[(seats.index("p1") + 2) % 4]
        expect(one.locator(".mine")).to_contain_text("im Team mit")
        expect(one.locator("fieldset")).to_have_count(2)
        for at in (0, 1):
            one.locator("fieldset").nth(at).locator(f"input[value='{at + 1}']").check()
        one.locator("[data-report] [type=submit]").click()
        expect(one.locator(".mine")).to_contain_text("sobald jemand anderes")
        other.locator("[data-agree]").click()
        expect(other.locator(".badge")).to_be_visible()
        assert {line["points"] for line in site.export()["standings"]} == {4, 1.5}
        desk.locator(".tabs a[href='#results']").click()
        expect(desk.locator(".desk")).to_contain_text("eingetippt von Anna, bestätigt von Ben")
        desk.locator("[data-act=reject]").click()
        desk.locator("dialog .main").click()
        expect(one.locator("fieldset")).to_have_count(2)
        assert {line["points"] for line in site.export()["standings"]} == {0}
        assert partner in seats


def test_two_people_who_are_touched_change_places_before_the_tables_get_the_round(
    site: ClubSite, browser: Browser
) -> None:
    site.people(*[f"Person {n}" for n in range(1, 9)])
    site.evening("just4fun")
    with opened(browser, site.url, "/organiser", TABLET) as desk:
        log_in(desk)
        desk.locator("[data-act=pair]").nth(1).click()
        groups = desk.locator(".panel .row")
        one, two = (groups.nth(n).locator("button").first for n in (0, 1))
        names = one.inner_text(), two.inner_text()
        one.click()
        two.click()
        expect(groups.nth(0).locator("button").first).to_have_text(names[1])
        expect(groups.nth(1).locator("button").first).to_have_text(names[0])


def test_an_earlier_evening_is_looked_at_and_printed_in_portrait(
    site: ClubSite, browser: Browser
) -> None:
    site.people(*NAMES)
    site.act("settings", club="Spielkreis")
    site.act("evening", games=["just4fun"], title="May")
    for people in site.pair():
        site.key(1, *people)
    site.evening("numeri")
    with opened(browser, site.url, "/lists", TABLET, "de") as page:
        expect(page.locator("#evening option")).to_have_count(2)
        page.locator("#evening").select_option(index=1)
        expect(page.locator(".cross tbody tr")).to_have_count(8)
        page.emulate_media(media="print")
        expect(page.locator(".paper").first).to_have_text(re.compile(r"^Spielkreis · May · \d+\. "))
        expect(page.locator(".cross")).to_be_visible()
        broken = page.evaluate(
            "[...document.querySelectorAll('th')].filter((th) => th.clientHeight > 40).length"
        )
        assert not broken, "no head takes two lines"


def test_the_cross_table_writes_halves_of_any_number(site: ClubSite, browser: Browser) -> None:
    site.people("Anna", "Ben")
    site.evening("just4fun", per_table=2)
    for number in range(1, 12):
        site.pair()
        site.act("result", round=number, places={"p1": 1, "p2": 1 if number == 1 else 2})
    with opened(browser, site.url, "/lists", TELEVISION) as page:
        expect(page.locator(".cross tbody tr").first.locator("td").last).to_have_text("10½")
        expect(page.locator(".cross tbody tr").last.locator("td").nth(2)).to_have_text("½")
