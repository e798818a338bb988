"""Compiling the text catalogues: `python -m pi_app.texts.catalogues`, and while building.

Other games' catalogues too: `python -m pi_app.texts.catalogues FOLDER`.

Needs Babel, which the running companion does not.
"""

import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from string import Formatter
from typing import Any

FOLDER = Path(__file__).parent / "locale"
_LINE = re.compile(
    r'\s*(#.*|((msgctxt|msgid|msgid_plural|msgstr(\[\d+\])?)\s*)?"(\\.|[^"\\])*")?\s*'
)
"""A line of a catalogue: a comment, or a text in quotation marks, mostly after a word."""


class CatalogueError(ValueError):
    """A catalogue that cannot be used; a line for each mistake."""


def compile_catalogues(folder: Path = FOLDER) -> None:
    """Compile every .po that is newer than its .mo; CatalogueError for one with mistakes."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import PoFileError, read_po

    for po in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        mo = po.with_suffix(".mo")
        if mo.exists() and mo.stat().st_mtime > po.stat().st_mtime:
            continue
        # several processes may compile at once
        temporary = mo.with_suffix(f".{os.getpid()}")
        text = po.read_text("utf-8")
        try:
            catalogue = read_po(StringIO(text), abort_invalid=True)
        except PoFileError as error:
            raise CatalogueError(f"{po}, line {error.lineno}: {error}") from None
        if wrong := [*_wrong_lines(text), *_wrong_facts(catalogue)]:
            raise CatalogueError("\n".join(f"{po}, {line}" for line in wrong))
        # without the time of compiling, so that an image can be built twice alike
        catalogue.creation_date = datetime.fromtimestamp(0, UTC)
        with temporary.open("wb") as target:
            write_mo(target, catalogue)
        temporary.replace(mo)


def _wrong_lines(text: str) -> Iterator[str]:
    """Yield a sentence for each faulty line, which Babel would cut or ignore."""
    for number, line in enumerate(text.splitlines(), 1):
        if not _LINE.fullmatch(line):
            yield f"line {number}: {line!r} has no closing quotation mark, or is no entry"


def _wrong_facts(catalogue: Any) -> Iterator[str]:
    """Yield a line for each text with facts that the English one does not have."""
    for message in catalogue:
        if not message.id:  # the head
            continue
        english = [message.id] if isinstance(message.id, str) else message.id
        words = [message.string] if isinstance(message.string, str) else message.string
        known = set().union(*map(_facts, english))
        for text in words:
            if fault := _fault(text, known):
                yield f"line {message.lineno}: {text!r} has {fault}"


def _fault(text: str, known: set[str]) -> str | None:
    """Return a translation's fault, or None; `known` are the facts."""
    try:
        unknown = _facts(text) - known
    except ValueError:
        return "a brace without its other"
    has = ", ".join(f"{{{name}}}" for name in sorted(known)) or "none"
    return f"{{{min(unknown)}}}; the facts of this text: {has}" if unknown else None


def _facts(text: str) -> set[str]:
    """Return the names of the facts in a text; ValueError if its braces are wrong."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


if __name__ == "__main__":
    try:
        for folder in sys.argv[1:] or [str(FOLDER)]:
            compile_catalogues(Path(folder))
    except CatalogueError as error:
        sys.exit(str(error))
