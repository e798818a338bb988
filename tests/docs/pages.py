"""The documentation as tests see it: pages, their code, headings and links."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```[^\n]*\n(.*?)^```", re.M | re.S)
_SPAN = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^(#+) (.+)$", re.M)


@dataclass(frozen=True, slots=True)
class Page:
    """One file of the documentation."""

    path: Path
    text: str

    def __str__(self) -> str:
        return str(self.path.relative_to(ROOT))

    @property
    def blocks(self) -> list[str]:
        """The code blocks, fenced or indented, without their indentation."""
        found = _FENCE.findall(self.text)
        lines: list[str] = []
        for line in [*_FENCE.sub("", self.text).splitlines(), ""]:
            if line.startswith("    ") or (not line and lines):
                lines.append(line[4:])
            elif lines:
                found.append("\n".join(lines).strip("\n"))
                lines = []
        return [*found, *(["\n".join(lines).strip("\n")] if any(lines) else [])]

    @property
    def spans(self) -> list[str]:
        """The code within sentences, each as one line."""
        plain = "\n".join(
            line for line in _FENCE.sub("", self.text).splitlines() if not line.startswith("    ")
        )
        return [" ".join(span.split()) for span in _SPAN.findall(plain)]

    @property
    def code_lines(self) -> list[str]:
        """Every line of code on the page."""
        return [*self.spans, *(line for block in self.blocks for line in block.splitlines())]

    @property
    def headings(self) -> list[tuple[int, str]]:
        """Level and words of each heading, those in code left out."""
        outside = _FENCE.sub("", self.text)
        return [(len(marks), words) for marks, words in _HEADING.findall(outside)]

    @property
    def links(self) -> list[str]:
        return _LINK.findall(self.text)

    @property
    def images(self) -> list[str]:
        return _IMAGE.findall(self.text)


def pages() -> list[Page]:
    """Return every page that people are given to read."""
    paths = [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob(".github/ISSUE_TEMPLATE/*.yml"),
    ]
    return [Page(path, path.read_text("utf-8")) for path in sorted(paths)]


def page(name: str) -> Page:
    """Return one page by its path in the repository."""
    return Page(ROOT / name, (ROOT / name).read_text("utf-8"))


def anchor(words: str) -> str:
    """Return what a heading is called in links, as GitHub makes it."""
    plain = re.sub(r"[`*]", "", words).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
