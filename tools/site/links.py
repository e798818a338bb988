"""Looks the built site over: every link leads somewhere, and nothing comes from a host."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

LOADED: Final = {
    "script": "src",
    "img": "src",
    "source": "src",
    "iframe": "src",
    "video": "src",
    "audio": "src",
    "object": "data",
    "embed": "src",
    "link": "href",
}
"""What a browser loads without being asked, by the tag, and the attribute that says from where."""


@dataclass
class LinkedPage(HTMLParser):
    """What a page has: `ids` to link to, `links` that people follow, files that are `loaded`."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of what an element has."""
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        if tag in ("a", "form"):
            self.links += [values[name] for name in ("href", "action") if name in values]
        elif tag in LOADED and LOADED[tag] in values:
            self.loaded.append(values[LOADED[tag]])


def faults(folder: Path) -> Iterator[str]:
    """Yield a line for each link that leads nowhere, and for each file that a host would send."""
    pages = {path: _read(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(folder)
        for address in page.loaded:
            if urlsplit(address).scheme not in ("", "data") or address.startswith("//"):
                yield f"{name} loads {address}"
        for link in (*page.links, *page.loaded):
            if not _leads(path, link, pages):
                yield f"{name}: {link} leads nowhere"


def _read(path: Path) -> LinkedPage:
    page = LinkedPage()
    page.feed(path.read_text("utf-8"))
    return page


def _leads(path: Path, link: str, pages: dict[Path, LinkedPage]) -> bool:
    """Tell whether a link on a page leads somewhere; what leads to a host is not looked at."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    wanted = unquote(parts.fragment)
    if not wanted or target not in pages:
        return target.is_file()
    return wanted in pages[target].ids
