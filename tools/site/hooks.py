"""What the generator is told of this project: docstrings, and the way to the other language."""

import os
import re
from enum import Enum
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from tools.site.navigation import (
    FIRST,
    GERMAN,
    PARTS,
    ROOT,
    address,
    document,
    language_of,
    pages,
)

_SHORT = 10
"""Names of so many characters stay whole in a table."""
_OTHER = {"en": "de", "de": "en"}


def connect(app: Sphinx) -> None:
    """Connect all hooks."""
    app.connect("autodoc-process-docstring", read_docstring)
    app.connect("autodoc-process-signature", read_signature)
    app.connect("autodoc-skip-member", keep_offered)
    app.connect("doctree-resolved", let_names_break)
    app.connect("html-page-context", tell_languages)
    app.connect("html-page-context", drop_way_back)


def read_docstring(
    _app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Let indented blocks of a docstring be code, as they are meant, in place of quotations."""
    read: list[str] = []
    for line, before in zip(lines, ["", *lines], strict=False):
        begins = line.startswith("    ") and not before.strip()
        if begins and read and not _in_list_or_code(read):
            read += ["::", ""]
        read.append(line)
    lines[:] = read


def read_signature(
    _app: Sphinx,
    _what: str,
    _name: str,
    _object: Any,
    _options: Any,
    signature: str | None,
    returns: str | None,
) -> tuple[str, str | None] | None:
    """Write defaults that Python prints as no code, `<Tone.PLAIN: 'plain'>` or `<factory>`."""
    if signature is None:
        return None
    signature = re.sub(r"<(\w+\.\w+): [^<>]*>", r"\1", signature)
    return re.sub(r"= <(?:[^<>]|<[^<>]*>)*>", "= ...", signature), returns


def keep_offered(
    _app: Sphinx,
    _what: str,
    _name: str,
    member: Any,
    skip: bool,  # noqa: FBT001  # the generator passes it so
    _options: Any,
) -> bool | None:
    """Keep the members of enumerations, and what a game must write, in spite of its underscore."""
    offered = getattr(member, "__isabstractmethod__", False) or isinstance(member, Enum)
    return False if skip and offered else None


def _in_list_or_code(lines: list[str]) -> bool:
    """Tell whether an indented line that follows belongs to a list, or to code that has begun."""
    last = next((line for line in reversed(lines) if line.strip()), "")
    return last.startswith(("    ", "- ", "  ")) or last.endswith("::")


def let_names_break(_app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    """Let long names in tables break after their signs, so that the columns stay on a phone."""
    for entry in doctree.findall(nodes.entry):
        for code in entry.findall(nodes.literal):
            parts = re.findall(r"[^/_.,=(]*[/_.,=(]|[^/_.,=(]+", code.astext())
            if len(code.astext()) <= _SHORT or len(parts) < 2:
                continue
            code.clear()
            for part in parts:
                code += [nodes.Text(part), nodes.raw("", "<wbr>", format="html")]


def tell_languages(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    """Say where the other language is, and which pages there are only in English."""
    language = app.config.language
    page = next((each for each in pages(language) if document(each) == pagename), None)
    other = _counterpart(page) if page is not None else None
    here = f"de/{pagename}" if language == "de" else pagename
    start = Path(here).parent

    context["other_page"] = os.path.relpath(address(other or FIRST[_OTHER[language]]), start)
    context["other_exists"] = other is not None
    if language == "de":
        context["only_english"] = [
            (_heading(each), os.path.relpath(address(each), start))
            for part in PARTS["en"].values()
            for each in part
            if each not in GERMAN.values()
        ]


def drop_way_back(
    _app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    """Take the links back out of shown modules: they are wrong for names imported elsewhere."""
    if pagename.startswith("_modules/"):
        context["body"] = re.sub(r'<a class="viewcode-back".*?</a>', "", context["body"])


def _counterpart(page: str) -> str | None:
    """Return the page in the other language that says the same."""
    if language_of(page) == "de":
        return GERMAN[page]
    return next((german for german, english in GERMAN.items() if english == page), None)


def _heading(page: str) -> str:
    if page.startswith("api/"):
        return "API reference"
    found = re.search(r"^# (.+)$", (ROOT / page).read_text("utf-8"), re.M)
    return found[1] if found else Path(page).stem
