"""Which pages the site has, in which order and under which headings."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
LANGUAGES: Final = ("en", "de")

FIRST: Final = {"en": "README.md", "de": "README.de.md"}
"""The pages that a reader sees first, `index` of each language."""

GERMAN: Final = {
    "README.de.md": "README.md",
    "docs/spielen.md": "docs/play.md",
    "docs/handy.md": "docs/phone.md",
    "docs/verein.md": "docs/club.md",
}
"""The German pages, each with the English one that says the same."""

PARTS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "en": {
        "For people": (
            "docs/play.md",
            "docs/rulings.md",
            "docs/phone.md",
            "docs/build.md",
            "firmware/README.md",
            "docs/club.md",
            "docs/home.md",
            "docs/settings.md",
            "docs/commands.md",
            "docs/export.md",
            "docs/ai.md",
        ),
        "For makers": (
            "docs/own-game.md",
            "examples/muehle/README.md",
            "docs/own-device.md",
            "docs/own-display.md",
            "docs/translate.md",
            "docs/library.md",
            "api/index.rst",
        ),
        "Contracts": (
            "docs/promises.md",
            "docs/records.md",
            "docs/remote.md",
            "docs/panel.md",
            "docs/link.md",
        ),
        "Inside": (
            "docs/architecture.md",
            "docs/glossary.md",
            "docs/decisions/README.md",
            "docs/performance.md",
            "docs/reliability.md",
            "docs/measurements/README.md",
            "docs/threats.md",
            "SECURITY.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
        ),
    },
    "de": {"Für alle am Tisch": ("docs/spielen.md", "docs/handy.md", "docs/verein.md")},
}

BELOW: Final = ("docs/decisions", "docs/measurements")
"""Folders whose README has the other pages of the folder below it."""

API: Final = {
    "engines": "The rules",
    "beisitzer.plugin": "A game's parts",
    "beisitzer.plugin.rules": "A game's rules",
    "beisitzer.plugin.presentation": "A game's words and pictures",
    "beisitzer.plugin.screens": "A game's screens",
    "beisitzer.plugin.ai": "A game's AI",
    "beisitzer.testing.samples": "Samples for the suite",
    "beisitzer.testing.pilot": "A table for tests",
}
"""The modules that others may import, and what each is for."""


def pages(language: str) -> Iterator[str]:
    """Yield the pages of a language, by their paths in the repository, the first one first."""
    yield FIRST[language]
    for parts in PARTS[language].values():
        for page in parts:
            if not page.startswith("api/"):
                yield page
            folder, _, name = page.rpartition("/")
            if folder in BELOW and name == "README.md":
                yield from below(page)


def below(page: str) -> list[str]:
    """Return the pages below a folder's README, by their paths in the repository."""
    folder = Path(page).parent
    found = sorted(path.name for path in (ROOT / folder).glob("*.md"))
    return [str(folder / name) for name in found if name != "README.md"]


def document(page: str) -> str:
    """Return the name under which the generator knows a page: its path without the ending."""
    return "index" if page in FIRST.values() else str(Path(page).with_suffix(""))


def language_of(page: str) -> str:
    """Return the language of a page."""
    return "de" if page in GERMAN else "en"


def address(page: str) -> str:
    """Return where a page of any language is in the site."""
    folder = "de/" if language_of(page) == "de" else ""
    return f"{folder}{document(page)}.html"
