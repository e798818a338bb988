"""Lays out what the generator reads: the repository's pages, as they are but for a few links.

On a code host a page may link to any file. In the site a link leads to

- a page of the same language, as it is written
- a page of the other language, which is a build of its own
- a page with the text of a source file, which is made here
- a copy of a file that browsers show, such as a card to print
"""

import os
import re
import shutil
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tools.site.navigation import (
    API,
    BELOW,
    FIRST,
    PARTS,
    ROOT,
    address,
    below,
    document,
    pages,
)

_LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_CODE: Final = re.compile(r"^```.*?^```|^ {4}[^\n]*$|`[^`]+`", re.M | re.S)
_LEXERS: Final = {".py": "python", ".toml": "toml", ".po": "po", ".keys": "text", "": "text"}
_API: Final = """\
The modules that a program or a game of your own may import, as their docstrings describe them.
:doc:`What 1.0 will keep </docs/promises>` says what will stay."""


class SiteError(Exception):
    """A page that cannot become a part of the site; the message names it."""


@dataclass
class Sources:
    """What the build of one language reads, in a folder; `others` are copied beside its pages."""

    folder: Path
    language: str
    shown: set[str] = field(default_factory=set)
    """Source files that pages link to: each becomes a page."""
    others: set[str] = field(default_factory=set)
    """Files that browsers show."""

    def write(self) -> None:
        """Write all pages; SiteError if a link leads nowhere."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for page in pages(self.language):
            text = self.linked(page, (ROOT / page).read_text("utf-8"))
            if page == FIRST[self.language]:
                text += "".join(_contents(self.language))
            elif page in [f"{folder}/README.md" for folder in BELOW]:
                text += _contents_below(page)
            self._put(f"{document(page)}.md", text)
        if self.language == "en":
            for path, text in _reference():
                self._put(path, text)

    def write_shown(self, shown: set[str]) -> None:
        """Write a page for each source file."""
        for path in sorted(shown):
            lexer = _LEXERS.get(Path(path).suffix, "text")
            code = (ROOT / path).read_text("utf-8")
            fence = "`" * 6
            self._put(
                f"{path}.md",
                f"---\norphan: true\n---\n\n# `{Path(path).name}`\n\n"
                f"`{path}` in the repository:\n\n{fence}{lexer}\n{code}{fence}\n",
            )

    def linked(self, page: str, text: str) -> str:
        """Return a page's text with the links that the site needs."""
        code = [match.span() for match in _CODE.finditer(text)]

        def replace(match: re.Match[str]) -> str:
            if any(start <= match.start() and match.end() <= end for start, end in code):
                return match[0]
            words = self.linked(page, match[2]) if "](" in match[2] else match[2]
            if not match[1]:
                words = _title(page, match[3], words)
            return self._link(page, match[1], words, match[3])

        return _LINK.sub(replace, text)

    def _link(self, page: str, mark: str, words: str, link: str) -> str:
        place, _, part = link.partition("#")
        if "://" in link or not place:
            return f"{mark}[{words}]({link})"
        target = os.path.normpath(Path(page).parent / place)
        if not (ROOT / target).exists() or target.startswith(".."):
            raise SiteError(f"{page}: {link} leads nowhere")
        if mark:
            self._copy(target, self.folder / target)
            return f"![{words}]({link})"
        if target in pages(self.language):
            here = os.path.relpath(f"{document(target)}.md", Path(document(page)).parent)
            return f"[{words}]({here}{'#' if part else ''}{part})"
        if target.endswith(".md"):
            return f"[{words}]({_elsewhere(page, address(target), part)})"
        if (ROOT / target).is_dir():
            return words
        if target.endswith((".html", ".svg")):
            self.others.add(target)
            return f"[{words}](copy:{_relative(page, target)})"
        self.shown.add(target)
        if self.language == "en":
            here = os.path.relpath(f"{target}.md", Path(document(page)).parent)
            return f"[{words}]({here})"
        return f"[{words}]({_elsewhere(page, f'{target}.html', '')})"

    def _put(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def _copy(self, path: str, to: Path) -> None:
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, to)


def _title(page: str, link: str, words: str) -> str:
    """Return the heading that a link leads to, if its words are only the path, else the words."""
    place, _, part = link.partition("#")
    target = (ROOT / page).parent / place
    folder = str(Path(place).parent)
    if words not in (link, place, Path(place).name, folder) or "://" in link:
        return words
    if target.suffix != ".md":
        return f"`{words}`"
    headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.M)
    return next((each for each in headings if not part or _anchor(each) == part), words)


def _anchor(heading: str) -> str:
    """Return what a heading is called in links, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _relative(page: str, to: str) -> str:
    """Return the address `to` in the site as a page's links write it."""
    return os.path.relpath(to, Path(address(page)).parent)


def _elsewhere(page: str, to: str, part: str) -> str:
    """Return a link to the other language's build, by the schemes of conf.py."""
    return f"part:{_relative(page, to)}#{part}" if part else f"page:{_relative(page, to)}"


def _contents(language: str) -> list[str]:
    """Return what puts each part's pages below the first page, unseen on it."""
    return [
        _toctree(heading, [f"/{document(page)}" for page in parts])
        for heading, parts in PARTS[language].items()
    ]


def _contents_below(page: str) -> str:
    return _toctree("", [f"/{document(each)}" for each in below(page)])


def _toctree(heading: str, documents: list[str]) -> str:
    caption = f":caption: {heading}\n" if heading else ""
    listed = "\n".join(documents)
    return f"\n\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n{caption}\n{listed}\n```\n"


def _reference() -> list[tuple[str, str]]:
    """Return the pages of the API reference, which its docstrings fill."""
    written = []
    home: set[int] = set()  # the objects that are described on an earlier page
    for module, heading in API.items():
        names = public_names(module)
        there = [name for name in names if id(names[name]) in home]
        home |= set(map(id, names.values()))
        text = _heading(f"{heading}: ``{module}``")
        text += f".. automodule:: {module}\n   :members:\n"
        if there:
            text += f"   :exclude-members: {', '.join(there)}\n\n"
            text += "Imported from here too, and described elsewhere:\n\n"
            text += "".join(f"- {_described(names[name], name)}\n" for name in there)
        values = [name for name, value in names.items() if not callable(value)]
        if values:
            text += f"\nValues: {', '.join(f'``{name}``' for name in values)}\n"
        written.append((f"api/{module}.rst", text))
    listed = "".join(f"   {module}\n" for module in API)
    first = f"{_heading('API reference')}{_API}\n\n.. toctree::\n   :maxdepth: 1\n\n{listed}"
    return [("api/index.rst", first), *written]


def _heading(words: str) -> str:
    return f"{words}\n{'=' * len(words)}\n\n"


def public_names(module: str) -> dict[str, Any]:
    """Return what a module offers, by its names."""
    found = import_module(module)
    return {name: getattr(found, name) for name in getattr(found, "__all__", ())}


def _described(thing: Any, name: str) -> str:
    return f":py:obj:`{name} <{thing.__module__}.{name}>`"
