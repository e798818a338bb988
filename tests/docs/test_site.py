"""The site has every page and command, its links lead somewhere, and no host is asked."""

import fcntl
import os
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from pi_app.commands.cli import HIDDEN
from tests.docs.pages import ROOT, pages
from tests.docs.test_commands import names
from tests.ran import ran

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.timeout(1800),  # a busy machine takes minutes to build it
]

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "object": "data"}
"""What a browser loads without being asked, by the tag, and the attribute that says from where."""


class SitePage(HTMLParser):
    """A page's `ids`, the `links` that people follow, and what is `loaded`."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids.add(values.get("id", ""))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in LOADED and LOADED[tag] in values:
            self.loaded.append(values[LOADED[tag]])


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the built site; the processes of a run share one."""
    folder = tmp_path_factory.getbasetemp()
    if folder.name.startswith("popen-"):
        folder = folder.parent
    with (folder / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "site").exists():
            words = ["-q", "-W", "-b", "html", "-c", "docs", "-d", str(folder / "doctrees")]
            done = ran(
                [sys.executable, "-m", "sphinx", *words, ".", str(folder / "made")],
                cwd=ROOT,
                env=os.environ | {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"},
            )
            assert not done.returncode, done.stderr
            (folder / "made").rename(folder / "site")
    return folder / "site"


def test_every_page_is_in_the_site(site: Path) -> None:
    written = {each.path.relative_to(ROOT) for each in pages() if each.path.suffix == ".md"}
    assert len(written) > 20
    assert [
        path for path in sorted(written) if not (site / path.with_suffix(".html")).exists()
    ] == []


def test_every_command_is_in_the_reference(site: Path) -> None:
    ids = SitePage(site / "reference" / "commands.html").ids
    listed = [words for words in names() if words[0] not in HIDDEN]
    assert [words for words in listed if f"beisitzer-{'-'.join(words)}" not in ids] == []


def test_every_link_leads_somewhere_and_nothing_comes_from_a_host(site: Path) -> None:
    found = {path: SitePage(path) for path in sorted(site.rglob("*.html"))}
    faults = []
    for path, page in found.items():
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    faults.append(f"{path.relative_to(site)} loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            wanted = unquote(parts.fragment)
            if not target.is_file() or (
                wanted and target in found and wanted not in found[target].ids
            ):
                faults.append(f"{path.relative_to(site)}: {link}")
    assert faults == []
