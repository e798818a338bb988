"""The site: it has all pages, its links lead somewhere, and a browser reads it from a folder."""

import fcntl
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.docs.pages import ROOT
from tests.docs.pages import pages as repository_pages
from tests.pi_app.phones.web.browsers import PHONE, WAIT_MS
from tools.site.__main__ import build
from tools.site.links import faults
from tools.site.navigation import GERMAN, LANGUAGES, address, below, language_of, pages
from tools.site.sources import SiteError, Sources

# a busy machine takes minutes to build it
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

_WORDS_AROUND = """body => {
  const copy = body.cloneNode(true);
  copy.querySelectorAll("article, [lang=en], svg, script").forEach((each) => each.remove());
  const told = ["aria-label", "title", "placeholder"].flatMap((name) =>
    [...copy.querySelectorAll(`[${name}]`)].map((each) => each.getAttribute(name)));
  return [copy.textContent, ...told].join(" ");
}"""
"""What a page says around its article, to eyes and to a screen reader."""

_IS_SHOWN = """() => [...document.querySelectorAll("article .highlighted, article :target")]
  .map((each) => each.getBoundingClientRect())
  .some((box) => box.top >= 0 && box.top < window.innerHeight)"""
"""Whether a place that was searched for is on the screen."""

ALL = [page for language in LANGUAGES for page in pages(language)]


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the built site; the processes of a run share one."""
    folder = tmp_path_factory.getbasetemp()
    if folder.name.startswith("popen-"):
        folder = folder.parent
    with (folder / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "site").exists():
            build(folder / "site")
    return folder / "site"


class Reader:
    """Somebody who reads the site in a browser: what it asked for, and what its console said."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.faults: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def check(self) -> None:
        assert self.faults == []
        assert [url for url in self.asked if not url.startswith(("file:", "data:"))] == []


@contextmanager
def reader(browser: Browser, size: tuple[int, int] = (1280, 900)) -> Iterator[Reader]:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    context.set_default_timeout(WAIT_MS)
    found = Reader(context.new_page())
    yield found
    context.close()
    found.check()


def test_every_page_that_people_are_given_is_in_the_site_once() -> None:
    given = {str(each) for each in repository_pages() if each.path.suffix == ".md"}
    assert sorted(ALL) == sorted(given)


def test_german_pages_are_known_as_such() -> None:
    assert {page for page in ALL if language_of(page) == "de"} == set(GERMAN) == set(pages("de"))
    assert set(GERMAN.values()) < set(pages("en"))


def test_pages_below_others_are_found() -> None:
    assert "docs/decisions/sqlite.md" in below("docs/decisions/README.md")


@pytest.mark.parametrize(
    ("page", "written", "linked"),
    [
        ("docs/play.md", "[so](settings.md#oled)", "[so](settings.md#oled)"),
        ("docs/play.md", "[settings.md](settings.md)", "[Settings](settings.md)"),
        ("docs/play.md", "[play.md](play.md#records)", "[Records](play.md#records)"),
        ("README.md", "[docs/play.md](docs/play.md)", "[Playing](docs/play.md)"),
        ("README.md", "[so](https://example.org)", "[so](https://example.org)"),
        ("README.md", "[de](README.de.md)", "[de](page:de/index.html)"),
        ("docs/spielen.md", "[en](play.md#keys)", "[en](part:../../docs/play.html#keys)"),
        ("docs/spielen.md", "[hier](handy.md)", "[hier](handy.md)"),
        (
            "docs/spielen.md",
            "[Buch](../examples/library.py)",
            "[Buch](page:../../examples/library.py.html)",
        ),
        ("docs/library.md", "[code](../examples/library.py)", "[code](../examples/library.py.md)"),
        ("docs/play.md", "[all](cards/)", "all"),
        ("docs/play.md", "[card](cards/pads.en.html)", "[card](copy:cards/pads.en.html)"),
        ("docs/play.md", "`[no](nowhere.md)`", "`[no](nowhere.md)`"),
        ("docs/play.md", "    [no](nowhere.md)", "    [no](nowhere.md)"),
    ],
)
def test_links_are_written_for_the_site(
    page: str, written: str, linked: str, tmp_path: Path
) -> None:
    assert Sources(tmp_path, language_of(page)).linked(page, written) == linked


@pytest.mark.parametrize("link", ["nowhere.md", "../../outside.md"])
def test_a_link_that_leads_nowhere_is_told_with_its_page(link: str, tmp_path: Path) -> None:
    with pytest.raises(SiteError, match=r"docs/play\.md: .* leads nowhere"):
        Sources(tmp_path, "en").linked("docs/play.md", f"[x]({link})")


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ('<h1 id="a">A</h1><a href="#a">a</a><a href="https://example.org">far</a>', []),
        ('<a href="b.html">b</a>', ["a.html: b.html leads nowhere"]),
        ('<a href="#b">b</a>', ["a.html: #b leads nowhere"]),
        ('<a href="">b</a><img src="b.png">', ["a.html: b.png leads nowhere"]),
        ('<img src="https://h.org/a.png">', ["a.html loads https://h.org/a.png"]),
        ('<script src="//h.org/a.js"></script>', ["a.html loads //h.org/a.js"]),
        ('<link rel="stylesheet" href="http://h.org/a.css">', ["a.html loads http://h.org/a.css"]),
    ],
)
def test_faults_of_a_built_page_are_found(page: str, told: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(page, "utf-8")
    assert list(faults(tmp_path)) == told


def test_the_site_is_built_without_a_warning_and_has_all_pages(site: Path) -> None:
    assert [page for page in ALL if not (site / address(page)).is_file()] == []
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"Beisitzer {version}" in (site / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("engines", ["unknown-card", "_read", "Read a token that is not a correction", "GAMES"]),
        ("beisitzer.plugin.rules", ["BoardKind", "Imported from here too"]),
        ("beisitzer.plugin.presentation", ["SELECTED", "Return the picture with one more mark"]),
        ("beisitzer.plugin.screens", ["TICK", "clear", "TurnScreen"]),
    ],
)
def test_the_reference_says_what_a_module_offers(
    module: str, told: list[str], site: Path, browser: Browser
) -> None:
    with reader(browser) as found:
        found.page.goto((site / "api" / f"{module}.html").as_uri())
        text = found.page.locator("article").inner_text()
    assert [words for words in told if words not in text] == []
    assert "~" not in text, "a signature that was not read"
    assert " at 0x" not in text, "another build has another address"


@pytest.mark.parametrize(
    ("start", "word", "page", "says"),
    [
        ("index.html", "joystick", "Building the rig", "Search Results"),
        ("index.html", "TurnScreen", "TurnScreen", "Search Results"),
        ("de/index.html", "Würfeltasten", "Spielen", "Suchergebnisse"),
        ("de/index.html", "gesperrt", "Spielen", "Suchergebnisse"),
    ],
)
def test_a_search_finds_the_page_without_a_network(
    start: str, word: str, page: str, says: str, site: Path, browser: Browser
) -> None:
    with reader(browser) as found:
        found.page.goto((site / start).as_uri())
        found.page.get_by_role("search").get_by_role("textbox").fill(word)
        found.page.keyboard.press("Enter")
        expect(found.page.get_by_role("heading", name=says)).to_be_visible()
        found.page.locator("#search-results").get_by_role("link", name=page).first.click()
        expect(found.page.locator("article")).to_contain_text(word)
        found.page.wait_for_function(_IS_SHOWN)


@pytest.mark.parametrize(("german", "english"), GERMAN.items())
def test_the_other_language_is_one_click_away(
    german: str, english: str, site: Path, browser: Browser
) -> None:
    with reader(browser) as found:
        found.page.goto((site / address(german)).as_uri())
        expect(found.page.locator("html")).to_have_attribute("lang", "de")
        for language, page in (("English", english), ("Deutsch", german)):
            found.page.locator(".languages").get_by_role("link", name=language).click()
            expect(found.page).to_have_url((site / address(page)).as_uri())


def test_a_page_without_german_says_so(site: Path, browser: Browser) -> None:
    with reader(browser) as found:
        found.page.goto((site / "docs" / "own-game.html").as_uri())
        link = found.page.locator(".languages").get_by_role("link")
        expect(link).to_contain_text("diese Seite gibt es nur auf Englisch")
        link.click()
        expect(found.page.locator(".only-english")).to_contain_text("A game of your own")


def test_german_pages_have_no_english_words_around_them(site: Path, browser: Browser) -> None:
    with reader(browser) as found:
        found.page.goto((site / "de" / "docs" / "spielen.html").as_uri())
        around = found.page.locator("body").evaluate(_WORDS_AROUND)
        words = set(around.replace("/", " ").split())
        assert not words & {"Toggle", "Search", "Skip", "Back", "Next", "Previous", "On", "Made"}
        assert {"Suche", "Anfang", "Zurück"} <= words


def test_no_page_is_wider_than_a_phone(site: Path, browser: Browser) -> None:
    wide = []
    with reader(browser, PHONE) as found:
        for path in sorted(site.rglob("*.html")):
            if "_modules" in path.parts or "cards" in path.parts:
                continue
            found.page.goto(path.as_uri())
            width = found.page.evaluate("document.documentElement.scrollWidth")
            if width > PHONE[0]:
                wide.append((str(path.relative_to(site)), width))
    assert wide == []
